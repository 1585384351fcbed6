// Checks that opaque bytes are opened as the right message.

import type { ExecutionContext } from 'ava';
import { decode, encode } from '../../proto/index.js';
import { plainDescriptor, descriptorOf } from '../../proto/descriptor.js';
import { readMessage } from '../../proto/open.js';

/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The bytes of a field, without opening them. */
function rawField(type: string, data: Uint8Array, field: string): Buffer {
  return readMessage(plainDescriptor(descriptorOf(type)), Buffer.from(data)).get(field) as Buffer;
}

/** The JSON of a message as an object. */
export function decoded(type: string, data: Uint8Array): JsonObject {
  return JSON.parse(decode(type, data)) as JsonObject;
}

/**
 * Checks both directions: an object in the field is encoded as the bytes of the content type, and these are decoded as an object.
 *
 * @param otherFields the other fields of the message, which may determine the content type
 */
export function opens(
  t: ExecutionContext,
  type: string,
  field: string,
  content: string,
  inner: JsonObject,
  otherFields: JsonObject = {},
): void {
  const data = encode(type, JSON.stringify({ ...otherFields, [field]: inner }));
  const bytes = encode(content, JSON.stringify(inner));
  t.true(bytes.length > 0, 'the content must not be empty');
  t.is(rawField(type, data, field).toString('hex'), Buffer.from(bytes).toString('hex'));
  t.deepEqual(decoded(type, data)[field], decoded(content, bytes));
}
