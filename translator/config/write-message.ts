// Writes serialized messages.

import { WireWriter } from '../../proto/wire-writer.js';

/**
 * The bytes of a message; `write` writes its last field first, and each tag after its value.
 *
 * @param size the number of bytes to begin with: few for small messages, of which there may be many
 */
export function written(write: (writer: WireWriter) => void, size?: number): Uint8Array {
  const writer = new WireWriter(size);
  write(writer);
  return new Uint8Array(writer.written);
}

/** A field of bytes; nothing if they are empty. */
export function writeBytes(writer: WireWriter, tag: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  writeMessage(writer, tag, bytes);
}

/** A field that is written even if it is empty: an element of a list, or a message. */
export function writeMessage(writer: WireWriter, tag: number, bytes: Uint8Array): void {
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
