// Checks that opaque bytes are opened as the message that they hold, or not.

import type { ExecutionContext } from 'ava';
import { decode, encode } from '../../proto/index.js';
import { plainDescriptor, descriptorOf } from '../../proto/descriptor.js';
import { readMessage } from '../../proto/read.js';

/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The bytes of a field, not opened. */
function rawField(type: string, data: Uint8Array, field: string): Buffer {
  return readMessage(plainDescriptor(descriptorOf(type)), Buffer.from(data)).get(field) as Buffer;
}

/** The JSON of a message as an object. */
export function decoded(type: string, data: Uint8Array): JsonObject {
  return JSON.parse(decode(type, data)) as JsonObject;
}

/**
 * Checks both directions: the field takes an object of the content's type, writes the bytes of that type, and shows
 * them as such an object.
 *
 * @param around the other fields of the message, on which the content may depend
 */
export function opens(
  t: ExecutionContext,
  type: string,
  field: string,
  content: string,
  inner: JsonObject,
  around: JsonObject = {},
): void {
  const data = encode(type, JSON.stringify({ ...around, [field]: inner }));
  const bytes = encode(content, JSON.stringify(inner));
  t.true(bytes.length > 0, 'an empty message would show nothing');
  t.is(rawField(type, data, field).toString('hex'), Buffer.from(bytes).toString('hex'));
  t.deepEqual(decoded(type, data)[field], decoded(content, bytes));
}
