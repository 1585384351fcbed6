// Where a config comes from: the ledger of a node, or a running network. Node.js only.

export type { Blocks, Position } from './blocks.js';
export { Ledger } from './ledger.js';
export { parseNetworkAddress, type NetworkAddress } from './network/address.js';
export { Network, type Asking } from './network/network.js';
export { openOrderer, type BroadcastResponse, type Orderer, type OrdererOptions } from './network/orderer.js';
export { orderersOf, type OrdererPlace } from './network/orderers-of.js';
export { blockBytes, type StoredBlock } from './stored-block.js';
export {
  submit,
  Waiting,
  type Channel,
  type Delivered,
  type SubmitOptions,
  type Submitted,
} from '../submit/index.js';
