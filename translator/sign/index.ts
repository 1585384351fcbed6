// Signing config updates and merging signatures, in Node.js and in browsers.

export {
  channelOfUpdate,
  envelopeOfUpdate,
  readUpdateEnvelope,
  writeUpdateEnvelope,
  type ConfigSignature,
  type OuterSignature,
  type UpdateEnvelope,
} from './envelope.js';
export { mergeEnvelopes, type Merged, type SignatureOrder } from './merge.js';
export { signAsSubmitter, signEnvelope } from './sign.js';
export {
  findSigningIdentity,
  readSigningIdentity,
  type SigningIdentity,
  type SigningIdentityFiles,
  type SigningIdentityFolder,
} from './signing-identity.js';
