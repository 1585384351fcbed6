// The deadline of a run of checks. Not `within`: with a signal for each run, a run of three instant checks takes 2.5 times as long, so
// consecutive runs share a signal and a timer.

import { setMaxListeners } from 'node:events';
import { formatDuration } from '../common/text/duration.js';
import { AgentError } from '../contract/index.js';

/** How long runs share one signal, in milliseconds, which limits the listeners that checks leave on it. */
const MAX_SIGNAL_AGE = 1000;

/** A timer that fires this much late, in milliseconds, was delayed by code that blocked the event loop. */
const BLOCKED = 100;

/** The deadlines of consecutive runs, which do not overlap. */
export class Deadlines {
  readonly #timeout: number;
  /** The reason of a check that missed its deadline. */
  readonly reason: string;
  #abort = createAbort();
  #abortCreated = performance.now();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, as `performance.now()`. */
  #due = 0;
  /** Extends the current run after the event loop was blocked. */
  #extension: NodeJS.Timeout | undefined;
  /** The callbacks of unfinished checks of the current run. */
  #onLate: ((reason: string) => void)[] = [];

  /** @param timeout milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.reason = `timed out after ${formatDuration(timeout)}`;
  }

  /** Begins a run. */
  begin(): void {
    if (!this.#abort.signal.aborted && performance.now() - this.#abortCreated <= MAX_SIGNAL_AGE) return;
    this.#abort = createAbort();
    this.#abortCreated = performance.now();
  }

  /** Whether a duration, in milliseconds, is over the timeout. */
  isOver(duration: number): boolean {
    return duration > this.#timeout;
  }

  /** The signal of the current run, aborted at its deadline. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Calls back at the deadline of the current run. The first call of a run starts the timer. */
  onLate(callback: (reason: string) => void): void {
    if (this.#onLate.length === 0) this.#startTimer();
    this.#onLate.push(callback);
  }

  /** Ends the current run. */
  end(): void {
    this.#onLate = [];
    clearTimeout(this.#extension);
    this.#extension = undefined;
  }

  /** Ends the current run at once: its unfinished checks fail with the message of the error. */
  abort(error: AgentError): void {
    this.#expire(error);
    this.end();
  }

  #startTimer(): void {
    this.#due = performance.now() + this.#timeout;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#onTimer(), this.#timeout).unref();
    else this.#timer.refresh();
  }

  /** When a check blocked the event loop, extends the run once by that time, so that the other checks do not fail for it. */
  #onTimer(): void {
    if (this.#onLate.length === 0) return;
    const blocked = performance.now() - this.#due;
    if (blocked < BLOCKED) this.#onDeadline();
    else this.#extension = setTimeout(() => this.#onDeadline(), Math.min(blocked, this.#timeout)).unref();
  }

  #onDeadline(): void {
    this.#expire(new AgentError('PLUGIN_TIMED_OUT', this.reason));
  }

  #expire(error: AgentError): void {
    // Before the abort, so that a check cannot change its outcome in a listener of the signal.
    for (const callback of this.#onLate) callback(error.message);
    this.#abort.abort(error);
  }
}

/** Many runs add listeners to one signal; Node must not warn of a leak. */
function createAbort(): AbortController {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  return abort;
}
