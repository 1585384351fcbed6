// The new blocks of a channel by minute.

const MINUTE = 60_000;
/** How many minutes are kept. */
const KEPT = 60;

/** Counts the new blocks of one channel. */
export class BlockCounts {
  #height: number | undefined;
  #lastBlockAt: number | undefined;
  /** The minute of the last entry of {@link #counts}, as `now / MINUTE`. */
  #minute: number | undefined;
  /** New blocks by minute, the oldest first; the last minute has not ended. */
  #counts: number[] = [];

  /** When the last new block was found, in milliseconds since the epoch; undefined: there was none since the first call of `record`. */
  get lastBlockAt(): number | undefined {
    return this.#lastBlockAt;
  }

  /** The new blocks in each of the last minutes that have ended, at most 60, the oldest first. */
  get perMinute(): readonly number[] {
    return this.#counts.slice(0, -1);
  }

  /**
   * Records the greatest height among the nodes of the channel. A smaller height, for example while a node is down, does not count.
   *
   * @param now milliseconds, from a clock that does not jump
   * @param time milliseconds since the epoch
   */
  record(height: number, now: number, time: number): void {
    const minute = Math.floor(now / MINUTE);
    const passed = minute - (this.#minute ?? minute - 1);
    if (passed > 0) this.#counts.push(...Array.from({ length: Math.min(passed, KEPT + 1) }, () => 0));
    this.#counts = this.#counts.slice(-(KEPT + 1));
    this.#minute = minute;
    const added = height - (this.#height ?? height);
    if (added > 0) {
      this.#counts[this.#counts.length - 1]! += added;
      this.#lastBlockAt = time;
    }
    this.#height = Math.max(height, this.#height ?? height);
  }
}
