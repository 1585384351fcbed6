// Describes a certificate on one line.

import { toHex } from '../config/bytes.js';
import type { Certificate } from './certificate.js';
import { sha256 } from './hash.js';
import type { Name } from './name.js';
import { keyText } from './public-key.js';

const SHORT_HASH = 4;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** For example `CN=o4.ord.example.com, issuer CN=tlsca.ord.example.com, 2026-11-21 to 2036-11-18, P-256, SHA-256 ab12cd34…`. */
export async function describeCertificate(certificate: Certificate): Promise<string> {
  const { subject, issuer, notBefore, notAfter, publicKey, raw } = certificate;
  const hash = toHex((await sha256(raw)).subarray(0, SHORT_HASH));
  return [
    nameText(subject),
    `issuer ${nameText(issuer)}`,
    `${dayText(notBefore)} to ${dayText(notAfter)}`,
    keyText(publicKey),
    `SHA-256 ${hash}…`,
  ].join(', ');
}

/** The common name of a name, or the whole name without one, without characters that a terminal interprets. */
export function nameText({ commonName, text }: Name): string {
  const shown = commonName === '' ? text || 'no name' : `CN=${commonName}`;
  return shown.replace(UNPRINTABLE, '\uFFFD');
}

/** The day of a time, in UTC. */
export function dayText(time: Date): string {
  return time.toISOString().slice(0, 10);
}
