// Serialized message -> Message.

import { TranslateError } from './errors.js';
import { isMessage, Message, type Descriptor, type Field, type Value } from './message.js';
import { timestampProblem } from './timestamp.js';
import type { ValueLimit } from './value-limit.js';
import { badBytes, BYTES, int64ToString, VARINT, WireReader } from './wire.js';

/** How deep messages may be nested, the outermost included; the limit of Go's protobuf runtime. */
const MAX_DEPTH = 10_000;

/** The maximum number of messages, list elements and map entries. They take many times the memory of their bytes. */
const MAX_VALUES = 500_000;

/** The range of bytes of a message that still has to be read. */
interface Pending {
  readonly message: Message;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** The state of reading one message with all messages in it. */
interface Reading {
  readonly reader: WireReader;
  /** A list instead of recursion, so that no input overflows the stack. */
  readonly pending: Pending[];
  readonly timestamps: Message[];
  /** The number of messages, elements and entries so far. */
  values: number;
  /** Limits the values of this message together with others. */
  readonly limit: ValueLimit | undefined;
}

/**
 * Reads a message with all messages in it. Does not open opaque bytes; skips unknown fields.
 *
 * @param limit of the values of the outermost message. @default that of the parent
 * @throws TranslateError BAD_BYTES, TOO_LARGE, or BAD_FIELD for a timestamp without a JSON form
 */
export function readMessage(
  descriptor: Descriptor,
  bytes: Buffer,
  parent?: Message,
  limit = parent?.limit,
): Message {
  const root = new Message(descriptor, parent, '', limit);
  const pending: Pending[] = [{ message: root, start: 0, end: bytes.length, depth: 1 }];
  const reading: Reading = { reader: new WireReader(bytes), pending, timestamps: [], values: 0, limit };
  for (let index = 0; index < pending.length; index++) {
    try {
      readFields(reading, pending[index]!);
    } catch (error) {
      throw firstError(error, reading, index + 1);
    }
  }
  for (const timestamp of reading.timestamps) checkTimestamp(timestamp, descriptor);
  return root;
}

function readFields(reading: Reading, range: Pending): void {
  const { reader, pending } = reading;
  const { message, start, end, depth } = range;
  if (depth > MAX_DEPTH) throw new TranslateError('BAD_BYTES', 'proto: exceeded maximum recursion depth');
  const { byNumber } = message.descriptor;
  reader.pos = start;
  reader.len = end;
  while (reader.pos < end) {
    const tag = reader.tag();
    const number = tag >>> 3;
    const field = number < byNumber.length ? byNumber[number] : undefined;
    if (field === undefined) reader.skipField(tag);
    else if (field.rule === 'map' && (tag & 7) === BYTES) readEntry(reading, field, range);
    else if (isMessage(field.kind) && (tag & 7) === BYTES) {
      const child = childOf(reading, message, field);
      const childEnd = reader.end();
      pending.push({ message: child, start: reader.pos, end: childEnd, depth: depth + 1 });
      reader.pos = childEnd;
    } else readScalars(reading, field, tag, message);
  }
}

function count(reading: Reading): void {
  reading.limit?.add();
  if (++reading.values > MAX_VALUES) {
    throw new TranslateError('TOO_LARGE', `more than ${String(MAX_VALUES)} values in one message`);
  }
}

/** The message to read a value of a field into: a new list element, or the message that the field already has. */
function childOf(reading: Reading, message: Message, field: Field): Message {
  count(reading);
  const present = message.slots[field.slot];
  if (field.rule !== 'list' && present instanceof Message) return present;
  const child = new Message(field.child(''), message);
  if (field.kind === 'timestamp') reading.timestamps.push(child);
  if (field.rule === 'list') listOf(message, field).push(child);
  else setSlot(message, field, child);
  return child;
}

/** Sets a field and clears the other members of its oneof. */
function setSlot(message: Message, field: Field, value: Value): void {
  if (field.oneof !== undefined) clearOneof(message, field.oneof);
  message.slots[field.slot] = value;
}

function clearOneof(message: Message, oneof: string): void {
  for (const { oneof: other, slot } of message.descriptor.fields)
    if (other === oneof) message.slots[slot] = undefined;
}

function listOf(message: Message, field: Field): Value[] {
  return (message.slots[field.slot] ??= []) as Value[];
}

function readScalars(reading: Reading, field: Field, tag: number, message: Message): void {
  const { reader } = reading;
  const wireType = tag & 7;
  if (wireType === field.wireType && field.rule !== 'map') {
    const value = readScalar(reader, field);
    if (field.rule === 'list') pushElement(reading, message, field, value);
    else setSlot(message, field, value);
  } else if (wireType === BYTES && field.packed) {
    const end = reader.end();
    const outerEnd = reader.len;
    reader.len = end;
    while (reader.pos < end) pushElement(reading, message, field, readScalar(reader, field));
    reader.len = outerEnd;
  } else reader.skipField(tag);
}

function pushElement(reading: Reading, message: Message, field: Field, value: Value): void {
  count(reading);
  listOf(message, field).push(value);
}

function readScalar(reader: WireReader, { kind, name }: Field): Value {
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
 */
function readEntry(reading: Reading, field: Field, { message, depth }: Pending): void {
  count(reading);
  const { reader, pending } = reading;
  const entryEnd = reader.end();
  const outerEnd = reader.len;
  reader.len = entryEnd;
  let key = field.keyKind === 'string' ? '' : '0';
  let value: Value | undefined;
  const values: [start: number, end: number][] = [];
  while (reader.pos < entryEnd) {
    const tag = reader.tag();
    if (tag >>> 3 === 1 && (tag & 7) === (field.keyKind === 'string' ? BYTES : VARINT)) {
      key = field.keyKind === 'string' ? reader.string() : int64ToString(reader.varint64(), false);
    } else if (tag >>> 3 === 2 && (tag & 7) === field.wireType) {
      if (isMessage(field.kind)) {
        if (values.length > 0) count(reading);
        const end = reader.end();
        values.push([reader.pos, end]);
        reader.pos = end;
      } else value = readScalar(reader, field);
    } else reader.skipField(tag);
  }
  reader.len = outerEnd;
  if (isMessage(field.kind)) {
    const child = new Message(field.child(key), message, key);
    for (const [start, end] of values) pending.push({ message: child, start, end, depth: depth + 1 });
    value = child;
  }
  if (value === undefined && field.content !== undefined) return;
  entriesOf(message, field).set(key, value ?? absentValue(field));
}

function entriesOf(message: Message, field: Field): Map<string, Value> {
  return (message.slots[field.slot] ??= new Map<string, Value>()) as Map<string, Value>;
}

function absentValue({ kind }: Field): Value {
  if (kind === 'string') return '';
  if (kind === 'bytes') return Buffer.alloc(0);
  if (kind === 'bool') return false;
  return kind === 'int64' || kind === 'uint64' ? '0' : 0;
}

/** The first error in the order of the bytes, which is the one that Go's recursive reader reports. */
function firstError(error: unknown, { reader, pending }: Reading, next: number): Error {
  let first = error;
  let position = reader.pos;
  // Messages found in one of these ranges are appended to them.
  const rest: Reading = { reader, pending: pending.slice(next), timestamps: [], values: 0, limit: undefined };
  for (const range of rest.pending) {
    if (range.start >= position) continue;
    try {
      readFields(rest, range);
    } catch (earlier) {
      if (reader.pos < position) {
        first = earlier;
        position = reader.pos;
      }
    }
  }
  return badBytes(first);
}

function checkTimestamp(timestamp: Message, { goType }: Descriptor): void {
  const problem = timestampProblem(timestamp);
  if (problem !== undefined) throw new TranslateError('BAD_FIELD', `${goType}: proto: ${problem}`);
}
