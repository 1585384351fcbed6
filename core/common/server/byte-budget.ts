// A limit of the bytes that all clients of a server together keep in memory.

/** The bytes of one request or response under way. */
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

  /** Ends the share because others need its bytes. */
  evict(): void {
    this.close();
    this.#onEvicted();
  }
}

/**
 * Limits the bytes under way. When there are more, the share without progress for the longest time is evicted: a client that does
 * not read or send must not keep the others from being served. A single share can be larger than the limit.
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

  /** @param onEvicted called when the share was evicted; must free what it counted */
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

  /** Removes bytes; with a share also that. */
  remove(bytes: number, share?: Share): void {
    this.#used -= bytes;
    if (share !== undefined) this.#shares.delete(share);
  }
}
