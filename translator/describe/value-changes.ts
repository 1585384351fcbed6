// What an update changes in the values of a config, in words.

import { addressText } from '../config/address.js';
import { TranslateError } from '../../proto/errors.js';
import type { MspMSPConfig } from '../../proto/messages.js';
import { sameBytes } from '../config/bytes.js';
import type { ConfigGroup } from '../config/element.js';
import { membershipChange } from '../config/membership.js';
import {
  readBftOptions,
  readRaftMetadata,
  valueOrEmpty,
  type BftConsenter,
  type ConsensusType,
  type RaftConsenter,
} from '../config/values.js';
import { FABRIC, NODE_ROLES, readMspConfig, type MspConfig, type UnitConfig } from '../msp/config.js';
import { readRevocationList } from '../msp/crl.js';
import { certificateIn } from '../msp/read-pem.js';
import { certificateWords, hashWords } from './certificate.js';
import { fieldChanges, listChanges, REORDERED, type Fields } from './differences.js';
import { NOT_SHOWN } from './not-shown.js';
import { LISTS, valueKind, type ValuePath } from './value-kind.js';

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
    if (error instanceof TranslateError) return [NOT_SHOWN];
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
    return now === undefined ? [`${name} removed, the default applies`] : [`${name} ${old} → ${now}`];
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
  else if (!sameBytes(before.metadata, after.metadata)) words.push(...newMetadata(after, pair));
  return words;
};

/** The metadata of another consensus type: all of it is new. */
function newMetadata({ type, metadata }: ConsensusType, pair: Pair): string[] {
  if (type === 'BFT') return fieldChanges({}, { ...readBftOptions(metadata) });
  if (type === 'etcdraft') return raftChanges(new Uint8Array(), metadata, pair[1]);
  return [`metadata ${NOT_SHOWN}`];
}

function raftChanges(before: Uint8Array, after: Uint8Array, orderer: ConfigGroup | undefined): string[] {
  const [old, now] = [readRaftMetadata(before), readRaftMetadata(after)];
  const { kind, added, removed } = membershipChange(old.consenters, now.consenters);
  const words = fieldChanges(old.options, now.options);
  if (kind === 'rotated') {
    const [from, to] = [removed[0]!, added[0]!];
    const place =
      addressText(from) === addressText(to) ? addressText(to) : `${addressText(from)} → ${addressText(to)}`;
    words.push(
      `consenter ${place} replaced (TLS certificate ${certificateWords(from.clientTlsCert)} → ${tlsWords(to, orderer)})`,
    );
  } else {
    words.push(
      ...removed.map(
        (each) =>
          `consenter ${addressText(each)} removed (TLS certificate ${certificateWords(each.clientTlsCert)})`,
      ),
      ...added.map(
        (each) => `consenter ${addressText(each)} added (TLS certificate ${tlsWords(each, orderer)})`,
      ),
    );
  }
  words.push(...otherRaftChanges(old.consenters, now.consenters));
  const stay = (one: readonly RaftConsenter[], other: readonly RaftConsenter[]): string[] =>
    one.map(keyOf).filter((key) => other.some((each) => keyOf(each) === key));
  return String(stay(old.consenters, now.consenters)) === String(stay(now.consenters, old.consenters))
    ? words
    : [...words, `consenters: ${REORDERED}`];
}

/** What identifies a consenter of Raft. */
const keyOf = ({ clientTlsCert }: RaftConsenter): string => String(clientTlsCert);

/** Consenters that stay, with another address or server certificate. */
function otherRaftChanges(before: readonly RaftConsenter[], after: readonly RaftConsenter[]): string[] {
  return after.flatMap((now) => {
    const old = before.find(({ clientTlsCert }) => sameBytes(clientTlsCert, now.clientTlsCert));
    if (old === undefined) return [];
    const words: string[] = [];
    if (addressText(old) !== addressText(now))
      words.push(`consenter ${addressText(old)} moves to ${addressText(now)}`);
    if (!sameBytes(old.serverTlsCert, now.serverTlsCert))
      words.push(
        `consenter ${addressText(now)}: server certificate ${certificateWords(old.serverTlsCert)} → ${certificateWords(now.serverTlsCert)}`,
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
  const name = (each: BftConsenter): string => `consenter ${each.id}, ${addressText(each)} of ${each.mspId}`;
  const words = [
    ...before.filter(({ id }) => !now.has(id)).map((each) => `${name(each)} removed`),
    ...after
      .filter(({ id }) => !old.has(id))
      .map((each) => `${name(each)} added (${certificateWords(each.identity)})`),
    ...after.flatMap((each) => {
      const previous = old.get(each.id);
      return previous === undefined
        ? []
        : bftChanges(previous, each).map((change) => `${name(each)}: ${change}`);
    }),
  ];
  // With an id twice, the consenters cannot be compared one by one.
  const isTwice = old.size < before.length || now.size < after.length;
  const ids = (list: readonly BftConsenter[], other: ReadonlyMap<number, unknown>): string =>
    String(list.map(({ id }) => id).filter((id) => other.has(id)));
  if (isTwice) return [...words, `two consenters have one id: ${NOT_SHOWN}`];
  return ids(before, now) === ids(after, old) ? words : [...words, `consenters: ${REORDERED}`];
};

function bftChanges(before: BftConsenter, after: BftConsenter): string[] {
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
      .map(([what, old, now]) => `${what} ${certificateWords(old)} → ${certificateWords(now)}`),
  ];
}

const msp: Describe = (pair) => {
  const [old, now] = both(pair, (group) => valueOrEmpty(group, 'applicationOrganization', 'MSP'));
  if (now.type !== FABRIC || old.type !== FABRIC) return fieldChanges(opaqueMsp(old), opaqueMsp(now));
  const [before, after] = [readMspConfig(old.config), readMspConfig(now.config)];
  const isUsual = before.name === '' && hasUsualUnits(after);
  const kinds = [
    ['CA', 'roots'],
    ['intermediate CA', 'intermediates'],
    ['admin', 'admins'],
    ['TLS CA', 'tlsRoots'],
    ['TLS intermediate CA', 'tlsIntermediates'],
  ] as const satisfies readonly (readonly [string, keyof MspConfig])[];
  return [
    ...fieldChanges(fieldsOf(before, isUsual), fieldsOf(after, isUsual)),
    ...kinds.flatMap(([word, field]) => certificateChanges(word, before[field], after[field])),
    ...fieldChanges({ 'signing identity': signerWords(before) }, { 'signing identity': signerWords(after) }),
    ...(sameList(before.revocationLists, after.revocationLists)
      ? []
      : [`revocation lists: ${listWords(before.revocationLists)} → ${listWords(after.revocationLists)}`]),
  ];
};

/** An MSP of another type, such as Idemix. */
const opaqueMsp = ({ type, config }: MspMSPConfig): Record<string, string> => ({
  'MSP type': type === FABRIC ? 'fabric' : String(type),
  config: config.length === 0 ? 'none' : hashWords(config),
});

/** @param isShort without the units of roles */
const fieldsOf = (config: MspConfig, isShort: boolean): Record<string, string> => {
  const { name, namedHashes, nodeOus, units } = config;
  return {
    'MSP id': name === '' ? 'none' : name,
    'hash family': namedHashes.family,
    'hash of identities': namedHashes.identifiers,
    NodeOUs: nodeOus?.isEnabled === true ? 'on' : 'off',
    ...(isShort
      ? {}
      : Object.fromEntries(
          NODE_ROLES.map((role) => [`unit of ${role}`, unitWords(nodeOus?.roles.get(role))] as const),
        )),
    'required units': units.length === 0 ? 'none' : units.map(unitWords).join(', '),
  };
};

/** The units that programs of Fabric write: those of the roles, of the first CA. */
const hasUsualUnits = ({ nodeOus, roots }: MspConfig): boolean =>
  NODE_ROLES.every((role) => {
    const { unit, certificate } = nodeOus?.roles.get(role) ?? {};
    return unit === role && certificate !== undefined && sameBytes(certificate, roots[0] ?? new Uint8Array());
  });

/** A unit; `any CA` unless it names one. */
function unitWords(unit: UnitConfig | undefined): string {
  if (unit === undefined) return 'none';
  const ca = unit.certificate.length === 0 ? 'any CA' : certificateWords(unit.certificate);
  return `${JSON.stringify(unit.unit)} of ${ca}`;
}

/** The identity of a node in the MSP, which should not be there. */
const signerWords = ({ signingIdentity }: MspConfig): string =>
  signingIdentity === undefined
    ? 'none'
    : `${certificateWords(signingIdentity.certificate)} with ${signingIdentity.key.length} bytes of its private key`;

/** The number of revocation lists, and the certificates that they revoke. */
function listWords(lists: readonly Uint8Array[]): string {
  const serials = lists.map(serialsIn);
  const all = [...new Set(serials.flat())];
  const shown = all.slice(0, SERIALS_SHOWN).join(', ');
  const rest = all.length > SERIALS_SHOWN ? ` and ${all.length - SERIALS_SHOWN} more` : '';
  return lists.length === 0
    ? 'none'
    : `${lists.length} with the serial numbers ${shown === '' ? 'none' : shown}${rest}`;
}

const SERIALS_SHOWN = 12;

function serialsIn(list: Uint8Array): string[] {
  try {
    return [...readRevocationList(list).serials].map(String);
  } catch (error) {
    if (error instanceof TranslateError) return ['unreadable'];
    throw error;
  }
}

const sameList = (left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean =>
  left.length === right.length && left.every((each, index) => sameBytes(each, right[index]!));

function certificateChanges(
  word: string,
  before: readonly Uint8Array[],
  after: readonly Uint8Array[],
): string[] {
  const missingIn = (set: readonly Uint8Array[], other: readonly Uint8Array[]): Uint8Array[] =>
    set.filter((each) => !other.some((one) => sameBytes(one, each)));
  const words = [
    ...missingIn(before, after).map((each) => `${word} ${certificateWords(each)} removed`),
    ...missingIn(after, before).map((each) => `${word} ${certificateWords(each)} added`),
  ];
  return words.length > 0 || sameList(before, after) ? words : [`${word}: ${REORDERED}`];
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
