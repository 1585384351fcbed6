// `fabric-ops-agent/translator/msp`: identities, certificates and MSPs, in Node.js and in browsers.

export {
  MspCache,
  channelCertificates,
  mspVersionOf,
  readCertificate,
  readPemCertificate,
  rulesOf,
  setupChannelMsps,
  setupMsp,
  verifySignature,
  type Certificate,
  type ChannelCertificate,
  type ChannelCertificateUse,
  type ChannelMsps,
  type Identity,
  type Msp,
  type MspSetup,
  type Program,
} from '../msp/index.js';
