// Words about an MSP.

import { onOneLine } from '../../core/text/one-line.js';
import { certificateText, type CertificateSummary } from './certificate.js';
import type { MspSummary } from './organization.js';

/** How many certificates of a list are shown. */
const SHOWN = 6;

/** `CA CN=ca.org1.example.com until 2036-11-18; admins: OU admin` */
export function mspText(msp: MspSummary, now: Date): string {
  if (msp.type === 'none') return 'no MSP';
  if (msp.type === 'other') return `an MSP that cannot be shown (${onOneLine(msp.error ?? '')})`;
  return `CA ${certificatesText(caList(msp), now)}; admins: ${adminsText(msp, now)}`;
}

/** The CAs that issue identities. */
export const caList = ({ rootCas, intermediateCas }: MspSummary): readonly CertificateSummary[] => [
  ...rootCas,
  ...intermediateCas,
];

/** Who counts as admin. */
export function adminsText({ adminUnit, admins }: MspSummary, now: Date): string {
  const listed = admins.length === 0 ? [] : [certificatesText(admins, now)];
  const unit = adminUnit === undefined ? [] : [`OU ${onOneLine(adminUnit)}`];
  return [...unit, ...listed].join(', ') || 'nobody';
}

/** Certificates with their expiry. */
export function certificatesText(certificates: readonly CertificateSummary[], now: Date): string {
  if (certificates.length === 0) return 'none';
  const rest = certificates.length - SHOWN;
  const shown = (rest <= 1 ? certificates : certificates.slice(0, SHOWN)).map((each) =>
    certificateText(each, now),
  );
  return onOneLine(shown.join(', ') + (rest <= 1 ? '' : ` and ${rest} more`));
}
