// Writes the fields of a message. A field with its default value is not written.

import { concatBytes } from './bytes.js';

const EMPTY = new Uint8Array();
const BYTES = 2;

/** A field of bytes, text or a message; nothing if it is empty. */
export function bytesField(number: number, value: Uint8Array): Uint8Array {
  return value.length === 0 ? EMPTY : messageField(number, value);
}

/** A field that is written even if it is empty: an element of a list, or a message. */
export function messageField(number: number, value: Uint8Array): Uint8Array {
  return concatBytes(varint(number * 8 + BYTES), varint(value.length), value);
}

/** A field of a number; nothing if it is 0. */
export function numberField(number: number, value: number): Uint8Array {
  return value === 0 ? EMPTY : concatBytes(varint(number * 8), varint(value));
}

/** A varint of a non-negative integer below 2^53. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}
