// What a push sink has not accepted yet.

import {
  createYielder,
  type FamilySnapshot,
  type MetricBatch,
  type PushSink,
  type Sample,
  type SeriesValue,
} from '../contract/index.js';
import { Acknowledged, type OfferedBatch } from './acknowledged.js';
import { addOwnHistograms } from './own-histograms.js';
import { addGauges, addGrowth, addTotals, type BatchLists } from './relayed-batch.js';
import type { SourceTotals } from './source-totals.js';
import { Sources } from './sources.js';
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

/** What a push sink wants of a cursor. */
export interface CursorOptions {
  /** The sources whose families are relayed. @default none */
  readonly sources?: Sources;
  /** What fails now. @default nothing */
  readonly checks?: () => MetricBatch['checks'];
  /** @default growth */
  readonly values?: PushSink['push']['values'];
  /** How many observations are kept until a batch is accepted. @default DEFAULT_MAX_TIMINGS */
  readonly maxTimings?: number | undefined;
}

/**
 * The position of one push sink in the store: which counter growth and which observations it has accepted. The content of a
 * batch that was not accepted is part of the next one.
 *
 * A batch is taken in slices, and other code can run in between. A change made meanwhile is either in this batch or in the next.
 */
export class MetricCursor {
  readonly #store: MetricStore;
  readonly #sources: Sources;
  readonly #hasTotals: boolean;
  readonly #timings: TimingBuffer;
  readonly #acknowledged = new Acknowledged();
  readonly #unsubscribe: () => void;
  readonly #checks: () => MetricBatch['checks'];

  constructor(
    store: MetricStore,
    {
      sources = new Sources(),
      checks = () => [],
      values,
      maxTimings = DEFAULT_MAX_TIMINGS,
    }: CursorOptions = {},
  ) {
    this.#store = store;
    this.#sources = sources;
    this.#checks = checks;
    this.#hasTotals = values === 'totals';
    this.#timings = new TimingBuffer(maxTimings);
    const ends = this.#hasTotals
      ? []
      : [
          store.onObservation((series, value) => this.#timings.add(series, value)),
          sources.addGrowthSink(this),
        ];
    this.#unsubscribe = () => ends.forEach((end) => end());
  }

  /**
   * Takes everything that the sink has not accepted. Do not call it again before the batch was accepted or has failed.
   *
   * @param timeout how long to wait for the sources, in milliseconds
   * @param signal ends the wait for the sources
   */
  async take(timeout?: number, signal?: AbortSignal): Promise<TakenBatch> {
    const sources = await this.#sources.live(timeout, signal);
    const lists: BatchLists = { counters: [], histograms: [], gauges: [] };
    const batch = { isAccepted: false };
    if (this.#hasTotals) await this.#addOwnTotals(lists);
    else await this.#addOwn(lists, batch);
    const yieldIfDue = createYielder(SERIES_PER_CHECK);
    const readings: (readonly [SourceTotals, number])[] = [];
    for (const source of sources) {
      readings.push([source.totals, source.totals.recorded]);
      if (this.#hasTotals) await addTotals(source, lists, yieldIfDue);
      else {
        await addGrowth(source, lists, this.#acknowledged, batch, yieldIfDue);
        await addGauges(source, lists, yieldIfDue);
      }
    }
    const taken = await this.#timings.take();
    return {
      batch: { ...lists, timings: taken.timings, droppedTimings: taken.dropped, checks: this.#checks() },
      accept: () => {
        // One flag for all series, so that accepting a batch is cheap.
        batch.isAccepted = true;
        for (const [totals, reading] of readings) totals.accept(this, reading);
        taken.accept();
      },
    };
  }

  /** Adds the growth of the counters of the agent, and its gauges. */
  async #addOwn({ counters, gauges }: BatchLists, batch: OfferedBatch): Promise<void> {
    const yieldIfDue = createYielder(SERIES_PER_CHECK);
    for await (const family of this.#store.families()) {
      if (family.type !== 'counter' && family.type !== 'gauge') continue;
      for await (const slice of family.slices()) {
        for (const series of slice) {
          const nextTurn = yieldIfDue();
          if (nextTurn !== undefined) await nextTurn;
          if (family.type === 'gauge') gauges.push(sample(family, series, series.value));
          else {
            // The store never removes a series of a counter, and returns the same object for it.
            const growth = this.#acknowledged.growth(series, series.value, batch);
            if (growth > 0) counters.push(sample(family, series, growth));
          }
        }
      }
    }
  }

  /** Adds all counters, gauges and histograms of the agent. */
  async #addOwnTotals({ counters, gauges, histograms }: BatchLists): Promise<void> {
    const yieldIfDue = createYielder(SERIES_PER_CHECK);
    for await (const snapshot of this.#store.families()) {
      const { name, help, type } = snapshot;
      const family = { name, help };
      const list = type === 'gauge' ? gauges : counters;
      for await (const slice of snapshot.slices()) {
        if (type === 'histogram') addOwnHistograms(histograms, snapshot, slice, family);
        else if (type === 'counter' || type === 'gauge')
          for (const series of slice) {
            list.push({ ...sample(snapshot, series, series.value), family });
            const nextTurn = yieldIfDue();
            if (nextTurn !== undefined) await nextTurn;
          }
        await yieldIfDue();
      }
    }
  }

  /** Stops recording observations and drops the recorded ones. */
  close(): void {
    this.#unsubscribe();
    this.#timings.clear();
  }
}

function sample({ parts }: FamilySnapshot, { labels }: SeriesValue, value: number): Sample {
  const { namespace, subsystem, name } = parts;
  return { namespace, subsystem, name, labels, value };
}
