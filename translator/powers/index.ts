// What other directories import: who can do what on a channel, before and after an update.

export type { Actor } from './actors.js';
export { blockSignersOf, type BlockSigners } from './block-signers.js';
export {
  compareServices,
  servicesIn,
  type Cause,
  type Gain,
  type Loss,
  type PowersState,
  type ServiceComparison,
  type Step,
} from './compare.js';
export { type Service, type ServiceName } from './services.js';
export { powersOf } from './table.js';
