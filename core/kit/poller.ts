// Runs slow work in the background, so that a check only returns its last outcome.

import { within } from '../contract/index.js';
import { untilAborted } from '../common/flow/until-aborted.js';

/** The interval and the time limit of a poller, in milliseconds. */
interface PollerOptions {
  /** From the start of one run to the start of the next. */
  readonly interval: number;
  /** Longest run. */
  readonly timeout: number;
  /** The name of a run in the error when it takes too long. @default the poll */
  readonly what?: string;
}

/** The outcome of a run. */
interface RunOutcome {
  /** The error that it threw; undefined if it succeeded. */
  readonly error: unknown;
}

/** Runs work at an interval in the background, and keeps the last outcome. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #random: () => number;
  #stopping: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #outcome: RunOutcome | undefined;
  #firstRun: Promise<void> | undefined;

  /**
   * @param work rejects with the reason of a failure
   * @param random returns a number from 0 to 1
   */
  constructor(
    options: PollerOptions,
    work: (signal: AbortSignal) => Promise<void>,
    random: () => number = Math.random,
  ) {
    this.#options = options;
    this.#work = work;
    this.#random = random;
  }

  /** Starts the first run. */
  start(): void {
    this.stop();
    const stopping = new AbortController();
    this.#stopping = stopping;
    // Otherwise an agent that monitors many nodes would always poll all of them at the same moment.
    const firstInterval = this.#options.interval * (1 - this.#random() / 2);
    this.#firstRun = this.#run(stopping.signal, firstInterval);
  }

  /** Ends the run in progress and starts no other. */
  stop(): void {
    this.#stopping?.abort(new Error('the plugin is stopping'));
    clearTimeout(this.#timer);
    this.#stopping = undefined;
    this.#outcome = undefined;
    this.#firstRun = undefined;
  }

  /**
   * The last outcome. Waits for the end of the first run.
   *
   * @throws the error of the run, with the start of the run as `observedAt`, or the reason of `signal`
   */
  async outcome(signal: AbortSignal): Promise<void> {
    if (this.#firstRun === undefined) throw new Error('the plugin is not started');
    if (this.#outcome === undefined) await untilAborted(this.#firstRun, signal);
    if (this.#outcome === undefined) throw new Error('the plugin is stopping');
    const { error } = this.#outcome;
    if (error !== undefined) throw error;
  }

  /** @param toNext from the start of this run to the start of the next one, in milliseconds */
  async #run(signal: AbortSignal, toNext: number): Promise<void> {
    const { interval, timeout, what = 'the poll' } = this.#options;
    const startedAt = performance.now();
    let error: unknown;
    try {
      await within(timeout, what, signal, this.#work);
    } catch (thrown) {
      error = thrown;
      // A later check may report this failure, which is as old as this run.
      if (thrown instanceof Error && Object.isExtensible(thrown))
        Object.assign(thrown, { observedAt: startedAt });
    }
    if (signal.aborted) return;
    this.#outcome = { error };
    const delay = Math.max(0, startedAt + toNext - performance.now());
    this.#timer = setTimeout(() => void this.#run(signal, interval), delay).unref();
  }
}
