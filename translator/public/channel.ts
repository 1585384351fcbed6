// `fabric-ops-agent/translator/channel`: reads config blocks and config updates as typed values, applies and signs updates. In Node.js and in
// browsers.

export { TranslateError } from '../../proto/errors.js';
export {
  addressText,
  applyUpdate,
  channelOf,
  consentersOf,
  fingerprintOf,
  readChannelFile,
  readConfigFile,
  readUpdateFile,
  verifyUpdate,
  writeConfig,
  type Address,
  type Applied,
  type Channel,
  type ChannelFile,
  type Config,
  type ConfigFile,
  type ConfigGroup,
  type ConfigUpdate,
  type Consenter,
  type Envelope,
  type Organization,
  type Verification,
} from '../channel/index.js';
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
  type SignerIdentity,
  type SigningIdentity,
} from '../sign/index.js';
