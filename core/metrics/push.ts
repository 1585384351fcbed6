// Runs a push sink: a flush every interval, never two at once, a last one at the end.

import { formatDuration } from '../../config/index.js';
import { AgentError, reasonOf, type Logger, type MetricBatch, type PushSink } from '../contract/index.js';
import { MetricCursor } from './cursor.js';
import type { MetricStore } from './store.js';

/** Longest flush, in milliseconds; longer ones are aborted and count as failed. */
const FLUSH_TIMEOUT = 10_000;
/** Longest flush when the agent stops, in milliseconds. */
export const LAST_FLUSH_TIMEOUT = 2_000;

/** The flushes of one push sink. */
export class PushRunner {
  readonly #sink: PushSink['push'];
  readonly #cursor: MetricCursor;
  readonly #log: Logger;
  readonly #onFault: () => void;
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Shortens what is left of the time of the flush under way, in milliseconds. */
  #hurry: ((timeout: number) => void) | undefined;
  #isFailing = false;
  /** Whether the sink still works on a batch, be it given up. */
  #isBusy = false;

  /**
   * @param onFault called at each flush that fails
   * @param timeout longest flush, in milliseconds
   */
  constructor(
    sink: PushSink['push'],
    store: MetricStore,
    log: Logger,
    onFault: () => void,
    timeout: number = FLUSH_TIMEOUT,
  ) {
    this.#timeout = timeout;
    this.#sink = sink;
    this.#cursor = new MetricCursor(store, sink.maxTimings);
    this.#log = log;
    this.#onFault = onFault;
  }

  /** Begins to flush, the first time after one interval. */
  start(): void {
    this.#timer = setInterval(() => void this.#flush(this.#timeout), this.#sink.interval).unref();
  }

  /** Lets a flush under way end, flushes a last time and ends: each of the two within {@link LAST_FLUSH_TIMEOUT}. */
  async stop(): Promise<void> {
    if (this.#timer === undefined) {
      this.#cursor.close();
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#hurry?.(LAST_FLUSH_TIMEOUT);
    await this.#running;
    await this.#flush(LAST_FLUSH_TIMEOUT);
    this.#cursor.close();
  }

  #flush(timeout: number): Promise<void> {
    this.#running ??= this.#flushOnce(timeout).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #flushOnce(timeout: number): Promise<void> {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      // The sink was told to give up and does not: a further batch would only pile up.
      if (this.#isBusy) throw new AgentError('PLUGIN_TIMED_OUT', 'an earlier flush has not come to an end');
      const taken = await this.#cursor.take();
      const late = new Promise<never>((_, reject) => {
        const end = (after: number): void => {
          const error = new AgentError('PLUGIN_TIMED_OUT', `timed out after ${formatDuration(after)}`);
          abort.abort(error);
          reject(error);
        };
        timer = setTimeout(end, timeout, timeout);
        this.#hurry = (rest) => {
          clearTimeout(timer);
          timer = setTimeout(end, rest, rest);
        };
      });
      await Promise.race([this.#callSink(taken.batch, abort.signal), late]);
      taken.accept();
      if (this.#isFailing) this.#log.info('pushing metrics works again');
      this.#isFailing = false;
    } catch (error) {
      this.#onFault();
      if (!this.#isFailing)
        this.#log.warn(
          `pushing metrics failed, what was not pushed is kept for the next time: ${reasonOf(error)}`,
        );
      this.#isFailing = true;
    } finally {
      this.#hurry = undefined;
      clearTimeout(timer);
    }
  }

  async #callSink(batch: MetricBatch, signal: AbortSignal): Promise<void> {
    this.#isBusy = true;
    try {
      await this.#sink.flush(batch, signal);
    } finally {
      this.#isBusy = false;
    }
  }
}
