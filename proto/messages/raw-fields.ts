// The fields of a serialized message as they are on the wire: what does not change keeps its bytes.

import { joinBytes } from '../concat-bytes.js';
import { badBytes, WireReader } from '../wire.js';
import type { MessageType } from './message-type.js';
import { writeMessage, type FieldsOf } from './write-message.js';

/** An occurrence of a field. */
export interface RawField {
  readonly tag: number;
  readonly number: number;
  /** With the tag. */
  readonly bytes: Uint8Array;
}

/** The fields of a message in the order of its bytes, unknown ones too. @throws TranslateError BAD_BYTES */
export function rawFieldsOf(message: Uint8Array): RawField[] {
  const fields: RawField[] = [];
  try {
    const reader = new WireReader(message);
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const tag = reader.tag();
      reader.skipField(tag);
      fields.push({ tag, number: tag >>> 3, bytes: message.subarray(start, reader.pos) });
    }
    return fields;
  } catch (error) {
    throw badBytes(error);
  }
}

/**
 * Replaces all occurrences of some fields. All other bytes stay as they are.
 *
 * @param changed the fields with their new values; zero values remove them
 * @throws TranslateError BAD_BYTES
 */
export function replaceFields<T>(
  type: MessageType<T>,
  message: Uint8Array,
  changed: FieldsOf<T>,
): Uint8Array {
  let fields = rawFieldsOf(message);
  for (const { number, name } of type.fields) {
    if (!Object.hasOwn(changed, name)) continue;
    const bytes = writeMessage<T>(type, { [name]: changed[name as keyof T] } as FieldsOf<T>);
    const others = fields.filter((field) => field.number !== number);
    const next = others.findIndex((field) => field.number > number);
    const at = next === -1 ? others.length : next;
    fields = [...others.slice(0, at), { tag: 0, number, bytes }, ...others.slice(at)];
  }
  return joinBytes(fields.map(({ bytes }) => bytes));
}
