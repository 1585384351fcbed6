// What other directories import: the ledger of a node and its blocks. `ledger.ts` needs Node.js, the rest runs in browsers too.

export type { Blocks, Position } from './blocks.js';
export { Ledger } from './ledger.js';
export { blockBytes, type StoredBlock } from './stored-block.js';
