// Changes of the ACLs and of the consenters of a config.

import { sameBytes } from '../../proto/bytes.js';
import {
  addressText,
  type ConfigGroup,
  membershipChange,
  readBftOptions,
  readRaftMetadata,
  valueOrEmpty,
  type BftConsenter,
  type ConsensusType,
  type RaftConsenter,
} from '../channel/index.js';
import { readMspConfig, type MspConfig, certificateIn } from '../msp/index.js';
import { certificateWords } from './certificate.js';
import { fieldChanges, hiddenChange, type ValueChange } from './value-change.js';

/** Groups before and after; undefined for a missing group. */
export type Pair = readonly [before: ConfigGroup | undefined, after: ConfigGroup | undefined];
/** What is read from both groups. */
export const both = <Read>(pair: Pair, read: (group: ConfigGroup | undefined) => Read): [Read, Read] => [
  read(pair[0]),
  read(pair[1]),
];

export function aclChanges(pair: Pair): ValueChange[] {
  const [before, after] = both(pair, (group) => valueOrEmpty(group, 'application', 'ACLs').acls);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): ValueChange[] => {
    const [old, now] = [before.get(name)?.policyRef, after.get(name)?.policyRef];
    if (old === now) return [];
    if (now === undefined) return [{ change: 'acl-removed', label: name, before: old! }];
    return old === undefined
      ? [{ change: 'acl-added', label: name, after: now }]
      : [{ change: 'changed', label: name, before: old, after: now }];
  });
}

const STATES = ['normal', 'maintenance'];

export function consensusChanges(pair: Pair): ValueChange[] {
  const [before, after] = both(pair, (group) => valueOrEmpty(group, 'orderer', 'ConsensusType'));
  const state = (number: number): string => STATES[number] ?? String(number);
  const changes = fieldChanges(
    { type: before.type, state: state(before.state) },
    { type: after.type, state: state(after.state) },
  );
  if (before.type === 'etcdraft' && after.type === 'etcdraft')
    changes.push(...raftChanges(before.metadata, after.metadata, pair[1]));
  else if (before.type === 'BFT' && after.type === 'BFT')
    changes.push(...fieldChanges(readBftOptions(before.metadata), readBftOptions(after.metadata)));
  else if (!sameBytes(before.metadata, after.metadata)) changes.push(...newMetadata(after, pair));
  return changes;
}

/** The metadata of another consensus type: all of it is new. */
function newMetadata({ type, metadata }: ConsensusType, pair: Pair): ValueChange[] {
  if (type === 'BFT') return fieldChanges({}, { ...readBftOptions(metadata) });
  if (type === 'etcdraft') return raftChanges(new Uint8Array(), metadata, pair[1]);
  return [hiddenChange('metadata')];
}

function raftChanges(before: Uint8Array, after: Uint8Array, orderer: ConfigGroup | undefined): ValueChange[] {
  const [old, now] = [readRaftMetadata(before), readRaftMetadata(after)];
  const { kind, added, removed } = membershipChange(old.consenters, now.consenters);
  const changes = fieldChanges(old.options, now.options);
  if (kind === 'rotated') {
    const [from, to] = [removed[0]!, added[0]!];
    const place =
      addressText(from) === addressText(to) ? addressText(to) : `${addressText(from)} → ${addressText(to)}`;
    changes.push({
      change: 'replaced',
      ...consenterEntry(place),
      before: `TLS certificate ${certificateWords(from.clientTlsCert)}`,
      after: tlsWords(to, orderer),
    });
  } else {
    changes.push(
      ...removed.map((each) => ({
        change: 'removed' as const,
        ...consenterEntry(addressText(each)),
        before: `TLS certificate ${certificateWords(each.clientTlsCert)}`,
      })),
      ...added.map((each) => ({
        change: 'added' as const,
        ...consenterEntry(addressText(each)),
        after: `TLS certificate ${tlsWords(each, orderer)}`,
      })),
    );
  }
  changes.push(...otherRaftChanges(old.consenters, now.consenters));
  const stay = (one: readonly RaftConsenter[], other: readonly RaftConsenter[]): string[] =>
    one.map(keyOf).filter((key) => other.some((each) => keyOf(each) === key));
  return String(stay(old.consenters, now.consenters)) === String(stay(now.consenters, old.consenters))
    ? changes
    : [...changes, { change: 'reordered', label: 'consenters' }];
}

const consenterEntry = (name: string): Pick<ValueChange, 'label' | 'entry'> => ({
  label: `consenter ${name}`,
  entry: { kind: 'consenter', name },
});

/** Raft identifies consenters by this certificate. */
const keyOf = ({ clientTlsCert }: RaftConsenter): string => String(clientTlsCert);

/** Changes of the address or the server certificate of consenters that stay. */
function otherRaftChanges(before: readonly RaftConsenter[], after: readonly RaftConsenter[]): ValueChange[] {
  return after.flatMap((now) => {
    const old = before.find(({ clientTlsCert }) => sameBytes(clientTlsCert, now.clientTlsCert));
    if (old === undefined) return [];
    const changes: ValueChange[] = [];
    if (addressText(old) !== addressText(now))
      changes.push({
        change: 'moved',
        label: 'consenter',
        before: addressText(old),
        after: addressText(now),
      });
    if (!sameBytes(old.serverTlsCert, now.serverTlsCert))
      changes.push({
        change: 'changed',
        label: `consenter ${addressText(now)}: server certificate`,
        before: certificateWords(old.serverTlsCert),
        after: certificateWords(now.serverTlsCert),
      });
    return changes;
  });
}

/** The certificate of a consenter, and the organisation with a TLS CA that has the name of its issuer. */
function tlsWords({ clientTlsCert, serverTlsCert }: RaftConsenter, orderer: ConfigGroup | undefined): string {
  const words = certificateWords(clientTlsCert);
  const server = sameBytes(clientTlsCert, serverTlsCert) ? '' : `, server ${certificateWords(serverTlsCert)}`;
  const owner = issuerOf(clientTlsCert, orderer);
  return `${words}${server}${owner === undefined ? '' : `, ${owner}`}`;
}

function issuerOf(pem: Uint8Array, orderer: ConfigGroup | undefined): string | undefined {
  const issuer = certificateIn(pem)?.issuer.raw;
  if (issuer === undefined) return undefined;
  const isIssuer = (ca: Uint8Array): boolean => {
    const subject = certificateIn(ca)?.subject.raw;
    return subject !== undefined && sameBytes(subject, issuer);
  };
  return [...(orderer?.groups.values() ?? [])]
    .map(mspConfigOf)
    .find(({ tlsRoots, tlsIntermediates }) => [...tlsRoots, ...tlsIntermediates].some(isIssuer))?.name;
}

const mspConfigOf = (group: ConfigGroup | undefined): MspConfig =>
  readMspConfig(valueOrEmpty(group, 'applicationOrganization', 'MSP').config);

export function consenterChanges(pair: Pair): ValueChange[] {
  const [before, after] = both(pair, (group) => valueOrEmpty(group, 'orderer', 'Orderers').consenterMapping);
  const old = new Map(before.map((each) => [each.id, each]));
  const now = new Map(after.map((each) => [each.id, each]));
  const name = (each: BftConsenter): string => `${each.id} (${addressText(each)}, ${each.mspId})`;
  const changes: ValueChange[] = [
    ...before
      .filter(({ id }) => !now.has(id))
      .map((each) => ({ change: 'removed' as const, ...consenterEntry(name(each)) })),
    ...after
      .filter(({ id }) => !old.has(id))
      .map((each) => ({
        change: 'added' as const,
        ...consenterEntry(name(each)),
        after: certificateWords(each.identity),
      })),
    ...after.flatMap((each) => {
      const previous = old.get(each.id);
      return previous === undefined
        ? []
        : bftChanges(previous, each).map((change) => ({
            ...change,
            label: `consenter ${name(each)}: ${change.label}`,
            ...(change.entry !== undefined && {
              entry: { ...change.entry, name: `${change.label} of consenter ${name(each)}` },
            }),
          }));
    }),
  ];
  // With an id twice, the consenters cannot be compared one by one.
  const isTwice = old.size < before.length || now.size < after.length;
  const ids = (list: readonly BftConsenter[], other: ReadonlyMap<number, unknown>): string =>
    String(list.map(({ id }) => id).filter((id) => other.has(id)));
  if (isTwice) return [...changes, hiddenChange('two consenters have one id:')];
  return ids(before, now) === ids(after, old)
    ? changes
    : [...changes, { change: 'reordered', label: 'consenters' }];
}

function bftChanges(before: BftConsenter, after: BftConsenter): ValueChange[] {
  const certificates = [
    ['identity', before.identity, after.identity],
    ['client TLS certificate', before.clientTlsCert, after.clientTlsCert],
    ['server TLS certificate', before.serverTlsCert, after.serverTlsCert],
  ] as const;
  return [
    ...fieldChanges(
      { address: addressText(before), 'MSP id': before.mspId },
      { address: addressText(after), 'MSP id': after.mspId },
    ),
    ...certificates
      .filter(([, old, now]) => !sameBytes(old, now))
      .map(([label, old, now]) => ({
        change: 'changed' as const,
        label,
        before: certificateWords(old),
        after: certificateWords(now),
        entry: { kind: 'certificate' as const, name: label },
      })),
  ];
}
