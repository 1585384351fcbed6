// The position of a push sink in the metric store.

import { createYielder, type MetricBatch, type PushSink } from '../contract/index.js';
import { Acknowledged } from './acknowledged.js';
import { addGrowth, addOwnGrowth, addOwnTotals, addTotals, type BatchLists } from './batch.js';
import { Sources } from './sources.js';
import type { MetricStore } from './store.js';
import { TimingBuffer } from './timing-buffer.js';

/** Maximum number of observations that a cursor keeps if the sink sets no limit. */
const DEFAULT_MAX_TIMINGS = 100_000;

/** Number of series that are read between two reads of the clock. */
const SERIES_PER_CHECK = 256;

/** A batch for the sink. */
interface TakenBatch {
  readonly batch: MetricBatch;
  /** Call this when the sink has accepted the batch: the next batch then omits its growth and its timings. */
  accept(): void;
}

/** The options of a cursor. */
export interface CursorOptions {
  /** The relayed sources. @default none */
  readonly sources?: Sources;
  /** The current failures and warnings. @default none */
  readonly checks?: () => MetricBatch['checks'];
  /** @default growth */
  readonly values?: PushSink['push']['values'];
  /** Maximum number of observations that are kept until a batch is accepted. @default DEFAULT_MAX_TIMINGS */
  readonly maxTimings?: number | undefined;
}

/**
 * The position of one push sink in the store: the growth and the observations that it has accepted. The content of a
 * batch that was not accepted is part of the next one.
 *
 * A batch is taken in slices, and other code can run in between. A change during that time is either in this batch or in the next.
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
   * Takes all values that the sink has not accepted. Do not call it again before the batch was accepted or has failed.
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
