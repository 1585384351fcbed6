// Identities and MSPs of Fabric channels, in Node.js and in browsers.

export { readCertificate, type Certificate } from './certificate.js';
export { verifyChain, type ChainOptions, type ChainResult } from './chain.js';
export {
  mspVersionOf,
  readX509Msp,
  type MspConfig,
  type MspVersion,
  type NodeRole,
  type UnitConfig,
} from './config.js';
export { consenterError, type ConsenterOptions } from './consenter.js';
export { readRevocationList, type RevocationList } from './crl.js';
export {
  Identity,
  readSerializedIdentity,
  writeSerializedIdentity,
  type Role,
  type SerializedIdentity,
  type Unit,
} from './identity.js';
export { MspCache, setupChannelMsps, type ChannelMsps, type MspFault } from './channel-msps.js';
export { Msp, MspManager, mspIdsOf } from './msp.js';
export { decodeAllPem, decodePem, encodePem, type PemBlock } from '../../core/common/certificates/pem.js';
export { isFabricVersion, rulesOf, type GoVersion, type Program, type Rules } from './releases.js';
export { setupMsp, type MspSetup } from './setup.js';
export { verifySignature } from './verify.js';
export { nameText, type Name } from './name.js';
