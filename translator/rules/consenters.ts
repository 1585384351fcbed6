// The consenters of Raft and BFT channels: certificates, addresses, fault tolerance, and consenters that change (Fabric's
// orderer/consensus/smartbft).

import {
  type Consenter,
  addressText,
  bftQuorum,
  consentersOf,
  membershipChange,
  raftQuorum,
} from '../channel/index.js';
import { type FindingWords, quoted, words } from '../documents/index.js';
import { CLIENT_AUTH, SERVER_AUTH, certificateIn, nameText } from '../msp/index.js';
import { type ChannelState, expiryOf } from '../state/index.js';
import { type ConsenterNodes, consenterNodes, unreachableConsenters } from './facts/consenters.js';
import { type RawFinding, anywhere, defineCheck, defineRule } from './rule.js';

/** Consenters that change; `type` is the consensus type. The channel stops at once, or at the next restart. */
export interface ChangedConsenters {
  readonly type: 'etcdraft' | 'BFT';
  readonly isAtOnce: boolean;
  readonly consenters: number;
  readonly quorum: number;
  readonly changed: readonly string[];
}

/** The maximum number of consenters in a text. */
const NAMES_SHOWN = 5;

const namesOf = (names: readonly string[]): string =>
  names.slice(0, NAMES_SHOWN).join(', ') +
  (names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '');

function changedWords(data: ChangedConsenters): FindingWords {
  const { type, isAtOnce, consenters, quorum, changed } = data;
  const count = changed.length === consenters ? 'all' : String(changed.length);
  const what = type === 'BFT' ? 'id, identity or address' : 'address or certificates';
  const stops = isAtOnce ? 'at once' : 'at the next restart, until the orderers run with the new ones';
  return words(
    `${count} of ${consenters} consenters change their ${what} (${namesOf(changed)}), and ${quorum} must be up: the channel stops ${stops}`,
    'change one consenter at a time (of two, add a third one first): submit the update, restart its orderer, wait until it has the newest block',
  );
}

/** A TLS certificate of a consenter. */
export interface ConsenterCertificate {
  readonly consenter: string;
  readonly use: 'client' | 'server';
  readonly subject: string;
}

const consenterCertificate = ({ consenter, use, subject }: ConsenterCertificate): string =>
  `the ${use} certificate ${subject} of the consenter ${consenter}`;

export const consenterMustJoin = defineRule({
  id: 'consenter-must-join',
  severity: 'warning',
  meaning: 'the channel stops until the new consenter joins',
  words: ({ before, after, stops }: { before: number; after: number; stops: boolean }) =>
    words(
      `${before} → ${after} consenters: ${stops ? 'the channel stops' : `all ${before} present ones must be up`} until the new one joins`,
      'check that the new orderer is reachable, and let it join at once; with Raft, one that still has the channel from before its removal has to remove it first (osnadmin channel remove)',
    ),
});

const consentersChanged = defineRule({
  id: 'consenters-changed',
  severity: ['danger', 'warning'],
  meaning: 'the consenters that stay as they are do not make a quorum',
  words: changedWords,
});

const consenterUnreachable = defineRule({
  id: 'consenter-unreachable',
  severity: ['danger', 'warning'],
  explains: {
    'orderer-addresses-replaced': anywhere,
    'msp-tls-ca-removed': ({ path }) => path.startsWith('/Channel/Orderer/'),
  },
  meaning: 'the TLS certificates of BFT consenters do not chain to the TLS CAs of their MSP',
  words: ({ consenters, spare }: { consenters: readonly string[]; spare: number | null }) =>
    words(
      `after the next restart, the orderers cannot reach ${spare === null ? 'each other' : 'some of them'}: the TLS certificates of the consenters ${consenters.join(', ')} do not chain to the TLS CAs of their organisation${spare === null ? '' : `; ${spare === 0 ? 'none' : `at most ${spare}`} of the others may fail then`}`,
      'keep the previous TLS CA in the MSP until all consenters have certificates of the new one',
    ),
});

const consenterAddress = defineRule({
  id: 'consenter-address',
  severity: 'danger',
  meaning: 'a consenter has no host or no port',
  words: ({ consenter }: { consenter: string }) =>
    words(
      `the consenter ${quoted(consenter)} has no host or no port: the others cannot reach it`,
      'set its host and port',
    ),
});

const consenterExpired = defineRule({
  id: 'consenter-expired',
  severity: 'warning',
  meaning: 'a consenter certificate has expired',
  words: (data: ConsenterCertificate & { notAfter: string; isExpired: boolean }) =>
    words(
      `${consenterCertificate(data)} ${data.isExpired ? 'expired' : 'expires'} on ${data.notAfter.slice(0, 10)}`,
      'renew it; a new certificate with the same key needs no config update',
    ),
});

const consenterKeyUsage = defineRule({
  id: 'consenter-key-usage',
  severity: 'danger',
  meaning: 'a consenter certificate lacks an extended key usage',
  words: (data: ConsenterCertificate) =>
    words(
      `${consenterCertificate(data)} is not for TLS ${data.use}s: the other consenters do not connect to it`,
      `use a certificate with the extended key usages of a TLS client and server`,
    ),
});

const consentersNoFaultTolerance = defineRule({
  id: 'consenters-no-fault-tolerance',
  severity: 'warning',
  meaning: 'the channel stops when one consenter fails',
  words: (data: { consenters: number; quorum: number; recommended: number }) =>
    words(
      `with ${data.consenters} consenters, ${data.quorum} must be up: the channel stops when one fails`,
      `have ${data.recommended} consenters or more`,
    ),
});

/** The value with the consenters of a BFT channel. */
const BFT = '/Channel/Orderer/Orderers';

/** One pass over the consenters. */
export const eachConsenter = defineCheck({
  needs: 'config',
  rules: [consenterAddress, consenterExpired, consenterKeyUsage, consentersNoFaultTolerance],
  find(state) {
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
  },
});

function addressFinding(consenter: Consenter, path: string): RawFinding[] {
  if (consenter.host !== '' && consenter.port > 0) return [];
  return [consenterAddress.at(path, { consenter: addressText(consenter) })];
}

function certificateFindings(consenter: Consenter, path: string, state: ChannelState): RawFinding[] {
  const kinds = [
    ['client', CLIENT_AUTH, consenter.clientTlsCert],
    ['server', SERVER_AUTH, consenter.serverTlsCert],
  ] as const;
  return kinds.flatMap(([kind, usage, pem]) => {
    const certificate = certificateIn(pem);
    if (certificate === undefined) return [];
    const { subject, notAfter, extensions } = certificate;
    const data = { consenter: addressText(consenter), use: kind, subject: nameText(subject) };
    const findings: RawFinding[] = [];
    if (notAfter < state.horizon)
      findings.push(consenterExpired.at(path, { ...data, ...expiryOf(notAfter, state) }));
    const { extendedKeyUsage } = extensions;
    if (extendedKeyUsage.length > 0 && !extendedKeyUsage.includes(usage))
      findings.push(consenterKeyUsage.at(path, data));
    return findings;
  });
}

/** Consenters that may fail before the channel stops. */
function toleranceFindings(count: number, { channel: { orderer } }: ChannelState): RawFinding[] {
  const { isBft, consentersPath: path } = orderer;
  const { faulty, quorum } = isBft
    ? bftQuorum(count)
    : { quorum: raftQuorum(count), faulty: count - raftQuorum(count) };
  if (count < 2 || faulty > 0) return [];
  return [
    consentersNoFaultTolerance.at(path, {
      consenters: count,
      quorum,
      recommended: isBft ? 4 : 3,
    }),
  ];
}

/**
 * Changes of consenters after which the unchanged ones are no quorum. Orderers keep their existing connections until they restart. BFT ids
 * and identities take effect at once, but a node reads its own id only when it starts.
 */
export const changedConsenters = defineCheck({
  needs: 'update',
  rules: [consentersChanged, consenterMustJoin],
  find({ before, after }) {
    const [old, now] = [before, after].map(({ channel, program }) =>
      consenterNodes(channel, program.bft),
    ) as [ConsenterNodes, ConsenterNodes];
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
      consentersChanged.at(
        after.channel.orderer.consentersPath,
        {
          type: now.type === 'BFT' ? 'BFT' : 'etcdraft',
          isAtOnce: now.type === 'BFT' && changed.some(({ identity }) => !identities.has(identity)),
          consenters: now.nodes.length,
          quorum: now.quorum,
          changed: changed.map(({ name }) => name),
        },
        isOne ? 'warning' : 'danger',
      ),
    ];
  },
});

/** The same for Raft is a finding of the stage that counts consenters. */
const mustJoin = ({ nodes }: ConsenterNodes, now: ConsenterNodes): RawFinding =>
  consenterMustJoin.at(BFT, {
    before: nodes.length,
    after: now.nodes.length,
    stops: true,
  });

/** The channel goes on while enough of the other consenters work. */
export const unreachable = defineCheck({
  needs: 'certificates',
  rules: [consenterUnreachable],
  async find(proposal) {
    const consenters = await unreachableConsenters(proposal);
    if (consenters.length === 0) return [];
    const { length: all } = consentersOf(proposal.after.channel);
    const spare = all - consenters.length - bftQuorum(all).quorum;
    const severity = spare < 0 ? 'danger' : 'warning';
    return [consenterUnreachable.at(BFT, { consenters, spare: spare < 0 ? null : spare }, severity)];
  },
});
