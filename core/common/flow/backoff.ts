/** The limits of a {@link Backoff}, in milliseconds. */
export interface BackoffLimits {
  /** First wait between two attempts. */
  readonly first: number;
  /** Longest wait between two attempts. */
  readonly longest: number;
  /** Whether up to half of each wait is random, so that many clients do not reconnect at the same time. */
  readonly isRandom?: boolean;
}

/** The limits for connections to other services. */
export const CONNECTION_BACKOFF: BackoffLimits = { first: 100, longest: 30_000, isRandom: true };

/** Waits between attempts, each twice as long as the previous one. */
export class Backoff {
  readonly #limits: BackoffLimits;
  #next: number;

  constructor(limits: BackoffLimits = CONNECTION_BACKOFF) {
    this.#limits = limits;
    this.#next = limits.first;
  }

  /** Returns the wait before the next attempt, in milliseconds. */
  next(): number {
    const wait = this.#next;
    this.#next = Math.min(wait * 2, this.#limits.longest);
    return this.#limits.isRandom === true ? wait / 2 + Math.random() * (wait / 2) : wait;
  }

  /** Starts again with the first wait, after a successful attempt. */
  reset(): void {
    this.#next = this.#limits.first;
  }
}
