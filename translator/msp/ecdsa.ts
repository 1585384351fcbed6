// ECDSA signatures: DER as Go reads it, the low-S form, and the form of WebCrypto.

import { BIT_STRING, DerReader, INTEGER, integerOf, SEQUENCE } from './der.js';
import { concatBytes } from '../../proto/concat-bytes.js';
import { fromBigint } from '../config/bytes.js';

/** A curve of ECDSA keys. */
export interface Curve {
  readonly name: 'P-256' | 'P-384' | 'P-521';
  readonly oid: string;
  /** The number of bits of the key. */
  readonly bits: number;
  /** The number of bytes of a coordinate. */
  readonly size: number;
  readonly order: bigint;
  /** The prime of the field and the constant of the equation y² = x³ - 3x + b. */
  readonly prime: bigint;
  readonly b: bigint;
}

/** The curves that Go and WebCrypto have in common. */
export const CURVES: readonly Curve[] = [
  {
    name: 'P-256',
    oid: '1.2.840.10045.3.1.7',
    bits: 256,
    size: 32,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  },
  {
    name: 'P-384',
    oid: '1.3.132.0.34',
    bits: 384,
    size: 48,
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  },
  {
    name: 'P-521',
    oid: '1.3.132.0.35',
    bits: 521,
    size: 66,
    order: 2n ** 521n - 0x5ae79787c40d069948033feb708f65a2fc44a36477663b851449048e16ec79bf7n,
    prime: 2n ** 521n - 1n,
    b: 0x051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  },
];

/** The two integers of a signature. */
export interface EcdsaSignature {
  readonly r: bigint;
  readonly s: bigint;
}

/**
 * Reads a signature as Go's `asn1.Unmarshal` (bccsp/utils/ecdsa.go, `UnmarshalECDSASignature`): bytes after the sequence and further
 * elements in it are ignored.
 *
 * @returns Go's text if it is not a signature
 */
export function readEcdsaSignature(der: Uint8Array): EcdsaSignature | string {
  const sequence = new DerReader(der).next();
  if (sequence === undefined) return 'failed unmashalling signature [asn1: syntax error: data truncated]';
  if (sequence.tag !== SEQUENCE)
    return "failed unmashalling signature [asn1: structure error: tags don't match]";
  const reader = new DerReader(sequence.content);
  const [r, s] = [reader.next(), reader.next()].map((each) =>
    each?.tag === INTEGER ? integerOf(each.content) : undefined,
  );
  if (r === undefined || s === undefined)
    return 'failed unmashalling signature [asn1: structure error: integer not minimally-encoded]';
  if (r <= 0n) return 'invalid signature, R must be larger than zero';
  if (s <= 0n) return 'invalid signature, S must be larger than zero';
  return { r, s };
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

function derInteger(value: bigint): Uint8Array {
  const size = Math.floor(value.toString(2).length / 8) + 1;
  return concatBytes(derHeader(INTEGER, size), fromBigint(value, size));
}

/** Whether s is at most half of the order. Fabric refuses other signatures (bccsp/utils/ecdsa.go, `IsLowS`). */
export function isLowS({ s }: EcdsaSignature, { order }: Curve): boolean {
  return s <= order >> 1n;
}

/** The same signature with low s. */
export function toLowS({ r, s }: EcdsaSignature, curve: Curve): EcdsaSignature {
  return { r, s: isLowS({ r, s }, curve) ? s : curve.order - s };
}

/** A signature as WebCrypto takes it: r and s, each as long as a coordinate; undefined if one does not fit. */
export function toP1363({ r, s }: EcdsaSignature, { order, size }: Curve): Uint8Array | undefined {
  return r >= order || s >= order ? undefined : concatBytes(fromBigint(r, size), fromBigint(s, size));
}
