// Serialized message -> Message, with the leniency of Go's protobuf runtime.

import { TranslateError } from './errors.js';
import { MESSAGE_LIMITS, type Limits, type ValueLimit } from './limits.js';
import { Message, type Value } from './message.js';
import type { FieldType, MessageType } from './type.js';
import { badBytes, BYTES, int64ToString, WireReader } from './wire.js';

/** Options for reading a message. */
interface ReadOptions<T extends MessageType> {
  /** @default MESSAGE_LIMITS */
  readonly limits?: Limits;
  /** The message that contains it as opaque bytes. */
  readonly parent?: Message<T> | undefined;
  /** Limits the values of this message together with other messages. @default the limit of the parent */
  readonly limit?: ValueLimit | undefined;
  /** Fields of the outermost message, by slot, with messages that are not read: these have only their `bytes`. */
  readonly unread?: ReadonlySet<number>;
  /** Collects the timestamps in the message. */
  readonly timestamps?: Message<T>[];
  /** The path of errors. */
  readonly path?: string;
}

type Msg = Message<MessageType>;

/** A part of a message that must be read. */
interface Part {
  readonly message: Msg;
  /** Advances while messages in it are read. */
  start: number;
  readonly end: number;
  readonly depth: number;
}

/** The state of reading a message with all nested messages. */
interface Reading {
  readonly reader: WireReader;
  /** A list instead of recursion, so that no input overflows the stack. */
  readonly waiting: Part[];
  readonly limits: Limits;
  readonly limit: ValueLimit | undefined;
  readonly timestamps: Msg[] | undefined;
  readonly unread: ReadonlySet<number> | undefined;
  readonly path: string;
  /** The number of values so far. */
  values: number;
  /** The first deviation from the form that programs write, see {@link fromBinary}. */
  fault: string | undefined;
}

/**
 * Reads a message with all nested messages, in the order of the bytes. Does not open opaque bytes. If a message occurs several times, all
 * occurrences are merged; for other values the last one counts. A known field with another wire type counts as unknown.
 *
 * The result has a `fault` if the bytes are not in the form that programs write, for example
 * `common.ConfigUpdate has an unknown field 99`: because of unknown fields, fields or map entries that occur more than once, or numbers
 * with more bytes than necessary. Such bytes can have another meaning for a program that reads them as another message. Fields and map
 * entries may be in any order, and zero values may be written.
 *
 * @throws TranslateError BAD_BYTES: not wire format, a string that is not UTF-8, or nested too deep; TOO_LARGE
 */
export function fromBinary<T extends MessageType>(
  type: T,
  bytes: Uint8Array,
  options: ReadOptions<T> = {},
): Message<T> {
  const { limits = MESSAGE_LIMITS, parent, limit = parent?.limit, unread, timestamps, path = '' } = options;
  const reader = new WireReader(bytes);
  const root = new Message(type, parent, '', limit);
  root.occurs(reader.buf, 0, bytes.length);
  const reading: Reading = {
    reader,
    waiting: [],
    limits,
    limit,
    timestamps,
    unread,
    path,
    values: 0,
    fault: undefined,
  };
  try {
    let part: Part | undefined = { message: root, start: 0, end: bytes.length, depth: 1 };
    while (part !== undefined) part = readFields(reading, part) ?? reading.waiting.pop();
  } catch (error) {
    throw badBytes(error, path);
  }
  if (reading.fault !== undefined) root.setFault(reading.fault);
  return root;
}

/** Reads fields up to the next nested message, which is returned, or to the end. */
function readFields(reading: Reading, part: Part): Part | undefined {
  const { reader, limits } = reading;
  const { message, end, depth } = part;
  const { byNumber, name } = message.descriptor;
  if (depth > limits.depth)
    throw new TranslateError('BAD_BYTES', 'proto: exceeded maximum recursion depth', reading.path);
  reader.pos = part.start;
  reader.len = end;
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.tag();
    if (reader.hasLongNumber) noteLongNumber(reading, name);
    const number = tag >>> 3;
    const field = number < byNumber.length ? byNumber[number] : undefined;
    let nested: Part | undefined;
    if (field === undefined) skipUnknown(reading, message, start, tag);
    else if (field.rule === 'map' && (tag & 7) === BYTES) nested = readEntry(reading, field, part);
    else if (field.nested && (tag & 7) === BYTES) nested = readNested(reading, field, part);
    else if (!readScalars(reading, field, tag, message)) skipUnknown(reading, message, start, tag);
    if (reader.hasLongNumber) noteLongNumber(reading, name);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function noteLongNumber(reading: Reading, name: string): void {
  reading.fault ??= `${name} has a number that is longer than necessary`;
  reading.reader.hasLongNumber = false;
}

function count(reading: Reading): void {
  reading.limit?.add();
  if (++reading.values > reading.limits.values)
    throw new TranslateError('TOO_LARGE', reading.limits.tooMany, reading.path);
}

function skipUnknown(reading: Reading, message: Msg, start: number, tag: number): void {
  const { reader } = reading;
  reading.fault ??= `${message.descriptor.name} has an unknown field ${tag >>> 3}`;
  count(reading);
  reader.skipField(tag);
  message.addUnknown(reader.buf.subarray(start, reader.pos));
}

/** Reads the length of a message in a field; returns the message if it must be read. */
function readNested(reading: Reading, field: FieldType, part: Part): Part | undefined {
  const { reader, waiting, unread } = reading;
  const child = childOf(reading, part.message, field);
  const end = reader.end();
  const start = reader.pos;
  child.occurs(reader.buf, start, end);
  if (unread !== undefined && part.depth === 1 && unread.has(field.slot)) {
    reader.pos = end;
    return undefined;
  }
  part.start = end;
  waiting.push(part);
  return { message: child, start, end, depth: part.depth + 1 };
}

/** The message for a value of a field: a new list element, or the existing message of the field. */
function childOf(reading: Reading, message: Msg, field: FieldType): Msg {
  count(reading);
  const present = message.slots[field.slot];
  if (field.rule !== 'list' && present instanceof Message) {
    noteRepeated(reading, message, field);
    return present;
  }
  const child = new Message(field.child(''), message);
  if (field.kind === 'timestamp') reading.timestamps?.push(child);
  if (field.rule === 'list') listOf(message, field).push(child);
  else setSlot(reading, message, field, child);
  return child;
}

/** Sets a field and clears the other members of its oneof. */
function setSlot(reading: Reading, message: Msg, field: FieldType, value: Value<MessageType>): void {
  const { slots, descriptor } = message;
  if (slots[field.slot] !== undefined) noteRepeated(reading, message, field);
  if (field.oneof !== undefined)
    for (const { oneof, slot } of descriptor.fields) {
      if (oneof !== field.oneof || slots[slot] === undefined) continue;
      noteRepeated(reading, message, field);
      slots[slot] = undefined;
    }
  slots[field.slot] = value;
}

function noteRepeated(reading: Reading, { descriptor }: Msg, { name }: FieldType): void {
  reading.fault ??= `${descriptor.name} has the field ${name} more than once`;
}

function listOf(message: Msg, field: FieldType): Value<MessageType>[] {
  return (message.slots[field.slot] ??= []) as Value<MessageType>[];
}

/** Reads a scalar, or the scalars of a packed list; returns false if the field has another wire type. */
function readScalars(reading: Reading, field: FieldType, tag: number, message: Msg): boolean {
  const { reader } = reading;
  const wireType = tag & 7;
  if (wireType === field.wireType && field.rule !== 'map') {
    const value = readScalar(reader, field);
    if (field.rule === 'list') pushElement(reading, message, field, value);
    else setSlot(reading, message, field, value);
  } else if (wireType === BYTES && field.packed) {
    const end = reader.end();
    const outerEnd = reader.len;
    reader.len = end;
    while (reader.pos < end) pushElement(reading, message, field, readScalar(reader, field));
    reader.len = outerEnd;
  } else return false;
  return true;
}

function pushElement(reading: Reading, message: Msg, field: FieldType, value: Value<MessageType>): void {
  count(reading);
  listOf(message, field).push(value);
}

function readScalar(reader: WireReader, { kind, name }: FieldType): Value<MessageType> {
  switch (kind) {
    case 'string':
      return reader.string();
    case 'bytes':
      return reader.bytes();
    case 'bool':
      return reader.bool();
    case 'uint32':
      return reader.uint32();
    case 'int32':
    case 'enum':
      return reader.uint32() | 0;
    case 'uint64':
    case 'int64':
      return int64ToString(reader.varint64(), kind === 'int64');
    case 'message':
    case 'timestamp':
      break;
  }
  throw new Error(`not a scalar: ${name}`);
}

/**
 * Reads a map entry: a message with the key as field 1 and the value as field 2. A later entry with the same key replaces an earlier
 * one.
 *
 * @returns the message in the entry, which must be read
 */
function readEntry(reading: Reading, field: FieldType, part: Part): Part | undefined {
  count(reading);
  const { reader, waiting } = reading;
  const { message } = part;
  const entryEnd = reader.end();
  const outerEnd = reader.len;
  reader.len = entryEnd;
  let key: string | undefined;
  let value: Value<MessageType> | undefined;
  let start = -1;
  let end = -1;
  /** The beginnings and ends of additional values. */
  let more: number[] | undefined;
  while (reader.pos < entryEnd) {
    const tag = reader.tag();
    if (tag === field.keyTag) {
      if (key !== undefined) noteRepeatedInEntry(reading, message, field);
      key = field.keyKind === 'string' ? reader.string() : int64ToString(reader.varint64(), false);
    } else if (tag === field.valueTag) {
      if (value !== undefined || start >= 0) noteRepeatedInEntry(reading, message, field);
      if (!field.nested) value = readScalar(reader, field);
      else {
        const valueEnd = reader.end();
        if (start < 0) {
          start = reader.pos;
          end = valueEnd;
        } else {
          count(reading);
          (more ??= []).push(reader.pos, valueEnd);
        }
        reader.pos = valueEnd;
      }
    } else {
      reading.fault ??= `an entry of ${field.name} in ${message.descriptor.name} has an unknown field`;
      count(reading);
      reader.skipField(tag);
      message.countUnknownInEntry();
    }
  }
  reader.len = outerEnd;
  key ??= field.keyKind === 'string' ? '' : '0';
  const child = field.nested ? new Message(field.child(key), message, key) : undefined;
  value ??= child;
  if (value === undefined) {
    if (field.dropsEmptyEntries) return undefined;
    value = absentValue(reader, field);
  }
  const entries = (message.slots[field.slot] ??= new Map()) as Map<string, Value<MessageType>>;
  const { size } = entries;
  entries.set(key, value);
  if (entries.size === size)
    reading.fault ??= `${message.descriptor.name} has two entries of ${field.name} with one name`;
  if (child === undefined || start < 0) return undefined;
  part.start = entryEnd;
  waiting.push(part);
  child.occurs(reader.buf, start, end);
  const depth = part.depth + 1;
  if (more !== undefined) {
    for (let at = 0; at < more.length; at += 2) child.occurs(reader.buf, more[at]!, more[at + 1]!);
    for (let at = more.length - 2; at >= 0; at -= 2)
      waiting.push({ message: child, start: more[at]!, end: more[at + 1]!, depth });
  }
  return { message: child, start, end, depth };
}

function noteRepeatedInEntry(reading: Reading, { descriptor }: Msg, { name }: FieldType): void {
  reading.fault ??= `an entry of ${name} in ${descriptor.name} has its key or value more than once`;
}

/** The value of a map entry without a value. */
function absentValue({ buf }: WireReader, { kind }: FieldType): Value<MessageType> {
  if (kind === 'string') return '';
  if (kind === 'bytes') return buf.subarray(0, 0);
  if (kind === 'bool') return false;
  return kind === 'int64' || kind === 'uint64' ? '0' : 0;
}
