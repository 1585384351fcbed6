// Changes of the MSP of an organisation.

import { attempt } from '../../proto/errors.js';
import type { MspMSPConfig } from '../../proto/messages.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { sameBytes } from '../../proto/bytes.js';
import {
  FABRIC,
  NODE_ROLES,
  readMspConfig,
  type MspConfig,
  type UnitConfig,
  readRevocationList,
} from '../msp/index.js';
import { certificateNamed, certificateWords, hashWords, serialText } from './certificate.js';
import { fieldChanges, type ChangedEntry, type ValueChange } from './value-change.js';

/** The changes of an MSP. @throws TranslateError BAD_BYTES if it cannot be read */
export function mspChanges(old: MspMSPConfig, now: MspMSPConfig): ValueChange[] {
  if (now.type !== FABRIC || old.type !== FABRIC) return fieldChanges(opaqueMsp(old), opaqueMsp(now));
  const [before, after] = [readMspConfig(old.config), readMspConfig(now.config)];
  const isUsual = before.name === '' && hasUsualUnits(after);
  const kinds = [
    ['CA', 'roots'],
    ['intermediate CA', 'intermediates'],
    ['admin', 'admins'],
    ['TLS CA', 'tlsRoots'],
    ['TLS intermediate CA', 'tlsIntermediates'],
  ] as const satisfies readonly (readonly [ChangedEntry['kind'], keyof MspConfig])[];
  return [
    ...fieldChanges(fieldsOf(before, isUsual), fieldsOf(after, isUsual)).map((each) =>
      withUnits(each, before, after),
    ),
    ...kinds.flatMap(([word, field]) => certificateChanges(word, before[field], after[field])),
    ...fieldChanges({ 'signing identity': signerWords(before) }, { 'signing identity': signerWords(after) }),
    ...(sameList(before.revocationLists, after.revocationLists)
      ? []
      : [
          {
            change: 'changed' as const,
            label: 'revocation lists:',
            before: listWords(before.revocationLists),
            after: listWords(after.revocationLists),
          },
        ]),
  ];
}

/** An MSP of another type, such as Idemix. */
const opaqueMsp = ({ type, config }: MspMSPConfig): Record<string, string> => ({
  'MSP type': type === FABRIC ? 'fabric' : String(type),
  config: config.length === 0 ? 'none' : hashWords(config),
});

/** @param isShort leaves out the units of roles */
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
          NODE_ROLES.map((role) => [unitLabel(role), unitWords(nodeOus?.roles.get(role))] as const),
        )),
    [REQUIRED_UNITS]: units.length === 0 ? 'none' : units.map(unitWords).join(', '),
  };
};

/** Adds the units in short to their change: without their CAs, or only the CAs if the units are the same. */
function withUnits(each: ValueChange, before: MspConfig, after: MspConfig): ValueChange {
  const unitsOf = unitsNamed(each.label ?? '');
  if (unitsOf === undefined) return each;
  const text = (config: MspConfig, hasCa: boolean): string =>
    unitsOf(config)
      .map((unit) => onOneLine(hasCa ? caName(unit) : unit.unit))
      .join(', ') || 'none';
  const hasCa = text(before, false) === text(after, false);
  return { ...each, rules: { before: text(before, hasCa), after: text(after, hasCa) } };
}

const caName = ({ certificate }: UnitConfig): string =>
  certificate.length === 0 ? 'any CA' : `CA ${certificateNamed(certificate).name}`;

/** The units that a change is about; undefined for another change. */
function unitsNamed(label: string): ((config: MspConfig) => readonly UnitConfig[]) | undefined {
  if (label === REQUIRED_UNITS) return ({ units }) => units;
  const role = NODE_ROLES.find((each) => label === unitLabel(each));
  return role === undefined ? undefined : ({ nodeOus }) => [nodeOus?.roles.get(role) ?? []].flat();
}

const REQUIRED_UNITS = 'required OUs';
const unitLabel = (role: string): string => `${role} OU`;

/** Whether the units are the ones that Fabric's programs write: the unit of each role has its name and the first CA. */
const hasUsualUnits = ({ nodeOus, roots }: MspConfig): boolean =>
  NODE_ROLES.every((role) => {
    const { unit, certificate } = nodeOus?.roles.get(role) ?? {};
    return unit === role && certificate !== undefined && sameBytes(certificate, roots[0] ?? new Uint8Array());
  });

/** A unit; `any CA` if it names no CA. */
function unitWords(unit: UnitConfig | undefined): string {
  if (unit === undefined) return 'none';
  const ca = unit.certificate.length === 0 ? 'any CA' : certificateWords(unit.certificate);
  return `${JSON.stringify(unit.unit)} of ${ca}`;
}

/** The signing identity of a node. The MSP of a channel should have none. */
const signerWords = ({ signingIdentity }: MspConfig): string =>
  signingIdentity === undefined
    ? 'none'
    : `${certificateWords(signingIdentity.certificate)} with ${signingIdentity.key.length} bytes of its private key`;

/** The number of revocation lists, and the serial numbers in them. */
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
  return attempt(
    () => [...readRevocationList(list).serials].map(serialText),
    () => ['unreadable'],
  );
}

const sameList = (left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean =>
  left.length === right.length && left.every((each, index) => sameBytes(each, right[index]!));

function certificateChanges(
  kind: ChangedEntry['kind'],
  before: readonly Uint8Array[],
  after: readonly Uint8Array[],
): ValueChange[] {
  const missingIn = (set: readonly Uint8Array[], other: readonly Uint8Array[]): Uint8Array[] =>
    set.filter((each) => !other.some((one) => sameBytes(one, each)));
  const described = (pem: Uint8Array): Pick<ValueChange, 'label' | 'entry'> => ({
    label: `${kind} ${certificateWords(pem)}`,
    entry: { kind, ...certificateNamed(pem) },
  });
  const changes = [
    ...missingIn(before, after).map((each) => ({ change: 'removed' as const, ...described(each) })),
    ...missingIn(after, before).map((each) => ({ change: 'added' as const, ...described(each) })),
  ];
  return changes.length > 0 || sameList(before, after) ? changes : [{ change: 'reordered', label: kind }];
}
