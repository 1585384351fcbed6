// Signing config updates and merging signatures, in Node.js and in browsers.

export { type Merged, type SignatureOrder, mergeEnvelopes } from './merge.js';
export { headerOf, requireSignable, signAsSubmitter, signEnvelope } from './sign.js';
export {
  type SigningIdentity,
  type SigningIdentityFiles,
  type SigningIdentityFolder,
  findSigningIdentity,
  readSigningIdentity,
} from './signing-identity.js';
