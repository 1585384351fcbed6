// An organisation and its MSP in words.

import { onOneLine } from '../../core/common/text/one-line.js';
import { certificateText, type CertificateSummary } from '../describe/certificate.js';
import type { PolicySummary } from './policies.js';
import type { MspSummary, OrganizationSummary } from './organization.js';
import { listText } from '../describe/list.js';
import { table } from './table.js';

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

/** The lines about an organisation. @param permissions who may change it, and elements of it with other policies */
export function organizationText(
  { section, name, mspid, msp, anchorPeers, endpoints }: OrganizationSummary,
  policies: readonly PolicySummary[],
  permissions: readonly string[],
  now: Date,
): string[] {
  const id = mspid === undefined ? 'no MSP id' : `MSP ${onOneLine(mspid)}`;
  const rows: string[][] = [];
  if (msp.type === 'fabric')
    rows.push(['CA', certificatesText(caList(msp), now)], ['admins', adminsText(msp, now)]);
  else rows.push(['MSP', mspText(msp, now)]);
  if (msp.revocationLists > 0) rows.push(['revocation', `${msp.revocationLists} lists`]);
  if (anchorPeers.length > 0) rows.push(['anchor peers', listText(anchorPeers)]);
  if (endpoints.length > 0) rows.push(['endpoints', listText(endpoints)]);
  if (policies.length > 0) rows.push(['policies', policies.map(policyText).join('; ')]);
  if (permissions.length > 0) rows.push(['changed by', permissions.join('; ')]);
  return [
    `  ${onOneLine(`${section}/${name}`)}  ${id}${msp.nodeOus ? ', NodeOUs' : ''}`,
    ...table(rows, '    '),
  ];
}

const policyText = ({ path, text, valid }: PolicySummary): string =>
  onOneLine(`${path.slice(path.lastIndexOf('/') + 1)} ${valid ? text : `refused: ${text}`}`);
