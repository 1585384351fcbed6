// What an update changes in the values of a config, in words.

import { TranslateError } from '../../proto/errors.js';
import { sameBytes } from '../config/bytes.js';
import type { ConfigGroup } from '../config/element.js';
import { membershipChange } from '../config/membership.js';
import {
  readBftOptions,
  readRaftMetadata,
  valueOrEmpty,
  type BftConsenter,
  type RaftConsenter,
} from '../config/values.js';
import { readMspConfig, type MspConfig } from '../msp/config.js';
import { MspError } from '../msp/errors.js';
import { certificateIn } from '../msp/read-pem.js';
import { certificateWords } from './certificate.js';
import { fieldChanges, listChanges, type Fields } from './differences.js';
import { addressOf, LISTS, valueKind, type ValuePath } from './value-kind.js';

/** Groups before and after; undefined for one that is not there. */
type Pair = readonly [before: ConfigGroup | undefined, after: ConfigGroup | undefined];
type Describe = (pair: Pair) => string[];

/** What changes in a value, as short texts; empty if there is nothing to say. */
export function valueChanges(path: ValuePath, pair: Pair): string[] {
  const kind = valueKind(path);
  const items = LISTS.get(kind);
  try {
    return items === undefined ? (DESCRIBE.get(kind)?.(pair) ?? []) : listChanges(...both(pair, items));
  } catch (error) {
    if (error instanceof TranslateError || error instanceof MspError) return [];
    throw error;
  }
}

const both = <Read>(pair: Pair, read: (group: ConfigGroup | undefined) => Read): [Read, Read] => [
  read(pair[0]),
  read(pair[1]),
];

const fields =
  (read: (group: ConfigGroup | undefined) => Fields): Describe =>
  (pair) =>
    fieldChanges(...both(pair, read));

const acls: Describe = (pair) => {
  const [before, after] = both(pair, (group) => valueOrEmpty(group, 'application', 'ACLs').acls);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name)?.policyRef, after.get(name)?.policyRef];
    if (old === now) return [];
    if (old === undefined) return [`${name} needs ${now}`];
    return now === undefined ? [`${name} removed, the default counts`] : [`${name} ${old} → ${now}`];
  });
};

const STATES = ['normal', 'maintenance'];

const consensusType: Describe = (pair) => {
  const [before, after] = both(pair, (group) => valueOrEmpty(group, 'orderer', 'ConsensusType'));
  const state = (number: number): string => STATES[number] ?? String(number);
  const words = fieldChanges(
    { type: before.type, state: state(before.state) },
    { type: after.type, state: state(after.state) },
  );
  if (before.type === 'etcdraft' && after.type === 'etcdraft')
    words.push(...raftChanges(before.metadata, after.metadata, pair[1]));
  else if (before.type === 'BFT' && after.type === 'BFT')
    words.push(...fieldChanges(readBftOptions(before.metadata), readBftOptions(after.metadata)));
  return words;
};

function raftChanges(before: Uint8Array, after: Uint8Array, orderer: ConfigGroup | undefined): string[] {
  const [old, now] = [readRaftMetadata(before), readRaftMetadata(after)];
  const { kind, added, removed } = membershipChange(old.consenters, now.consenters);
  const words = fieldChanges(old.options, now.options);
  if (kind === 'rotated') {
    const [from, to] = [removed[0]!, added[0]!];
    const place = addressOf(from) === addressOf(to) ? addressOf(to) : `${addressOf(from)} → ${addressOf(to)}`;
    words.push(
      `consenter ${place} replaced (TLS certificate ${certificateWords(from.clientTlsCert)} → ${tlsWords(to, orderer)})`,
    );
  } else {
    words.push(
      ...removed.map(
        (each) =>
          `consenter ${addressOf(each)} removed (TLS certificate ${certificateWords(each.clientTlsCert)})`,
      ),
      ...added.map(
        (each) => `consenter ${addressOf(each)} added (TLS certificate ${tlsWords(each, orderer)})`,
      ),
    );
  }
  return [...words, ...otherRaftChanges(old.consenters, now.consenters)];
}

/** Consenters that stay, with another address or server certificate. */
function otherRaftChanges(before: readonly RaftConsenter[], after: readonly RaftConsenter[]): string[] {
  return after.flatMap((now) => {
    const old = before.find(({ clientTlsCert }) => sameBytes(clientTlsCert, now.clientTlsCert));
    if (old === undefined) return [];
    const words: string[] = [];
    if (addressOf(old) !== addressOf(now))
      words.push(`consenter ${addressOf(old)} moves to ${addressOf(now)}`);
    if (!sameBytes(old.serverTlsCert, now.serverTlsCert))
      words.push(
        `consenter ${addressOf(now)}: server certificate ${certificateWords(old.serverTlsCert)} → ${certificateWords(now.serverTlsCert)}`,
      );
    return words;
  });
}

/** The certificate of a consenter, and the organisation whose TLS CA has the name of its issuer. */
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

const orderers: Describe = (pair) => {
  const [before, after] = both(pair, (group) => valueOrEmpty(group, 'orderer', 'Orderers').consenterMapping);
  const old = new Map(before.map((each) => [each.id, each]));
  const now = new Map(after.map((each) => [each.id, each]));
  const name = (each: BftConsenter): string => `consenter ${each.id}, ${addressOf(each)} of ${each.mspId}`;
  return [
    ...before.filter(({ id }) => !now.has(id)).map((each) => `${name(each)} removed`),
    ...after
      .filter(({ id }) => !old.has(id))
      .map((each) => `${name(each)} added (${certificateWords(each.identity)})`),
    ...after.flatMap((each) => {
      const previous = old.get(each.id);
      return previous === undefined
        ? []
        : bftChanges(previous, each).map((words) => `${name(each)}: ${words}`);
    }),
  ];
};

function bftChanges(before: BftConsenter, after: BftConsenter): string[] {
  const certificates = [
    ['identity', before.identity, after.identity],
    ['client TLS certificate', before.clientTlsCert, after.clientTlsCert],
    ['server TLS certificate', before.serverTlsCert, after.serverTlsCert],
  ] as const;
  return [
    ...fieldChanges(
      { address: addressOf(before), 'MSP id': before.mspId },
      { address: addressOf(after), 'MSP id': after.mspId },
    ),
    ...certificates
      .filter(([, old, now]) => !sameBytes(old, now))
      .map(([what, old, now]) => `${what} ${certificateWords(old)} → ${certificateWords(now)}`),
  ];
}

const msp: Describe = (pair) => {
  const [before, after] = both(pair, mspConfigOf);
  const kinds = [
    ['CA', 'roots'],
    ['intermediate CA', 'intermediates'],
    ['admin', 'admins'],
    ['TLS CA', 'tlsRoots'],
    ['TLS intermediate CA', 'tlsIntermediates'],
  ] as const satisfies readonly (readonly [string, keyof MspConfig])[];
  return [
    ...fieldChanges(fieldsOf(before), fieldsOf(after)),
    ...kinds.flatMap(([word, field]) => certificateChanges(word, before[field], after[field])),
    ...(sameList(before.revocationLists, after.revocationLists)
      ? []
      : [`revocation lists ${before.revocationLists.length} → ${after.revocationLists.length}`]),
  ];
};

const fieldsOf = ({ name, hashFamily, nodeOus, units }: MspConfig): Record<string, string> => ({
  'MSP id': name === '' ? 'none' : name,
  'hash family': hashFamily,
  NodeOUs: nodeOus?.isEnabled === true ? [...nodeOus.roles.keys()].join(', ') : 'off',
  'required units': units.length === 0 ? 'none' : units.map(({ unit }) => unit).join(', '),
});

const sameList = (left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean =>
  left.length === right.length && left.every((each, index) => sameBytes(each, right[index]!));

function certificateChanges(
  word: string,
  before: readonly Uint8Array[],
  after: readonly Uint8Array[],
): string[] {
  const missingIn = (set: readonly Uint8Array[], other: readonly Uint8Array[]): Uint8Array[] =>
    set.filter((each) => !other.some((one) => sameBytes(one, each)));
  return [
    ...missingIn(before, after).map((each) => `${word} ${certificateWords(each)} removed`),
    ...missingIn(after, before).map((each) => `${word} ${certificateWords(each)} added`),
  ];
}

const DESCRIBE: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['channel.HashingAlgorithm', fields((group) => valueOrEmpty(group, 'channel', 'HashingAlgorithm'))],
  [
    'channel.BlockDataHashingStructure',
    fields((group) => valueOrEmpty(group, 'channel', 'BlockDataHashingStructure')),
  ],
  ['channel.Consortium', fields((group) => valueOrEmpty(group, 'channel', 'Consortium'))],
  ['orderer.BatchSize', fields((group) => valueOrEmpty(group, 'orderer', 'BatchSize'))],
  ['orderer.BatchTimeout', fields((group) => valueOrEmpty(group, 'orderer', 'BatchTimeout'))],
  ['orderer.ChannelRestrictions', fields((group) => valueOrEmpty(group, 'orderer', 'ChannelRestrictions'))],
  ['orderer.ConsensusType', consensusType],
  ['orderer.Orderers', orderers],
  ['application.ACLs', acls],
  ['organization.MSP', msp],
]);
