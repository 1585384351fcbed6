// A channel on one screen.

import { onOneLine } from '../../core/text/one-line.js';
import { certificateText } from './certificate.js';
import type { ChannelSummary } from './channel.js';
import { adminsText, caList, certificatesText } from './organization-text.js';
import type { OrganizationSummary } from './organization.js';
import { quorumText, type ConsenterSummary, type OrdererSummary } from './orderer.js';
import type { Permission } from './permissions.js';
import { PLAIN, type Style } from './style.js';
import { table } from './table.js';
import { batchSizeText, listText } from './value-words.js';

/** How many organisations, policies, and groups with permissions are shown. */
const SHOWN = 24;

/** Describes a channel, lines that end in a newline. @param now decides which certificates have expired */
export function channelText(summary: ChannelSummary, now: Date, style: Style = PLAIN): string {
  const { orderer, organizations, acls, policies, permissions } = summary;
  const heading = (text: string): string => style('bold', text);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [heading(title), ...lines];
  const lines = [
    heading(titleOf(summary)),
    ...table(generalRows(summary)),
    ...(orderer === undefined ? [] : ordererLines(orderer, now, heading)),
    ...section('organisations', organizationLines(organizations, now)),
    ...section(
      'policies',
      shown(table(policies.map(({ path, text, valid }) => [onOneLine(path), policyCell(text, valid, style)]))),
    ),
    ...section('ACLs', shown(table(acls.map(({ resource, policy }) => [onOneLine(resource), onOneLine(policy)])))),
    ...section('who may change what', permissionLines(permissions)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function policyCell(text: string, isValid: boolean, style: Style): string {
  return isValid ? onOneLine(text) : style('red', `refused: ${onOneLine(text)}`);
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
  const rows = [
    ['capabilities', sections.map(([name, list]) => `${name} ${listText(list)}`).join('; ')],
  ];
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

function organizationLines(organizations: readonly OrganizationSummary[], now: Date): string[] {
  const lines: string[] = [];
  for (const { section, name, mspid, msp, anchorPeers, endpoints } of organizations.slice(0, SHOWN)) {
    const id = mspid === undefined ? 'no MSP id' : `MSP ${onOneLine(mspid)}`;
    lines.push(`  ${onOneLine(`${section}/${name}`)}  ${id}${msp.nodeOus ? ', NodeOUs' : ''}`);
    if (msp.type === 'fabric') {
      const rows = [
        ['CA', certificatesText(caList(msp), now)],
        ['admins', adminsText(msp, now)],
      ];
      if (msp.revocationLists > 0) rows.push(['revocation', `${msp.revocationLists} lists`]);
      if (anchorPeers.length > 0) rows.push(['anchor peers', listText(anchorPeers)]);
      if (endpoints.length > 0) rows.push(['endpoints', listText(endpoints)]);
      lines.push(...table(rows, '    '));
    } else lines.push(`    ${msp.type === 'none' ? 'no MSP' : `an MSP that cannot be shown: ${onOneLine(msp.error ?? '')}`}`);
  }
  return withRest(lines, organizations.length - SHOWN, 'organisations');
}

/** A row for each group: the policy of most of its elements, then those with another one. */
function permissionLines(permissions: readonly Permission[]): string[] {
  const groups = new Map<string, Permission[]>();
  for (const each of permissions) {
    const group = each.kind === 'group' ? each.path : each.path.slice(0, each.path.lastIndexOf('/'));
    const list = groups.get(group);
    if (list === undefined) groups.set(group, [each]);
    else list.push(each);
  }
  const rows = [...groups].slice(0, SHOWN).flatMap(([path, list]) => {
    const usual = mostFrequent(list.map(({ policy }) => policy));
    const ofUsual = list.find(({ policy }) => policy === usual)!;
    const others = list.filter(({ policy }) => policy !== usual);
    return [
      [onOneLine(path), ...cells(ofUsual)],
      ...others.map((each) => [
        `  ${onOneLine(each.path.slice(each.path.lastIndexOf('/') + 1))}${each.kind === 'value' ? '' : ` (${each.kind})`}`,
        ...cells(each),
      ]),
    ];
  });
  return withRest(table(rows), groups.size - SHOWN, 'groups');
}

const cells = ({ policy, signers }: Permission): string[] =>
  policy === undefined ? ['', onOneLine(signers)] : [onOneLine(policy), onOneLine(signers)];

function mostFrequent(items: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

const shown = (lines: readonly string[]): string[] =>
  withRest(lines.slice(0, 2 * SHOWN), lines.length - 2 * SHOWN, 'lines');

const withRest = (lines: readonly string[], rest: number, what: string): string[] =>
  rest > 0 ? [...lines, `  and ${rest} more ${what}; --json lists all`] : [...lines];
