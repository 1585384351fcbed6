// Computes the keys that could have made an ECDSA signature: at most four for a given hash, at the cost of a few verifications
// (SEC 1, 4.1.6). So a signature need not be verified with each of many CAs with the same name.

import { concatBytes, fromBigint, toBigint } from '../../proto/bytes.js';
import { pointsOf } from '../crypto/index.js';
import type { Curve, EcdsaSignature } from './ecdsa.js';

const UNCOMPRESSED = 4;

/** A point that is not at infinity. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/**
 * The public keys for which a signature over a hash is valid, as uncompressed points; undefined if computing them would not be faster
 * than verifying.
 */
export function signingKeys(
  { r, s }: EcdsaSignature,
  hash: Uint8Array,
  curve: Curve,
): readonly Uint8Array[] | undefined {
  const points = pointsOf(curve.name);
  if (points === undefined) return undefined;
  const { order, prime, size } = curve;
  if (r >= order || s >= order) return [];
  const inverse = inverseOf(r, order);
  const ofR = fromBigint(modulo(s * inverse, order), size);
  const ofBase = modulo(-numberOf(hash, curve) * inverse, order);
  const base = ofBase === 0n ? undefined : readPoint(points.ofBase(fromBigint(ofBase, size)), size);
  const keys: Uint8Array[] = [];
  // x: the coordinate of the point from which r was reduced.
  for (let x = r; x < prime; x += order) {
    const multiple = points.ofPointAt(fromBigint(x, size), ofR);
    if (multiple === undefined) continue;
    const one = readPoint(multiple, size);
    const other = { x: one.x, y: prime - one.y };
    for (const key of base === undefined ? [one, other] : sums(one, other, base, curve))
      keys.push(concatBytes(Uint8Array.of(UNCOMPRESSED), fromBigint(key.x, size), fromBigint(key.y, size)));
  }
  return keys;
}

/** The first bits of a hash, as many as the order has (`hashToNat`). */
function numberOf(hash: Uint8Array, { order }: Curve): bigint {
  const excess = 8 * hash.length - order.toString(2).length;
  return excess > 0 ? toBigint(hash) >> BigInt(excess) : toBigint(hash);
}

function readPoint(bytes: Uint8Array, size: number): Point {
  return { x: toBigint(bytes.subarray(1, 1 + size)), y: toBigint(bytes.subarray(1 + size)) };
}

/** The sums of a point and of its negative with a third point, without the point at infinity. */
function sums(one: Point, negative: Point, other: Point, { prime }: Curve): readonly Point[] {
  const add = ({ x, y }: Point, slope: bigint): Point => {
    const sum = modulo(slope * slope - x - other.x, prime);
    return { x: sum, y: modulo(slope * (x - sum) - y, prime) };
  };
  if (one.x === other.x) return [add(other, 3n * (other.x * other.x - 1n) * inverseOf(2n * other.y, prime))];
  const inverse = inverseOf(one.x - other.x, prime);
  return [one, negative].map((each) => add(each, (each.y - other.y) * inverse));
}

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/** The inverse modulo a prime, by the extended Euclidean algorithm. */
function inverseOf(value: bigint, prime: bigint): bigint {
  let [current, next] = [modulo(value, prime), prime];
  let [factor, nextFactor] = [1n, 0n];
  while (next !== 0n) {
    const quotient = current / next;
    [current, next] = [next, current - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return modulo(factor, prime);
}
