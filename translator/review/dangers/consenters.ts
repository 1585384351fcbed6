// Consenters of Raft and BFT channels: certificates, addresses, ids, how many may fail (Fabric's orderer/consensus/smartbft).

import {
  addressText,
  bftQuorum,
  membershipChange,
  raftQuorum,
  type BftEntry,
  type Consenter,
  consentersOf,
} from '../../channel/index.js';
import { CLIENT_AUTH, SERVER_AUTH, nameText, certificateIn, type MspManager } from '../../msp/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import { consenterNodes, type ConsenterNodes } from '../facts/consenters.js';
import type { Facts } from '../facts/gather.js';
import { expiryOf, type ChannelState } from '../../state/index.js';
import { policyRefusals } from '../stages/bft.js';

/** The value with the consenters of a BFT channel. */
const BFT = '/Channel/Orderer/Orderers';

export function consenterFindings(state: ChannelState): Finding[] {
  const { channel } = state;
  const list = consentersOf(channel);
  const path = channel.orderer.consentersPath;
  return [
    ...list.flatMap((consenter) => [
      ...addressFinding(consenter, path),
      ...certificateFindings(consenter, path, state),
    ]),
    ...toleranceFindings(list.length, state),
  ];
}

function addressFinding(consenter: Consenter, path: string): Finding[] {
  if (consenter.host !== '' && consenter.port > 0) return [];
  return [finding('danger', 'consenter-address', path, { consenter: addressText(consenter) })];
}

function certificateFindings(consenter: Consenter, path: string, state: ChannelState): Finding[] {
  const kinds = [
    ['client', CLIENT_AUTH, consenter.clientTlsCert],
    ['server', SERVER_AUTH, consenter.serverTlsCert],
  ] as const;
  return kinds.flatMap(([kind, usage, pem]) => {
    const certificate = certificateIn(pem);
    if (certificate === undefined) return [];
    const { subject, notAfter, extensions } = certificate;
    const data = { consenter: addressText(consenter), use: kind, subject: nameText(subject) };
    const findings: Finding[] = [];
    if (notAfter < state.horizon)
      findings.push(finding('warning', 'consenter-expired', path, { ...data, ...expiryOf(notAfter, state) }));
    const { extendedKeyUsage } = extensions;
    if (extendedKeyUsage.length > 0 && !extendedKeyUsage.includes(usage))
      findings.push(finding('danger', 'consenter-key-usage', path, data));
    return findings;
  });
}

/** Consenters that may fail before the channel stops. */
function toleranceFindings(count: number, { channel: { orderer } }: ChannelState): Finding[] {
  const { isBft, consentersPath: path } = orderer;
  const { faulty, quorum } = isBft
    ? bftQuorum(count)
    : { quorum: raftQuorum(count), faulty: count - raftQuorum(count) };
  if (count < 2 || faulty > 0) return [];
  return [
    finding('warning', 'consenters-no-fault-tolerance', path, {
      consenters: count,
      quorum,
      recommended: isBft ? 4 : 3,
    }),
  ];
}

/**
 * Consenters that change so that those that stay as they are do not make a quorum. Orderers go on with the connections that they have until
 * they restart. BFT ids and identities count at once, but a node learns its own id only when it starts.
 */
export function changedConsenterFindings(before: ChannelState, after: ChannelState): Finding[] {
  const [old, now] = [before, after].map(({ channel, program }) => consenterNodes(channel, program.bft)) as [
    ConsenterNodes,
    ConsenterNodes,
  ];
  // A migration keeps the consenters.
  if (old.type !== now.type || old.nodes.length === 0) return [];
  // Raft orderers refuse it.
  const change = membershipChange(consentersOf(before.channel), consentersOf(after.channel));
  if (now.type === 'etcdraft' && change.kind === 'unsupported') return [];
  const known = new Set(old.nodes.map(({ key }) => key));
  const changed = now.nodes.filter(({ key }) => !known.has(key));
  const kept = now.nodes.length - changed.length;
  if (changed.length === 0 || kept >= now.quorum) return [];
  const identities = new Set(old.nodes.map(({ identity }) => identity));
  const isNew = changed.every(({ identity }) => !identities.has(identity));
  // Nobody connects to a lone consenter, whatever its address.
  if (now.nodes.length === 1 && now.type === 'etcdraft' && !isNew) return [];
  const isOne = changed.length === 1 && isNew;
  if (isOne && now.nodes.length > old.nodes.length) return now.type === 'BFT' ? [mustJoin(old, now)] : [];
  return [
    finding(isOne ? 'warning' : 'danger', 'consenters-changed', after.channel.orderer.consentersPath, {
      type: now.type === 'BFT' ? 'BFT' : 'etcdraft',
      isAtOnce: now.type === 'BFT' && changed.some(({ identity }) => !identities.has(identity)),
      consenters: now.nodes.length,
      quorum: now.quorum,
      changed: changed.map(({ name }) => name),
    }),
  ];
}

/** The same for Raft is a finding of the stage that counts consenters. */
const mustJoin = ({ nodes }: ConsenterNodes, now: ConsenterNodes): Finding =>
  finding('warning', 'consenter-must-join', BFT, {
    before: nodes.length,
    after: now.nodes.length,
    stops: true,
  });

/** The channel goes on while enough of the other consenters work. */
export function unreachableFindings({ unreachable, after }: Pick<Facts, 'unreachable' | 'after'>): Finding[] {
  if (unreachable.length === 0) return [];
  const { length: all } = consentersOf(after.channel);
  const spare = all - unreachable.length - bftQuorum(all).quorum;
  return [
    finding(spare < 0 ? 'danger' : 'warning', 'consenter-unreachable', BFT, {
      consenters: unreachable,
      spare: spare < 0 ? null : spare,
    }),
  ];
}

export async function bftFindings(state: ChannelState): Promise<Finding[]> {
  const { manager } = await state.msps;
  const consenters = consentersOf(state.channel).filter((each) => each.identity !== undefined);
  return [
    ...duplicateIds(consenters),
    ...consenters.flatMap((consenter) => identityFindings(consenter, manager)),
    ...zeroIds(consenters),
  ];
}

/**
 * BlockValidation that does not fit after a switch to BFT: the filters of maintenance do not look at it (Fabric's
 * orderer/common/msgprocessor/maintenancefilter.go), and each later update is refused until it fits.
 */
export const bftSwitchFindings = (before: ChannelState, after: ChannelState): Finding[] =>
  before.channel.orderer.isBft
    ? []
    : bftPolicyFindings(after).filter(({ id }) => id !== 'bft-consenters-missing');

/** The same in a config by itself, and the lack of consenters: orderers load it. */
export function bftPolicyFindings({ channel: { orderer } }: ChannelState): Finding[] {
  if (!orderer.isBft || orderer.group === undefined) return [];
  return policyRefusals(orderer.group).flatMap(({ id, path, data }) => {
    if (id === 'bft-consenters-missing') return [finding('danger', id, path, data)];
    return id === 'bft-block-validation' ? [finding('danger', 'bft-switch-policy', path, data)] : [];
  });
}

/** orderer/consensus/smartbft/util/util.go: `node id 0 which is not permitted`. */
function zeroIds(consenters: readonly BftEntry[]): Finding[] {
  if (consenters.every(({ id }) => id !== 0)) return [];
  return [finding('danger', 'bft-id-zero', BFT, {})];
}

function duplicateIds(consenters: readonly BftEntry[]): Finding[] {
  const seen = new Set<number>();
  const twice = new Set<number>();
  for (const { id } of consenters) (seen.has(id) ? twice : seen).add(id);
  return [...twice].map((id) => finding('danger', 'bft-id-duplicate', BFT, { consenter: id }));
}

function identityFindings({ id, mspId, identity, ...tls }: BftEntry, { msps }: MspManager): Finding[] {
  const findings: Finding[] = [];
  if (!msps.has(mspId))
    findings.push(finding('danger', 'bft-msp-unknown', BFT, { consenter: id, mspid: mspId }));
  const certificates = [
    ['identity', identity],
    ['client TLS certificate', tls.clientTlsCert],
    ['server TLS certificate', tls.serverTlsCert],
  ] as const;
  for (const [name, pem] of certificates)
    if (certificateIn(pem) === undefined)
      findings.push(finding('danger', 'bft-certificate', BFT, { consenter: id, certificate: name }));
  return findings;
}
