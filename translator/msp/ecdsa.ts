// ECDSA signatures: DER as Go reads it, the low-S form, and the form of WebCrypto.

import { p256, p384, p521 } from '@noble/curves/nist.js';
import { ecdsa as ecdsaOf, weierstrass, type ECDSA } from '@noble/curves/abstract/weierstrass.js';
import { sha224 } from '@noble/hashes/sha2.js';
import { BIT_STRING, INTEGER, SEQUENCE } from '../../core/common/certificates/der.js';
import { Asn1Error, Asn1Reader } from './asn1.js';
import { integerOf } from './der.js';
import { concatBytes } from '../../proto/concat-bytes.js';
import { fromBigint, toBigint } from '../channel/bytes.js';

const UNCOMPRESSED = 4;
/** The number of the tag, without the bit of constructed elements. */
const SEQUENCE_TAG = 16;

/** A curve of ECDSA keys. */
export interface Curve {
  readonly name: 'P-224' | 'P-256' | 'P-384' | 'P-521';
  readonly oid: string;
  readonly ecdsa: ECDSA;
}

/** FIPS 186-4, D.1.2.2. */
const p224 = ecdsaOf(
  weierstrass({
    p: 2n ** 224n - 2n ** 96n + 1n,
    n: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
    h: 1n,
    a: 2n ** 224n - 2n ** 96n - 2n,
    b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    Gx: 0xb70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21n,
    Gy: 0xbd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34n,
  }),
  sha224,
);

/** The curves that Go's crypto/x509 knows. WebCrypto has no P-224. */
export const CURVES: readonly Curve[] = [
  { name: 'P-256', oid: '1.2.840.10045.3.1.7', ecdsa: p256 },
  { name: 'P-384', oid: '1.3.132.0.34', ecdsa: p384 },
  { name: 'P-521', oid: '1.3.132.0.35', ecdsa: p521 },
  { name: 'P-224', oid: '1.3.132.0.33', ecdsa: p224 },
];

/** The number of bytes of a coordinate. */
const sizeOf = ({ ecdsa }: Curve): number => ecdsa.Point.Fp.BYTES;

/** The integers modulo the order of the curve. */
const scalars = ({ ecdsa }: Curve): ECDSA['Point']['Fn'] => ecdsa.Point.Fn;

/**
 * Why some bytes are not a point of the curve in uncompressed form, the only one that Go's crypto/x509 takes.
 *
 * @returns the text of `ecdsa.ParseUncompressedPublicKey` of Go 1.26; undefined if they are one
 */
export function pointFault(bytes: Uint8Array, curve: Curve): string | undefined {
  const name = curve.name.replace('-', '');
  const { BYTES: size, ORDER: prime } = curve.ecdsa.Point.Fp;
  if (bytes[0] !== UNCOMPRESSED) return 'ecdsa: invalid uncompressed public key';
  if (bytes.length !== 1 + 2 * size) return `invalid ${name} point encoding`;
  const coordinates = [bytes.subarray(1, 1 + size), bytes.subarray(1 + size)];
  if (coordinates.some((each) => toBigint(each) >= prime))
    return name === 'P256' ? 'invalid P256 element encoding' : `invalid ${name}Element encoding`;
  try {
    curve.ecdsa.Point.fromBytes(bytes);
    return undefined;
  } catch {
    return `${name} point not on curve`;
  }
}

/** The two integers of a signature. */
export interface EcdsaSignature {
  readonly r: bigint;
  readonly s: bigint;
}

/**
 * Reads a signature (bccsp/utils/ecdsa.go, `UnmarshalECDSASignature`): bytes after the sequence and further elements in it are ignored.
 *
 * @returns Go's text if it is not a signature
 */
export function readEcdsaSignature(der: Uint8Array): EcdsaSignature | string {
  try {
    const sequence = new Asn1Reader(der).read(SEQUENCE_TAG, 'ECDSASignature');
    const reader = new Asn1Reader(sequence);
    const [r, s] = [integerIn(reader), integerIn(reader)];
    if (r <= 0n) return 'invalid signature, R must be larger than zero';
    if (s <= 0n) return 'invalid signature, S must be larger than zero';
    return { r, s };
  } catch (error) {
    if (error instanceof Asn1Error) return `failed unmashalling signature [asn1: ${error.message}]`;
    throw error;
  }
}

function integerIn(reader: Asn1Reader): bigint {
  const content = reader.read(INTEGER, '');
  if (content.length === 0) throw new Asn1Error('structure', 'empty integer');
  const value = integerOf(content);
  if (value === undefined) throw new Asn1Error('structure', 'integer not minimally-encoded');
  return value;
}

/** Writes a signature as DER. */
export function writeEcdsaSignature({ r, s }: EcdsaSignature): Uint8Array {
  const content = concatBytes(derInteger(r), derInteger(s));
  return concatBytes(derHeader(SEQUENCE, content.length), content);
}

/** The header of a DER element. */
export function derHeader(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  const bytes = fromBigint(BigInt(length), Math.ceil(length.toString(16).length / 2));
  return concatBytes(Uint8Array.of(tag, 0x80 + bytes.length), bytes);
}

/** A BIT STRING without unused bits. */
export function derBitString(bytes: Uint8Array): Uint8Array {
  return concatBytes(derHeader(BIT_STRING, bytes.length + 1), Uint8Array.of(0), bytes);
}

/** An INTEGER that is not negative. */
export function derInteger(value: bigint): Uint8Array {
  const size = Math.floor(value.toString(2).length / 8) + 1;
  return concatBytes(derHeader(INTEGER, size), fromBigint(value, size));
}

/** The largest s of a signature in low-S form. */
export const halfOrder = (curve: Curve): bigint => scalars(curve).ORDER >> 1n;

/** Whether s is at most half of the order. Fabric refuses other signatures (bccsp/utils/ecdsa.go, `IsLowS`). */
export function isLowS({ s }: EcdsaSignature, curve: Curve): boolean {
  return s <= halfOrder(curve);
}

/** The same signature with low s. */
export function toLowS({ r, s }: EcdsaSignature, curve: Curve): EcdsaSignature {
  return { r, s: isLowS({ r, s }, curve) ? s : scalars(curve).neg(s) };
}

/** A signature as WebCrypto takes it: r and s, each as long as a coordinate; undefined if one does not fit. */
export function toP1363({ r, s }: EcdsaSignature, curve: Curve): Uint8Array | undefined {
  const { ORDER } = scalars(curve);
  const size = sizeOf(curve);
  return r >= ORDER || s >= ORDER ? undefined : concatBytes(fromBigint(r, size), fromBigint(s, size));
}
