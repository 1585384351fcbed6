// Message -> bytes. Fields are in number order, map entries in key order, unknown fields last, as in Go's deterministic marshaling.

import { util, Writer } from 'protobufjs/minimal.js';
import { compareUtf8 } from './utf8.js';
import { Message, type Value } from './message.js';
import type { FieldType, Kind, MessageType } from './type.js';
import { stringToInt64, uint32Size, varintSize } from './wire.js';

type Msg = Message<MessageType>;
type Values = Value<MessageType>;

/**
 * The bytes of a message. Not recursive, so that no message overflows the stack.
 *
 * The sizes of all messages are computed first: `fork` and `ldelim` of protobufjs' writer move the bytes of a message
 * when its length is written, which is quadratic for nested messages. With the sizes, the writer also needs only one allocation.
 *
 * @returns a view of a larger array; in Node.js a Buffer
 */
export function toBinary(root: Msg): Uint8Array {
  computeSizes(root);
  const writer = Writer.create();
  writer.buf = allocate(root.size + RESERVED);
  // One frame for each level, because one for each message would create much garbage.
  const frames = [new Frame()];
  frames[0]!.begin(root);
  for (let depth = 0; depth >= 0;) {
    const inner = frames[depth]!.writeToNextMessage(writer);
    if (inner === undefined) depth--;
    else (frames[++depth] ??= new Frame()).begin(inner);
  }
  return writer.finish(true);
}

/** More than the additional bytes that protobufjs' writer reserves for a value: two for each character of a string below 128 characters. */
const RESERVED = 512;

/** Browsers have no Buffer. */
const allocate = (size: number): Uint8Array =>
  typeof Buffer === 'undefined' ? new Uint8Array(size) : Buffer.allocUnsafe(size);

/** A message that is being written. Its properties are not `#`, because V8 reads those more slowly. */
class Frame {
  private message: Msg | undefined = undefined;
  private slot = 0;
  /** The number of written values of the current list or map. */
  private written = 0;
  /** The sorted keys of the current map. */
  private keys: readonly string[] = [];

  begin(message: Msg): void {
    this.message = message;
    this.slot = 0;
  }

  /** Writes values up to the content of the next inner message and returns this message; undefined at the end. */
  writeToNextMessage(writer: Writer): Msg | undefined {
    const { slots, descriptor, unknown } = this.message!;
    for (; this.slot < slots.length; this.slot++) {
      const value = slots[this.slot];
      if (value === undefined) continue;
      const field = descriptor.fields[this.slot]!;
      if (field.rule === 'list' || field.rule === 'map') {
        const inner =
          field.rule === 'map'
            ? this.#map(writer, field, value as ReadonlyMap<string, Values>)
            : this.#list(writer, field, value as readonly Values[]);
        if (inner !== undefined) return inner;
        this.written = 0;
      } else if (isWritten(field, value)) {
        writer.uint32(field.tag);
        if (writeValue(writer, field.kind, value)) {
          this.slot++;
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
    while (this.written < values.length) {
      const value = values[this.written++]!;
      writer.uint32(field.tag);
      if (writeValue(writer, field.kind, value)) return value as Msg;
    }
    return undefined;
  }

  #map(writer: Writer, field: FieldType, values: ReadonlyMap<string, Values>): Msg | undefined {
    if (this.written === 0) this.keys = sortedKeys(field, values);
    while (this.written < this.keys.length) {
      const key = this.keys[this.written++]!;
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

/** Writes a value without its tag. For a message it writes only the length, and returns true. */
function writeValue(writer: Writer, kind: Kind, value: Values): boolean {
  switch (kind) {
    case 'message':
    case 'bytes':
    case 'timestamp':
      if (value instanceof Message) {
        writer.uint32(value.size);
        return true;
      }
      writer.bytes(value as Uint8Array);
      break;
    case 'string':
      writer.string(value as string);
      break;
    case 'int32':
    case 'enum':
      writer.int32(value as number);
      break;
    case 'uint32':
      writer.uint32(value as number);
      break;
    case 'bool':
      writer.bool(value as boolean);
      break;
    case 'int64':
    case 'uint64':
      // Without the package `long`, the writer takes the two halves of a 64-bit number.
      writer.uint64(stringToInt64(value as string) as never);
      break;
  }
  return false;
}

/** Returns false for zero values, except in a oneof, and for empty opened bytes. */
function isWritten(field: FieldType, value: Values): boolean {
  if (field.nested || field.oneof !== undefined) return true;
  if (value instanceof Message) return value.size > 0;
  if (typeof value === 'string') return value !== (field.kind === 'string' ? '' : '0');
  return value !== 0 && value !== false && (value as Uint8Array).length !== 0;
}

/** The size of a message while the sizes of its nested messages are computed. */
const PENDING = -1;

/** Sets the sizes of a message and of all nested messages, inner ones first. */
function computeSizes(root: Msg): void {
  const waiting = [root];
  for (let message = waiting.at(-1); message !== undefined; message = waiting.at(-1)) {
    const isFirst = message.size !== PENDING;
    message.size = PENDING;
    if (isFirst && addMessages(waiting, message)) continue;
    message.size = sizeOf(message);
    waiting.pop();
  }
}

/** Adds the nested messages of a message, and returns whether there are any. */
function addMessages(waiting: Msg[], { slots }: Msg): boolean {
  const before = waiting.length;
  // Faster than an iterator; this runs for every value.
  for (let slot = 0; slot < slots.length; slot++) {
    const value = slots[slot];
    if (value instanceof Message) waiting.push(value);
    else if (Array.isArray(value)) {
      for (const each of value) if (each instanceof Message) waiting.push(each);
    } else if (value instanceof Map) {
      for (const each of value.values()) if (each instanceof Message) waiting.push(each);
    }
  }
  return waiting.length > before;
}

function sizeOf({ slots, descriptor: { fields }, unknown }: Msg): number {
  let size = 0;
  for (let slot = 0; slot < slots.length; slot++) {
    const value = slots[slot];
    if (value === undefined) continue;
    const field = fields[slot]!;
    const { kind, tag, rule } = field;
    if (rule === 'list') {
      const values = value as readonly Values[];
      if (!field.packed) for (const each of values) size += uint32Size(tag) + valueSize(kind, each);
      else if (values.length > 0) size += uint32Size(tag) + delimitedSize(packedSize(field, values));
    } else if (rule === 'map') {
      for (const [key, each] of value as ReadonlyMap<string, Values>)
        size += uint32Size(tag) + delimitedSize(entrySize(field, key, each));
    } else if (isWritten(field, value)) size += uint32Size(tag) + valueSize(kind, value);
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

/** The size of a map entry. The tags of its key and its value have one byte each. */
const entrySize = (field: FieldType, key: string, value: Values): number =>
  2 + valueSize(field.keyKind, key) + valueSize(field.kind, value);

/** Strings up to this length are usually ASCII, and a loop is faster for them than Buffer. */
const SHORT_STRING = 40;

const textSize = (text: string): number =>
  text.length <= SHORT_STRING || typeof Buffer === 'undefined'
    ? util.utf8.length(text)
    : Buffer.byteLength(text);

/** The size of a value without its tag. */
function valueSize(kind: Kind, value: Values): number {
  switch (kind) {
    case 'message':
    case 'bytes':
    case 'timestamp':
      return delimitedSize(value instanceof Message ? value.size : (value as Uint8Array).length);
    case 'string':
      return delimitedSize(textSize(value as string));
    case 'int32':
    case 'enum':
      // Negative numbers take ten bytes, as protobuf requires.
      return (value as number) < 0 ? 10 : uint32Size(value as number);
    case 'uint32':
      return uint32Size(value as number);
    case 'bool':
      return 1;
    case 'int64':
    case 'uint64':
      break;
  }
  return varintSize(stringToInt64(value as string));
}
