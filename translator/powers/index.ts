// What other directories import: who can do what on a channel, before and after an update.

export { organizationNames, sameOrganization, type Actor } from './actors.js';
export { blockSignersOf, type BlockSigners } from './block-signers.js';
export { compareServices, type Gain, type Loss, type ServiceComparison, type Step } from './compare.js';
export { ordererServices, servicePolicies, type Service, type ServiceName } from './services.js';
export {
  powersOf,
  powersOfBoth,
  unknownMembers,
  type ChannelPowers,
  type ControlRow,
  type NamedOrganization,
  type ServiceRow,
} from './table.js';
export { controlOf, type Control, type ControlSet } from './control.js';
export { caHolders, mspsChangeControl, rolesOf } from './control-msps.js';
export { findGains, type ControlGain, type Gainers, type Gains } from './gains.js';
export { majorityChanges, type MajorityChange, type Share } from './majorities.js';
export { expiryOf, isIdemix, mspOf, stateOf, type State } from './state.js';
