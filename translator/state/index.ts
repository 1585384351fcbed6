// Exports for other directories: a channel under one program and clock, its actors, and their losses by an update.

export type { Actor } from './actors.js';
export type { BlockSigners } from './block-signers.js';
export { ChannelState, expiryOf, type StateOptions } from './channel-state.js';
export {
  compareServices,
  servicesIn,
  type ActingServices,
  type Cause,
  type Gain,
  type Loss,
  type ServiceComparison,
  type Step,
} from './compare.js';
export { majorityChanges, type MajorityChange, type Share } from './majorities.js';
export { isIdemix, mspOf, organizationNames, sameOrganization } from './organizations.js';
export {
  changedNodes,
  consenterNodes,
  lostConsenters,
  nodeName,
  sharedAddresses,
  type ChangedNodes,
  type ConsenterNode,
  type ConsenterNodes,
} from './spare.js';
export { ordererServices, SERVICES, type Service, type ServiceName, type ServicePolicy } from './services.js';
