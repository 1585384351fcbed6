// The public parts of this directory: the ledger of a node and its blocks. `ledger.ts` and `follower.ts` need Node.js.

export { baseOf, type Base, type Candidate } from './base.js';
export { signatureFault } from './block-signatures.js';
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
