// Reads and writes the fields of one message.

import { WireReader } from '../../proto/wire.js';
import { WireWriter } from '../../proto/wire-writer.js';

/** Reads the value of a known field and returns true; returns false for an unknown field, which is then skipped. */
export type ReadField = (tag: number, reader: WireReader) => boolean;

/**
 * Reads all fields of a message.
 *
 * @throws WireError, StringError
 */
export function readFields(bytes: Uint8Array, field: ReadField): void {
  readUntilEnd(new WireReader(bytes), bytes.length, field);
}

/** Reads the fields of a message that is the next value of a reader. */
export function readNested(reader: WireReader, field: ReadField): void {
  readUntilEnd(reader, reader.end(), field);
}

function readUntilEnd(reader: WireReader, end: number, field: ReadField): void {
  const outerEnd = reader.len;
  reader.len = end;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (!field(tag, reader)) reader.skip(tag);
  }
  reader.len = outerEnd;
}

/**
 * The bytes of a message; `write` writes its last field first, and each tag after its value.
 *
 * @param size the number of bytes to begin with: few for small messages, of which there may be many
 */
export function written(write: (writer: WireWriter) => void, size?: number): Uint8Array {
  const writer = new WireWriter(size);
  write(writer);
  return writer.written.slice();
}

/** A field of bytes; nothing if they are empty. */
export function writeBytes(writer: WireWriter, tag: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  writer.bytes(bytes);
  writer.uint32(tag);
}

/** A field of a string; nothing if it is empty. */
export function writeString(writer: WireWriter, tag: number, text: string): void {
  if (text === '') return;
  writer.string(text);
  writer.uint32(tag);
}

/** A field of a signed integer; nothing if it is zero. */
export function writeInt(writer: WireWriter, tag: number, value: number): void {
  if (value === 0) return;
  writer.int32(value);
  writer.uint32(tag);
}
