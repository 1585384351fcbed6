// Consenters of Raft and BFT channels: certificates, addresses, ids, how many may fail (Fabric's orderer/consensus/smartbft).

import { addressText } from '../../channel/address.js';
import { bftQuorum, raftQuorum, type BftEntry, type Consenter } from '../../channel/consenters.js';
import { CLIENT_AUTH, SERVER_AUTH } from '../../msp/chain.js';
import { nameText } from '../../describe/certificate.js';
import { certificateIn } from '../../msp/certificate.js';
import type { Finding } from '../../describe/findings/index.js';
import { finding } from '../finding.js';
import { consentersOf } from '../facts/consenters.js';
import { expiryOf, type State } from '../facts/state.js';
import { policyRefusals } from '../stages/bft.js';

/** The value with the consenters of a BFT channel. */
const BFT = '/Channel/Orderer/Orderers';

export function consenterFindings(state: State): Finding[] {
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

function certificateFindings(consenter: Consenter, path: string, state: State): Finding[] {
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
function toleranceFindings(count: number, { channel: { orderer } }: State): Finding[] {
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

export function bftFindings(state: State): Finding[] {
  const consenters = state.channel.orderer.consenters.filter((each) => each.identity !== undefined);
  return [
    ...duplicateIds(consenters),
    ...consenters.flatMap((consenter) => identityFindings(consenter, state)),
    ...zeroIds(consenters),
  ];
}

/**
 * BlockValidation that does not fit after a switch to BFT: the filters of maintenance do not look at it (Fabric's
 * orderer/common/msgprocessor/maintenancefilter.go), and each later update is refused until it fits.
 */
export const bftSwitchFindings = (before: State, after: State): Finding[] =>
  before.channel.orderer.isBft ? [] : bftPolicyFindings(after);

/** The same in a config by itself: orderers load it. */
export function bftPolicyFindings({ channel: { orderer } }: State): Finding[] {
  if (!orderer.isBft || orderer.group === undefined) return [];
  return policyRefusals(orderer.group).flatMap((refusal) =>
    refusal.id === 'bft-block-validation'
      ? [finding('danger', 'bft-switch-policy', refusal.path, refusal.data)]
      : [],
  );
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

function identityFindings({ id, mspId, identity, ...tls }: BftEntry, { msps }: State): Finding[] {
  const findings: Finding[] = [];
  if (!msps.msps.has(mspId))
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
