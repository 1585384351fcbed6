// Bytes -> message.

import { TranslateError } from './errors.js';
import { Message, type Value } from './message.js';
import { isMessage, type Field, type Plan } from './plan.js';
import { timestampProblem } from './timestamp.js';
import { badBytes, BYTES, decimal, VARINT, WireReader } from './wire.js';

/** How deep messages may nest in each other, the outermost one included (specification section 4). */
const MAX_DEPTH = 10_000;

/** How many messages, list elements and map entries one message may have. They take many times the memory of their bytes. */
const MAX_VALUES = 2_000_000;

/** Bytes of a message that are still to be read. */
interface Window {
  readonly message: Message;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** What has been found so far. */
interface Reading {
  readonly reader: WireReader;
  /** Messages are put here instead of being read by recursion, so that no input overflows the stack. */
  readonly windows: Window[];
  readonly timestamps: Message[];
  /** How many messages, elements and entries there are. */
  values: number;
}

/**
 * Reads a message with all messages in it. Opaque bytes are left as they are, unknown fields are passed over.
 *
 * @throws TranslateError BAD_BYTES, TOO_LARGE, or BAD_FIELD for a timestamp that has no JSON form
 */
export function readMessage(plan: Plan, bytes: Buffer, parent?: Message): Message {
  const root = new Message(plan, parent);
  const windows: Window[] = [{ message: root, start: 0, end: bytes.length, depth: 1 }];
  const reading: Reading = { reader: new WireReader(bytes), windows, timestamps: [], values: 0 };
  for (let index = 0; index < windows.length; index++) {
    try {
      readWindow(reading, windows[index]!);
    } catch (error) {
      throw firstError(error, reading, index + 1);
    }
  }
  for (const timestamp of reading.timestamps) refuseTimestamp(timestamp, plan);
  return root;
}

function readWindow(reading: Reading, window: Window): void {
  const { reader, windows } = reading;
  const { message, start, end, depth } = window;
  if (depth > MAX_DEPTH) throw new TranslateError('BAD_BYTES', 'proto: exceeded maximum recursion depth');
  const { byNumber } = message.plan;
  reader.pos = start;
  reader.len = end;
  while (reader.pos < end) {
    const tag = reader.tag();
    const number = tag >>> 3;
    const field = number < byNumber.length ? byNumber[number] : undefined;
    if (field === undefined) reader.pass(tag);
    else if (field.rule === 'map' && (tag & 7) === BYTES) readEntry(reading, field, window);
    else if (isMessage(field.kind) && (tag & 7) === BYTES) {
      const child = childOf(reading, message, field);
      const childEnd = reader.end();
      windows.push({ message: child, start: reader.pos, end: childEnd, depth: depth + 1 });
      reader.pos = childEnd;
    } else readScalars(reading, field, tag, message);
  }
}

function count(reading: Reading): void {
  if (++reading.values > MAX_VALUES) {
    throw new TranslateError('TOO_LARGE', `more than ${String(MAX_VALUES)} values in one message`);
  }
}

/** The message that a field's bytes are read into: a new list element, or the one that is there already. */
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

/** Sets a field; another member of its oneof becomes absent. */
function setSlot(message: Message, field: Field, value: Value): void {
  if (field.oneof !== undefined) clearOneof(message, field.oneof);
  message.slots[field.slot] = value;
}

function clearOneof(message: Message, oneof: string): void {
  for (const { oneof: other, slot } of message.plan.fields)
    if (other === oneof) message.slots[slot] = undefined;
}

function listOf(message: Message, field: Field): Value[] {
  return (message.slots[field.slot] ??= []) as Value[];
}

function readScalars(reading: Reading, field: Field, tag: number, message: Message): void {
  const { reader } = reading;
  const wireType = tag & 7;
  if (wireType === valueWireType(field) && field.rule !== 'map') {
    const value = readScalar(reader, field);
    if (field.rule === 'list') pushElement(reading, message, field, value);
    else setSlot(message, field, value);
  } else if (wireType === BYTES && field.packed) {
    const end = reader.end();
    const windowEnd = reader.len;
    reader.len = end;
    while (reader.pos < end) pushElement(reading, message, field, readScalar(reader, field));
    reader.len = windowEnd;
  } else reader.pass(tag);
}

function pushElement(reading: Reading, message: Message, field: Field, value: Value): void {
  count(reading);
  listOf(message, field).push(value);
}

function readScalar(reader: WireReader, { kind, name }: Field): Value {
  switch (kind) {
    case 'string':
      return reader.text();
    case 'bytes':
      return reader.slice();
    case 'bool':
      return reader.truth();
    case 'uint32':
      return reader.low();
    case 'int32':
    case 'enum':
      return reader.low() | 0;
    case 'uint64':
    case 'int64':
      return decimal(reader.halves(), kind === 'int64');
    case 'message':
    case 'timestamp':
      break;
  }
  throw new Error(`no scalar: ${name}`);
}

/** A map entry is a message of a key, field 1, and a value, field 2. A key that comes again replaces the value. */
function readEntry(reading: Reading, field: Field, window: Window): void {
  count(reading);
  const { reader, windows } = reading;
  const entryEnd = reader.end();
  const windowEnd = reader.len;
  reader.len = entryEnd;
  let key = field.keyKind === 'string' ? '' : '0';
  let value: Value | undefined;
  const values: [start: number, end: number][] = [];
  while (reader.pos < entryEnd) {
    const tag = reader.tag();
    if (tag >>> 3 === 1 && (tag & 7) === (field.keyKind === 'string' ? BYTES : VARINT)) {
      key = field.keyKind === 'string' ? reader.text() : decimal(reader.halves(), false);
    } else if (tag >>> 3 === 2 && (tag & 7) === valueWireType(field)) {
      if (isMessage(field.kind)) {
        const end = reader.end();
        values.push([reader.pos, end]);
        reader.pos = end;
      } else value = readScalar(reader, field);
    } else reader.pass(tag);
  }
  reader.len = windowEnd;
  if (isMessage(field.kind)) {
    const child = new Message(field.child(key), window.message, key);
    for (const [start, end] of values) windows.push({ message: child, start, end, depth: window.depth + 1 });
    value = child;
  }
  if (value === undefined && field.content !== undefined) return;
  entriesOf(window.message, field).set(key, value ?? absentValue(field));
}

const valueWireType = ({ kind }: Field): number =>
  kind === 'string' || kind === 'bytes' || isMessage(kind) ? BYTES : VARINT;

function entriesOf(message: Message, field: Field): Map<string, Value> {
  return (message.slots[field.slot] ??= new Map<string, Value>()) as Map<string, Value>;
}

function absentValue({ kind }: Field): Value {
  if (kind === 'string') return '';
  if (kind === 'bytes') return Buffer.alloc(0);
  if (kind === 'bool') return false;
  return kind === 'int64' || kind === 'uint64' ? '0' : 0;
}

/** The error that stands first in the bytes, as a reader by recursion would find it. */
function firstError(error: unknown, { reader, windows }: Reading, next: number): Error {
  let first = error;
  let position = reader.pos;
  // What is found in one of these windows is put behind them.
  const rest: Reading = { reader, windows: windows.slice(next), timestamps: [], values: 0 };
  for (const window of rest.windows) {
    if (window.start >= position) continue;
    try {
      readWindow(rest, window);
    } catch (earlier) {
      if (reader.pos < position) {
        first = earlier;
        position = reader.pos;
      }
    }
  }
  return badBytes(first);
}

function refuseTimestamp(timestamp: Message, plan: Plan): void {
  const problem = timestampProblem(timestamp);
  if (problem !== undefined) throw new TranslateError('BAD_FIELD', `${plan.goType}: proto: ${problem}`);
}
