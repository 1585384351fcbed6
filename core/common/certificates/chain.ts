// Signatures among certificates, and their public keys.

import { createHash, type KeyObject, type X509Certificate } from 'node:crypto';

/** Longest chain from a certificate to a CA. */
const MAX_CHAIN = 10;

/**
 * Whether one of the CAs issued the first certificate of a chain, directly or through the other certificates, in any order. A CA need
 * not be self-signed.
 */
export function isIssuedBy(
  [certificate, ...intermediates]: readonly X509Certificate[],
  cas: readonly X509Certificate[],
): boolean {
  let current = certificate;
  for (let length = 0; current !== undefined && length < MAX_CHAIN; length += 1) {
    const subject: X509Certificate = current;
    if (cas.some((ca) => ca.raw.equals(subject.raw) || hasIssued(ca, subject))) return true;
    current = intermediates.find((each) => !each.raw.equals(subject.raw) && hasIssued(each, subject));
  }
  return false;
}

/** Whether a CA issued a certificate: names, key identifiers, key usage and signature. */
export function hasIssued(ca: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(ca) && isSignedBy(certificate, ca);
}

/** Whether the key of a CA signed a certificate. */
export function isSignedBy(certificate: X509Certificate, ca: X509Certificate): boolean {
  const key = publicKeyOf(ca);
  return key !== undefined && certificate.verify(key);
}

/** The public key of a certificate; undefined for an algorithm that OpenSSL does not know. */
function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

/** The SHA-256 of the public key of a certificate: a renewed one may have the same. @throws Error for an algorithm that OpenSSL does not know */
export const hashOfKey = ({ publicKey }: X509Certificate): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
