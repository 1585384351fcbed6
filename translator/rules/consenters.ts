// The consenters of Raft and BFT channels: certificates, addresses, fault tolerance, and consenters that change (Fabric's
// orderer/consensus/smartbft).

import { groupBy } from '../../core/common/group-by.js';
import {
  type Channel,
  type Consenter,
  addressText,
  bftQuorum,
  consentersOf,
  isHostAndPort,
  membershipChange,
  raftQuorum,
} from '../channel/index.js';
import { type FindingWords, day, quoted, words } from '../documents/index.js';
import { type Certificate, CLIENT_AUTH, SERVER_AUTH, certificateIn, nameText } from '../msp/index.js';
import {
  type ChangedNodes,
  type ChannelState,
  type ConsenterNode,
  type ConsenterNodes,
  changedNodes,
  consenterNodes,
  expiryOf,
  lostConsenters,
  nodeName,
  sharedAddresses,
} from '../state/index.js';
import { unreachableConsenters } from './facts/consenters.js';
import type { Proposal } from './facts/proposal.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The maximum number of consenters in a text. */
const NAMES_SHOWN = 5;

const namesOf = (names: readonly string[]): string =>
  names.slice(0, NAMES_SHOWN).join(', ') +
  (names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '');

/**
 * Consenters that change, the number of others that are not known to be down, and how many of these may fail meanwhile; null if they are no
 * quorum.
 */
export interface ChangedConsenters {
  readonly consenters: readonly string[];
  readonly others: number;
  readonly spare: number | null;
}

/** `both other consenters must stay up`, `3 of the 4 other consenters must stay up` */
function mustStay({ others, spare }: ChangedConsenters): string {
  if (spare === null) return 'the channel stops';
  return `${needed(others, others - spare, 'other')} must stay up`;
}

/** `both other consenters`, `3 of the 4 other consenters`; `which` stands before the noun. */
function needed(all: number, count: number, which: string): string {
  if (count < all) return `${count} of the ${all} ${which} consenters`;
  if (all < 2) return `the ${which} consenter`;
  return all === 2 ? `both ${which} consenters` : `all ${all} ${which} consenters`;
}

const isOne = ({ consenters }: ChangedConsenters): boolean => consenters.length === 1;

/** TLS certificates of consenters that have one fault in common. */
export interface ConsenterCertificates<More = unknown> {
  readonly certificates: readonly (ConsenterCertificate & More)[];
}

/** A TLS certificate of a consenter: `host:port`, and the name in the certificate. */
interface ConsenterCertificate {
  readonly consenter: string;
  readonly use: 'client' | 'server';
  readonly subject: string;
}

/** The one certificate, or the consenters that have them. */
function certificatesText({ certificates }: ConsenterCertificates): string {
  const [{ consenter, use, subject }] = certificates as readonly [ConsenterCertificate];
  return certificates.length === 1
    ? `the ${use} certificate ${subject} of the consenter ${consenter}`
    : `the TLS certificates of ${consentersText(new Set(certificates.map((each) => each.consenter)))}`;
}

/** `the consenter o1:7050`, `the consenters o1:7050, o2:7050` */
const consentersText = (names: ReadonlySet<string>): string =>
  `the consenter${names.size === 1 ? '' : 's'} ${namesOf([...names])}`;

const certificateSubjects = ({ certificates }: ConsenterCertificates): readonly string[] =>
  certificates.map(({ consenter, use }) => `${use} ${consenter}`);

const consenterMustJoin = defineRule({
  id: 'consenter-must-join',
  severity: 'warning',
  meaning: 'fewer of the other consenters may fail until a new one joins',
  words: (data: ChangedConsenters) =>
    words(
      `until the new ${isOne(data) ? 'consenter' : 'consenters'} ${namesOf(data.consenters)} ${isOne(data) ? 'joins' : 'join'} the channel, ${mustStay(data)}`,
      'check that the new orderer is reachable, and let it join at once; with Raft, one that still has the channel from before its removal has to remove it first (osnadmin channel remove)',
      isOne(data) ? undefined : `until the new consenters join the channel, ${mustStay(data)}`,
    ),
});

const consenterMustRestart = defineRule({
  id: 'consenter-must-restart',
  severity: 'warning',
  meaning:
    'a consenter takes no part until it runs with its new keys, and fewer of the others may fail meanwhile',
  words: (data: ChangedConsenters) =>
    words(
      `until ${namesOf(data.consenters)} ${isOne(data) ? 'runs' : 'run'} with the new certificates, ${mustStay(data)}`,
      'check that all other consenters run with what the channel has now; install the new certificates and restart the orderer as soon as the update is in a block',
      isOne(data)
        ? `until this consenter runs with the new certificates, ${mustStay(data)}`
        : `until these consenters run with the new certificates, ${mustStay(data)}`,
    ),
});

const consenterMoved = defineRule({
  id: 'consenter-moved',
  severity: 'warning',
  meaning: 'after a restart a consenter takes part only with its new address or certificate',
  words: (data: ChangedConsenters) =>
    words(
      `after the next restart the others reach ${namesOf(data.consenters)} only with the new address and certificates: without, ${mustStay(data)}`,
      'check that the orderer listens at the new address, with the new certificates, before another consenter changes',
      `after the next restart, ${mustStay(data)} unless ${isOne(data) ? 'this one runs' : 'these run'} as in the config`,
    ),
});

/** Consenters that are removed: how many stay and are not known to be down, how many of these may fail, and how many may lie, before and after. */
export interface RemovedConsenters {
  readonly consenters: readonly string[];
  readonly left: number;
  readonly spare: number;
  /** The number of BFT consenters that may send wrong messages, before and after; null for Raft. */
  readonly faulty: { readonly before: number; readonly after: number } | null;
}

const faultyText = (faulty: RemovedConsenters['faulty']): string =>
  faulty === null || faulty.before === faulty.after
    ? ''
    : `, Byzantine faults tolerated: ${faulty.before} → ${faulty.after}`;

const consenterRemoved = defineRule({
  id: 'consenter-removed',
  severity: 'warning',
  meaning: 'a consenter is removed',
  words: ({ consenters, left, spare, faulty }: RemovedConsenters) =>
    words(
      `${namesOf(consenters)} ${consenters.length === 1 ? 'is' : 'are'} no consenter any more: ${needed(left, left - spare, 'remaining')} must stay up${faultyText(faulty)}`,
      'check that the consenters that stay run and have the newest block',
      `${needed(left, left - spare, 'remaining')} must stay up${faultyText(faulty)}`,
    ),
});

/** Consenters that change together, so that the others are no quorum; `type` is the consensus type. */
export interface StoppedChannel {
  readonly type: 'etcdraft' | 'BFT';
  readonly isAtOnce: boolean;
  readonly consenters: number;
  readonly quorum: number;
  readonly changed: readonly string[];
}

function stoppedWords(data: StoppedChannel): FindingWords {
  const { type, isAtOnce, consenters, quorum, changed } = data;
  const what = type === 'BFT' ? 'id, identity or address' : 'address or certificates';
  const change =
    changed.length < consenters
      ? `${changed.length} of ${consenters} consenters change`
      : consenters === 1
        ? 'the only consenter changes'
        : `all ${consenters} consenters change`;
  const whose = change.endsWith('s') ? 'its' : 'their';
  const stops = isAtOnce ? 'at once' : 'at the next restart, until the orderers run with the new ones';
  return words(
    `${change} ${whose} ${what} (${namesOf(changed)}), and ${quorum} must be up: the channel stops ${stops}`,
    'change one consenter at a time (of two, add a third one first): submit the update, restart its orderer, wait until it has the newest block',
    `${change}, and ${quorum} must be up: the channel stops ${isAtOnce ? 'at once' : 'at the next restart'}`,
  );
}

const consentersChanged = defineRule({
  id: 'consenters-changed',
  severity: 'danger',
  meaning: 'the consenters that stay as they are do not make a quorum',
  words: stoppedWords,
});

const consenterAddressShared = defineRule({
  id: 'consenter-address-shared',
  severity: 'warning',
  meaning: 'two consenters have the same address',
  words: ({ consenters, address }: { consenters: readonly string[]; address: string }) =>
    words(
      `${consenters.length} consenters have the address ${address} (${namesOf(consenters)}): after a restart the others reach one of them at most`,
      'give each consenter its own address',
    ),
});

const consenterUnreachable = defineRule({
  id: 'consenter-unreachable',
  severity: ['danger', 'warning'],
  meaning: 'the TLS certificates of BFT consenters do not chain to the TLS CAs of their MSP',
  words: ({ consenters, spare }: { consenters: readonly string[]; spare: number | null }) =>
    words(
      `after the next restart, the orderers cannot reach ${spare === null ? 'each other' : 'some of them'}: the TLS certificates of the consenters ${consenters.join(', ')} do not chain to the TLS CAs of their organisation${spare === null ? '' : `; ${spare === 0 ? 'none' : `at most ${spare}`} of the others may fail then`}`,
      'keep the previous TLS CA in the MSP until all consenters have certificates of the new one',
      `after the next restart, the orderers cannot reach ${spare === null ? 'each other' : 'some of them'}: their TLS certificates do not chain to the TLS CAs`,
    ),
});

const consenterAddress = defineRule({
  id: 'consenter-address',
  severity: 'danger',
  subjects: ({ consenters }) => consenters,
  meaning: 'the address of a consenter is not host:port',
  words: ({ consenters }: { consenters: readonly string[] }) =>
    words(
      consenters.length === 1
        ? `the address of the consenter ${quoted(consenters[0]!)} is not host:port: the others cannot reach it`
        : `the addresses of the consenters ${namesOf(consenters.map(quoted))} are not host:port: the others cannot reach them`,
      'set its host, without a scheme and with an IPv6 address in brackets, and its port',
    ),
});

/** Certificates that have expired, or expire soon. */
export interface ExpiredCertificates extends ConsenterCertificates<{ readonly notAfter: string }> {
  readonly isExpired: boolean;
}

const consenterExpired = defineRule({
  id: 'consenter-expired',
  severity: 'warning',
  subjects: certificateSubjects,
  meaning: 'consenter certificates have expired',
  words: (data: ExpiredCertificates) => {
    const days = data.certificates.map(({ notAfter }) => day(notAfter)).toSorted();
    const ends = data.isExpired ? 'expired' : `expire${days.length === 1 ? 's' : ''}`;
    const when = days[0] === days.at(-1) ? ` on ${days[0]}` : `, the first on ${days[0]}`;
    return words(
      `${certificatesText(data)} ${ends}${when}`,
      'renew it; a new certificate with the same key needs no config update',
    );
  },
});

const consenterKeyUsage = defineRule({
  id: 'consenter-key-usage',
  severity: 'danger',
  subjects: certificateSubjects,
  meaning: 'consenter certificates lack an extended key usage',
  words: (data: ConsenterCertificates) => {
    const [{ use }] = data.certificates as readonly [ConsenterCertificate];
    const are = data.certificates.length === 1 ? 'is' : 'are';
    const them = data.certificates.length === 1 ? 'it' : 'them';
    return words(
      `${certificatesText(data)} ${are} not for TLS ${use}s: the other consenters do not connect to ${them}`,
      `use a certificate with the extended key usages of a TLS client and server`,
    );
  },
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
  rules: [
    consenterAddress,
    consenterAddressShared,
    consenterExpired,
    consenterKeyUsage,
    consentersNoFaultTolerance,
  ],
  find(state) {
    const { channel } = state;
    const list = consentersOf(channel);
    const path = channel.orderer.consentersPath;
    return [
      ...addressFindings(list, path),
      ...certificateFindings(list, path, state),
      ...[...sharedAddresses(channel)].map(([address, same]) =>
        consenterAddressShared.at(path, { address, consenters: same.map(nodeName) }),
      ),
      ...toleranceFindings(list.length, state),
    ];
  },
});

function addressFindings(list: readonly Consenter[], path: string): RawFinding[] {
  const wrong = list.map(({ host, port }) => `${host}:${port}`).filter((address) => !isHostAndPort(address));
  return wrong.length === 0 ? [] : [consenterAddress.at(path, { consenters: wrong })];
}

/** One finding for all certificates that have expired, that expire soon, or that lack the same extended key usage. */
function certificateFindings(list: readonly Consenter[], path: string, state: ChannelState): RawFinding[] {
  const all = list.flatMap((each) => [
    ...readCertificate(each, 'client', each.clientTlsCert),
    ...readCertificate(each, 'server', each.serverTlsCert),
  ]);
  const ending = all
    .filter(({ certificate }) => certificate.notAfter < state.horizon)
    .map(({ named, certificate }) => ({ named, ...expiryOf(certificate.notAfter, state) }));
  const unfit = all.filter(({ named: { use }, certificate: { extensions } }) => {
    const { extendedKeyUsage } = extensions;
    return extendedKeyUsage.length > 0 && !extendedKeyUsage.includes(KEY_USAGES[use]);
  });
  return [
    ...[...groupBy(ending, ({ isExpired }) => isExpired)].map(([isExpired, same]) =>
      consenterExpired.at(path, {
        certificates: same.map(({ named, notAfter }) => ({ ...named, notAfter })),
        isExpired,
      }),
    ),
    ...[...groupBy(unfit, ({ named: { use } }) => use).values()].map((same) =>
      consenterKeyUsage.at(path, { certificates: same.map(({ named }) => named) }),
    ),
  ];
}

const KEY_USAGES = { client: CLIENT_AUTH, server: SERVER_AUTH } as const;

/** A certificate of a consenter with its names; nothing if it cannot be read. */
function readCertificate(
  consenter: Consenter,
  use: 'client' | 'server',
  pem: Uint8Array,
): { readonly named: ConsenterCertificate; readonly certificate: Certificate }[] {
  const certificate = certificateIn(pem);
  if (certificate === undefined) return [];
  return [
    {
      named: { consenter: addressText(consenter), use, subject: nameText(certificate.subject) },
      certificate,
    },
  ];
}

/** Consenters that may fail before the channel stops. */
function toleranceFindings(count: number, { channel: { orderer } }: ChannelState): RawFinding[] {
  const { isBft, consentersPath: path } = orderer;
  const quorum = isBft ? bftQuorum(count).quorum : raftQuorum(count);
  if (count < 2 || count > quorum) return [];
  return [
    consentersNoFaultTolerance.at(path, {
      consenters: count,
      quorum,
      recommended: isBft ? 4 : 3,
    }),
  ];
}

/**
 * Consenters that change: until they run as in the config, fewer of the others may fail. Orderers keep their existing connections until
 * they restart. BFT ids and identities, and Raft client certificates, take effect at once, but a node reads its own when it starts.
 */
export const changedConsenters = defineCheck({
  needs: 'update',
  rules: [consentersChanged, consenterMustJoin, consenterMustRestart, consenterMoved, consenterRemoved],
  async find({ before, after, active }) {
    const [old, now] = [before, after].map(({ channel, program }) =>
      consenterNodes(channel, program.bft),
    ) as [ConsenterNodes, ConsenterNodes];
    // A migration keeps the consenters.
    if (old.type !== now.type || old.nodes.length === 0) return [];
    // Raft orderers refuse it.
    const change = membershipChange(consentersOf(before.channel), consentersOf(after.channel));
    if (now.type === 'etcdraft' && change.kind === 'unsupported') return [];
    const changed = changedNodes(old, now);
    const own = new Set(
      [...changed.renewed, ...changed.added, ...changed.moved].map(({ address }) => address),
    );
    const lost = (await lostConsenters(after)).filter((address) => !own.has(address)).length;
    const silent = silentAmong(old, changed, active);
    return consenterFindings(after.channel.orderer, now, old, changed, lost + silent);
  },
});

/** The number of consenters that stay as they are and are known not to be alive. */
function silentAmong(
  { nodes }: ConsenterNodes,
  { renewed, added, removed }: ChangedNodes,
  active: Proposal['active'],
): number {
  if (active === undefined) return 0;
  if (typeof active === 'number') return Math.max(0, nodes.length - active);
  const changing = new Set([...renewed, ...added, ...removed].map(({ address }) => address));
  return nodes.filter(({ address }, index) => !active.has(index) && !changing.has(address)).length;
}

function consenterFindings(
  { consentersPath: path, isBft }: Channel['orderer'],
  now: ConsenterNodes,
  old: ConsenterNodes,
  { renewed, moved, added, removed }: ChangedNodes,
  lost: number,
): RawFinding[] {
  const all = now.nodes.length;
  const waiting = [...renewed, ...added];
  // Nobody connects to a lone consenter, whatever its address.
  const late = all === 1 ? [] : moved;
  const without = (changed: readonly ConsenterNode[]): ChangedConsenters => {
    const others = all - changed.length - lost;
    const spare = others - now.quorum;
    return { consenters: changed.map(({ name }) => name), others, spare: spare < 0 ? null : spare };
  };
  const changed = [...waiting, ...late];
  const isStopped = changed.length > 1 && without(changed).spare === null;
  const found: RawFinding[] = isStopped
    ? [
        consentersChanged.at(path, {
          type: isBft ? 'BFT' : 'etcdraft',
          consenters: all,
          changed: changed.map(({ name }) => name),
          quorum: now.quorum,
          isAtOnce: without(waiting).spare === null,
        }),
      ]
    : [
        ...(renewed.length === 0
          ? []
          : [consenterMustRestart.at(path, { ...without(waiting), ...namesIn(renewed) })]),
        ...(added.length === 0
          ? []
          : [consenterMustJoin.at(path, { ...without(waiting), ...namesIn(added) })]),
        ...(late.length === 0 ? [] : [consenterMoved.at(path, { ...without(changed), ...namesIn(late) })]),
      ];
  if (removed.length > 0)
    found.push(
      consenterRemoved.at(path, {
        ...namesIn(removed),
        left: all - lost,
        spare: Math.max(0, all - lost - now.quorum),
        faulty: isBft ? { before: bftQuorum(old.nodes.length).faulty, after: bftQuorum(all).faulty } : null,
      }),
    );
  return found;
}

const namesIn = (nodes: readonly ConsenterNode[]): { readonly consenters: readonly string[] } => ({
  consenters: nodes.map(({ name }) => name),
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
