// Compares certificates with the CAs and keys that were found.

import type { KeyObject, X509Certificate } from 'node:crypto';
import { isSignedBy } from '../../../core/kit/internal/index.js';
import { shortName, type CertificateEntry } from './entry.js';

/**
 * The problem with the issuer of a certificate outside an MSP. The issuer need not be among the CAs; but if CAs have the name of the
 * issuer, one of them must have signed the certificate.
 *
 * @param cas all CA certificates by subject
 */
export function issuerProblem(
  { certificate, issuer }: CertificateEntry,
  cas: ReadonlyMap<string, readonly CertificateEntry[]>,
): string | undefined {
  const candidates = cas.get(issuer);
  const [first] = candidates ?? [];
  if (candidates === undefined || first === undefined) return undefined;
  if (candidates.some((ca) => isSignedBy(certificate, ca.certificate))) return undefined;
  return `is not signed by the CA ${shortName(issuer)} in ${first.path}, which has another key`;
}

/** Whether one of the keys belongs to a certificate. */
export function hasKey(certificate: X509Certificate, keys: readonly KeyObject[]): boolean {
  try {
    return keys.some((key) => key.equals(certificate.publicKey));
  } catch {
    // OpenSSL does not know the algorithm.
    return false;
  }
}
