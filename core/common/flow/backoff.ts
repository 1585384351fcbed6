/** First wait between two attempts, in milliseconds. */
export const FIRST_WAIT = 100;
/** Longest wait between two attempts, in milliseconds. */
export const LONGEST_WAIT = 30_000;

/** Waits that double. Up to half of each wait is random, so that many clients do not reconnect at the same time. */
export class Backoff {
  #next = FIRST_WAIT;

  /** Returns the wait before the next attempt, in milliseconds. */
  next(): number {
    const wait = this.#next;
    this.#next = Math.min(wait * 2, LONGEST_WAIT);
    return wait / 2 + Math.random() * (wait / 2);
  }

  /** Starts again with the first wait, after a successful attempt. */
  reset(): void {
    this.#next = FIRST_WAIT;
  }
}
