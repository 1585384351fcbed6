// Whether the certificates that were found belong to their CAs and keys.

import type { KeyObject, X509Certificate } from 'node:crypto';
import { isSignedBy } from '../../../core/kit/index.js';
import { shortName, type Entry } from './entry.js';

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
