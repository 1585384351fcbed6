// Reads the fields of one serialized message.

import { WireReader } from '../../proto/wire.js';

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
