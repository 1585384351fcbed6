// Exports for other directories: who controls each element in the end, and who gains control by an update.

export {
  changeableElements,
  controlOf,
  countText,
  type Control,
  type ControlPart,
  type ControlSet,
} from './control.js';
export { PARTS, type DecisionChange } from './decisions.js';
export { isEnoughNow } from './enough.js';
export { findGains, type ControlGain, type Gainers, type Gains } from './difference.js';
export {
  caHolders,
  givenRoles,
  isGivenOut,
  issuingCas,
  mspsChangeControl,
  rolesOf,
  type CaHolders,
} from './msps.js';
