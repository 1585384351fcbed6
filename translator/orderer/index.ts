// What other directories import: orderers of a running network, their newest config, and submitting an update. Node.js only.

export { parseNetworkAddress, type NetworkAddress } from './address.js';
export type { Delivered } from './await-block.js';
export { openOrderer, type BroadcastResponse, type Orderer, type OrdererOptions } from './connection.js';
export { Network, type Asking } from './network.js';
export { orderersOf, type OrdererPlace } from './orderers-of.js';
export { submit, type ConnectedChannel, type SubmitOptions, type Submitted } from './submit.js';
export { Waiting } from './waiting.js';
