// A channel on one screen.

import { onOneLine } from '../../core/common/text/one-line.js';
import { lastName, parentPath } from '../channel/index.js';
import { certificateText } from './certificate.js';
import type { ChannelSummary } from './channel.js';
import type { OrganizationSummary } from './channel.js';
import { quorumText, type ConsenterSummary, type OrdererSummary } from './orderer.js';
import { byGroup, permissionRows } from './permissions.js';
import { PLAIN, type Style } from './text.js';
import { table } from '../../core/common/text/table.js';
import { listText } from './text.js';
import { batchSizeText } from './values.js';
import { adminsText, caList, certificatesText, mspText } from './msp.js';
import type { PolicySummary } from './channel.js';

/** How many organisations, policies, and groups with permissions are shown. */
const SHOWN = 24;

/** Describes a channel, lines that end in a newline. @param now decides which certificates have expired */
export function channelText(summary: ChannelSummary, now: Date, style: Style = PLAIN): string {
  const { orderer, acls } = summary;
  const heading = (text: string): string => style('bold', text);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [heading(title), ...lines];
  const lines = [
    heading(titleOf(summary)),
    ...table(generalRows(summary)),
    ...(orderer === undefined ? [] : ordererLines(orderer, now, heading)),
    ...section('organisations', organizationLines(summary, now)),
    ...section('policies', policyLines(summary, style)),
    ...section(
      'ACLs',
      shown(table(acls.map(({ resource, policy }) => [onOneLine(resource), onOneLine(policy)]))),
    ),
    ...section('who may change what', permissionLines(summary)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function titleOf({ channel, block, form, sequence }: ChannelSummary): string {
  const name = channel === undefined ? 'a channel' : `channel ${onOneLine(channel)}`;
  const place = block === undefined ? `, ${form}` : `, block ${block}`;
  return `${name}${place}, sequence ${sequence}`;
}

function generalRows(summary: ChannelSummary): string[][] {
  const { capabilities, consortium, consortiums, ordererAddresses } = summary;
  const sections = [
    ['channel', capabilities.channel],
    ['orderer', capabilities.orderer],
    ['application', capabilities.application],
  ] as const;
  const rows = [['capabilities', sections.map(([name, list]) => `${name} ${listText(list)}`).join('; ')]];
  if (summary.hashingAlgorithm !== '') rows.push(['hashing', onOneLine(summary.hashingAlgorithm)]);
  if (ordererAddresses.length > 0) rows.push(['orderers', listText(ordererAddresses)]);
  if (consortium !== undefined) rows.push(['consortium', onOneLine(consortium)]);
  if (consortiums !== undefined) rows.push(['consortiums', listText(consortiums)]);
  return rows;
}

function ordererLines(orderer: OrdererSummary, now: Date, heading: (text: string) => string): string[] {
  const { type, maintenance, quorum, consenters, kafkaBrokers, batch, maxChannels } = orderer;
  const rows = [['batch', `${batchSizeText(batch)}, after ${onOneLine(batch.timeout) || 'no time'}`]];
  if (maxChannels !== '0') rows.push(['channels', `at most ${maxChannels}`]);
  if (kafkaBrokers.length > 0) rows.push(['brokers', listText(kafkaBrokers)]);
  const arithmetic = quorum === undefined ? '' : `, ${quorumText(quorum)}`;
  return [
    heading(`orderer ${onOneLine(type)}${maintenance ? ', in maintenance' : ''}${arithmetic}`),
    ...table(consenters.map((consenter) => consenterRow(consenter, now))),
    ...table(rows),
  ];
}

function consenterRow(consenter: ConsenterSummary, now: Date): string[] {
  const { id, mspid, address, clientTls, serverTls, identity } = consenter;
  const client = certificateText(clientTls, now);
  const server = certificateText(serverTls, now);
  const tls = client === server ? `TLS ${client}` : `TLS client ${client}, server ${server}`;
  return [
    ...(id === undefined ? [] : [`${id} ${onOneLine(mspid ?? '')}`]),
    onOneLine(address),
    onOneLine(identity === undefined ? tls : `${certificateText(identity, now)}, ${tls}`),
  ];
}

function organizationLines(summary: ChannelSummary, now: Date): string[] {
  const { organizations } = summary;
  const policies = byGroup(summary.policies);
  const permissions = byGroup(summary.permissions);
  const lines = organizations.slice(0, SHOWN).flatMap((organization) => {
    const path = pathOf(organization);
    const changedBy = permissionRows(path, permissions.get(path) ?? []).map(([, , signers]) => signers ?? '');
    return organizationText(organization, policies.get(path) ?? [], changedBy, now);
  });
  return withRest(lines, organizations.length - SHOWN, 'organisations');
}

const pathOf = ({ section, name }: OrganizationSummary): string => `/Channel/${section}/${name}`;

function policyLines({ policies, organizations }: ChannelSummary, style: Style): string[] {
  const ofOrganizations = new Set(organizations.map(pathOf));
  const rows = policies
    .filter(({ path }) => !ofOrganizations.has(parentPath(path)))
    .map(({ path, text, valid }) => [
      onOneLine(path),
      valid ? onOneLine(text) : style('red', `refused: ${onOneLine(text)}`),
    ]);
  return shown(table(rows));
}

/** A row for each group but organisations: the policy of most of its elements, then those with another one. */
function permissionLines({ permissions, organizations }: ChannelSummary): string[] {
  const ofOrganizations = new Set(organizations.map(pathOf));
  const groups = [...byGroup(permissions)].filter(([path]) => !ofOrganizations.has(path));
  const rows = groups.slice(0, SHOWN).flatMap(([path, list]) => permissionRows(path, list));
  return withRest(table(rows), groups.length - SHOWN, 'groups');
}

const shown = (lines: readonly string[]): string[] =>
  withRest(lines.slice(0, 2 * SHOWN), lines.length - 2 * SHOWN, 'lines');

const withRest = (lines: readonly string[], rest: number, what: string): string[] =>
  rest > 0 ? [...lines, `  and ${rest} more ${what}; --json lists all`] : [...lines];

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
