// Limits the bytes that all clients of a server keep in memory.

/** The bytes of one request or response in progress. */
export class Share {
  readonly #budget: ByteBudget;
  readonly #onEvicted: () => void;
  #size = 0;

  constructor(budget: ByteBudget, onEvicted: () => void) {
    this.#budget = budget;
    this.#onEvicted = onEvicted;
  }

  /** Adds bytes, which counts as progress. */
  add(bytes: number): void {
    this.#size += bytes;
    this.#budget.add(bytes, this);
  }

  /** Ends the share. Can be called twice. */
  close(): void {
    this.#budget.remove(this.#size, this);
    this.#size = 0;
  }

  /** Ends the share because other shares need its bytes. */
  evict(): void {
    this.close();
    this.#onEvicted();
  }
}

/**
 * Limits the bytes in progress. Above the limit, the share without progress for the longest time is evicted: a client that does not read or
 * send must not block the others. A single share can exceed the limit.
 */
export class ByteBudget {
  readonly #max: number;
  #used = 0;
  /** In the order of their last progress. */
  readonly #shares = new Set<Share>();

  /** @param max in bytes */
  constructor(max: number) {
    this.#max = max;
  }

  /** @param onEvicted called after the share was evicted; must free the bytes */
  open(onEvicted: () => void): Share {
    const share = new Share(this, onEvicted);
    this.#shares.add(share);
    return share;
  }

  /** The share made progress. */
  touch(share: Share): void {
    if (this.#shares.delete(share)) this.#shares.add(share);
  }

  /** Adds bytes for a share, and evicts others if there are too many. */
  add(bytes: number, share: Share): void {
    this.#used += bytes;
    this.touch(share);
    for (const stalest of this.#shares) {
      if (this.#used <= this.#max || stalest === share) return;
      stalest.evict();
    }
  }

  /** Removes bytes, and the share if one is given. */
  remove(bytes: number, share?: Share): void {
    this.#used -= bytes;
    if (share !== undefined) this.#shares.delete(share);
  }
}
