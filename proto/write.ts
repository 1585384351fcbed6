// Message -> bytes. Fields are in number order, map entries in key order, as Go's deterministic marshaling writes them.

import { compareUtf8 } from './compare-utf8.js';
import { isMessage, Message, type Field, type Kind, type Value } from './message.js';
import { BYTES, stringToInt64, VARINT } from './wire.js';
import { WireWriter } from './wire-writer.js';

/** The fields of a map entry. */
const ENTRY_KEY = 1;
const ENTRY_VALUE = 2;

/** The bytes of a message. Not recursive, so that no message overflows the stack. */
export function writeMessage(root: Message): Buffer {
  const writer = new WireWriter();
  const outerFrames: Frame[] = [];
  let frame = new Frame(root, 0);
  for (;;) {
    const inner = frame.writeToNextMessage(writer);
    if (inner !== undefined) {
      outerFrames.push(frame);
      frame = new Frame(inner, writer.length);
      continue;
    }
    const outer = outerFrames.pop();
    if (outer === undefined) return Buffer.from(writer.written);
    outer.endMessage(writer, frame.start);
    frame = outer;
  }
}

/** A message that is being written, from the last field to the first. */
class Frame {
  /** The length of the output before this message. */
  readonly start: number;
  readonly #message: Message;
  #slot: number;
  /** How many values of the current list or map are still to be written; undefined before its first one. */
  #remaining: number | undefined;
  /** The sorted keys of the current map; undefined for a list. */
  #keys: readonly string[] | undefined;

  constructor(message: Message, start: number) {
    this.#message = message;
    this.#slot = message.slots.length - 1;
    this.start = start;
  }

  /** Writes values up to the next inner message and returns that message; undefined when all values are written. */
  writeToNextMessage(writer: WireWriter): Message | undefined {
    const { slots, descriptor } = this.#message;
    for (; this.#slot >= 0; this.#slot--) {
      const value = slots[this.#slot];
      if (value === undefined) continue;
      if (value instanceof Message) return value;
      const field = descriptor.fields[this.#slot]!;
      if (Array.isArray(value) || value instanceof Map) {
        const inner = this.#writeValues(writer, field, value);
        if (inner !== undefined) return inner;
        this.#remaining = undefined;
      } else if (field.oneof !== undefined || !isDefault(field.kind, value)) {
        writeScalar(writer, field.kind, value);
        writer.uint32(field.tag);
      }
    }
    return undefined;
  }

  /** Writes what precedes the content of the message that `writeToNextMessage` returned; the content was written since `start`. */
  endMessage(writer: WireWriter, start: number): void {
    const field = this.#message.descriptor.fields[this.#slot]!;
    if (this.#remaining === undefined) {
      this.#slot--;
      // Opened bytes without content are absent.
      if (writer.length > start || isMessage(field.kind)) writer.delimit(start, field.tag);
      return;
    }
    writer.uint32(writer.length - start);
    this.#endValue(writer, field, start);
  }

  #writeValues(
    writer: WireWriter,
    field: Field,
    values: readonly Value[] | ReadonlyMap<string, Value>,
  ): Message | undefined {
    if (field.packed) {
      writePacked(writer, field, values as readonly Value[]);
      return undefined;
    }
    if (this.#remaining === undefined) {
      this.#keys = values instanceof Map ? sortedKeys(field, values) : undefined;
      this.#remaining = (this.#keys ?? (values as readonly Value[])).length;
    }
    while (this.#remaining > 0) {
      const index = --this.#remaining;
      const value =
        values instanceof Map
          ? (values.get(this.#keys![index]!) as Value)
          : (values as readonly Value[])[index]!;
      if (value instanceof Message) return value;
      const start = writer.length;
      writeScalar(writer, field.kind, value);
      this.#endValue(writer, field, start);
    }
    return undefined;
  }

  /** Writes what precedes a value of a list or map: its tag and, for a map, its key and the length of the entry. */
  #endValue(writer: WireWriter, field: Field, start: number): void {
    if (this.#keys === undefined) writer.uint32(field.tag);
    else {
      const key = this.#keys[this.#remaining!]!;
      writer.uint32((ENTRY_VALUE << 3) | field.wireType);
      writeScalar(writer, field.keyKind, key);
      writer.uint32((ENTRY_KEY << 3) | (field.keyKind === 'string' ? BYTES : VARINT));
      writer.delimit(start, field.tag);
    }
  }
}

function writePacked(writer: WireWriter, field: Field, values: readonly Value[]): void {
  if (values.length === 0) return;
  const start = writer.length;
  for (let index = values.length - 1; index >= 0; index--) writeScalar(writer, field.kind, values[index]!);
  writer.delimit(start, field.tag);
}

function sortedKeys({ keyKind }: Field, values: ReadonlyMap<string, Value>): string[] {
  const keys = [...values.keys()];
  return keyKind === 'string'
    ? keys.sort(compareUtf8)
    : keys.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
}

/** Writes a scalar without its tag. */
function writeScalar(writer: WireWriter, kind: Kind, value: Value): void {
  switch (kind) {
    case 'string':
      writer.string(value as string);
      return;
    case 'bytes':
      writer.bytes(value as Buffer);
      return;
    case 'bool':
      writer.uint32(value === true ? 1 : 0);
      return;
    case 'uint32':
      writer.uint32(value as number);
      return;
    case 'int32':
    case 'enum':
      writer.int32(value as number);
      return;
    case 'int64':
    case 'uint64':
      writer.varint64(stringToInt64(value as string));
      return;
    case 'message':
    case 'timestamp':
      throw new Error('a message is not a scalar');
  }
}

function isDefault(kind: Kind, value: Value): boolean {
  if (typeof value === 'string') return value === (kind === 'string' ? '' : '0');
  return value === 0 || value === false || (value instanceof Buffer && value.length === 0);
}
