// Calls of foreign code that have not ended.

import { Backoff, type BackoffLimits } from './backoff.js';

/** Counts and limits the unfinished calls of foreign code: calls that ignore their deadlines must not pile up. */
export class UnfinishedCalls {
  readonly #most: number;
  readonly #backoff: Backoff | undefined;
  #running = 0;
  /** When a further call may begin although the limit is reached, as `performance.now()`. */
  #retryAt = Infinity;

  /**
   * @param most after this many unfinished calls, none begins until one of them ends
   * @param retry the wait until a call begins despite the limit; by default none begins
   */
  constructor(most: number, retry?: BackoffLimits) {
    this.#most = most;
    this.#backoff = retry === undefined ? undefined : new Backoff(retry);
  }

  /** The number of unfinished calls. */
  get count(): number {
    return this.#running;
  }

  /** Whether no further call may begin now. */
  get isFull(): boolean {
    return this.#running >= this.#most && performance.now() < this.#retryAt;
  }

  /** A call begins. */
  begin(): void {
    this.#running += 1;
    if (this.#running >= this.#most) this.#retryAt = performance.now() + (this.#backoff?.next() ?? Infinity);
  }

  /** A call ended. */
  end(): void {
    this.#running -= 1;
    if (this.#running < this.#most) this.#backoff?.reset();
  }

  /** Runs a call and counts it until it ends. */
  async run<T>(call: () => T | Promise<T>): Promise<T> {
    this.begin();
    try {
      return await call();
    } finally {
      this.end();
    }
  }
}
