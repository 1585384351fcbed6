// What a push sink has not been told yet.

import { createYielder, type MetricBatch, type Sample } from '../contract/index.js';
import type { FamilySnapshot, SeriesValue } from './family.js';
import type { MetricStore } from './store.js';
import { TimingBuffer } from './timing-buffer.js';

/** How many observations a cursor keeps when its sink does not say. */
const DEFAULT_MAX_TIMINGS = 100_000;

/** How many series are read between two looks at the clock. */
const SERIES_PER_LOOK = 256;

/** A batch and what becomes of it. */
export interface TakenBatch {
  readonly batch: MetricBatch;
  /** The sink has it: its counter growth and its timings are not offered again. */
  accept(): void;
}

/** What a sink knows of a counter. */
interface Told {
  /** What it was told up to the batch that offers more. */
  value: number;
  /** What it will have been told when it accepts that batch. */
  offered: number;
  batch: { readonly isAccepted: boolean };
}

/**
 * The position of one push sink in the store: counter growth since the last accepted batch, and the observations since. A
 * batch that is not accepted is part of the next one.
 *
 * A batch is taken a few series at a time. What changes meanwhile is in this batch or in the next one.
 */
export class MetricCursor {
  readonly #store: MetricStore;
  readonly #timings: TimingBuffer;
  /** By the series object of the store, which keeps series for good. */
  readonly #told = new Map<SeriesValue, Told>();
  readonly #unsubscribe: () => void;

  constructor(store: MetricStore, maxTimings: number = DEFAULT_MAX_TIMINGS) {
    this.#store = store;
    this.#timings = new TimingBuffer(maxTimings);
    this.#unsubscribe = store.onObservation((series, value) => this.#timings.add(series, value));
  }

  /** Everything the sink has not accepted yet. To be called again when the batch was accepted or will not be. */
  async take(): Promise<TakenBatch> {
    const counters: Sample[] = [];
    const gauges: Sample[] = [];
    const batch = { isAccepted: false };
    const pause = createYielder(SERIES_PER_LOOK);
    for await (const family of this.#store.families()) {
      if (family.type !== 'counter' && family.type !== 'gauge') continue;
      for await (const slice of family.slices()) {
        for (const series of slice) {
          const others = pause();
          if (others !== undefined) await others;
          if (family.type === 'gauge') gauges.push(sample(family, series, series.value));
          else {
            const growth = this.#offer(series, batch);
            if (growth > 0) counters.push(sample(family, series, growth));
          }
        }
      }
    }
    const taken = await this.#timings.take();
    return {
      batch: { counters, gauges, timings: taken.timings, droppedTimings: taken.dropped },
      accept: () => {
        // Marking the batch costs the same however many counters it has.
        batch.isAccepted = true;
        taken.accept();
      },
    };
  }

  /** Stops following the store. */
  close(): void {
    this.#unsubscribe();
    this.#timings.clear();
  }

  /** What a counter grew by; 0 when there is nothing to tell. */
  #offer(series: SeriesValue, batch: Told['batch']): number {
    const told = this.#told.get(series);
    if (told?.batch.isAccepted === true) told.value = told.offered;
    const before = told?.value ?? 0;
    const growth = rounded(series.value - before);
    // A count that ran over is infinite, and its growth no number.
    if (!(growth > 0)) return 0;
    if (told === undefined) this.#told.set(series, { value: before, offered: before + growth, batch });
    else {
      told.offered = before + growth;
      told.batch = batch;
    }
    return growth;
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
