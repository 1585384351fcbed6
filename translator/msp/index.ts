// Identities and MSPs of Fabric channels, in Node.js and in browsers.

export {
  type Certificate,
  caKey,
  certificateIn,
  dependsOnGo,
  readCertificate,
  readPemCertificate,
} from './certificate.js';
export { ANY_USAGE, CLIENT_AUTH, SERVER_AUTH, verifyChain } from './chain.js';
export {
  FABRIC,
  IDEMIX,
  type MspConfig,
  type MspVersion,
  NODE_ROLES,
  type NodeRole,
  type UnitConfig,
  isAtLeast,
  mspVersionOf,
  readMspConfig,
  readX509Msp,
} from './config.js';
export { DNS } from './alternative-names.js';
export { consenterError } from './consenter.js';
export { type RevocationList, readRevocationList } from './crl.js';
export {
  Identity,
  type IdentityFault,
  type JudgedIdentity,
  type Role,
  type SerializedIdentity,
  type Unit,
  readSerializedIdentity,
  writeSerializedIdentity,
} from './identity.js';
export {
  type ChannelCertificate,
  type ChannelCertificateUse,
  channelCertificates,
} from './channel-certificates.js';
export {
  type ChannelMsps,
  MspCache,
  type MspFault,
  type SetupOptions,
  expiredSigners,
  setupChannelMsps,
} from './channel-msps.js';
export { Msp, MspManager, membershipProblem, mspIdsOf } from './msp.js';
export { type PemBlock, decodeAllPem, decodePem, encodePem } from '../../core/common/certificates/pem.js';
export {
  FABRIC_3_0,
  type GoVersion,
  KNOWN_VERSIONS,
  type Program,
  type Release,
  type Rules,
  isFabricVersion,
  releasesText,
  rulesOf,
} from './releases.js';
export { type MspSetup, setupMsp } from './setup.js';
export { checkSignature, verifyEcdsa, verifyEd25519, verifySignature } from './verify.js';
export { type Name, nameText } from './name.js';
export { type PublicKey, keyText } from './public-key.js';
export {
  CURVES,
  type Curve,
  type EcdsaSignature,
  derBitString,
  derHeader,
  derInteger,
  readEcdsaSignature,
  toLowS,
  writeEcdsaSignature,
} from './ecdsa.js';
export type { Principal } from './principal.js';
export { DerReader } from './der.js';
export { type Trust, beginsInTime, isListOf, sanitize, uniqueChain, verifiedAt } from './trust.js';
export { AUTHORITY_KEY_ID } from './extensions.js';
