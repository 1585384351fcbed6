// `fabric-ops-agent/translator/channel`: reads config blocks and config updates as typed values, applies and signs updates. In Node.js and in
// browsers.

export { TranslateError, type TranslateErrorCode } from '../../proto/errors.js';

// Files, and the config blocks in a file of a ledger
export {
  readChannelFile,
  readConfigFile,
  readUpdateFile,
  type ChannelFile,
  type ConfigFile,
  type EncodeJson,
  type JoinBlock,
} from '../channel/index.js';
export { LEDGER_FILE, configBlocksIn } from '../ledger/block-file.js';
export { baseOf, type Base, type Candidate } from '../ledger/base.js';

// A channel
export {
  Channel,
  addressText,
  channelOf,
  consentersOf,
  ordererEndpoints,
  type Address,
  type ApplicationGroup,
  type Consenter,
  type Consortium,
  type OrdererEndpoint,
  type OrdererGroup,
  type Organization,
  type Section,
} from '../channel/index.js';
export {
  APPLICATION_CAPABILITIES,
  EXPERIMENTAL,
  allowsOrganizationEndpoints,
  unsupported,
  type FabricVersion,
} from '../channel/index.js';

// The elements of a config
export {
  walk,
  writeConfig,
  type Config,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigValue,
  type Element,
  type ElementKind,
  type GroupPath,
  type Place,
  type Policy,
} from '../channel/index.js';

// Config updates and the envelopes around them
export {
  applyUpdate,
  creatorOf,
  fingerprintOf,
  verifyUpdate,
  type Applied,
  type Change,
  type ConfigUpdate,
  type ElementPresence,
  type Envelope,
  type Fault,
  type Submission,
  type UpdateSignature,
  type Verification,
} from '../channel/index.js';

// Signatures
export {
  addSignature,
  findSigningIdentity,
  mergeEnvelopes,
  messageToSign,
  readPkcs12,
  readSigner,
  readSigningIdentity,
  signAsSubmitter,
  signEnvelope,
  type Merged,
  type SignatureOrder,
  type SignerIdentity,
  type SignerIdentityFiles,
  type SigningIdentity,
  type SigningIdentityFiles,
  type SigningIdentityFolder,
} from '../sign/index.js';
