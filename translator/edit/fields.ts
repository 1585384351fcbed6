// Writes single fields, and changes one field of a serialized message: all other bytes stay as they are.

import { badBytes, WireReader } from '../../proto/wire.js';
import { concatBytes } from '../config/bytes.js';
import { writeBytes, writeInt, writeMessage, written } from '../config/write-message.js';

interface RawField {
  readonly number: number;
  /** With the tag. */
  readonly bytes: Uint8Array;
}

function fieldsOf(message: Uint8Array): RawField[] {
  const fields: RawField[] = [];
  try {
    const reader = new WireReader(message);
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const tag = reader.tag();
      reader.skip(tag);
      fields.push({ number: tag >>> 3, bytes: message.subarray(start, reader.pos) });
    }
    return fields;
  } catch (error) {
    throw badBytes(error);
  }
}

/**
 * Replaces all occurrences of a field.
 *
 * @param replacement the new occurrences with their tags; empty to remove the field
 * @throws TranslateError BAD_BYTES
 */
export function replaceField(message: Uint8Array, number: number, replacement: Uint8Array): Uint8Array {
  const others = fieldsOf(message).filter((field) => field.number !== number);
  const next = others.findIndex((field) => field.number > number);
  const at = next === -1 ? others.length : next;
  const bytes = (fields: readonly RawField[]): Uint8Array[] => fields.map((field) => field.bytes);
  return concatBytes(...bytes(others.slice(0, at)), replacement, ...bytes(others.slice(at)));
}

/** The contents of a field of messages or bytes, one for each occurrence. @throws TranslateError BAD_BYTES */
export function contentsOf(message: Uint8Array, number: number): Uint8Array[] {
  return fieldsOf(message)
    .filter((field) => field.number === number)
    .map(({ bytes }) => {
      const reader = new WireReader(bytes);
      reader.tag();
      return reader.bytes();
    });
}

const UTF8 = new TextEncoder();
/** Wire type of bytes, text and messages. */
const BYTES = 2;
const tagOf = (number: number, wireType: number): number => number * 8 + wireType;

/** A field of bytes; nothing if they are empty. */
export const bytesField = (number: number, value: Uint8Array): Uint8Array =>
  written((writer) => writeBytes(writer, tagOf(number, BYTES), value));

/** A field that is written even if it is empty: an element of a list, or a message. */
export const messageField = (number: number, value: Uint8Array): Uint8Array =>
  written((writer) => writeMessage(writer, tagOf(number, BYTES), value));

/** A field of a number; nothing if it is 0. */
export const numberField = (number: number, value: number): Uint8Array =>
  written((writer) => writeInt(writer, tagOf(number, 0), value));

/** A field of text; nothing if it is empty. */
export const textField = (number: number, text: string): Uint8Array => bytesField(number, UTF8.encode(text));

/** A list of messages or bytes. */
export const listField = (number: number, entries: readonly Uint8Array[]): Uint8Array =>
  concatBytes(...entries.map((entry) => messageField(number, entry)));

/** A list of texts. */
export const textsField = (number: number, texts: readonly string[]): Uint8Array =>
  listField(
    number,
    texts.map((text) => UTF8.encode(text)),
  );
