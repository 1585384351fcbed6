// Verifies the config blocks in the ledger of a channel, some in each check.

import { createYielder, reasonOf, type FailedPart } from '../../../core/contract/index.js';
import { Ledger, type StoredBlock } from 'fabric-ops-agent/translator/ledger';

/** How long one call reads, and how long after the begin of a pass the next one begins, in milliseconds. */
const MAX_TIME = 500;
const PERIOD = 5 * 60_000;

const ADVICE = 'replace the ledger of this channel in the node: restore it, or delete it and join again';

/** What is wrong with the blocks of a channel; undefined: nothing. */
type Damage = Omit<FailedPart, 'component'> | undefined;

/** How an error in reading blocks is reported: a damaged block is critical. */
export const damageOf = (error: unknown): NonNullable<Damage> =>
  (error as { readonly code?: unknown }).code === 'BAD_BLOCK'
    ? { severity: 'critical', reason: `${reasonOf(error)}; ${ADVICE}` }
    : { severity: 'warning', reason: reasonOf(error) };

/**
 * Verifies the config blocks of a channel and the blocks before them, newest first up to the first one or to a snapshot, and again some minutes later:
 * a disk may return other bytes than before.
 */
export class ConfigVerifier {
  #pass: Iterator<StoredBlock> | undefined;
  #begun = -Infinity;
  #damage: Damage;

  /**
   * Continues for half a second at most, or with one block. While a block is damaged, each call begins again.
   *
   * @param directory the folder of the channel
   * @returns what the last complete pass has found
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
