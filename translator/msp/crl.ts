// Parses certificate revocation lists like Go's x509.ParseCRL.

import { toLatin1 } from '../../proto/bytes.js';
import {
  BIT_STRING,
  INTEGER,
  SEQUENCE,
  bitStringOf,
  context,
  type Element,
} from '../../core/common/certificates/der.js';
import { DerReader, badCertificate, integerOf, timeOf } from './der.js';
import { AUTHORITY_KEY_ID, authorityKeyId, readExtensionList } from './extensions.js';
import { readName, type Name } from './name.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { readAlgorithm, type SignatureAlgorithm } from './public-key.js';

/** Why a certificate counts as revoked: a list has its serial number, or it cannot be compared with a list. */
export interface Revocation {
  readonly isListed: boolean;
  /** Fabric's text. */
  readonly text: string;
}

/** A revocation list. */
export interface RevocationList {
  readonly signed: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
  readonly signature: Uint8Array;
  readonly issuer: Name;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** The serial numbers of the revoked certificates. */
  readonly serials: ReadonlySet<bigint>;
  /** The key identifier of the issuer; undefined without the extension. */
  readonly authorityKeyId: Uint8Array | undefined;
}

const FAILURE = "asn1: structure error: tags don't match";

/** Reads a list in PEM (`X509 CRL`) or DER. @throws TranslateError with Go's text, or with the beginning of it */
export function readRevocationList(bytes: Uint8Array): RevocationList {
  const isPem = toLatin1(bytes.subarray(0, 20)).startsWith('-----BEGIN X509 CRL');
  const der = (isPem ? decodePem(bytes)?.bytes : undefined) ?? bytes;
  const reader = new DerReader(der);
  const outer = reader.next();
  if (der.length === 0) throw badCertificate(ENDS_EARLY);
  if (outer === undefined) throw badCertificate(`asn1: syntax error: ${truncation(der)}`);
  if (outer.tag !== SEQUENCE) throw badCertificate(FAILURE);
  if (!reader.isEmpty) throw badCertificate('x509: trailing data after CRL');
  const parts = new DerReader(outer.content);
  const signed = readPart(parts, SEQUENCE);
  const algorithm = readAlgorithm(readPart(parts, SEQUENCE));
  const signature = bitStringOf(readPart(parts, BIT_STRING).content);
  if (signature === undefined) throw badCertificate('asn1: syntax error: invalid padding bits in BIT STRING');
  return { signed: signed.raw, algorithm, signature: signature.bytes, ...readFields(signed) };
}

const ENDS_EARLY = 'asn1: syntax error: sequence truncated';

/** Reads the next element, which must be there and have this tag. */
function readPart(reader: DerReader, tag: number): Element {
  if (reader.isEmpty) throw badCertificate(ENDS_EARLY);
  return reader.read(tag, FAILURE);
}

/** Go's text for truncated bytes. */
function truncation(bytes: Uint8Array): string {
  const [tag, length] = bytes;
  const isShort = tag === undefined || length === undefined;
  // The length field, or a long tag, exceeds the input.
  const isLong = length !== undefined && length > 0x80 && bytes.length < 2 + (length & 0x7f);
  return isShort || isLong || (tag & 0x1f) === 0x1f ? 'truncated tag or length' : 'data truncated';
}

type Fields = Pick<RevocationList, 'issuer' | 'thisUpdate' | 'nextUpdate' | 'serials' | 'authorityKeyId'>;

function readFields(signed: Element): Fields {
  const reader = new DerReader(signed.content);
  reader.optional(INTEGER, FAILURE);
  readPart(reader, SEQUENCE);
  const issuer = readName(readPart(reader, SEQUENCE));
  const thisUpdate = readTime(reader);
  const serials = new Set<bigint>();
  let nextUpdate: Date | undefined;
  let keyId: Uint8Array | undefined;
  while (!reader.isEmpty) {
    const element = reader.next();
    if (element === undefined) throw badCertificate('asn1: syntax error: data truncated');
    if (element.tag === SEQUENCE) readSerials(element, serials);
    else if (element.tag === context(0, true)) keyId = readKeyId(element);
    else nextUpdate = timeOf(element);
  }
  return { issuer, thisUpdate, nextUpdate, serials, authorityKeyId: keyId };
}

function readTime(reader: DerReader): Date {
  if (reader.isEmpty) throw badCertificate(ENDS_EARLY);
  const element = reader.next();
  const time = element === undefined ? undefined : timeOf(element);
  if (time === undefined) throw badCertificate('asn1: structure error: cannot parse a time');
  return time;
}

function readSerials(element: Element, serials: Set<bigint>): void {
  for (const list = new DerReader(element.content); !list.isEmpty;) {
    const entry = list.enter(SEQUENCE, FAILURE);
    const serial = integerOf(readPart(entry, INTEGER).content);
    if (serial === undefined) throw badCertificate('asn1: structure error: integer not minimally-encoded');
    readTime(entry);
    serials.add(serial);
  }
}

function readKeyId(element: Element): Uint8Array | undefined {
  const list = readExtensionList(new DerReader(element.content).enter(SEQUENCE, FAILURE));
  const extension = list.find(({ id }) => id === AUTHORITY_KEY_ID);
  return extension === undefined ? undefined : authorityKeyId(extension.value);
}
