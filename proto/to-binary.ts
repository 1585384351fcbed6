// Message -> bytes. Fields are in number order, map entries in key order, unknown fields last, as Go's deterministic marshaling writes
// them.

import { util, Writer } from '#protobufjs';
import { compareUtf8 } from './compare-utf8.js';
import { Message, type Value } from './message.js';
import type { FieldType, Kind, MessageType } from './type.js';
import { stringToInt64, uint32Size, varintSize } from './wire.js';

type Msg = Message<MessageType>;
type Values = Value<MessageType>;

/**
 * The bytes of a message. Not recursive, so that no message overflows the stack.
 *
 * The size of each message is computed before anything is written: `fork` and `ldelim` of protobufjs' writer move the bytes of a message
 * when its length is written, which is quadratic for nested messages.
 *
 * @returns a view of a larger array
 */
export function toBinary(root: Msg): Uint8Array {
  computeSizes(root);
  const writer = Writer.create();
  const outerFrames: Frame[] = [];
  let frame = new Frame(root);
  for (;;) {
    const inner = frame.writeToNextMessage(writer);
    if (inner !== undefined) {
      outerFrames.push(frame);
      frame = new Frame(inner);
      continue;
    }
    const outer = outerFrames.pop();
    if (outer === undefined) return writer.finish(true);
    frame = outer;
  }
}

/** A message that is being written. */
class Frame {
  readonly #message: Msg;
  #slot = 0;
  /** How many values of the current list or map are written. */
  #written = 0;
  /** The sorted keys of the current map. */
  #keys: readonly string[] = [];

  constructor(message: Msg) {
    this.#message = message;
  }

  /** Writes values up to the content of the next inner message and returns that message; undefined when all is written. */
  writeToNextMessage(writer: Writer): Msg | undefined {
    const { slots, descriptor, unknown } = this.#message;
    for (; this.#slot < slots.length; this.#slot++) {
      const value = slots[this.#slot];
      if (value === undefined) continue;
      const field = descriptor.fields[this.#slot]!;
      if (Array.isArray(value) || value instanceof Map) {
        const inner =
          value instanceof Map ? this.#map(writer, field, value) : this.#list(writer, field, value);
        if (inner !== undefined) return inner;
        this.#written = 0;
      } else if (isWritten(field, value)) {
        writer.uint32(field.tag);
        if (writeValue(writer, field.kind, value)) {
          this.#slot++;
          return value as Msg;
        }
      }
    }
    for (const bytes of unknown) writer.raw(bytes);
    return undefined;
  }

  #list(writer: Writer, field: FieldType, values: readonly Values[]): Msg | undefined {
    if (field.packed) {
      if (values.length === 0) return undefined;
      writer.uint32(field.tag).uint32(packedSize(field, values));
      for (const value of values) writeValue(writer, field.kind, value);
      return undefined;
    }
    while (this.#written < values.length) {
      const value = values[this.#written++]!;
      writer.uint32(field.tag);
      if (writeValue(writer, field.kind, value)) return value as Msg;
    }
    return undefined;
  }

  #map(writer: Writer, field: FieldType, values: ReadonlyMap<string, Values>): Msg | undefined {
    if (this.#written === 0) this.#keys = sortedKeys(field, values);
    while (this.#written < this.#keys.length) {
      const key = this.#keys[this.#written++]!;
      const value = values.get(key)!;
      writer
        .uint32(field.tag)
        .uint32(entrySize(field, key, value))
        .uint32(field.keyTag);
      writeValue(writer, field.keyKind, key);
      writer.uint32(field.valueTag);
      if (writeValue(writer, field.kind, value)) return value as Msg;
    }
    return undefined;
  }
}

function sortedKeys({ keyKind }: FieldType, values: ReadonlyMap<string, unknown>): string[] {
  const keys = [...values.keys()];
  return keyKind === 'string'
    ? keys.sort(compareUtf8)
    : keys.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
}

/** Writes a value without its tag; of a message only the length, and returns true. */
function writeValue(writer: Writer, kind: Kind, value: Values): boolean {
  if (value instanceof Message) {
    writer.uint32(value.size);
    return true;
  }
  switch (kind) {
    case 'string':
      writer.string(value as string);
      break;
    case 'bytes':
    case 'message':
    case 'timestamp':
      writer.bytes(value as Uint8Array);
      break;
    case 'bool':
      writer.bool(value as boolean);
      break;
    case 'uint32':
      writer.uint32(value as number);
      break;
    case 'int32':
    case 'enum':
      writer.int32(value as number);
      break;
    case 'int64':
    case 'uint64':
      // Without the package `long`, the writer takes the two halves of a number of 64 bits.
      writer.uint64(stringToInt64(value as string) as never);
      break;
  }
  return false;
}

/** Zero values are absent, except in a oneof; so are opened bytes without content. */
function isWritten(field: FieldType, value: Values): boolean {
  if (value instanceof Message) return field.nested || value.size > 0;
  if (field.oneof !== undefined || field.nested) return true;
  if (typeof value === 'string') return value !== (field.kind === 'string' ? '' : '0');
  return value !== 0 && value !== false && (value as Uint8Array).length !== 0;
}

/** Sets the sizes of a message and of all messages in it. */
function computeSizes(root: Msg): void {
  const messages = [root];
  for (let next = 0; next < messages.length; next++) {
    const { slots } = messages[next]!;
    for (let slot = 0; slot < slots.length; slot++) {
      const value = slots[slot];
      if (value instanceof Message) messages.push(value);
      else if (typeof value === 'object') addMessages(messages, value);
    }
  }
  // The messages in a message come after it.
  for (let index = messages.length - 1; index >= 0; index--) messages[index]!.size = sizeOf(messages[index]!);
}

function addMessages(messages: Msg[], values: Exclude<Values, string | number | boolean>): void {
  if (Array.isArray(values)) {
    for (const value of values) if (value instanceof Message) messages.push(value);
  } else if (values instanceof Map)
    for (const value of values.values()) if (value instanceof Message) messages.push(value);
}

function sizeOf({ slots, descriptor, unknown }: Msg): number {
  let size = 0;
  for (let slot = 0; slot < slots.length; slot++) {
    const value = slots[slot];
    if (value === undefined) continue;
    const field = descriptor.fields[slot]!;
    const tagSize = uint32Size(field.tag);
    if (value instanceof Map)
      for (const [key, each] of value) size += tagSize + delimitedSize(entrySize(field, key, each));
    else if (!Array.isArray(value))
      size += isWritten(field, value) ? tagSize + valueSize(field.kind, value) : 0;
    else if (field.packed) size += value.length === 0 ? 0 : tagSize + delimitedSize(packedSize(field, value));
    else for (const each of value) size += tagSize + valueSize(field.kind, each);
  }
  for (const bytes of unknown) size += bytes.length;
  return size;
}

const delimitedSize = (size: number): number => uint32Size(size) + size;

function packedSize({ kind }: FieldType, values: readonly Values[]): number {
  let size = 0;
  for (const value of values) size += valueSize(kind, value);
  return size;
}

/** The size of a map entry; the tags of its key and its value have one byte each. */
const entrySize = (field: FieldType, key: string, value: Values): number =>
  2 + valueSize(field.keyKind, key) + valueSize(field.kind, value);

/** Strings up to this length are usually ASCII, and a loop is faster for them than Buffer, which browsers do not have. */
const SHORT_STRING = 40;

const textSize = (text: string): number =>
  text.length <= SHORT_STRING || typeof Buffer === 'undefined'
    ? util.utf8.length(text)
    : Buffer.byteLength(text);

/** The size of a value without its tag. */
function valueSize(kind: Kind, value: Values): number {
  if (value instanceof Message) return delimitedSize(value.size);
  switch (kind) {
    case 'string':
      return delimitedSize(textSize(value as string));
    case 'bytes':
    case 'message':
    case 'timestamp':
      return delimitedSize((value as Uint8Array).length);
    case 'bool':
      return 1;
    case 'uint32':
      return uint32Size(value as number);
    case 'int32':
    case 'enum':
      // Negative numbers take ten bytes, as protobuf requires.
      return (value as number) < 0 ? 10 : uint32Size(value as number);
    case 'int64':
    case 'uint64':
      break;
  }
  return varintSize(stringToInt64(value as string));
}
