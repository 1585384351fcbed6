// Certificates of a config, shortened to what people look at.

import { readCertificate } from '../msp/certificate.js';
import { dayText, nameText } from '../msp/describe.js';
import { MspError } from '../msp/errors.js';
import { decodePem } from '../msp/pem.js';
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

/** Summarises a certificate in PEM. */
export function summariseCertificate(pem: Uint8Array): CertificateSummary {
  const block = decodePem(pem);
  if (block === undefined) return { error: pem.length === 0 ? 'there is no certificate' : 'this is not PEM' };
  try {
    const { subject, issuer, notBefore, notAfter } = readCertificate(block.bytes);
    return {
      subject: nameText(subject),
      issuer: nameText(issuer),
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
    };
  } catch (error) {
    if (error instanceof MspError) return { error: error.message };
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

/** The subject of the certificate in a serialized identity; undefined if it cannot be read. */
export function nameCertificate(identity: Uint8Array): string | undefined {
  try {
    return summariseCertificate(readSerializedIdentity(identity).certificate).subject;
  } catch (error) {
    if (error instanceof MspError) return undefined;
    throw error;
  }
}
