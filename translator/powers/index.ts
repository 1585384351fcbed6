// Exports for other directories: who can do what on a channel, before and after an update.

export type { ControlPart, ControlSet } from '../control/index.js';
export type { ServiceName } from '../state/index.js';
export {
  powersOf,
  powersOfBoth,
  unknownMembers,
  type ChannelPowers,
  type ControlRow,
  type NamedOrganization,
  type PowersOptions,
  type ServiceRow,
} from './table.js';
