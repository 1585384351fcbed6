// Follows the folder of a channel while the node writes: the height of the ledger, and new config blocks.

import { is, requireTypes } from '../../proto/arguments.js';
import { statSync } from 'node:fs';
import { TranslateError } from '../../proto/errors.js';
import { BlockFile, Ledger, onFile, parse } from './ledger.js';
import { hasItsData, lastConfigOf, type StoredBlock } from './stored-block.js';

/** The state of a ledger at the last read. */
interface Known {
  /** The last file. */
  readonly path: string;
  /** The position after the newest block. */
  readonly offset: number;
  /** The size of the last file. */
  readonly size: number;
  /** The time at which a file was last added to the folder. */
  readonly changed: number;
  readonly newest: bigint;
  readonly config: bigint;
}

/** Follows the ledger of a channel. A call reads only the blocks that were added since the previous call. */
export class LedgerFollower {
  readonly directory: string;
  #known: Known | undefined;

  /** @param directory the folder of the channel */
  constructor(directory: string) {
    requireTypes({ directory }, { directory: is.text });
    this.directory = directory;
  }

  /** The number of blocks at the last `read`, including blocks before a snapshot; undefined before the first successful call. */
  get height(): bigint | undefined {
    return this.#known && this.#known.newest + 1n;
  }

  /**
   * Reads the added blocks.
   *
   * @returns the newest config block; undefined if it is the same as at the previous call
   * @throws TranslateError BAD_BLOCK if a block is damaged, BAD_LEDGER; the next call tries again
   */
  read(): StoredBlock | undefined {
    const { directory } = this;
    const known = this.#known;
    const changed = onFile(directory, () => statSync(directory).mtimeMs);
    if (known === undefined || known.changed !== changed) return this.#open(changed);
    const size = onFile(known.path, () => statSync(known.path).size);
    if (size === known.size) return undefined;
    // After a crash the node removes an incomplete block.
    return size < known.offset ? this.#open(changed) : this.#readAdded(known, size);
  }

  #open(changed: number): StoredBlock | undefined {
    const ledger = Ledger.open(this.directory);
    const { path, offset } = ledger.end;
    const config = ledger.newestConfig();
    const before = this.#known?.config;
    this.#known = { path, offset, size: offset, changed, newest: ledger.newest, config: config.number };
    return config.number === before ? undefined : config;
  }

  #readAdded(known: Known, size: number): StoredBlock | undefined {
    const file = new BlockFile(known.path, known.offset);
    const { ends } = onFile(file.path, () => file.positions);
    const count = ends.length;
    if (count === 0) {
      this.#known = { ...known, size };
      return undefined;
    }
    const block = onFile(file.path, () => parse(file, count - 1));
    const first = known.newest + 1n;
    const newest = known.newest + BigInt(count);
    const number = lastConfigOf(block);
    // After a reset, a node has other or fewer blocks.
    if (block.number !== newest || (number !== known.config && number < first) || number > newest) {
      this.#known = undefined;
      return this.#open(known.changed);
    }
    const isNews = number !== known.config;
    const config = isNews ? onFile(file.path, () => parse(file, Number(number - first))) : undefined;
    if (config !== undefined && (config.number !== number || !hasItsData(config)))
      throw new TranslateError(
        'BAD_BLOCK',
        `${file.path}: block ${number}, which block ${newest} names as its config block, is damaged`,
      );
    this.#known = { ...known, offset: ends.at(-1)!, size, newest, config: number };
    return config;
  }
}
