// Why OpenSSL refuses a client certificate, in plain words.

const UNKNOWN_ISSUER = 'its issuer is not among the client root CAs';
/** The code of Node for every refusal without a code of its own. */
export const UNSPECIFIED = 'UNSPECIFIED';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['CERT_SIGNATURE_FAILURE', 'its signature is not that of the client root CA with the name of its issuer'],
  ['INVALID_CA', 'its issuer is not a CA'],
  ['INVALID_PURPOSE', 'it is not meant for clients'],
  ['PATH_LENGTH_EXCEEDED', 'its chain is longer than a CA in it allows'],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_ISSUER],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_ISSUER],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_ISSUER],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_ISSUER],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_ISSUER],
  [UNSPECIFIED, 'it, or its chain, breaks a constraint, such as a name constraint or a strong digest'],
]);

const OUTSIDE_NAMES = 'it has a name that the name constraints of its CA do not allow';
/** By the text of OpenSSL (crypto/x509/x509_txt.c). */
const UNSPECIFIED_REASONS: ReadonlyMap<string, string> = new Map([
  ['permitted subtree violation', OUTSIDE_NAMES],
  ['excluded subtree violation', OUTSIDE_NAMES],
  ['CA signature digest algorithm too weak', 'it, or a CA in its chain, is signed with a weak digest'],
  ['EE certificate key too weak', 'its key is too short'],
  ['CA certificate key too weak', 'the key of a CA in its chain is too short'],
]);

/**
 * Why a certificate is not trusted.
 *
 * @param code of Node
 * @param text of OpenSSL, where it is known
 */
export function describeRefusal(code: string, text?: string): string {
  if (code === UNSPECIFIED && text !== undefined) return UNSPECIFIED_REASONS.get(text) ?? text;
  return REASONS.get(code) ?? code;
}
