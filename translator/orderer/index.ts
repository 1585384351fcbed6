// The public parts of this directory: orderers of a running network, their newest config, and submitting an update. Node.js only.

export { Waiting, type Delivered } from './await-block.js';
export { trustedBlock, type Trusted } from './branches.js';
export {
  openOrderer,
  type BroadcastResponse,
  type FailedRequest,
  type OpenedOrderer,
  type Orderer,
  type OrdererOptions,
  type OrdererSign,
  type TlsFault,
} from './connection.js';
export { heightAt, Network, type Asking } from './network.js';
export { consenterAt, orderersOf, type OpenOrderer, type OrdererPlace } from './orderers-of.js';
export { anchoredText, lackingText, type Anchored, type Heights } from './responses.js';
export { submit, type ConnectedChannel, type SubmitOptions, type Submitted } from './submit.js';
