// Signing config updates and merging signatures, in Node.js and in browsers.

export { mergeEnvelopes, type Merged, type SignatureOrder } from './merge.js';
export { signAsSubmitter, signEnvelope } from './sign.js';
export {
  findSigningIdentity,
  readSigningIdentity,
  type SigningIdentity,
  type SigningIdentityFiles,
  type SigningIdentityFolder,
} from './signing-identity.js';
