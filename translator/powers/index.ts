// What other directories import: who can do what on a channel, before and after an update.

export type { ServiceName } from '../state/index.js';
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
