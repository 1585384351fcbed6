// Byte arrays, without the Buffer of Node.js.

/** No bytes: the value of a missing field. */
export const NO_BYTES: Uint8Array = new Uint8Array();

/** Returns true if two arrays have the same bytes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte]!;
  return text;
}

/** The bytes as one non-negative integer, most significant byte first. */
export function toBigint(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}

/** A non-negative integer in a fixed number of bytes, most significant byte first. */
export function fromBigint(value: bigint, size: number): Uint8Array {
  const digits = value.toString(16).padStart(2 * size, '0');
  return Uint8Array.from({ length: size }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
}

/** Bytes as characters 0 to 255. */
export function toLatin1(bytes: Uint8Array): string {
  let text = '';
  // Limits the number of arguments of one call.
  for (let at = 0; at < bytes.length; at += 8192)
    // `...` would take ten times as long.
    text += String.fromCharCode.apply(undefined, bytes.subarray(at, at + 8192) as unknown as number[]);
  return text;
}

/** Characters 0 to 255 as bytes. */
export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
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
