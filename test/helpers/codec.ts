// Bytes on the wire written by hand, and the error of a codec operation.

import { TranslateError } from '../../proto/index.js';

/** Bytes from hexadecimal digits; blanks are passed over. */
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

/** A field that is a number, bool or enum. */
export function numberField(field: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

/** A field that is text, bytes or a message of other fields. */
export function bytesField(field: number, ...content: readonly (Buffer | string)[]): Buffer {
  const joined = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + 2), varint(joined.length), joined]);
}

/**
 * Messages in each other, the innermost one last, in time that grows with their number only.
 *
 * @param before what stands in each message before the field that holds the next one
 * @param fields the fields that hold the next one, each in the one before
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

/** What a program gets of a refused operation: code, message and path. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly path: string;
}

/** How an operation is refused. Any other error, and none, fails the test. */
export function refusal(operation: () => unknown): Refused {
  try {
    operation();
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { code: error.code, message: error.message, path: error.path };
  }
  throw new Error('not refused');
}
