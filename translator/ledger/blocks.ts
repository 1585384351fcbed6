// The blocks of a channel, wherever they are: in the ledger of a node, or at its orderers.

import type { StoredBlock } from './stored-block.js';

/** Which block. */
export type Position = 'newest' | 'oldest' | bigint;

/** The blocks of a channel. All functions throw a TranslateError if a block cannot be read, or is not what it should be. */
export interface Blocks {
  block(position: Position): StoredBlock | Promise<StoredBlock>;
  /** The newest config block. */
  newestConfig(): StoredBlock | Promise<StoredBlock>;
  /** The config blocks, newest first, as far as they are known. */
  configs(): Iterable<StoredBlock> | AsyncIterable<StoredBlock>;
}
