// Runs a push sink: a flush every interval, never two at once, and a last one at the end.

import { AgentError, CheckWarning, reasonOf, within, type Logger, type PushSink } from '../contract/index.js';
import { formatDuration } from '../common/text/duration.js';
import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import type { DeliveryState } from '../host/index.js';
import { MetricCursor, type CursorOptions } from './cursor.js';
import type { MetricStore } from './store.js';

/** Longest flush, in milliseconds; a longer one is aborted and has failed. */
const FLUSH_TIMEOUT = 10_000;
/** Longest flush while the agent stops, in milliseconds. */
export const LAST_FLUSH_TIMEOUT = 2_000;

/** After how many intervals without delivery the sink needs attention. */
const ATTENTION_INTERVALS = 2;

/** What a runner can have in addition. */
export interface PushOptions extends Pick<CursorOptions, 'sources' | 'checks'> {
  /** Longest flush, in milliseconds. @default FLUSH_TIMEOUT */
  readonly timeout?: number;
}

/** The flushes of one push sink. */
export class PushRunner {
  readonly #sink: PushSink['push'];
  readonly #cursor: MetricCursor;
  readonly #log: Logger;
  readonly #onFault: () => void;
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Ends the running flush early. */
  #abort = new AbortController();
  #isFailing = false;
  /** When the last values were delivered, or the flushes started, as `performance.now()`. */
  #deliveredAt = 0;
  /** When values were delivered last, in milliseconds since the epoch. */
  #lastDelivery: number | undefined;
  /** Why the last flush delivered nothing. */
  #problem: string | undefined;
  /** Whether the sink still works on a batch. It may do so after its flush was aborted. */
  readonly #unfinished = new UnfinishedCalls(1);

  /** @param onFault called for each failed flush */
  constructor(
    sink: PushSink['push'],
    store: MetricStore,
    log: Logger,
    onFault: () => void,
    { timeout = FLUSH_TIMEOUT, ...parts }: PushOptions = {},
  ) {
    const { values = 'growth', maxTimings } = sink;
    this.#timeout = timeout;
    this.#sink = sink;
    this.#cursor = new MetricCursor(store, { ...parts, values, maxTimings });
    this.#log = log;
    this.#onFault = onFault;
  }

  /** Starts the flushes; the first one is after one interval. */
  start(): void {
    this.#deliveredAt = performance.now();
    this.#timer = setInterval(() => void this.#flush(this.#timeout), this.#sink.interval).unref();
  }

  /** When values were delivered last, in milliseconds since the epoch, and why the last flush delivered none. */
  get delivery(): DeliveryState {
    return { deliveredAt: this.#lastDelivery, problem: this.#problem };
  }

  /** @throws CheckWarning when the last flush delivered nothing, and none did for two intervals */
  check(): void {
    const elapsed = performance.now() - this.#deliveredAt;
    if (this.#problem === undefined || elapsed < ATTENTION_INTERVALS * this.#sink.interval) return;
    const duration = formatDuration(Math.floor(elapsed / 1000) * 1000);
    throw new CheckWarning(`no metrics delivered for ${duration}: ${this.#problem}`);
  }

  /** Waits for a running flush, then flushes a last time; each takes at most {@link LAST_FLUSH_TIMEOUT}. */
  async stop(): Promise<void> {
    if (this.#timer !== undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      await this.#endRunning();
      await this.#flush(LAST_FLUSH_TIMEOUT);
    }
    this.#cursor.close();
  }

  async #endRunning(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const wait = (signal: AbortSignal): Promise<void> => {
      signal.addEventListener('abort', () => this.#abort.abort(signal.reason));
      return running;
    };
    // A flush that is aborted here logs that itself.
    await within(LAST_FLUSH_TIMEOUT, 'the flush', undefined, wait).catch(() => undefined);
    await running;
  }

  #flush(timeout: number): Promise<void> {
    this.#running ??= this.#flushOnce(timeout).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #flushOnce(timeout: number): Promise<void> {
    this.#abort = new AbortController();
    try {
      // The sink ignores its abort signal; further batches would pile up in it.
      if (this.#unfinished.isFull)
        throw new AgentError('PLUGIN_TIMED_OUT', 'the previous flush is still running');
      const taken = await this.#cursor.take(timeout, this.#abort.signal);
      await within(timeout, 'the flush', this.#abort.signal, (signal) =>
        this.#unfinished.run(() => this.#sink.flush(taken.batch, signal)),
      );
      taken.accept();
      if (this.#isFailing) this.#log.info('pushing metrics works again');
      this.#isFailing = false;
      this.#problem = this.#sink.undelivered?.();
      if (this.#problem === undefined) {
        this.#deliveredAt = performance.now();
        this.#lastDelivery = Date.now();
      }
    } catch (error) {
      this.#problem = reasonOf(error);
      this.#onFault();
      if (!this.#isFailing)
        this.#log.warn(`pushing metrics failed, the values are kept for the next push: ${reasonOf(error)}`);
      this.#isFailing = true;
    }
  }
}
