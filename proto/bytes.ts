// Byte arrays.

import { fromHex, toHex } from '../core/common/text/encoding.js';

export { fromLatin1, toHex, toLatin1 } from '../core/common/text/encoding.js';

/** No bytes: the value of a missing field. */
export const NO_BYTES: Uint8Array = new Uint8Array();

/** Returns true if two arrays have the same bytes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

/** The bytes as one non-negative integer, most significant byte first. */
export function toBigint(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}

/** A non-negative integer in a fixed number of bytes, most significant byte first. */
export function fromBigint(value: bigint, size: number): Uint8Array {
  return fromHex(value.toString(16).padStart(2 * size, '0'));
}

/** The number of bytes that are printed. A certificate has hundreds. */
const PRINTED = 32;

/** The bytes as Go prints them with `%v`: `[48 130 2]`; `[…]` for more than users can use. */
export function printedBytes(bytes: Uint8Array): string {
  return bytes.length > PRINTED ? '[…]' : `[${bytes.join(' ')}]`;
}

/** The bytes of all parts in one array. */
export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array => joinBytes(parts);

/** As {@link concatBytes} for a list of any length; a call has a limited number of arguments. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
