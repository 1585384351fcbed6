// Identities and MSPs of Fabric channels, in Node.js and in browsers.

export { readCertificate, type Certificate } from './certificate.js';
export { verifyChain, type ChainOptions, type ChainResult } from './chain.js';
export { readX509Msp, type MspConfig, type NodeRole, type UnitConfig } from './config.js';
export { consenterError, type ConsenterOptions } from './consenter.js';
export { readRevocationList, type RevocationList } from './crl.js';
export { Identity, type Role, type Unit } from './identity.js';
export { MspCache, setupChannelMsps, type ChannelMsps, type MspFault } from './channel-msps.js';
export { MspManager } from './manager.js';
export { Msp } from './msp.js';
export { mspIdsOf } from './msp-of-certificate.js';
export { decodeAllPem, decodePem, encodePem, type PemBlock } from '../../core/common/certificates/pem.js';
export {
  readSerializedIdentity,
  writeSerializedIdentity,
  type SerializedIdentity,
} from './serialized-identity.js';
export { setupMsp, type MspSetup } from './setup.js';
export { mspVersionOf, type MspVersion } from './version.js';
export { verifySignature } from './verify-signature.js';
