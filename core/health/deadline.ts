// The time that a run of checks has.

import { setMaxListeners } from 'node:events';
import { formatDuration } from '../../config/index.js';
import { AgentError } from '../contract/index.js';

/** How long runs share one signal, in milliseconds: making signals is dear, but what checks leave on one must not pile up. */
const MAX_SIGNAL_AGE = 1000;

/** A timer that is this much late, in milliseconds, was kept from its turn by something that held up everything. */
const HELD_UP = 100;

/** The deadlines of runs that follow one another and do not overlap. Making a timer is dear, too: all runs share one. */
export class Deadlines {
  readonly #timeout: number;
  /** Why a late check failed. */
  readonly reason: string;
  #abort = createAbort();
  #abortSince = performance.now();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, at a time of `performance.now()`. */
  #due = 0;
  /** The time that is given back in the run under way. */
  #extension: NodeJS.Timeout | undefined;
  /** Who waits for the deadline of the run under way; undefined when nobody does. */
  #late: ((reason: string) => void)[] = [];

  /** @param timeout milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.reason = `timed out after ${formatDuration(timeout)}`;
  }

  /** A run begins. */
  begin(): void {
    if (!this.#abort.signal.aborted && performance.now() - this.#abortSince <= MAX_SIGNAL_AGE) return;
    this.#abort = createAbort();
    this.#abortSince = performance.now();
  }

  /** Whether some time, in milliseconds, is longer than a check may take. */
  isOver(took: number): boolean {
    return took > this.#timeout;
  }

  /** The signal of the run under way, aborted when its time is over. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Calls back with the reason of a late check when the time of the run is over; the first call begins that time. */
  onLate(callback: (reason: string) => void): void {
    if (this.#late.length === 0) this.#startTimer();
    this.#late.push(callback);
  }

  /** The run is over: nobody is late any more. */
  end(): void {
    this.#late = [];
    clearTimeout(this.#extension);
    this.#extension = undefined;
  }

  #startTimer(): void {
    this.#due = performance.now() + this.#timeout;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#pass(), this.#timeout).unref();
    else this.#timer.refresh();
  }

  /** Where one check held up everything, the others get back the time that it took of theirs, once. */
  #pass(): void {
    if (this.#late.length === 0) return;
    const heldUp = performance.now() - this.#due;
    if (heldUp < HELD_UP) this.#judge();
    else this.#extension = setTimeout(() => this.#judge(), Math.min(heldUp, this.#timeout)).unref();
  }

  #judge(): void {
    // First the verdict: what the checks make of the signal comes too late.
    for (const call of this.#late) call(this.reason);
    this.#abort.abort(new AgentError('PLUGIN_TIMED_OUT', this.reason));
  }
}

/** Many runs leave listeners on one signal, which is no leak that node should warn of. */
function createAbort(): AbortController {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  return abort;
}
