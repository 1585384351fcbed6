/** First wait between two attempts, in milliseconds. */
export const FIRST_WAIT = 100;
/** Longest wait between two attempts, in milliseconds. */
export const LONGEST_WAIT = 30_000;

/** Waits that double, each with up to half of it left to chance, so that many clients do not come back at once. */
export class Backoff {
  #next = FIRST_WAIT;

  /** How long to wait before the next attempt, in milliseconds. */
  next(): number {
    const wait = this.#next;
    this.#next = Math.min(wait * 2, LONGEST_WAIT);
    return wait / 2 + Math.random() * (wait / 2);
  }

  /** An attempt succeeded. */
  reset(): void {
    this.#next = FIRST_WAIT;
  }
}
