// Verifies the config blocks in the ledger of a channel, some of them in each check.

import { createYielder, reasonOf, type FailedPart } from '../../../core/contract/index.js';
import { Ledger, type StoredBlock } from 'fabric-ops-agent/translator/node';

/** How long one call reads, and the time between the starts of two passes, in milliseconds. */
const MAX_TIME = 500;
const PERIOD = 5 * 60_000;

const ADVICE = 'replace the ledger of this channel in the node: restore it, or delete it and join again';

/** The damage of the blocks of a channel; undefined: there is none. */
type Damage = Omit<FailedPart, 'component'> | undefined;

/** The failure for an error when blocks are read: a damaged block is critical. */
export const damageOf = (error: unknown): NonNullable<Damage> =>
  (error as { readonly code?: unknown }).code === 'BAD_BLOCK'
    ? { severity: 'critical', reason: `${reasonOf(error)}; ${ADVICE}` }
    : { severity: 'warning', reason: reasonOf(error) };

/**
 * Verifies the config blocks of a channel and the blocks before them, from the newest to the first one or to a snapshot, and again after
 * some minutes: a disk may return different bytes.
 */
export class ConfigVerifier {
  #pass: Iterator<StoredBlock> | undefined;
  #begun = -Infinity;
  #damage: Damage;

  /**
   * Continues the pass for at most half a second, or for one block. While a block is damaged, each call starts a new pass.
   *
   * @param directory the folder of the channel
   * @returns the result of the last complete pass
   */
  async verify(directory: string): Promise<Damage> {
    const begun = performance.now();
    if (this.#pass === undefined && this.#damage === undefined && begun - this.#begun < PERIOD)
      return undefined;
    try {
      if (this.#pass === undefined) {
        this.#begun = begun;
        this.#pass = Ledger.open(directory).configs();
      }
      const pass = this.#pass;
      const yieldIfDue = createYielder(1);
      while (pass.next().done !== true) {
        if (performance.now() - begun > MAX_TIME) return this.#damage;
        await yieldIfDue();
      }
      this.#damage = undefined;
    } catch (error) {
      this.#damage = damageOf(error);
    }
    this.#pass = undefined;
    return this.#damage;
  }
}
