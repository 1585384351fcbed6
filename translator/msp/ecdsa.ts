// The curves of ECDSA keys, and the forms of ECDSA signatures: DER as Go parses it, low-S, and WebCrypto's form.

import { BIT_STRING, INTEGER, SEQUENCE } from '../../core/common/certificates/der.js';
import { Asn1Error, Asn1Reader } from './asn1.js';
import { concatBytes, fromBigint, toBigint } from '../../proto/bytes.js';

const UNCOMPRESSED = 4;
/** The tag number, without the bit for constructed elements. */
const SEQUENCE_TAG = 16;

/** A curve of ECDSA keys, y² = x³ - 3x + b modulo a prime (FIPS 186-4, D.1.2). */
export interface Curve {
  readonly name: 'P-224' | 'P-256' | 'P-384' | 'P-521';
  readonly oid: string;
  /** The number of bytes of a coordinate. */
  readonly size: number;
  readonly prime: bigint;
  readonly b: bigint;
  /** The order of the base point. */
  readonly order: bigint;
}

/** The curves that Go's crypto/x509 supports. */
export const CURVES: readonly Curve[] = [
  {
    name: 'P-256',
    oid: '1.2.840.10045.3.1.7',
    size: 32,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  {
    name: 'P-384',
    oid: '1.3.132.0.34',
    size: 48,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  {
    name: 'P-521',
    oid: '1.3.132.0.35',
    size: 66,
    prime: 2n ** 521n - 1n,
    b: 0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    order:
      0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
  {
    name: 'P-224',
    oid: '1.3.132.0.33',
    size: 28,
    prime: 2n ** 224n - 2n ** 96n + 1n,
    b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    order: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
  },
];

/**
 * Checks that bytes are an uncompressed point of the curve. Go's crypto/x509 accepts no other form.
 *
 * @returns the text of Go 1.26's `ecdsa.ParseUncompressedPublicKey`; undefined for a point of the curve
 */
export function pointFault(bytes: Uint8Array, curve: Curve): string | undefined {
  const name = curve.name.replace('-', '');
  const { size, prime, b } = curve;
  if (bytes[0] !== UNCOMPRESSED) return 'ecdsa: invalid uncompressed public key';
  if (bytes.length !== 1 + 2 * size) return `invalid ${name} point encoding`;
  const [x, y] = [toBigint(bytes.subarray(1, 1 + size)), toBigint(bytes.subarray(1 + size))];
  if (x >= prime || y >= prime)
    return name === 'P256' ? 'invalid P256 element encoding' : `invalid ${name}Element encoding`;
  // @noble/curves is not used, because loading it takes a tenth of the time of a review.
  return (y * y - (x * x - 3n) * x - b) % prime === 0n ? undefined : `${name} point not on curve`;
}

/** The two integers of a signature. */
export interface EcdsaSignature {
  readonly r: bigint;
  readonly s: bigint;
}

/**
 * Reads a signature (bccsp/utils/ecdsa.go, `UnmarshalECDSASignature`). Bytes after the sequence and further elements in it are ignored.
 *
 * @returns Go's text if it is not a signature
 */
export function readEcdsaSignature(der: Uint8Array): EcdsaSignature | string {
  try {
    const sequence = new Asn1Reader(der).read(SEQUENCE_TAG, 'ECDSASignature');
    const reader = new Asn1Reader(sequence);
    const [r, s] = [reader.readInteger(), reader.readInteger()];
    if (r <= 0n) return 'invalid signature, R must be larger than zero';
    if (s <= 0n) return 'invalid signature, S must be larger than zero';
    return { r, s };
  } catch (error) {
    if (error instanceof Asn1Error) return `failed unmashalling signature [asn1: ${error.message}]`;
    throw error;
  }
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

/** A non-negative INTEGER. */
export function derInteger(value: bigint): Uint8Array {
  const size = Math.floor(value.toString(2).length / 8) + 1;
  return concatBytes(derHeader(INTEGER, size), fromBigint(value, size));
}

/** The maximum s of a signature in low-S form. */
export const halfOrder = (curve: Curve): bigint => curve.order >> 1n;

/** Whether s is at most half of the order. Fabric refuses other signatures (bccsp/utils/ecdsa.go, `IsLowS`). */
export function isLowS({ s }: EcdsaSignature, curve: Curve): boolean {
  return s <= halfOrder(curve);
}

/** The signature with low s. */
export function toLowS({ r, s }: EcdsaSignature, curve: Curve): EcdsaSignature {
  return { r, s: isLowS({ r, s }, curve) ? s : curve.order - s };
}

/** A signature in the form of WebCrypto: r and s, each with the length of a coordinate; undefined if one is too long. */
export function toP1363({ r, s }: EcdsaSignature, curve: Curve): Uint8Array | undefined {
  const { order, size } = curve;
  return r >= order || s >= order ? undefined : concatBytes(fromBigint(r, size), fromBigint(s, size));
}
