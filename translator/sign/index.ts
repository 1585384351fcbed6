// Signing config updates and merging signatures, in Node.js and in browsers.

export { type Merged, type SignatureOrder, mergeEnvelopes } from './merge.js';
export { isPkcs12, readPkcs12 } from './pkcs12.js';
export { type RevocationListContent, makeRevocationList } from './revocation-list.js';
export {
  addSignature,
  headerOf,
  messageToSign,
  requireSignable,
  signAsSubmitter,
  signEnvelope,
} from './sign.js';
export { signatureOf, signingKeyOf } from './signature.js';
export {
  type SignerIdentity,
  type SignerIdentityFiles,
  type SigningIdentity,
  type SigningIdentityFiles,
  type SigningIdentityFolder,
  findSigningIdentity,
  isEncryptedKey,
  readSigner,
  readSigningIdentity,
} from './signing-identity.js';
