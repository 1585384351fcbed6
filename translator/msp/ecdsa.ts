// ECDSA signatures: DER as Go reads it, the low-S form, and the form of WebCrypto.

import { p256, p384, p521 } from '@noble/curves/nist.js';
import type { ECDSA } from '@noble/curves/abstract/weierstrass.js';
import { BIT_STRING, INTEGER, SEQUENCE } from '../../core/common/certificates/der.js';
import { DerReader, integerOf } from './der.js';
import { concatBytes } from '../../proto/concat-bytes.js';
import { fromBigint } from '../channel/bytes.js';

const UNCOMPRESSED = 4;

/** A curve of ECDSA keys. */
export interface Curve {
  readonly name: 'P-256' | 'P-384' | 'P-521';
  readonly oid: string;
  readonly ecdsa: ECDSA;
}

/** The curves that Go and WebCrypto have in common. */
export const CURVES: readonly Curve[] = [
  { name: 'P-256', oid: '1.2.840.10045.3.1.7', ecdsa: p256 },
  { name: 'P-384', oid: '1.3.132.0.34', ecdsa: p384 },
  { name: 'P-521', oid: '1.3.132.0.35', ecdsa: p521 },
];

/** The number of bytes of a coordinate. */
const sizeOf = ({ ecdsa }: Curve): number => ecdsa.Point.Fp.BYTES;

/** The integers modulo the order of the curve. */
const scalars = ({ ecdsa }: Curve): ECDSA['Point']['Fn'] => ecdsa.Point.Fn;

/** Whether some bytes are a point of the curve in uncompressed form, the only one that Go's crypto/x509 takes. */
export function isPoint(bytes: Uint8Array, curve: Curve): boolean {
  if (bytes.length !== 1 + 2 * sizeOf(curve) || bytes[0] !== UNCOMPRESSED) return false;
  try {
    curve.ecdsa.Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}

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
