// What other directories import: a channel config as typed values, in Node and in a browser.

export { applyUpdate, type Applied, type Fault } from './apply.js';
export type { Change, Placed } from './changes.js';
export type {
  Config,
  ConfigGroup,
  ConfigPolicy,
  ConfigUpdate,
  ConfigValue,
  Policy,
  UnknownField,
} from './element.js';
export {
  nameOf,
  readChannelFile,
  readConfigFile,
  readUpdateFile,
  type ChannelFile,
  type ConfigFile,
  type EncodeJson,
  type Submission,
  type UpdateFile,
  type UpdateSignature,
} from './file.js';
export { makeGroup, makePolicy, makeValue } from './make.js';
export { readConfig, readConfigUpdate } from './read.js';
export { channelView, type ChannelView, type OrganizationView } from './view.js';
export { writeConfig, writeUpdate } from './write.js';
