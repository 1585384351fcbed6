// Certificates in words, and shortened to what people look at.

import { toHex } from '../config/bytes.js';
import type { Certificate } from '../msp/certificate.js';
import { TranslateError } from '../../proto/errors.js';
import { sha256 } from '../msp/hash.js';
import type { Name } from '../msp/name.js';
import { keyText } from '../msp/public-key.js';
import { certificateIn, readPemCertificate } from '../msp/read-pem.js';
import { readSerializedIdentity } from '../msp/serialized-identity.js';

/** A certificate; without the other fields if it cannot be read. */
export interface CertificateSummary {
  /** The common name, or the whole name: `CN=ca.org1.example.com`. */
  readonly subject?: string;
  readonly issuer?: string;
  /** Times in ISO 8601. */
  readonly notBefore?: string;
  readonly notAfter?: string;
  /** Why it cannot be read. */
  readonly error?: string;
}

const SHORT_HASH = 8;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** For example `CN=o4.ord.example.com, issuer CN=tlsca.ord.example.com, 2026-11-21 to 2036-11-18, P-256, SHA-256 ab12cd34ef567890…`. */
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

/** Summarises a certificate in PEM. */
export function summariseCertificate(pem: Uint8Array): CertificateSummary {
  try {
    const certificate = readPemCertificate(pem);
    if (certificate === undefined)
      return { error: pem.length === 0 ? 'there is no certificate' : 'this is not PEM' };
    const { subject, issuer, notBefore, notAfter } = certificate;
    return {
      subject: nameText(subject),
      issuer: nameText(issuer),
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
    };
  } catch (error) {
    if (error instanceof TranslateError) return { error: error.message };
    throw error;
  }
}

/** `CN=ca.org1.example.com until 2036-11-18`, with a note if it is not valid now. */
export function certificateText(certificate: CertificateSummary, now: Date): string {
  const { subject = '', notBefore = '', notAfter = '', error } = certificate;
  if (error !== undefined) return `an unreadable certificate (${error})`;
  const end = new Date(notAfter);
  if (end < now) return `${subject} expired on ${dayText(end)}`;
  const start = new Date(notBefore);
  return `${subject} ${start > now ? `from ${dayText(start)} ` : ''}until ${dayText(end)}`;
}

/** A certificate in PEM without a clock: `CN=orderer3 until 2027-11-21`. */
export function certificateWords(pem: Uint8Array): string {
  const certificate = certificateIn(pem);
  return certificate === undefined
    ? 'something that is not a certificate'
    : `${nameText(certificate.subject)} until ${dayText(certificate.notAfter)}`;
}

/** The subject of the certificate in a serialized identity; undefined if it cannot be read. */
export const nameCertificate = (identity: Uint8Array): string | undefined => readIdentity(identity)?.subject;

/** The certificate in a serialized identity: `CN=Admin@org1.example.com of Org1MSP`; undefined if it cannot be read. */
export function identityWords(identity: Uint8Array): string | undefined {
  const read = readIdentity(identity);
  return read && `${read.subject} of ${read.mspid}`;
}

function readIdentity(
  identity: Uint8Array,
): { readonly mspid: string; readonly subject: string } | undefined {
  try {
    const { mspid, certificate } = readSerializedIdentity(identity);
    const read = certificateIn(certificate);
    return read && { mspid, subject: nameText(read.subject) };
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
