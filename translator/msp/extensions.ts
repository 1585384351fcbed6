// The extensions of certificates and CRLs.

import { sameBytes, toLatin1 } from '../config/bytes.js';
import {
  BIT_STRING,
  bitStringOf,
  BOOLEAN,
  booleanOf,
  context,
  INTEGER,
  OCTET_STRING,
  OID,
  oidOf,
  SEQUENCE,
} from '../../core/common/certificates/der.js';
import { badCertificate, DerReader, integerOf } from './der.js';

/** An extension. */
export interface Extension {
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

/** What the extensions of a certificate say. */
export interface Extensions {
  readonly all: readonly Extension[];
  /** Whether there is a valid basicConstraints extension. */
  readonly hasBasicConstraints: boolean;
  readonly isCa: boolean;
  /** The maximum number of intermediate certificates below a CA; -1: any number. */
  readonly maxPathLength: number;
  /** Bits by the names of RFC 5280; undefined without the extension. */
  readonly keyUsage: readonly KeyUsage[] | undefined;
  /** Object identifiers. */
  readonly extendedKeyUsage: readonly string[];
  readonly subjectKeyId: Uint8Array;
  readonly authorityKeyId: Uint8Array;
  readonly dnsNames: readonly string[];
  /** subjectAltName as DER; empty without the extension. */
  readonly alternativeNames: Uint8Array;
  /** Critical extensions that Go does not process. */
  readonly unhandledCritical: readonly string[];
}

export const KEY_USAGES = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;
export type KeyUsage = (typeof KEY_USAGES)[number];

export const SUBJECT_KEY_ID = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const NAME_CONSTRAINTS = '2.5.29.30';
const DISTRIBUTION_POINTS = '2.5.29.31';
const POLICIES = '2.5.29.32';
export const AUTHORITY_KEY_ID = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const INFORMATION_ACCESS = '1.3.6.1.5.5.7.1.1';
/** Extensions that Go processes (crypto/x509/parser.go, `processExtensions`). */
const HANDLED = new Set([
  SUBJECT_KEY_ID,
  KEY_USAGE,
  ALTERNATIVE_NAMES,
  BASIC_CONSTRAINTS,
  NAME_CONSTRAINTS,
  DISTRIBUTION_POINTS,
  POLICIES,
  AUTHORITY_KEY_ID,
  EXTENDED_KEY_USAGE,
  INFORMATION_ACCESS,
]);
const EMPTY = new Uint8Array();

/** Reads a sequence of extensions. @throws TranslateError with Go's text */
export function readExtensionList(list: DerReader): readonly Extension[] {
  const extensions: Extension[] = [];
  const failure = 'x509: malformed extension';
  const seen = new Set<string>();
  while (!list.isEmpty) {
    const reader = list.enter(SEQUENCE, failure);
    const id = oidOf(reader.read(OID, `${failure} OID field`).content);
    const critical = reader.optional(BOOLEAN, `${failure} critical field`);
    const isCritical = critical === undefined ? false : booleanOf(critical.content);
    const value = reader.read(OCTET_STRING, `${failure} value field`).content;
    if (id === undefined) throw badCertificate(`${failure} OID field`);
    if (isCritical === undefined) throw badCertificate(`${failure} critical field`);
    if (seen.has(id)) throw badCertificate('x509: certificate contains duplicate extensions');
    seen.add(id);
    extensions.push({ id, isCritical, value });
  }
  return extensions;
}

/** Processes the extensions of a certificate. @throws TranslateError with Go's text */
export function processExtensions(all: readonly Extension[]): Extensions {
  const valueOf = (id: string): Uint8Array | undefined => all.find((each) => each.id === id)?.value;
  const constraints = valueOf(BASIC_CONSTRAINTS);
  const usage = valueOf(KEY_USAGE);
  const names = valueOf(ALTERNATIVE_NAMES);
  return {
    all,
    hasBasicConstraints: constraints !== undefined,
    ...(constraints === undefined ? { isCa: false, maxPathLength: -1 } : basicConstraints(constraints)),
    keyUsage: usage === undefined ? undefined : keyUsage(usage),
    extendedKeyUsage: extendedKeyUsage(valueOf(EXTENDED_KEY_USAGE)),
    subjectKeyId: subjectKeyId(valueOf(SUBJECT_KEY_ID)),
    authorityKeyId: authorityKeyId(valueOf(AUTHORITY_KEY_ID)),
    dnsNames: names === undefined ? [] : dnsNames(names),
    alternativeNames: names ?? EMPTY,
    unhandledCritical: all.filter(({ id, isCritical }) => isCritical && !HANDLED.has(id)).map(({ id }) => id),
  };
}

function basicConstraints(value: Uint8Array): { isCa: boolean; maxPathLength: number } {
  const reader = new DerReader(value).enter(SEQUENCE, 'x509: invalid basic constraints');
  const ca = reader.optional(BOOLEAN, 'x509: invalid basic constraints');
  const isCa = ca === undefined ? false : booleanOf(ca.content);
  if (isCa === undefined) throw badCertificate('x509: invalid basic constraints');
  const length = reader.optional(INTEGER, 'x509: invalid basic constraints');
  const maxPathLength = length === undefined ? -1n : integerOf(length.content);
  if (maxPathLength === undefined) throw badCertificate('x509: invalid basic constraints');
  return { isCa, maxPathLength: Number(maxPathLength) };
}

function keyUsage(value: Uint8Array): readonly KeyUsage[] {
  const bits = bitStringOf(new DerReader(value).read(BIT_STRING, 'x509: invalid key usage').content)?.bytes;
  if (bits === undefined) throw badCertificate('x509: invalid key usage');
  return KEY_USAGES.filter((_, index) => ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0);
}

function extendedKeyUsage(value: Uint8Array | undefined): readonly string[] {
  if (value === undefined) return [];
  const usages: string[] = [];
  const failure = 'x509: invalid extended key usages';
  for (const list = new DerReader(value).enter(SEQUENCE, failure); !list.isEmpty;) {
    const id = oidOf(list.read(OID, failure).content);
    if (id === undefined) throw badCertificate(failure);
    usages.push(id);
  }
  return usages;
}

function subjectKeyId(value: Uint8Array | undefined): Uint8Array {
  return value === undefined
    ? EMPTY
    : new DerReader(value).read(OCTET_STRING, 'x509: invalid subject key identifier').content;
}

/** The key identifier of an authorityKeyIdentifier extension; empty if it has none. @throws TranslateError with Go's text */
export function authorityKeyId(value: Uint8Array | undefined): Uint8Array {
  if (value === undefined) return EMPTY;
  const failure = 'x509: invalid authority key identifier';
  return new DerReader(value).enter(SEQUENCE, failure).optional(context(0, false), failure)?.content ?? EMPTY;
}

function dnsNames(value: Uint8Array): readonly string[] {
  const names: string[] = [];
  const failure = 'x509: invalid subject alternative names';
  for (const list = new DerReader(value).enter(SEQUENCE, failure); !list.isEmpty;) {
    const element = list.next();
    if (element === undefined) throw badCertificate(failure);
    if (element.tag === context(2, false)) names.push(toLatin1(element.content));
  }
  return names;
}

/** Whether two certificates have the same alternative names. */
export function sameAlternativeNames(one: Extensions, other: Extensions): boolean {
  return sameBytes(one.alternativeNames, other.alternativeNames);
}
