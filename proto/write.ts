// Message -> bytes: fields in the order of their numbers, map entries in the order of their keys.

import protobuf from 'protobufjs/minimal.js';
import { compareUtf8 } from './compare-utf8.js';
import { isMessage, Message, type Field, type Kind, type Value } from './message.js';
import { stringToInt64, uint32Size, varintSize, BYTES, VARINT } from './wire.js';

/**
 * The bytes of a message, as Go writes them when asked to be deterministic (specification section 9).
 *
 * @param messages the message and all in it, outer ones before inner ones
 */
export function writeMessage(messages: readonly Message[]): Buffer {
  // Lengths are known before anything is written, so that no bytes are moved to make room for them.
  for (let index = messages.length - 1; index >= 0; index--)
    messages[index]!.size = measure(messages[index]!);
  const root = messages[0]!;
  const writer = new SizedWriter(root.size);
  const frames: Frame[] = [new Frame(root)];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const child = frame.writeToNextMessage(writer);
    if (child === undefined) frames.pop();
    else frames.push(new Frame(child));
  }
  return writer.written();
}

/** protobufjs's writer with room for all that comes. */
class SizedWriter extends protobuf.BufferWriter {
  constructor(size: number) {
    super();
    // The writer asks for three bytes a character before it writes a short text.
    this.buf = Buffer.allocUnsafe(size + 512);
  }

  written(): Buffer {
    return (this.buf as Buffer).subarray(0, this.pos);
  }
}

/** A message that is being written. */
class Frame {
  readonly #message: Message;
  #slot = 0;
  /** Values of the list, or keys of the map, that is being written. */
  #pending: readonly Value[] | undefined;
  #index = 0;

  constructor(message: Message) {
    this.#message = message;
  }

  /** Writes up to and including the length of a message within, which is to be written next; undefined at the end. */
  writeToNextMessage(writer: protobuf.Writer): Message | undefined {
    const { slots, descriptor } = this.#message;
    for (; this.#slot < slots.length; this.#slot++) {
      const value = slots[this.#slot];
      if (value === undefined) continue;
      const field = descriptor.fields[this.#slot]!;
      if (Array.isArray(value) || value instanceof Map) {
        const child = this.#writeValues(writer, field, value);
        if (child !== undefined) return child;
        this.#pending = undefined;
        this.#index = 0;
      } else if (isWritten(field, value)) {
        writer.uint32(field.tag);
        if (value instanceof Message) {
          this.#slot++;
          writer.uint32(value.size);
          return value;
        }
        writeScalar(writer, field.kind, value);
      }
    }
    return undefined;
  }

  #writeValues(
    writer: protobuf.Writer,
    field: Field,
    values: Value[] | Map<string, Value>,
  ): Message | undefined {
    if (field.packed) return writePacked(writer, field, values as Value[]);
    this.#pending ??= values instanceof Map ? sortedKeys(field, values) : values;
    while (this.#index < this.#pending.length) {
      const next = this.#pending[this.#index++]!;
      const value = values instanceof Map ? values.get(next as string)! : next;
      writer.uint32(field.tag);
      if (values instanceof Map) writeEntryUpToValue(writer, field, next as string, value);
      if (value instanceof Message) {
        writer.uint32(value.size);
        return value;
      }
      writeScalar(writer, field.kind, value);
    }
    return undefined;
  }
}

function writePacked(writer: protobuf.Writer, field: Field, values: readonly Value[]): undefined {
  if (values.length === 0) return;
  writer.uint32(field.tag).uint32(packedSize(field, values));
  for (const value of values) writeScalar(writer, field.kind, value);
}

// Keys are field 1 of an entry, values field 2.
function writeEntryUpToValue(writer: protobuf.Writer, field: Field, key: string, value: Value): void {
  writer.uint32(entrySize(field, key, value));
  writeScalar(writer.uint32((1 << 3) | keyWireType(field)), field.keyKind, key);
  writer.uint32((2 << 3) | field.wireType);
}

const keyWireType = ({ keyKind }: Field): number => (keyKind === 'string' ? BYTES : VARINT);

function sortedKeys({ keyKind }: Field, values: ReadonlyMap<string, Value>): string[] {
  const keys = [...values.keys()];
  return keyKind === 'string'
    ? keys.sort(compareUtf8)
    : keys.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
}

function writeScalar(writer: protobuf.Writer, kind: Kind, value: Value): void {
  switch (kind) {
    case 'string':
      writer.string(value as string);
      return;
    case 'bytes':
      writer.bytes(value as Buffer);
      return;
    case 'bool':
      writer.bool(value as boolean);
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
      writer.uint64({ ...stringToInt64(value as string), unsigned: true });
      return;
    case 'message':
    case 'timestamp':
      throw new Error('a message is no scalar');
  }
}

/** The length of a message whose messages are measured already. */
function measure({ descriptor, slots }: Message): number {
  let size = 0;
  for (let slot = 0; slot < slots.length; slot++) {
    const value = slots[slot];
    if (value !== undefined) size += measureField(descriptor.fields[slot]!, value);
  }
  return size;
}

function measureField(field: Field, value: Value): number {
  const { kind, tagSize } = field;
  if (field.packed) return packedSizeWithTag(field, value as Value[]);
  if (Array.isArray(value)) {
    let size = tagSize * value.length;
    for (const element of value) size += valueSize(kind, element);
    return size;
  }
  if (value instanceof Map) {
    let size = tagSize * value.size;
    for (const [key, entry] of value) size += delimited(entrySize(field, key, entry));
    return size;
  }
  return isWritten(field, value) ? tagSize + valueSize(kind, value) : 0;
}

/** Whether a single value is written: messages always, opened bytes when there are any, others unless default. */
function isWritten(field: Field, value: Value): boolean {
  if (value instanceof Message) return value.size > 0 || isMessage(field.kind);
  return field.oneof !== undefined || !isDefault(field.kind, value);
}

function isDefault(kind: Kind, value: Value): boolean {
  if (typeof value === 'string') return value === (kind === 'string' ? '' : '0');
  return value === 0 || value === false || (value instanceof Buffer && value.length === 0);
}

function packedSizeWithTag(field: Field, values: readonly Value[]): number {
  return values.length === 0 ? 0 : field.tagSize + delimited(packedSize(field, values));
}

function packedSize(field: Field, values: readonly Value[]): number {
  return values.reduce<number>((size, value) => size + valueSize(field.kind, value), 0);
}

const delimited = (size: number): number => uint32Size(size) + size;

function entrySize(field: Field, key: string, value: Value): number {
  return 2 + valueSize(field.keyKind, key) + valueSize(field.kind, value);
}

function valueSize(kind: Kind, value: Value): number {
  if (value instanceof Message) return delimited(value.size);
  switch (kind) {
    case 'string':
      return delimited(Buffer.byteLength(value as string));
    case 'bytes':
      return delimited((value as Buffer).length);
    case 'bool':
      return 1;
    case 'uint32':
      return uint32Size(value as number);
    case 'int32':
    case 'enum':
      return varintSize({ low: value as number, high: (value as number) < 0 ? -1 : 0 });
    case 'int64':
    case 'uint64':
      return varintSize(stringToInt64(value as string));
    case 'message':
    case 'timestamp':
      break;
  }
  throw new Error('a message has a size of its own');
}
