// The new blocks of a channel, and the transactions in them, by minute.

const MINUTE = 60_000;
/** How many minutes are kept. */
const KEPT = 60;

/** What a peer has: its height, and the number of transactions that it has committed since its start. */
interface Committed {
  readonly height: number;
  readonly transactions: number;
}

/** Counts the new blocks of one channel and their transactions. */
export class BlockCounts {
  #height: number | undefined;
  #lastBlockAt: number | undefined;
  /** The minute of the last entry of {@link #counts}, as `now / MINUTE`. */
  #minute: number | undefined;
  /** New blocks by minute, the oldest first; the last minute has not ended. */
  #counts: number[] = [];
  /** New transactions by minute, as {@link #counts}. */
  #transactions: number[] = [];
  /** By peer, what it had last, and what it has added in the last minute. */
  readonly #peers = new Map<string, { last: Committed; added: Committed }>();

  /** When the last new block was found, in milliseconds since the epoch; undefined: there was none since the first call of `record`. */
  get lastBlockAt(): number | undefined {
    return this.#lastBlockAt;
  }

  /** The new blocks in each of the last minutes that have ended, at most 60, the oldest first. */
  get perMinute(): readonly number[] {
    return this.#counts.slice(0, -1);
  }

  /** The transactions in these blocks, also those that are not valid; undefined: no peer has counted any. */
  get transactionsPerMinute(): readonly number[] | undefined {
    return this.#peers.size === 0 ? undefined : this.#transactions.slice(0, -1);
  }

  /**
   * Records the greatest height among the nodes of the channel. A smaller height, for example while a node is down, does not count.
   *
   * @param now milliseconds, from a clock that does not jump
   * @param time milliseconds since the epoch
   * @param peers by name
   */
  record(height: number, now: number, time: number, peers: ReadonlyMap<string, Committed> = new Map()): void {
    const minute = Math.floor(now / MINUTE);
    const passed = minute - (this.#minute ?? minute - 1);
    if (passed > 0) {
      const zeros = Array.from({ length: Math.min(passed, KEPT + 1) }, () => 0);
      this.#counts = [...this.#counts, ...zeros].slice(-(KEPT + 1));
      this.#transactions = [...this.#transactions, ...zeros].slice(-(KEPT + 1));
      for (const peer of this.#peers.values()) peer.added = { height: 0, transactions: 0 };
    }
    this.#minute = minute;
    const added = height - (this.#height ?? height);
    if (added > 0) {
      this.#counts[this.#counts.length - 1]! += added;
      this.#lastBlockAt = time;
    }
    this.#height = Math.max(height, this.#height ?? height);
    this.#recordTransactions(peers);
  }
  /** The peers of a channel have the same transactions, and read them at different times: the greatest number counts. */
  #recordTransactions(peers: ReadonlyMap<string, Committed>): void {
    // A peer that catches up commits more blocks than the channel has got: its transactions are older.
    const newest = (this.#counts.at(-1) ?? 0) + (this.#counts.at(-2) ?? 0);
    for (const [name, current] of peers) {
      const { last, added } = this.#peers.get(name) ?? {
        last: current,
        added: { height: 0, transactions: 0 },
      };
      // It counts from 0 again after a restart.
      const isRestart = current.transactions < last.transactions || current.height < last.height;
      const next = isRestart
        ? added
        : {
            height: added.height + current.height - last.height,
            transactions: added.transactions + current.transactions - last.transactions,
          };
      this.#peers.set(name, { last: current, added: next });
      if (next.height <= newest)
        this.#transactions[this.#transactions.length - 1] = Math.max(
          this.#transactions.at(-1) ?? 0,
          next.transactions,
        );
    }
  }
}
