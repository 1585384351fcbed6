// What a push sink has not accepted yet.

import {
  createYielder,
  type FamilySnapshot,
  type MetricBatch,
  type Sample,
  type SeriesValue,
} from '../contract/index.js';
import type { MetricStore } from './store.js';
import { TimingBuffer } from './timing-buffer.js';

/** How many observations a cursor keeps when the sink sets no limit. */
const DEFAULT_MAX_TIMINGS = 100_000;

/** How many series are read between two reads of the clock. */
const SERIES_PER_CHECK = 256;

/** A batch for the sink. */
export interface TakenBatch {
  readonly batch: MetricBatch;
  /** Call this when the sink accepted the batch: its counter growth and its timings are not in the next batch. */
  accept(): void;
}

/** What the sink has acknowledged of a counter. */
interface Acknowledged {
  /** The value of the counter before the growth in `batch`. */
  value: number;
  /** The value of the counter with the growth in `batch`: the acknowledged value when that batch is accepted. */
  offered: number;
  batch: { readonly isAccepted: boolean };
}

/**
 * The position of one push sink in the store: which counter growth and which observations it has accepted. The content of a
 * batch that was not accepted is part of the next one.
 *
 * A batch is taken in slices, and other code can run in between. A change made meanwhile is either in this batch or in the next.
 */
export class MetricCursor {
  readonly #store: MetricStore;
  readonly #timings: TimingBuffer;
  /** By the series object of the store, which never removes a series. */
  readonly #acknowledged = new Map<SeriesValue, Acknowledged>();
  readonly #unsubscribe: () => void;

  /** @param maxTimings how many observations are kept until a batch is accepted */
  constructor(store: MetricStore, maxTimings: number = DEFAULT_MAX_TIMINGS) {
    this.#store = store;
    this.#timings = new TimingBuffer(maxTimings);
    this.#unsubscribe = store.onObservation((series, value) => this.#timings.add(series, value));
  }

  /** Takes everything that the sink has not accepted. Do not call it again before the batch was accepted or has failed. */
  async take(): Promise<TakenBatch> {
    const counters: Sample[] = [];
    const gauges: Sample[] = [];
    const batch = { isAccepted: false };
    const yieldIfDue = createYielder(SERIES_PER_CHECK);
    for await (const family of this.#store.families()) {
      if (family.type !== 'counter' && family.type !== 'gauge') continue;
      for await (const slice of family.slices()) {
        for (const series of slice) {
          const nextTurn = yieldIfDue();
          if (nextTurn !== undefined) await nextTurn;
          if (family.type === 'gauge') gauges.push(sample(family, series, series.value));
          else {
            const growth = this.#growth(series, batch);
            if (growth > 0) counters.push(sample(family, series, growth));
          }
        }
      }
    }
    const taken = await this.#timings.take();
    return {
      batch: { counters, histograms: [], gauges, timings: taken.timings, droppedTimings: taken.dropped },
      accept: () => {
        // One flag for all counters, so that accepting a batch is cheap.
        batch.isAccepted = true;
        taken.accept();
      },
    };
  }

  /** Stops recording observations and drops the recorded ones. */
  close(): void {
    this.#unsubscribe();
    this.#timings.clear();
  }

  /** The growth of a counter since the last accepted batch, recorded as offered in this batch. */
  #growth(series: SeriesValue, batch: Acknowledged['batch']): number {
    const entry = this.#acknowledged.get(series);
    if (entry?.batch.isAccepted === true) entry.value = entry.offered;
    const before = entry?.value ?? 0;
    const growth = rounded(series.value - before);
    // Also when it is NaN: a counter that overflowed is infinite.
    if (!(growth > 0)) return 0;
    if (entry === undefined)
      this.#acknowledged.set(series, { value: before, offered: before + growth, batch });
    else {
      entry.offered = before + growth;
      entry.batch = batch;
    }
    return growth;
  }
}

/** Sinks write six decimals. Smaller growth stays in the cursor; otherwise it would be rounded to zero in every batch. */
const RESOLUTION = 1e6;

function rounded(growth: number): number {
  const scaled = growth * RESOLUTION;
  return scaled < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / RESOLUTION : growth;
}

function sample({ parts }: FamilySnapshot, { labels }: SeriesValue, value: number): Sample {
  const { namespace, subsystem, name } = parts;
  return { namespace, subsystem, name, labels, value };
}
