// The deadline of one run of checks.

import { setMaxListeners } from 'node:events';
import { setDeadline, type Cancel } from '../common/flow/deadline.js';
import { formatDuration } from '../common/text/duration.js';
import { AgentError } from '../contract/index.js';

/**
 * Lowest share of a CPU that a check uses while it blocks the event loop. With a lower share the process was stopped or got no CPU, and the
 * check is not the cause.
 */
const LEAST_CPU = 0.02;

/** The deadline of one run of checks. */
export class Deadline {
  readonly #timeout: number;
  readonly #cpuTime: () => number;
  readonly #cpuAtStart: number;
  readonly #abort = new AbortController();
  readonly #over: Promise<never>;
  #reject!: (error: AgentError) => void;
  readonly #cancel: Cancel;

  /**
   * @param timeout milliseconds, without time in which this process did not run
   * @param cpuTime the CPU time of this process, in milliseconds
   */
  constructor(timeout: number, cpuTime: () => number) {
    this.#timeout = timeout;
    this.#cpuTime = cpuTime;
    this.#cpuAtStart = cpuTime();
    // All checks of the run have the same signal.
    setMaxListeners(0, this.#abort.signal);
    this.#over = new Promise((_resolve, reject) => (this.#reject = reject));
    this.#over.catch(() => undefined);
    this.#cancel = setDeadline(timeout, () => this.abort(this.#timeoutError()), { ref: false });
  }

  /**
   * Calls a check.
   *
   * @param check its signal is aborted at the deadline
   * @throws the error of the check; AgentError `PLUGIN_TIMED_OUT` at the deadline; the error passed to {@link abort}
   */
  async run(check: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const start = performance.now();
    const result = check(this.#abort.signal);
    const blocked = performance.now() - start;
    if (this.#isBlocker(blocked)) {
      // A later rejection has no effect.
      result.catch(() => undefined);
      throw this.#timeoutError();
    }
    await Promise.race([result, this.#over]);
  }

  /** Ends the run at once: its unfinished checks fail with this error. */
  abort(error: AgentError): void {
    this.end();
    // Before the abort, so that a check cannot change its result in a listener of the signal.
    this.#reject(error);
    this.#abort.abort(error);
  }

  /** Cancels the deadline when all checks of the run have ended. */
  end(): void {
    this.#cancel();
  }

  /** Returns true if a check missed the deadline by its own work. @param duration how long it blocked the event loop, in milliseconds */
  #isBlocker(duration: number): boolean {
    return duration > this.#timeout && this.#cpuTime() - this.#cpuAtStart >= LEAST_CPU * duration;
  }

  #timeoutError(): AgentError {
    return new AgentError('PLUGIN_TIMED_OUT', `timed out after ${formatDuration(this.#timeout)}`);
  }
}
