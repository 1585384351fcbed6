// Parses the extensions of certificates and CRLs.

import { sameBytes, toLatin1, NO_BYTES } from '../../proto/bytes.js';
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
import { alternativeNames, DNS, isKnownKind, type AlternativeName } from './alternative-names.js';
import { badCertificate, DerReader, integerOf } from './der.js';
import {
  INHIBIT_ANY_POLICY,
  NO_POLICIES,
  POLICIES,
  POLICY_CONSTRAINTS,
  POLICY_MAPPINGS,
  readPolicies,
  readPolicyExtension,
  type PolicyExtensions,
} from './certificate-policies.js';
import type { GoVersion } from './releases.js';
import { readNameConstraints, type NameConstraints } from './name-constraints.js';

/** An extension. */
interface Extension {
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

/** The parsed extensions of a certificate. */
export interface Extensions {
  readonly all: readonly Extension[];
  /** Whether there is a valid basicConstraints extension. */
  readonly hasBasicConstraints: boolean;
  readonly isCa: boolean;
  /** The maximum number of intermediate certificates below a CA; -1 means any number. */
  readonly maxPathLength: number;
  /** Bits by the names of RFC 5280; undefined without the extension. */
  readonly keyUsage: readonly KeyUsage[] | undefined;
  /** Object identifiers. */
  readonly extendedKeyUsage: readonly string[];
  readonly subjectKeyId: Uint8Array;
  readonly authorityKeyId: Uint8Array;
  readonly dnsNames: readonly string[];
  /** The names in subjectAltName, and its DER; undefined without the extension. */
  readonly alternativeNames:
    | { readonly names: readonly AlternativeName[]; readonly raw: Uint8Array }
    | undefined;
  readonly nameConstraints: NameConstraints | undefined;
  readonly policies: PolicyExtensions;
  /** Critical extensions that Go does not process. */
  readonly unhandledCritical: readonly string[];
}

const KEY_USAGES = [
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
type KeyUsage = (typeof KEY_USAGES)[number];

export const SUBJECT_KEY_ID = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const NAME_CONSTRAINTS = '2.5.29.30';
const DISTRIBUTION_POINTS = '2.5.29.31';
export const AUTHORITY_KEY_ID = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const INFORMATION_ACCESS = '1.3.6.1.5.5.7.1.1';

/** Reads a sequence of extensions. @throws TranslateError with Go's text */
export function readExtensionList(list: DerReader): readonly Extension[] {
  const extensions: Extension[] = [];
  const failure = 'x509: malformed extension';
  const seen = new Set<string>();
  while (!list.isEmpty) {
    const reader = list.enter(SEQUENCE, failure);
    const id = oidOf(reader.read(OID, `${failure} OID field`).content);
    if (id === undefined) throw badCertificate(`${failure} OID field`);
    const critical = reader.optional(BOOLEAN, `${failure} critical field`);
    const isCritical = critical === undefined ? false : booleanOf(critical.content);
    if (isCritical === undefined) throw badCertificate(`${failure} critical field`);
    const value = reader.read(OCTET_STRING, `${failure} value field`).content;
    if (seen.has(id)) throw badCertificate(`x509: certificate contains duplicate extension with OID "${id}"`);
    seen.add(id);
    extensions.push({ id, isCritical, value });
  }
  return extensions;
}

type Mutable = { -readonly [Key in keyof Extensions]: Extensions[Key] };

/**
 * Processes the extensions of a certificate in their order (crypto/x509/parser.go, `processExtensions`).
 *
 * @throws TranslateError with Go's text of the first invalid extension
 */
export function processExtensions(all: readonly Extension[], go: GoVersion): Extensions {
  const unhandledCritical: string[] = [];
  const result: Mutable = {
    all,
    hasBasicConstraints: false,
    isCa: false,
    maxPathLength: -1,
    keyUsage: undefined,
    extendedKeyUsage: [],
    subjectKeyId: NO_BYTES,
    authorityKeyId: NO_BYTES,
    dnsNames: [],
    alternativeNames: undefined,
    nameConstraints: undefined,
    policies: NO_POLICIES,
    unhandledCritical,
  };
  for (const extension of all)
    if (!processExtension(extension, result, go) && extension.isCritical)
      unhandledCritical.push(extension.id);
  return result;
}

/** Processes one extension. @returns whether Go handles all of it */
function processExtension({ id, isCritical, value }: Extension, result: Mutable, go: GoVersion): boolean {
  switch (id) {
    case KEY_USAGE:
      result.keyUsage = keyUsage(value);
      return true;
    case BASIC_CONSTRAINTS:
      Object.assign(result, basicConstraints(value), { hasBasicConstraints: true });
      return true;
    case ALTERNATIVE_NAMES: {
      const names = alternativeNames(value, go);
      result.alternativeNames = { names, raw: value };
      result.dnsNames = names.filter(({ tag }) => tag === DNS).map(({ content }) => toLatin1(content));
      return names.some(isKnownKind);
    }
    case NAME_CONSTRAINTS:
      result.nameConstraints = readNameConstraints(value, go);
      return !result.nameConstraints.hasOthers;
    case DISTRIBUTION_POINTS:
      checkDistributionPoints(value);
      return true;
    case AUTHORITY_KEY_ID:
      refuseCritical(isCritical, 'x509: authority key identifier');
      result.authorityKeyId = authorityKeyId(value);
      return true;
    case EXTENDED_KEY_USAGE:
      result.extendedKeyUsage = extendedKeyUsage(value);
      return true;
    case SUBJECT_KEY_ID:
      refuseCritical(isCritical, 'x509: subject key identifier');
      result.subjectKeyId = subjectKeyId(value);
      return true;
    case POLICIES:
      result.policies = { ...result.policies, policies: readPolicies(value) };
      return true;
    case POLICY_MAPPINGS:
    case POLICY_CONSTRAINTS:
    case INHIBIT_ANY_POLICY:
      // Since Go 1.24.
      if (go < '1.24') return false;
      result.policies = { ...result.policies, ...readPolicyExtension(id, value) };
      return true;
    case INFORMATION_ACCESS:
      refuseCritical(isCritical, 'x509: authority info access');
      checkInformationAccess(value);
      return true;
    default:
      return false;
  }
}

function refuseCritical(isCritical: boolean, what: string): void {
  if (isCritical) throw badCertificate(`${what} incorrectly marked critical`);
}

/** @throws TranslateError with Go's text for a malformed cRLDistributionPoints extension */
function checkDistributionPoints(value: Uint8Array): void {
  const failure = 'x509: invalid CRL distribution point';
  for (const list = new DerReader(value).enter(SEQUENCE, `${failure}s`); !list.isEmpty;) {
    const name = list.enter(SEQUENCE, failure).optional(context(0, true), failure);
    if (name === undefined) continue;
    const names = new DerReader(name.content).enter(context(0, true), failure);
    while (!names.isEmpty && names.optional(context(6, false), failure) !== undefined);
  }
}

/** @throws TranslateError with Go's text for a malformed authorityInfoAccess extension */
function checkInformationAccess(value: Uint8Array): void {
  const failure = 'x509: invalid authority info access';
  for (const list = new DerReader(value).enter(SEQUENCE, failure); !list.isEmpty;) {
    const access = list.enter(SEQUENCE, failure);
    if (oidOf(access.read(OID, failure).content) === undefined) throw badCertificate(failure);
    access.optional(context(6, false), failure);
  }
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

function extendedKeyUsage(value: Uint8Array): readonly string[] {
  const usages: string[] = [];
  const failure = 'x509: invalid extended key usages';
  for (const list = new DerReader(value).enter(SEQUENCE, failure); !list.isEmpty;) {
    const id = oidOf(list.read(OID, failure).content);
    if (id === undefined) throw badCertificate(failure);
    usages.push(id);
  }
  return usages;
}

function subjectKeyId(value: Uint8Array): Uint8Array {
  return new DerReader(value).read(OCTET_STRING, 'x509: invalid subject key identifier').content;
}

/** The key identifier of an authorityKeyIdentifier extension; empty if it has none. @throws TranslateError with Go's text */
export function authorityKeyId(value: Uint8Array): Uint8Array {
  const failure = 'x509: invalid authority key identifier';
  return (
    new DerReader(value).enter(SEQUENCE, failure).optional(context(0, false), failure)?.content ?? NO_BYTES
  );
}

/** Whether two certificates have the same alternative names. */
export function sameAlternativeNames(one: Extensions, other: Extensions): boolean {
  return sameBytes(one.alternativeNames?.raw ?? NO_BYTES, other.alternativeNames?.raw ?? NO_BYTES);
}
