// Certificates, and what identifies them.

import { createHash, X509Certificate } from 'node:crypto';

/** The public key of a certificate: a renewed certificate with the same key belongs to the same consenter. */
export const keyOf = ({ publicKey }: X509Certificate): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** @returns undefined if it does not parse */
export function parseCertificate(pem: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
