// What a push sink has not been told yet.

import { createPause, type MetricBatch, type Sample, type Timing } from '../contract/index.js';
import type { FamilySnapshot, MetricStore, SeriesValue } from './store.js';

/** How many observations a cursor keeps when its sink does not say. */
export const DEFAULT_MAX_TIMINGS = 100_000;

/** How many series are read between two looks at the clock. */
const SERIES_PER_LOOK = 256;

/** A batch and what becomes of it. */
export interface TakenBatch {
  readonly batch: MetricBatch;
  /** The sink has it: its counter growth and its timings are not offered again. */
  accept(): void;
}

/**
 * The position of one push sink in the store: counter growth since the last accepted batch, and the observations since. A
 * batch that is not accepted is part of the next one.
 */
export class MetricCursor {
  readonly #store: MetricStore;
  readonly #maxTimings: number;
  /** What the sink was told last, by the series object of the store. */
  readonly #told = new WeakMap<SeriesValue, number>();
  readonly #timings: Timing[] = [];
  /** Where the first kept observation is in the list; the list is shortened now and then, not at each drop. */
  #first = 0;
  #dropped = 0;
  readonly #unsubscribe: () => void;

  constructor(store: MetricStore, maxTimings: number = DEFAULT_MAX_TIMINGS) {
    this.#store = store;
    this.#maxTimings = maxTimings;
    this.#unsubscribe = store.onObservation((parts, labels, value) =>
      this.#observe({
        namespace: parts.namespace,
        subsystem: parts.subsystem,
        name: parts.name,
        labels,
        value,
      }),
    );
  }

  /** Everything the sink has not accepted yet. */
  async take(): Promise<TakenBatch> {
    const counters: Sample[] = [];
    const gauges: Sample[] = [];
    const growth: [SeriesValue, number][] = [];
    const pause = createPause(SERIES_PER_LOOK);
    for await (const family of this.#store.families()) {
      if (family.type !== 'counter' && family.type !== 'gauge') continue;
      for (const series of family.values) {
        const others = pause();
        if (others !== undefined) await others;
        if (family.type === 'gauge') {
          gauges.push(sample(family, series, series.value));
          continue;
        }
        const told = this.#told.get(series) ?? 0;
        const grown = rounded(series.value - told);
        // A count that ran over is infinite, and its growth no number.
        if (!(grown > 0)) continue;
        counters.push(sample(family, series, grown));
        growth.push([series, told + grown]);
      }
    }
    const timings = this.#timings.slice(this.#first);
    const droppedTimings = this.#dropped;
    const accept = (): void => {
      for (const [series, value] of growth) this.#told.set(series, value);
      // Observations that were dropped since, but are in the accepted batch, are not lost.
      const droppedSince = this.#dropped - droppedTimings;
      const toldNevertheless = Math.min(droppedSince, timings.length);
      this.#dropped = droppedSince - toldNevertheless;
      this.#first += timings.length - toldNevertheless;
      this.#compact();
    };
    return { batch: { counters, gauges, timings, droppedTimings }, accept };
  }

  /** Stops following the store. */
  close(): void {
    this.#unsubscribe();
    this.#timings.length = 0;
    this.#first = 0;
  }

  #observe(timing: Timing): void {
    this.#timings.push(timing);
    if (this.#timings.length - this.#first <= this.#maxTimings) return;
    this.#first += 1;
    this.#dropped += 1;
    if (this.#first > this.#maxTimings) this.#compact();
  }

  #compact(): void {
    this.#timings.splice(0, this.#first);
    this.#first = 0;
  }
}

/** Sinks write six decimals: what is less waits, so that it is not lost in each batch. */
const RESOLUTION = 1e6;

function rounded(growth: number): number {
  const scaled = growth * RESOLUTION;
  return scaled < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / RESOLUTION : growth;
}

function sample({ parts }: FamilySnapshot, { labels }: SeriesValue, value: number): Sample {
  const { namespace, subsystem, name } = parts;
  return { namespace, subsystem, name, labels, value };
}
