// An organisation in words.

import { onOneLine } from '../../core/common/text/one-line.js';
import { lastName } from '../config/element-path.js';
import { adminsText, caList, certificatesText, mspText } from '../describe/msp.js';
import type { PolicySummary } from './policies.js';
import type { OrganizationSummary } from './organization.js';
import { listText } from '../describe/list.js';
import { table } from '../../core/common/text/table.js';

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
  onOneLine(`${lastName(path)} ${valid ? text : `refused: ${text}`}`);
