// `fabric-ops-agent/translator/node`: the ledger of a node and MSP directories, which are read from the disk. Node.js only.

// Ledgers
export {
  Ledger,
  LedgerFollower,
  blockBytes,
  channelFoldersOf,
  lastConfigOf,
  type Blocks,
  type Position,
  type StoredBlock,
} from '../ledger/index.js';

// MSP directories
export { readMspFolder, readSignerFiles, type SignerFiles } from '../msp-folder.js';
