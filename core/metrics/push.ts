// Runs a push sink: a flush every interval, never two at the same time, and a last flush at the end.

import { AgentError, CheckWarning, reasonOf, within, type Logger, type PushSink } from '../contract/index.js';
import { formatDuration } from '../common/text/duration.js';
import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import type { DeliveryState } from '../host/index.js';
import { MetricCursor, type CursorOptions } from './cursor.js';
import type { MetricStore } from './store.js';

/** Timeout of a flush, in milliseconds. */
const FLUSH_TIMEOUT = 10_000;
/** Timeout of a flush during shutdown, in milliseconds. */
export const LAST_FLUSH_TIMEOUT = 2_000;

/** Number of intervals without delivery after which the sink is a warning. */
const ATTENTION_INTERVALS = 2;

/** Optional arguments of {@link PushRunner}. */
interface PushOptions extends Pick<CursorOptions, 'sources' | 'checks'> {
  /** Timeout of a flush, in milliseconds. @default FLUSH_TIMEOUT */
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
  /** When values were last delivered, or the flushes started, as `performance.now()`. */
  #deliveredAt = 0;
  /** When values were last delivered, in milliseconds since the epoch. */
  #lastDelivery: number | undefined;
  /** Why the last flush delivered nothing. */
  #problem: string | undefined;
  /** The running flush, which may continue after it was aborted. */
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

  /** Starts the flushes; the first flush is after one interval. */
  start(): void {
    this.#deliveredAt = performance.now();
    this.#timer = setInterval(() => void this.#flush(this.#timeout), this.#sink.interval).unref();
  }

  /** When values were last delivered, in milliseconds since the epoch, and why the last flush delivered none. */
  get delivery(): DeliveryState {
    return { deliveredAt: this.#lastDelivery, problem: this.#problem };
  }

  /** @throws CheckWarning if the last flush delivered nothing, and there was no delivery for two intervals */
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
    // A flush that is aborted here logs the failure itself.
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
      // The sink ignores its abort signal; more batches would pile up in it.
      if (this.#unfinished.isFull)
        throw new AgentError('PLUGIN_TIMED_OUT', 'the previous flush is still running');
      const taken = await this.#cursor.take(timeout, this.#abort.signal);
      await within(timeout, 'the flush', this.#abort.signal, (signal) =>
        this.#unfinished.run(() => this.#sink.flush(taken.batch, signal)),
      );
      taken.accept();
      if (this.#isFailing) this.#log.info('pushing metrics works again');
      this.#isFailing = false;
      this.#problem = this.#sink.rejected?.();
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
