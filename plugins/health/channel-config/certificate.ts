// Parses certificates. Separate from config.ts, which is loaded with the translator when the first channel is found.

import { X509Certificate } from 'node:crypto';

/** @returns undefined if it does not parse */
export function parseCertificate(pem: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
