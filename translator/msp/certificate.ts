// X.509 certificates, read as Go's crypto/x509/parser.go does.

import { sameBytes } from '../channel/bytes.js';
import {
  BIT_STRING,
  bitStringOf,
  context,
  GENERALIZED_TIME,
  INTEGER,
  SEQUENCE,
  UTC_TIME,
  type Element,
} from '../../core/common/certificates/der.js';
import { badCertificate, DerReader, integerOf } from './der.js';
import { timeOf } from './der-time.js';
import { processExtensions, readExtensionList, type Extensions } from './extensions.js';
import { readName, type Name } from './name.js';
import { readPublicKey, type PublicKey } from './public-key.js';
import { readAlgorithm, type SignatureAlgorithm } from './signature-algorithm.js';

/** A certificate. */
export interface Certificate {
  /** The DER. */
  readonly raw: Uint8Array;
  /** The part that is signed, as DER. */
  readonly signed: Uint8Array;
  /** The AlgorithmIdentifier after the signed part, as DER. */
  readonly rawAlgorithm: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
  readonly signature: Uint8Array;
  /** 1 to 3. */
  readonly version: number;
  readonly serial: bigint;
  readonly issuer: Name;
  readonly subject: Name;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: PublicKey;
  readonly extensions: Extensions;
}

/** The maximum size of a certificate, in bytes. */
const MAX_SIZE = 1024 * 1024;
const MAX_VERSION = 3;
/** Go's largest int. */
const MAX_INT = 2n ** 63n - 1n;

/** Reads a certificate. @throws TranslateError with Go's text of the fault that Go finds first */
export function readCertificate(der: Uint8Array): Certificate {
  if (der.length > MAX_SIZE)
    throw badCertificate(`x509: certificate of ${der.length} bytes; at most ${MAX_SIZE} are allowed`);
  const reader = new DerReader(der);
  const outer = reader.read(SEQUENCE, 'x509: malformed certificate');
  const parts = new DerReader(outer.content);
  const signed = parts.read(SEQUENCE, 'x509: malformed tbs certificate');
  const fields = readFields(signed, parts);
  const signature = bitStringOf(parts.read(BIT_STRING, 'x509: malformed signature').content);
  if (signature === undefined) throw badCertificate('x509: malformed signature');
  if (!reader.isEmpty) throw badCertificate('x509: trailing data');
  return { raw: outer.raw, signed: signed.raw, signature: signature.bytes, ...fields };
}

type Fields = Omit<Certificate, 'raw' | 'signed' | 'signature'>;

/** @param parts the reader of what follows the signed part: Go compares the algorithms before it reads the names */
function readFields(signed: Element, parts: DerReader): Fields {
  const reader = new DerReader(signed.content);
  const version = readVersion(reader);
  const serial = integerOf(reader.read(INTEGER, 'x509: malformed serial number').content);
  if (serial === undefined) throw badCertificate('x509: malformed serial number');
  if (serial < 0n) throw badCertificate('x509: negative serial number');
  const innerAlgorithm = reader.read(SEQUENCE, 'x509: malformed signature algorithm identifier');
  const outerAlgorithm = parts.read(SEQUENCE, 'x509: malformed algorithm identifier');
  if (!sameBytes(outerAlgorithm.content, innerAlgorithm.content))
    throw badCertificate("x509: inner and outer signature algorithm identifiers don't match");
  const algorithm = readAlgorithm(innerAlgorithm);
  const issuer = readName(reader.read(SEQUENCE, 'x509: malformed issuer'));
  const validity = reader.enter(SEQUENCE, 'x509: malformed validity');
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  // Go has the word issuer here, too.
  const subject = readName(reader.read(SEQUENCE, 'x509: malformed issuer'));
  const publicKey = readPublicKey(reader.read(SEQUENCE, 'x509: malformed spki').raw);
  const all = version < 2 ? [] : readTail(reader, version);
  return {
    rawAlgorithm: outerAlgorithm.raw,
    algorithm,
    version,
    serial,
    issuer,
    subject,
    notBefore,
    notAfter,
    publicKey,
    extensions: processExtensions(all),
  };
}

/** The optional fields after the key. */
function readTail(reader: DerReader, version: number): Extensions['all'] {
  reader.optional(context(1, false), 'x509: malformed issuerUniqueID');
  reader.optional(context(2, false), 'x509: malformed subjectUniqueID');
  if (version < MAX_VERSION) return [];
  const extensions = reader.optional(context(3, true), 'x509: malformed extensions');
  if (extensions === undefined) return [];
  return readExtensionList(new DerReader(extensions.content).enter(SEQUENCE, 'x509: malformed extensions'));
}

function readVersion(fields: DerReader): number {
  const element = fields.optional(context(0, true), 'x509: malformed version');
  if (element === undefined) return 1;
  const reader = new DerReader(element.content);
  const version = integerOf(reader.read(INTEGER, 'x509: malformed version').content);
  if (version === undefined || !reader.isEmpty || version < 0n || version > MAX_INT)
    throw badCertificate('x509: malformed version');
  if (version >= MAX_VERSION) throw badCertificate('x509: invalid version');
  return Number(version) + 1;
}

/** `parseTime` */
function readTime(validity: DerReader): Date {
  const [kind, tag] =
    validity.nextTag === UTC_TIME
      ? ['UTCTime', UTC_TIME]
      : ['GeneralizedTime', validity.nextTag === GENERALIZED_TIME ? GENERALIZED_TIME : undefined];
  if (tag === undefined) throw badCertificate('x509: unsupported time format');
  const time = timeOf(validity.read(tag, `x509: malformed ${kind}`));
  if (time === undefined) throw badCertificate(`x509: malformed ${kind}`);
  return time;
}
