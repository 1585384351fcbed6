// The deadline of a run of checks. Not `within`: with a signal for each run, a run of three instant checks takes 2.5 times as long, so
// consecutive runs share a signal.

import { setMaxListeners } from 'node:events';
import { setDeadline, type Cancel } from '../common/flow/deadline.js';
import { formatDuration } from '../common/text/duration.js';
import { AgentError } from '../contract/index.js';

/** How long runs share one signal, in milliseconds, which limits the listeners that checks leave on it. */
const MAX_SIGNAL_AGE = 1000;

/**
 * A check that blocked the event loop used at least this part of a CPU meanwhile. Otherwise the process was stopped or got no CPU, for which
 * the check is not to blame.
 */
const LEAST_CPU = 0.02;

/** The deadlines of consecutive runs, which do not overlap. */
export class Deadlines {
  readonly #timeout: number;
  /** The reason of a check that missed its deadline. */
  readonly reason: string;
  #abort = createAbort();
  #abortCreated = performance.now();
  #cancel: Cancel | undefined;
  /** The CPU time of the process when the current run began. */
  #cpu = process.cpuUsage();
  /** The callbacks of unfinished checks of the current run. */
  #onLate: ((reason: string) => void)[] = [];

  /** @param timeout milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.reason = `timed out after ${formatDuration(timeout)}`;
  }

  /** Begins a run. */
  begin(): void {
    this.#cpu = process.cpuUsage();
    if (!this.#abort.signal.aborted && performance.now() - this.#abortCreated <= MAX_SIGNAL_AGE) return;
    this.#abort = createAbort();
    this.#abortCreated = performance.now();
  }

  /** Whether a check that blocked the event loop for this duration, in milliseconds, missed the deadline. */
  isOver(duration: number): boolean {
    if (duration <= this.#timeout) return false;
    const { user, system } = process.cpuUsage(this.#cpu);
    return (user + system) / 1000 >= LEAST_CPU * duration;
  }

  /** The signal of the current run, aborted at its deadline. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Calls back at the deadline of the current run. The first call of a run starts its timer. */
  onLate(callback: (reason: string) => void): void {
    this.#cancel ??= setDeadline(this.#timeout, () => this.#onDeadline(), { ref: false });
    this.#onLate.push(callback);
  }

  /** Ends the current run. */
  end(): void {
    this.#onLate = [];
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Ends the current run at once: its unfinished checks fail with the message of the error. */
  abort(error: AgentError): void {
    this.#expire(error);
    this.end();
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
