// The public parts of this directory: orderers of a running network, their newest config, and submitting an update. Node.js only.

export type { Delivered } from './await-block.js';
export { trustedBlock, type Trusted } from './branches.js';
export {
  openOrderer,
  seekEnvelope,
  type BroadcastResponse,
  type FailedRequest,
  type OpenedOrderer,
  type Orderer,
  type OrdererOptions,
  type OrdererSign,
  type TlsFault,
} from './connection.js';
export type { Asking } from './fetch.js';
export { heightAt, Network, type ConnectOptions } from './network.js';
export { consenterAt, orderersOf, type OpenOrderer, type OrdererPlace } from './orderers-of.js';
export { anchoredText, lackingText, type Anchored, type Heights } from './responses.js';
export type { SubmitOptions, SubmitProgress, Submitted } from './submit.js';
