// What a push sink has not accepted yet.

import { createYielder, type MetricBatch, type PushSink } from '../contract/index.js';
import { Acknowledged } from './acknowledged.js';
import { addGrowth, addOwnGrowth, addOwnTotals, addTotals, type BatchLists } from './batch.js';
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
    for await (const family of this.#store.families())
      await runSteps(
        this.#hasTotals
          ? addOwnTotals(family, lists)
          : addOwnGrowth(family, lists, this.#acknowledged, batch),
      );
    const readings = sources.map(({ totals }) => ({ totals, reading: totals.readings }));
    for (const source of sources)
      await runSteps(
        this.#hasTotals ? addTotals(source, lists) : addGrowth(source, lists, this.#acknowledged, batch),
      );
    const taken = this.#timings.take();
    return {
      batch: { ...lists, timings: taken.timings, droppedTimings: taken.dropped, checks: this.#checks() },
      accept: () => {
        // One flag for all series, so that accepting a batch is cheap.
        batch.isAccepted = true;
        for (const { totals, reading } of readings) totals.accept(this, reading);
        taken.accept();
      },
    };
  }

  /** Stops recording observations and drops the recorded ones. */
  close(): void {
    this.#unsubscribe();
    this.#timings.clear();
  }
}

/** Runs the steps of a generator. Other code can run between two of them. */
async function runSteps(steps: Generator<undefined, void>): Promise<void> {
  const yieldIfDue = createYielder(SERIES_PER_CHECK);
  while (steps.next().done !== true) {
    const nextTurn = yieldIfDue();
    if (nextTurn !== undefined) await nextTurn;
  }
}
