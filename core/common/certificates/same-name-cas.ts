// Verifies client certificates when several CAs have the same name. OpenSSL looks up an issuer by its name and key identifiers, and takes
// the first match: without key identifiers, it verifies no client certificate of the other CAs. No option of Node 20, 22 or 24 changes
// this: lists, their order, `allowPartialTrustChain` and trusted certificates all end in OpenSSL's X509_STORE_CTX_get1_issuer, which never
// tries a second CA (see the test). Go, and therefore a node, tries each of them (crypto/x509 findPotentialParents). Only certificates that
// such a CA issued directly are accepted here, and certificates with unknown properties are refused.

import type { KeyObject, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { hasIssued } from './chain.js';
import { bitStringOf, readElements } from './der.js';
import { readCertificateParts, type Extension } from './certificate-parts.js';

/** Fewest bits of an RSA key. */
export const MIN_RSA_BITS = 2048;

/** ECDSA and RSA with SHA-256, SHA-384 or SHA-512, and Ed25519, as encoded object identifiers. */
const SIGNATURES = new Set([
  '2a8648ce3d040302',
  '2a8648ce3d040303',
  '2a8648ce3d040304',
  '2a864886f70d01010b',
  '2a864886f70d01010c',
  '2a864886f70d01010d',
  '2b6570',
]);
const KEY_USAGE = '551d0f';
const NAME_CONSTRAINTS = '551d1e';
const EXTENDED_KEY_USAGE = '551d25';
const NETSCAPE_TYPE = '6086480186f8420101';
/** The critical extensions that these rules check: basic constraints, key usage, extended key usage, alternative names. */
const KNOWN = new Set(['551d13', KEY_USAGE, EXTENDED_KEY_USAGE, '551d11']);
/** TLS client authentication. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
/** Bits of the key usage that allow a client to sign a handshake: digitalSignature, keyAgreement. */
const CLIENT_KEY_USAGES = 0x80 | 0x08;

/** Whether two of the CAs have the same name. */
export function shareNames(cas: readonly X509Certificate[]): boolean {
  const distinct = new Map(cas.map((ca) => [ca.fingerprint256, ca.subject]));
  return new Set(distinct.values()).size < distinct.size;
}

/** Whether a client certificate was verified: by OpenSSL, or by the rules for several CAs with the same name. */
export function isVerified(
  { authorized, authorizationError }: TLSSocket,
  certificate: X509Certificate,
  cas: readonly X509Certificate[],
): boolean {
  return (
    authorized ||
    (String(authorizationError) === 'CERT_SIGNATURE_FAILURE' && isIssuedByOneOfSeveral(certificate, cas))
  );
}

/** Whether one of several CAs with the same name issued a client certificate, and no rule rejects it. */
function isIssuedByOneOfSeveral(
  certificate: X509Certificate,
  cas: readonly X509Certificate[],
  now = Date.now(),
): boolean {
  const issuers = cas.filter(({ subject }) => subject === certificate.issuer);
  if (issuers.length < 2) return false;
  try {
    return isClient(certificate, now) && issuers.some((ca) => isCa(ca, now) && hasIssued(ca, certificate));
  } catch {
    return false;
  }
}

/** Why a public key is too weak; undefined if it is not. */
export function keyProblem({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const bits = asymmetricKeyDetails?.modulusLength;
  return asymmetricKeyType?.startsWith('rsa') === true && bits !== undefined && bits < MIN_RSA_BITS
    ? `its RSA key has ${bits} bits, fewer than ${MIN_RSA_BITS}`
    : undefined;
}

function isClient(certificate: X509Certificate, now: number): boolean {
  const { signatureAlgorithm, extensions } = readCertificateParts(certificate.raw);
  return (
    !certificate.ca &&
    SIGNATURES.has(signatureAlgorithm) &&
    !extensions.has(NETSCAPE_TYPE) &&
    canSign(extensions.get(KEY_USAGE)) &&
    isUsable(certificate, extensions, now)
  );
}

function isCa(ca: X509Certificate, now: number): boolean {
  const { extensions } = readCertificateParts(ca.raw);
  return ca.ca && !extensions.has(NAME_CONSTRAINTS) && isUsable(ca, extensions, now);
}

/** The rules for a client and its CA: validity, usage, key, no unknown critical extension. */
function isUsable(
  certificate: X509Certificate,
  extensions: ReadonlyMap<string, Extension>,
  now: number,
): boolean {
  // Undefined, although its type says otherwise, for a certificate without extended key usage.
  const usages = certificate.keyUsage as readonly string[] | undefined;
  return (
    now >= Date.parse(certificate.validFrom) &&
    now <= Date.parse(certificate.validTo) &&
    (extensions.has(EXTENDED_KEY_USAGE) ? usages?.includes(CLIENT_AUTH) === true : true) &&
    keyProblem(certificate.publicKey) === undefined &&
    [...extensions].every(([id, { isCritical }]) => !isCritical || KNOWN.has(id))
  );
}

function canSign(usage: Extension | undefined): boolean {
  if (usage === undefined) return true;
  const [bits] = readElements(usage.value).map(({ content }) => bitStringOf(content)?.bytes);
  return ((bits?.[0] ?? 0) & CLIENT_KEY_USAGES) !== 0;
}
