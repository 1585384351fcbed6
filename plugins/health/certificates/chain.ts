// Verifies signatures among the certificates that were found.

import type { KeyObject, X509Certificate } from 'node:crypto';
import { shortName, type Entry } from './entry.js';

/** Longest chain from a certificate to a root CA. */
const MAX_CHAIN = 10;

/** Whether a root CA issued a certificate, directly or through intermediate CAs. */
export function isIssuedBy(
  certificate: X509Certificate,
  roots: readonly X509Certificate[],
  intermediates: readonly X509Certificate[],
): boolean {
  let current: X509Certificate | undefined = certificate;
  for (let length = 0; current !== undefined && length < MAX_CHAIN; length += 1) {
    const subject: X509Certificate = current;
    if (roots.some((root) => root.raw.equals(subject.raw) || hasIssued(root, subject))) return true;
    current = intermediates.find((each) => !each.raw.equals(subject.raw) && hasIssued(each, subject));
  }
  return false;
}

function hasIssued(issuer: X509Certificate, subject: X509Certificate): boolean {
  return subject.checkIssued(issuer) && verifies(subject, issuer);
}

/**
 * What is wrong with the issuer of a certificate outside an MSP. Its issuer need not be among the CAs; but if one of them has the
 * name of the issuer, the signature must be from a CA with that name.
 *
 * @param cas all CA certificates by subject
 */
export function issuerProblem(
  { certificate, issuer }: Entry,
  cas: ReadonlyMap<string, readonly Entry[]>,
): string | undefined {
  const candidates = cas.get(issuer);
  const [first] = candidates ?? [];
  if (candidates === undefined || first === undefined) return undefined;
  if (candidates.some((ca) => verifies(certificate, ca.certificate))) return undefined;
  return `is not signed by the CA ${shortName(issuer)} in ${first.path}, which has another key`;
}

function verifies(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const key = publicKeyOf(issuer);
  return key !== undefined && certificate.verify(key);
}

/** Whether one of the keys is that of a certificate. */
export function hasKey(certificate: X509Certificate, keys: readonly KeyObject[]): boolean {
  const key = publicKeyOf(certificate);
  return key !== undefined && keys.some((each) => each.equals(key));
}

/** Undefined for an algorithm that OpenSSL does not know. */
function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}
