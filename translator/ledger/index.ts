// What other directories import: the ledger of a node and its blocks. `ledger.ts` needs Node.js, the rest runs in browsers too.

export { Ledger } from './ledger.js';
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
