// Certificates in words, and as short data.

import { attempt } from '../../proto/errors.js';
import { encodePem } from '../../core/common/certificates/pem.js';
import { toHex } from '../../proto/bytes.js';
import { digest } from '../crypto/index.js';
import {
  certificateIn,
  readPemCertificate,
  type Certificate,
  nameText,
  keyText,
  readSerializedIdentity,
} from '../msp/index.js';

/** A certificate; only `error` if it cannot be read. */
export interface CertificateSummary {
  /** The common name, or the whole name: `CN=ca.org1.example.com`. */
  readonly subject?: string;
  readonly issuer?: string;
  /** Times in ISO 8601. */
  readonly notBefore?: string;
  readonly notAfter?: string;
  /** The reason that it cannot be read. */
  readonly error?: string;
}

const SHORT_HASH = 8;

/** For example `CN=o4.ord.example.com, issuer CN=tlsca.ord.example.com, 2026-11-21 to 2036-11-18, P-256, SHA-256 ab12cd34ef567890…`. */
export function describeCertificate(certificate: Certificate): string {
  const { subject, issuer, notBefore, notAfter, publicKey, raw } = certificate;
  return [
    nameText(subject),
    `issuer ${nameText(issuer)}`,
    `${dayText(notBefore)} to ${dayText(notAfter)}`,
    keyText(publicKey),
    hashWords(raw),
  ].join(', ');
}

/** The day of a time, in UTC. */
export function dayText(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Summarises a certificate in PEM. */
export function summariseCertificate(pem: Uint8Array): CertificateSummary {
  return attempt(
    () => {
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
    },
    ({ message }) => ({ error: message }),
  );
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

/**
 * A certificate in PEM without a clock: `CN=orderer3 (SHA-256 ab12cd34ef567890…) until 2027-11-21`. If there is other
 * content, for example a second certificate, the hash of everything follows.
 */
export function certificateWords(pem: Uint8Array): string {
  const certificate = certificateIn(pem);
  if (certificate === undefined) return `something that is not a certificate (${hashWords(pem)})`;
  const { subject, notAfter, raw } = certificate;
  const words = `${nameText(subject)} (${hashWords(raw)}) until ${dayText(notAfter)}`;
  const isAlone = new TextDecoder().decode(pem).trimEnd() === encodePem('CERTIFICATE', raw).trimEnd();
  return isAlone ? words : `${words}, in a text with other content (${hashWords(pem)})`;
}

/** The name in a certificate in PEM, `CN=orderer3`, and its SHA-256 in hexadecimal. */
export function certificateNamed(pem: Uint8Array): { readonly name: string; readonly sha256?: string } {
  const certificate = certificateIn(pem);
  if (certificate === undefined) return { name: 'something that is not a certificate' };
  const { subject, raw } = certificate;
  return { name: nameText(subject), sha256: toHex(digest('SHA-256', [raw])) };
}

/**
 * The certificate in a serialized identity: `CN=Admin@org1.example.com (SHA-256 ab12cd34ef567890…) of Org1MSP`; undefined if it cannot be
 * read.
 */
export function identityWords(identity: Uint8Array): string | undefined {
  return attempt(
    () => {
      const { mspid, certificate } = readSerializedIdentity(identity);
      const read = certificateIn(certificate);
      return read && `${nameText(read.subject)} (${hashWords(read.raw)}) of ${mspid}`;
    },
    () => undefined,
  );
}

/** A serial number in hexadecimal, as openssl prints it: `4E0C`. */
export function serialText(serial: bigint): string {
  const digits = (serial < 0n ? -serial : serial).toString(16).toUpperCase();
  return `${serial < 0n ? '-' : ''}${digits.length % 2 === 0 ? '' : '0'}${digits}`;
}

/** The first bytes of a SHA-256, for comparison by eye: `SHA-256 ab12cd34ef567890…`. */
export const hashWords = (bytes: Uint8Array): string =>
  `SHA-256 ${toHex(digest('SHA-256', [bytes]).subarray(0, SHORT_HASH))}…`;
