// Where a config comes from: the ledger of a node. Node.js only.

export { Ledger } from './ledger.js';
export { blockBytes, type StoredBlock } from './stored-block.js';
