// `fabric-ops-agent/translator/orderer`: the orderers of a running network: their newest config, and submitting an update. Node.js only.

// The blocks of a channel
export {
  Network,
  consenterAt,
  heightAt,
  orderersOf,
  trustedBlock,
  type Anchored,
  type Asking,
  type ConnectOptions,
  type Heights,
  type OpenOrderer,
  type OrdererPlace,
  type Trusted,
} from '../orderer/index.js';

// One orderer
export {
  openOrderer,
  type BroadcastResponse,
  type FailedRequest,
  type OpenedOrderer,
  type Orderer,
  type OrdererOptions,
  type OrdererSign,
  type TlsFault,
} from '../orderer/index.js';

// Options of calls that can take a second
export { type CallOptions, type Progress, type ProgressPart } from '../long-call.js';

// Submitting an update
export { type Delivered, type SubmitOptions, type SubmitProgress, type Submitted } from '../orderer/index.js';
