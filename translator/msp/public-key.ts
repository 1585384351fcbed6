// Public keys (SubjectPublicKeyInfo) and signature algorithms of certificates and CRLs.

import {
  BIT_STRING,
  INTEGER,
  NULL,
  OID,
  SEQUENCE,
  bitStringOf,
  context,
  oidOf,
  type Element,
} from '../../core/common/certificates/der.js';
import { attempt } from '../../proto/errors.js';
import type { FabricVersion } from '../channel/index.js';
import type { GoVersion } from './releases.js';
import { DerReader, badCertificate, integerOf } from './der.js';
import { CURVES, pointFault, type Curve } from './ecdsa.js';

/** A public key; `unknown` is an algorithm that Go's x509 does not support either. */
export type PublicKey =
  | { readonly type: 'ECDSA'; readonly curve: Curve; readonly point: Uint8Array; readonly spki: Uint8Array }
  | { readonly type: 'Ed25519'; readonly bytes: Uint8Array; readonly spki: Uint8Array }
  | { readonly type: 'RSA'; readonly bits: number; readonly spki: Uint8Array }
  | { readonly type: 'unknown'; readonly oid: string; readonly spki: Uint8Array };

export const RSA = '1.2.840.113549.1.1.1';
export const EC = '1.2.840.10045.2.1';
export const ED25519 = '1.3.101.112';
const ED25519_SIZE = 32;
/** The maximum size of a modulus: larger ones are slow to verify, and neither Go's crypto/x509 nor WebCrypto needs them. */
const MAX_RSA_BITS = 16_384;

/** The minimum size of an RSA key for Go: crypto/rsa, `checkKeySize`, since Go 1.24. */
export const MIN_RSA_BITS = 1024;

/** Reads a public key. @throws TranslateError with Go's text */
export function readPublicKey(spki: Uint8Array, go: GoVersion): PublicKey {
  const outer = new DerReader(spki).enter(SEQUENCE, 'x509: malformed spki');
  const { oid, parameters } = readAlgorithmIdentifier(
    outer.read(SEQUENCE, 'x509: malformed public key algorithm identifier'),
  );
  const bits = bitStringOf(outer.read(BIT_STRING, 'x509: malformed subjectPublicKey').content);
  if (bits === undefined) throw badCertificate('x509: malformed subjectPublicKey');
  switch (oid) {
    case RSA:
      return { type: 'RSA', bits: rsaBits(parameters, bits.bytes), spki };
    case EC:
      return { type: 'ECDSA', ...ecKey(parameters, bits.bytes, go), spki };
    case ED25519:
      if (parameters !== undefined) throw badCertificate('x509: Ed25519 key encoded with illegal parameters');
      if (bits.bytes.length !== ED25519_SIZE) throw badCertificate('x509: wrong Ed25519 public key size');
      return { type: 'Ed25519', bytes: bits.bytes, spki };
    default:
      return { type: 'unknown', oid, spki };
  }
}

/** The types of keys that each version imports, as in its error message. */
const IMPORTED: Readonly<Record<FabricVersion, readonly string[]>> = {
  '2.5': ['ECDSA', 'RSA'],
  '3.0': ['ECDSA', 'ED25519', 'RSA'],
};

/** Fabric's text if a program cannot import a key of a certificate (bccsp/sw/keyimport.go); undefined if it can. */
export function importError({ type }: PublicKey, fabric: FabricVersion): string | undefined {
  const supported = IMPORTED[fabric];
  return supported.includes(type.toUpperCase())
    ? undefined
    : `Failed importing key with opts [&{true}]: Certificate's public key type not recognized. Supported keys: [${supported.join(', ')}]`;
}

/** The algorithm and size of a key: `P-256`, `Ed25519`, `RSA 2048`. */
export function keyText(key: PublicKey): string {
  if (key.type === 'ECDSA') return key.curve.name;
  if (key.type === 'RSA') return `RSA ${key.bits}`;
  return key.type === 'unknown' ? `key of algorithm ${key.oid}` : key.type;
}

function rsaBits(parameters: Element | undefined, bytes: Uint8Array): number {
  if (parameters === undefined || !isNull(parameters))
    throw badCertificate('x509: RSA key missing NULL parameters');
  const key = new DerReader(bytes).enter(SEQUENCE, 'x509: invalid RSA public key');
  const modulus = integerOf(key.read(INTEGER, 'x509: invalid RSA modulus').content);
  const exponent = integerOf(key.read(INTEGER, 'x509: invalid RSA public exponent').content);
  if (modulus === undefined) throw badCertificate('x509: invalid RSA modulus');
  if (exponent === undefined) throw badCertificate('x509: invalid RSA public exponent');
  if (modulus <= 0n) throw badCertificate('x509: RSA modulus is not a positive number');
  if (exponent <= 0n) throw badCertificate('x509: RSA public exponent is not a positive number');
  const bits = modulus.toString(2).length;
  if (bits > MAX_RSA_BITS)
    throw badCertificate(`x509: RSA modulus of ${bits} bits; at most ${MAX_RSA_BITS} are allowed`);
  return bits;
}

function ecKey(
  parameters: Element | undefined,
  point: Uint8Array,
  go: GoVersion,
): { curve: Curve; point: Uint8Array } {
  const oid = parameters?.tag === OID ? oidOf(parameters.content) : undefined;
  if (oid === undefined) throw badCertificate('x509: invalid ECDSA parameters');
  const curve = CURVES.find((each) => each.oid === oid);
  if (curve === undefined) throw badCertificate('x509: unsupported elliptic curve');
  const fault = pointFault(point, curve);
  // `parsePublicKey`; the text of `ecdsa.ParseUncompressedPublicKey` since Go 1.26.
  if (fault !== undefined)
    throw badCertificate(go >= '1.26' ? fault : 'x509: failed to unmarshal elliptic curve point');
  return { curve, point };
}

/** A signature algorithm that Go's x509 supports. */
export interface SignatureAlgorithm {
  readonly name: string;
  readonly key: 'DSA' | 'ECDSA' | 'Ed25519' | 'RSA' | 'unknown';
  /** The hash, as WebCrypto names it; undefined for Ed25519 and unknown algorithms. */
  readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512' | undefined;
  /** The length of the salt of RSA-PSS, in bytes; absent for other algorithms. */
  readonly salt?: number;
}

const ALGORITHMS: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.10040.4.3', { name: 'DSA-SHA1', key: 'DSA', hash: 'SHA-1' }],
  ['2.16.840.1.101.3.4.3.2', { name: 'DSA-SHA256', key: 'DSA', hash: 'SHA-256' }],
  ['1.2.840.10045.4.1', { name: 'ECDSA-SHA1', key: 'ECDSA', hash: 'SHA-1' }],
  ['1.2.840.10045.4.3.2', { name: 'ECDSA-SHA256', key: 'ECDSA', hash: 'SHA-256' }],
  ['1.2.840.10045.4.3.3', { name: 'ECDSA-SHA384', key: 'ECDSA', hash: 'SHA-384' }],
  ['1.2.840.10045.4.3.4', { name: 'ECDSA-SHA512', key: 'ECDSA', hash: 'SHA-512' }],
  ['1.3.101.112', { name: 'Ed25519', key: 'Ed25519', hash: undefined }],
  ['1.2.840.113549.1.1.5', { name: 'SHA1-RSA', key: 'RSA', hash: 'SHA-1' }],
  ['1.2.840.113549.1.1.11', { name: 'SHA256-RSA', key: 'RSA', hash: 'SHA-256' }],
  ['1.2.840.113549.1.1.12', { name: 'SHA384-RSA', key: 'RSA', hash: 'SHA-384' }],
  ['1.2.840.113549.1.1.13', { name: 'SHA512-RSA', key: 'RSA', hash: 'SHA-512' }],
]);

/** An AlgorithmIdentifier: its object identifier, and its parameters if it has any. */
interface AlgorithmIdentifier {
  readonly oid: string;
  readonly parameters: Element | undefined;
}

/** Reads an AlgorithmIdentifier (`parseAI`). @throws TranslateError with Go's text */
function readAlgorithmIdentifier({ content }: Element): AlgorithmIdentifier {
  const reader = new DerReader(content);
  const oid = oidOf(reader.read(OID, 'x509: malformed OID').content);
  if (oid === undefined) throw badCertificate('x509: malformed OID');
  if (reader.isEmpty) return { oid, parameters: undefined };
  const parameters = reader.next();
  if (parameters === undefined) throw badCertificate('x509: malformed parameters');
  return { oid, parameters };
}

const RSA_PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';
/** By the hash: the algorithms of RSA-PSS that Go's x509 supports. */
const PSS_ALGORITHMS: ReadonlyMap<string, SignatureAlgorithm & { readonly salt: number }> = new Map([
  ['2.16.840.1.101.3.4.2.1', { name: 'SHA256-RSAPSS', key: 'RSA', hash: 'SHA-256', salt: 32 }],
  ['2.16.840.1.101.3.4.2.2', { name: 'SHA384-RSAPSS', key: 'RSA', hash: 'SHA-384', salt: 48 }],
  ['2.16.840.1.101.3.4.2.3', { name: 'SHA512-RSAPSS', key: 'RSA', hash: 'SHA-512', salt: 64 }],
]);

/** The signature algorithm of an AlgorithmIdentifier (`getSignatureAlgorithmFromAI`). @throws TranslateError with Go's text */
export function readAlgorithm(element: Element): SignatureAlgorithm {
  const { oid, parameters } = readAlgorithmIdentifier(element);
  const found =
    oid === RSA_PSS
      ? attempt(
          () => pssAlgorithm(parameters),
          () => undefined,
        )
      : ALGORITHMS.get(oid);
  return found ?? { name: oid, key: 'unknown', hash: undefined };
}

/** The algorithm of `RSASSA-PSS-params`; undefined if Go does not support it. @throws TranslateError if they cannot be read */
function pssAlgorithm(parameters: Element | undefined): SignatureAlgorithm | undefined {
  if (parameters?.tag !== SEQUENCE) return undefined;
  const reader = new DerReader(parameters.content);
  const part = (number: number, tag: number): Element =>
    reader.enter(context(number, true), PSS_FAILURE).read(tag, PSS_FAILURE);
  const hash = readAlgorithmIdentifier(part(0, SEQUENCE));
  const mask = readAlgorithmIdentifier(part(1, SEQUENCE));
  const salt = integerOf(part(2, INTEGER).content);
  const trailer = reader.isEmpty ? 1n : integerOf(part(3, INTEGER).content);
  const found = PSS_ALGORITHMS.get(hash.oid);
  if (mask.oid !== MGF1 || mask.parameters === undefined) return undefined;
  const maskHash = readAlgorithmIdentifier(mask.parameters);
  const isUsual =
    [hash, maskHash].every((each) => each.parameters === undefined || isNull(each.parameters)) &&
    maskHash.oid === hash.oid &&
    trailer === 1n;
  return isUsual && salt === BigInt(found?.salt ?? -1) ? found : undefined;
}

const PSS_FAILURE = 'x509: malformed parameters';

const isNull = ({ tag, content }: Element): boolean => tag === NULL && content.length === 0;
