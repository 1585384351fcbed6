// `fabric-ops-agent/translator/msp`: identities, certificates and MSPs, in Node.js and in browsers.

// MSPs
export {
  Msp,
  MspCache,
  MspManager,
  mspIdsOf,
  mspVersionOf,
  expiredSigners,
  setupChannelMsps,
  setupMsp,
  type ChannelMsps,
  type MspFault,
  type MspSetup,
  type MspVersion,
  type SetupOptions,
} from '../msp/index.js';

// The rules of the releases of Fabric
export { rulesOf, type GoVersion, type Program, type Release, type Rules } from '../msp/index.js';

// Identities
export {
  Identity,
  readSerializedIdentity,
  verifySignature,
  writeSerializedIdentity,
  type Principal,
  type Role,
  type SerializedIdentity,
  type Unit,
} from '../msp/index.js';

// Certificates
export {
  channelCertificates,
  decodeAllPem,
  decodePem,
  encodePem,
  readCertificate,
  type Certificate,
  type ChannelCertificate,
  type ChannelCertificateUse,
  type Name,
  type PemBlock,
  type PublicKey,
} from '../msp/index.js';
