// What other directories import: a channel config as typed values, in Node and in a browser.

export { addressText, sameAddress, type Address } from './address.js';
export { applyUpdate, type Applied, type Fault } from './apply.js';
export type { Change, Placed } from './changes.js';
export {
  Channel,
  channelOf,
  type ApplicationGroup,
  type Consortium,
  type OrdererGroup,
  type Organization,
  type Section,
} from './channel.js';
export type { Consenter } from './consenters.js';
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
} from './file.js';
export {
  creatorOf,
  fingerprintOf,
  readEnvelope,
  unsignedEnvelope,
  type Envelope,
  type EnvelopeContent,
  type Submission,
  type UpdateSignature,
} from './envelope.js';
export { makeGroup, makePolicy, makeValue } from './make.js';
export { readConfig, readConfigUpdate } from './read.js';
export { writeConfig, writeUpdate } from './write.js';
