// The document about a channel.

import { is, requireTypes } from '../../proto/arguments.js';
import { lastName, parentPath } from '../channel/index.js';
import { certificateText } from './certificate.js';
import type { ChannelSummary, OrganizationSummary, PolicySummary } from './channel.js';
import { listOf, sectionOf, tableOf, type Block, type Document, type Row } from './document.js';
import { listText } from './lists.js';
import { adminsText, caList, certificatesText, mspText } from './msp.js';
import { quorumText, type ConsenterSummary, type OrdererSummary } from './orderer.js';
import { byGroup, distinctPermissions, type Permission } from './permissions.js';
import { batchSizeText } from './values.js';

/** The number of organisations, and of groups with permissions, that are shown at first. */
const SHOWN = 24;
const HINT = '; --json lists all';
const LINES = { shown: 2 * SHOWN, noun: 'lines', hint: HINT };

const SUMMARY = is.named('a result of summariseChannel', is.record({ organizations: is.list(is.any) }));

/** Describes a channel. @param now decides which certificates have expired */
export function channelDocument(summary: ChannelSummary, now = new Date()): Document {
  requireTypes({ summary, now }, { summary: SUMMARY, now: is.date });
  const { orderer, acls, organizations, policies, permissions } = summary;
  const paths = new Set(organizations.map(pathOf));
  const others = policies.filter(({ path }) => !paths.has(parentPath(path)));
  const groups = [...byGroup(permissions)].filter(([path]) => !paths.has(path));
  return {
    title: titleOf(summary),
    blocks: [tableOf(generalRows(summary))],
    sections: [
      ...(orderer === undefined
        ? []
        : [{ id: 'orderer', title: ordererTitle(orderer), blocks: ordererBlocks(orderer, now) }]),
      ...sectionOf('organisations', [
        listOf(organizationRows(summary, now), {
          limit: { shown: SHOWN, noun: 'organisations', hint: HINT },
        }),
      ]),
      ...sectionOf('policies', [
        tableOf(others.map(policyCells), { columns: ['policy', 'rule'], limit: LINES }),
      ]),
      ...sectionOf('ACLs', [
        tableOf(
          acls.map(({ resource, policy }) => [resource, policy]),
          { columns: ['resource', 'policy'], limit: LINES },
        ),
      ]),
      ...sectionOf('who may change what', [
        tableOf(
          groups.map(([path, list]) => permissionRow(path, list)),
          {
            columns: ['element', 'policy', 'who must sign'],
            limit: { shown: SHOWN, noun: 'groups', hint: HINT },
          },
        ),
      ]),
    ],
  };
}

function titleOf({ channel, block, form, sequence }: ChannelSummary): string {
  const name = channel === undefined ? 'a channel' : `channel ${channel}`;
  return `${name}, ${block === undefined ? form : `block ${block}`}, sequence ${sequence}`;
}

function generalRows(summary: ChannelSummary): string[][] {
  const { capabilities, consortium, consortiums, ordererAddresses } = summary;
  const sections = [
    ['channel', capabilities.channel],
    ['orderer', capabilities.orderer],
    ['application', capabilities.application],
  ] as const;
  const rows = [['capabilities', sections.map(([name, list]) => `${name} ${listText(list)}`).join('; ')]];
  if (summary.hashingAlgorithm !== '') rows.push(['hashing', summary.hashingAlgorithm]);
  if (ordererAddresses.length > 0) rows.push(['orderers', listText(ordererAddresses)]);
  if (consortium !== undefined) rows.push(['consortium', consortium]);
  if (consortiums !== undefined) rows.push(['consortiums', listText(consortiums)]);
  return rows;
}

const ordererTitle = ({ type, maintenance, quorum }: OrdererSummary): string =>
  `orderer ${type}${maintenance ? ', in maintenance' : ''}${quorum === undefined ? '' : `, ${quorumText(quorum)}`}`;

function ordererBlocks(
  { consenters, kafkaBrokers, batch, maxChannels }: OrdererSummary,
  now: Date,
): readonly Block[] {
  const rows = [['batch', `${batchSizeText(batch)}, after ${batch.timeout || 'no time'}`]];
  if (maxChannels !== '0') rows.push(['channels', `at most ${maxChannels}`]);
  if (kafkaBrokers.length > 0) rows.push(['brokers', listText(kafkaBrokers)]);
  return [tableOf(consenters.map((consenter) => consenterCells(consenter, now))), tableOf(rows)];
}

function consenterCells(consenter: ConsenterSummary, now: Date): string[] {
  const { id, mspid, address, clientTls, serverTls, identity } = consenter;
  const client = certificateText(clientTls, now);
  const server = certificateText(serverTls, now);
  const tls = client === server ? `TLS ${client}` : `TLS client ${client}, server ${server}`;
  return [
    ...(id === undefined ? [] : [`${id} ${mspid ?? ''}`]),
    address,
    identity === undefined ? tls : `${certificateText(identity, now)}, ${tls}`,
  ];
}

function organizationRows({ organizations, policies, permissions }: ChannelSummary, now: Date): Row[] {
  const policiesIn = byGroup(policies);
  const permissionsIn = byGroup(permissions);
  return organizations.map((organization) => {
    const path = pathOf(organization);
    return organizationRow(organization, policiesIn.get(path) ?? [], permissionsIn.get(path) ?? [], now);
  });
}

const pathOf = ({ section, name }: OrganizationSummary): string => `/Channel/${section}/${name}`;

function organizationRow(
  organization: OrganizationSummary,
  policies: readonly PolicySummary[],
  permissions: readonly Permission[],
  now: Date,
): Row {
  const { section, name, mspid, msp, anchorPeers, endpoints } = organization;
  const id = mspid === undefined ? 'no MSP id' : `MSP ${mspid}`;
  const rows: string[][] =
    msp.type === 'fabric'
      ? [
          ['CA', certificatesText(caList(msp), now)],
          ['admins', adminsText(msp, now)],
        ]
      : [['MSP', mspText(msp, now)]];
  if (msp.revocationLists > 0) rows.push(['revocation', `${msp.revocationLists} lists`]);
  if (anchorPeers.length > 0) rows.push(['anchor peers', listText(anchorPeers)]);
  if (endpoints.length > 0) rows.push(['endpoints', listText(endpoints)]);
  if (policies.length > 0) rows.push(['policies', policies.map(policyText).join('; ')]);
  const signers = distinctPermissions(permissions).map((each) => each.signers);
  if (signers.length > 0) rows.push(['changed by', signers.join('; ')]);
  return {
    cells: [`${section}/${name}`, `${id}${msp.nodeOus ? ', NodeOUs' : ''}`],
    details: rows.map((cells) => ({ cells })),
  };
}

const policyText = ({ path, text, valid }: PolicySummary): string =>
  `${lastName(path)} ${valid ? text : `refused: ${text}`}`;

const policyCells = ({ path, text, valid }: PolicySummary): Row['cells'] => [
  path,
  valid ? text : { text: `refused: ${text}`, tone: 'bad' },
];

/** The policy of most elements of a group, and below it the elements with another policy. */
function permissionRow(path: string, list: readonly Permission[]): Row {
  const [usual, ...others] = distinctPermissions(list);
  const cellsOf = (name: string, { policy = '', signers }: Permission): string[] => [name, policy, signers];
  return {
    cells: cellsOf(path, usual!),
    details: others.map((each) => ({ cells: cellsOf(nameOf(each), each) })),
  };
}

/** The name of an element; its kind unless it is a value. */
const nameOf = ({ path, kind }: Permission): string =>
  `${lastName(path)}${kind === 'value' ? '' : ` (${kind})`}`;
