// Parses X.509 certificates like Go's crypto/x509/parser.go, caches those in PEM, and converts them to low-S form.

import { is, requireTypes } from '../../proto/arguments.js';
import {
  BIT_STRING,
  GENERALIZED_TIME,
  INTEGER,
  SEQUENCE,
  UTC_TIME,
  bitStringOf,
  context,
  type Element,
} from '../../core/common/certificates/der.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { attempt } from '../../proto/errors.js';
import { concatBytes, sameBytes, toLatin1 } from '../../proto/bytes.js';
import { DerReader, badCertificate, integerOf, timeOf } from './der.js';
import {
  derBitString,
  derHeader,
  readEcdsaSignature,
  toLowS,
  writeEcdsaSignature,
  type Curve,
} from './ecdsa.js';
import { FABRIC_3_0, type GoVersion } from './releases.js';
import { isMalformedName } from './alternative-names.js';
import { INHIBIT_ANY_POLICY, POLICY_CONSTRAINTS, POLICY_MAPPINGS } from './certificate-policies.js';
import { processExtensions, readExtensionList, type Extensions } from './extensions.js';
import { readName, type Name } from './name.js';
import {
  MIN_RSA_BITS,
  readAlgorithm,
  readPublicKey,
  type PublicKey,
  type SignatureAlgorithm,
} from './public-key.js';

/** A certificate. */
export interface Certificate {
  /** The version of Go for parsing and verifying it. */
  readonly go: GoVersion;
  /** The DER. */
  readonly raw: Uint8Array;
  /** The signed part, as DER. */
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

/**
 * Reads a certificate with the rules of a version of Go.
 *
 * @throws TranslateError with Go's text of the first fault that Go finds
 */
export function readCertificate(der: Uint8Array, go: GoVersion = FABRIC_3_0.go): Certificate {
  requireTypes({ der }, { der: is.bytes });
  if (der.length > MAX_SIZE)
    throw badCertificate(`x509: certificate of ${der.length} bytes; at most ${MAX_SIZE} are allowed`);
  const reader = new DerReader(der);
  const outer = reader.read(SEQUENCE, 'x509: malformed certificate');
  const parts = new DerReader(outer.content);
  const signed = parts.read(SEQUENCE, 'x509: malformed tbs certificate');
  const fields = readFields(signed, parts, go);
  const signature = bitStringOf(parts.read(BIT_STRING, 'x509: malformed signature').content);
  if (signature === undefined) throw badCertificate('x509: malformed signature');
  if (!reader.isEmpty) throw badCertificate('x509: trailing data');
  return { go, raw: outer.raw, signed: signed.raw, signature: signature.bytes, ...fields };
}

type Fields = Omit<Certificate, 'go' | 'raw' | 'signed' | 'signature'>;

/** @param parts the reader after the signed part: Go compares the algorithms before it reads the names */
function readFields(signed: Element, parts: DerReader, go: GoVersion): Fields {
  const reader = new DerReader(signed.content);
  const version = readVersion(reader);
  const serial = integerOf(reader.read(INTEGER, 'x509: malformed serial number').content);
  if (serial === undefined) throw badCertificate('x509: malformed serial number');
  // `parseCertificate`, since Go 1.23.
  if (go >= '1.23' && serial < 0n) throw badCertificate('x509: negative serial number');
  const innerAlgorithm = reader.read(SEQUENCE, 'x509: malformed signature algorithm identifier');
  const outerAlgorithm = parts.read(SEQUENCE, 'x509: malformed algorithm identifier');
  if (!sameBytes(outerAlgorithm.content, innerAlgorithm.content))
    throw badCertificate("x509: inner and outer signature algorithm identifiers don't match");
  const algorithm = readAlgorithm(innerAlgorithm);
  const issuer = readName(reader.read(SEQUENCE, 'x509: malformed issuer'));
  const validity = reader.enter(SEQUENCE, 'x509: malformed validity');
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  // Go's text also has issuer here.
  const subject = readName(reader.read(SEQUENCE, 'x509: malformed issuer'));
  const publicKey = readPublicKey(reader.read(SEQUENCE, 'x509: malformed spki').raw, go);
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
    extensions: processExtensions(all, go),
  };
}

/** Reads the optional fields after the key. */
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

/** The limits of the cache: the number of certificates, and their size. */
const KEPT = 2000;
const MAX_KEPT_SIZE = 8192;

const KEY = new TextDecoder('latin1');
const known = new Map<string, Certificate>();

/**
 * The certificate in PEM; undefined if the bytes are not PEM. Parsed certificates are cached: an MSP contains its CA several times, and the
 * configs of a channel share most certificates. Results of verifications are stored with the cached certificate.
 *
 * @throws TranslateError with Go's text
 */
export function readPemCertificate(pem: Uint8Array, go: GoVersion = FABRIC_3_0.go): Certificate | undefined {
  requireTypes({ pem }, { pem: is.bytes });
  if (pem.length > MAX_KEPT_SIZE) return read(pem, go);
  const key = `${go} ${KEY.decode(pem)}`;
  const found = known.get(key) ?? read(pem, go);
  if (found === undefined) return undefined;
  // The order of the map is the order of last use.
  known.delete(key);
  known.set(key, found);
  if (known.size > KEPT) known.delete(known.keys().next().value!);
  return found;
}

/** The certificate in PEM; undefined if it cannot be read. */
export function certificateIn(pem: Uint8Array, go?: GoVersion): Certificate | undefined {
  return attempt(
    () => readPemCertificate(pem, go),
    () => undefined,
  );
}

/** Identifies a CA by its name, with which the key begins, and its public key. A renewed CA certificate is the same CA, with the same identities. */
export const caKey = ({ subject, publicKey }: Certificate): string =>
  toLatin1(subject.raw) + toLatin1(publicKey.spki);

function read(pem: Uint8Array, go: GoVersion): Certificate | undefined {
  const block = decodePem(pem);
  return block === undefined ? undefined : readCertificate(block.bytes, go);
}

const MOVED: ReadonlySet<string> = new Set([POLICY_MAPPINGS, POLICY_CONSTRAINTS, INHIBIT_ANY_POLICY]);

/** Whether the verdict on a certificate in PEM can depend on the version of Go. @param go the version to parse it with */
export function dependsOnGo(pem: Uint8Array, go: GoVersion): boolean {
  const certificate = certificateIn(pem, go);
  // A certificate that this version cannot parse may be valid for another one.
  if (certificate === undefined) return certificateIn(pem, '1.22') !== undefined;
  const { serial, publicKey, extensions } = certificate;
  return (
    serial < 0n ||
    (publicKey.type === 'RSA' && publicKey.bits < MIN_RSA_BITS) ||
    extensions.nameConstraints !== undefined ||
    extensions.all.some(({ id }) => MOVED.has(id)) ||
    extensions.alternativeNames?.names.some(isMalformedName) === true
  );
}

/**
 * A certificate with its ECDSA signature in low-S form; the same object if it already is. The signed part is the same array, so that
 * results about the signature of one apply to the other.
 */
export function withLowS(certificate: Certificate, curve: Curve): Certificate {
  const signature = readEcdsaSignature(certificate.signature);
  if (typeof signature === 'string') return certificate;
  const low = writeEcdsaSignature(toLowS(signature, curve));
  if (sameBytes(low, certificate.signature)) return certificate;
  const content = concatBytes(certificate.signed, certificate.rawAlgorithm, derBitString(low));
  return { ...certificate, raw: concatBytes(derHeader(SEQUENCE, content.length), content), signature: low };
}
