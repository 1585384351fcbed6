// The public parts of this directory: a channel config as typed values, in Node and in browsers.

export { bftQuorum, raftQuorum } from '../../core/common/quorum.js';
export {
  type Address,
  MAX_PORT,
  addressText,
  isHostAndPort,
  placeOfAddress,
  sameAddress,
} from './address.js';
export { resultTypes } from './arguments.js';
export { type Applied, type Fault, applyInSteps, applyUpdate } from './apply.js';
export {
  type Change,
  type Element,
  type ElementKind,
  type Place,
  type Placed,
  changesOf,
  keyOf,
  lostMembers,
  sameContent,
  walk,
} from './changes.js';
export {
  type ApplicationGroup,
  Channel,
  type Consortium,
  type OrdererEndpoint,
  type OrdererGroup,
  type Organization,
  SECTIONS,
  type Section,
  channelOf,
  consentersOf,
  ordererEndpoints,
} from './channel.js';
export {
  type BftEntry,
  type Consenter,
  type MembershipChange,
  blockValidationPolicy,
  membershipChange,
  quorumLoss,
  readBftConsenters,
} from './consenters.js';
export {
  type Config,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigUpdate,
  type ConfigValue,
  type GroupFields,
  type Policy,
  type PolicyFields,
  type UnknownField,
  type ValueFields,
  nextVersion,
  noElements,
  ordered,
} from './element.js';
export {
  type ChannelFile,
  type ConfigFile,
  type EncodeJson,
  type JoinBlock,
  nameOf,
  readChannelFile,
  readConfigFile,
  readUpdateFile,
} from './file.js';
export {
  type Envelope,
  type EnvelopeContent,
  type Submission,
  type UpdateSignature,
  creatorOf,
  fingerprintOf,
  isSigned,
  makeSignature,
  readEnvelope,
  requireReadableHeaders,
  unsignedEnvelope,
  writePayload,
} from './envelope.js';
export { makeGroup, makePolicy, makeValue } from './make.js';
export { parseConfig, readConfig, readConfigUpdate } from './read.js';
export { writeConfig, writeUpdate } from './write.js';
export { damageOf, foreignFormatOf, isJson, isText } from './foreign.js';
export { RECOGNISED_TYPES, messageKindOf } from './recognise.js';
export {
  CHANNEL_NAMES,
  type GroupPath,
  groupAt,
  channelNameFault,
  isChannelName,
  lastName,
  modPolicyProblem,
  nameProblem,
  parentPath,
  pathOf,
} from './names.js';
export {
  type BftConsenter,
  type BftOptions,
  type ConsensusType,
  type GroupKind,
  type ValueName,
  type ValueOf,
  ROTATION_OFF,
  ROTATION_ON,
  type RaftConsenter,
  type RaftMetadata,
  STATE_MAINTENANCE,
  STATE_NORMAL,
  VALUES,
  kindOfGroup,
  mspIdOf,
  readBftOptions,
  readRaftMetadata,
  typeOfValue,
  valueOf,
  valueOrEmpty,
} from './values.js';
export {
  APPLICATION_CAPABILITIES,
  EXPERIMENTAL,
  type FabricVersion,
  type Names,
  allowsAcls,
  allowsConsensusMigration,
  allowsMaintenance,
  allowsOrganizationEndpoints,
  checksExpiration,
  knownCapabilities,
  requiresOrganizationEndpoints,
  unsupported,
} from './capabilities.js';
export {
  BFT_DURATIONS,
  type BftVersion,
  bftOptionName,
  type SmartBftFault,
  smartBftFaults,
  smartBftOptions,
} from './smart-bft.js';
export { ACL_DEFAULTS, ACL_RESOURCES, aclPolicyPath } from './acl-resources.js';
export { type ElementPresence, type Verification, verifyUpdate } from './verify.js';
export { unknownContent, unknownMetadata, updateFault } from './unknown-content.js';
