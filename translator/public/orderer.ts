// `fabric-ops-agent/translator/orderer`: the orderers of a running network: their newest config, and submitting an update. Node.js only.

export {
  Network,
  consenterAt,
  heightAt,
  openOrderer,
  orderersOf,
  trustedBlock,
  type Asking,
  type ConnectOptions,
  type OpenedOrderer,
  type OrdererOptions,
  type OrdererPlace,
  type SubmitOptions,
  type Submitted,
  type Trusted,
} from '../orderer/index.js';
