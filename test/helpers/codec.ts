// Serialized fields written by hand, and the error of an operation.

import { TranslateError } from '../../proto/index.js';

/** Bytes from hexadecimal digits; ignores whitespace. */
export function hex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
}

/** A varint of up to 64 bits. */
export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** A number, bool or enum field. */
export function numberField(field: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

/** A string or bytes field, or a message of fields. */
export function bytesField(field: number, ...content: readonly (Uint8Array | string)[]): Buffer {
  const joined = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([varint(field * 8 + 2), varint(joined.length), joined]);
}

/**
 * Nested messages, in time linear in their number.
 *
 * @param before the bytes in each message before the field with the next message
 * @param fields the fields that lead to the next message, each inside the previous one
 */
export function nested(depth: number, before: Buffer, fields: readonly number[], innermost: Buffer): Buffer {
  const parts = [innermost];
  let { length } = innermost;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (let level = 0; level < depth; level++) {
    for (const field of fields.toReversed()) add(Buffer.concat([varint(field * 8 + 2), varint(length)]));
    add(before);
  }
  return Buffer.concat(parts.toReversed());
}

/** Code, message and path of a TranslateError. */
export interface ErrorFields {
  readonly code: string;
  readonly message: string;
  readonly path: string;
}

/** The TranslateError of an operation. Throws any other error, and if there is none. */
export function errorOf(operation: () => unknown): ErrorFields {
  try {
    operation();
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { code: error.code, message: error.message, path: error.path };
  }
  throw new Error('no error');
}
