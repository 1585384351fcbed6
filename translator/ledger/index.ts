// The public parts of this directory: the ledger of a node and its blocks. `ledger.ts` and `follower.ts` need Node.js.

export { LedgerFollower } from './follower.js';
export { channelFoldersOf, Ledger } from './ledger.js';
export {
  blockBytes,
  blockHash,
  channelNameOf,
  hasItsData,
  headerBytes,
  isConfigBlock,
  lastConfigOf,
  parseBlock,
  type Blocks,
  type Position,
  type StoredBlock,
} from './stored-block.js';
