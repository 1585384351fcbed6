// Reads serialized messages into typed objects, with the rules of Go's protobuf runtime.

import { joinBytes } from '../concat-bytes.js';
import { TranslateError } from '../errors.js';
import { badBytes, int64ToBigint, WireReader } from '../wire.js';
import { ENTRY_KEY, entryValueTag, tagOf, type FieldType, type MessageType } from './message-type.js';

/** A message with some fields of messages as bytes. */
export type WithRaw<T, K extends keyof T> = {
  readonly [P in keyof T]: P extends K
    ? T[P] extends readonly unknown[]
      ? readonly Uint8Array[]
      : Uint8Array | undefined
    : T[P];
};

/** Nesting of messages. The types that contain themselves are read level by level, through `raw`. */
const MAX_DEPTH = 100;

/** Elements, entries or, of a field of messages that is kept as bytes, occurrences: they take many times the memory of their bytes. */
const MAX_ELEMENTS = 500_000;

const NO_BYTES = new Uint8Array();

interface Target {
  [field: string]: unknown;
}

/**
 * Reads a message. A message that occurs several times is merged; unknown fields, and known ones with another wire type, are skipped.
 *
 * @param raw fields of messages that are not read: their bytes, all occurrences joined, or those of each element of a list
 * @throws TranslateError BAD_BYTES; TOO_LARGE for a list, map or field of `raw` that occurs more than 500,000 times
 */
export function readMessage<T extends object, K extends keyof T & string = never>(
  type: MessageType<T>,
  bytes: Uint8Array,
  raw: readonly K[] = [],
): WithRaw<T, K> {
  const message = type.empty();
  try {
    const reader = new WireReader(bytes);
    readFields(reader, bytes.length, type, message as Target, raw, 1);
  } catch (error) {
    throw badBytes(error);
  }
  joinOccurrences(type, message as Target, raw);
  return message as WithRaw<T, K>;
}

function readFields(
  reader: WireReader,
  end: number,
  { name, fields }: MessageType<unknown>,
  message: Target,
  raw: readonly string[],
  depth: number,
): void {
  if (depth > MAX_DEPTH) throw new TranslateError('BAD_BYTES', 'proto: exceeded maximum recursion depth');
  const outerEnd = reader.len;
  reader.len = end;
  while (reader.pos < end) {
    const tag = reader.tag();
    const field = fields.find((each) => each.number === tag >>> 3);
    if (field === undefined || tagOf(field) !== tag) {
      reader.skipField(tag);
      continue;
    }
    const before = message[field.name];
    const isRaw = raw.includes(field.name);
    if (field.rule === 'list') {
      limit((before as unknown[]).length, name);
      (before as unknown[]).push(isRaw ? reader.bytes() : readValue(reader, field, undefined, depth));
    } else if (field.rule === 'map') {
      limit((before as Map<string, unknown>).size, name);
      readEntry(reader, field, before as Map<string, unknown>, depth);
    } else {
      if (field.oneof !== undefined) clearOthers(fields, field, message);
      message[field.name] = isRaw
        ? withOccurrence(before as Uint8Array[] | undefined, reader.bytes(), name)
        : readValue(reader, field, before, depth);
    }
  }
  reader.len = outerEnd;
}

/** Reads a value; merges a message with the one that was read `before`. */
function readValue(reader: WireReader, { kind, type }: FieldType, before: unknown, depth: number): unknown {
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
      return int64ToBigint(reader.varint64());
    case 'int64':
      return BigInt.asIntN(64, int64ToBigint(reader.varint64()));
    case 'message':
      break;
  }
  const nested = type!();
  const message = (before ?? nested.empty()) as Target;
  readFields(reader, reader.end(), nested, message, [], depth + 1);
  return message;
}

/** Reads an entry of a map. A missing key is the empty name; a later entry replaces an earlier one with its name. */
function readEntry(reader: WireReader, field: FieldType, map: Map<string, unknown>, depth: number): void {
  const end = reader.end();
  const outerEnd = reader.len;
  reader.len = end;
  const valueTag = entryValueTag(field);
  let key = '';
  let value: unknown;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === ENTRY_KEY) key = reader.string();
    else if (tag === valueTag) value = readValue(reader, field, value, depth);
    else reader.skipField(tag);
  }
  reader.len = outerEnd;
  map.set(key, value ?? zeroOf(field));
}

/** The value of a map entry without one. */
export function zeroOf({ kind, type }: FieldType): unknown {
  if (kind === 'message') return type!().empty();
  if (kind === 'string') return '';
  if (kind === 'bytes') return NO_BYTES;
  if (kind === 'bool') return false;
  return kind === 'int64' || kind === 'uint64' ? 0n : 0;
}

function clearOthers(fields: readonly FieldType[], { oneof, name }: FieldType, message: Target): void {
  for (const other of fields)
    if (other.oneof === oneof && other.name !== name) message[other.name] = undefined;
}

function limit(size: number, name: string): void {
  if (size >= MAX_ELEMENTS)
    throw new TranslateError('TOO_LARGE', `a field of ${name} occurs more than ${MAX_ELEMENTS} times`);
}

function withOccurrence(before: Uint8Array[] | undefined, bytes: Uint8Array, name: string): Uint8Array[] {
  if (before === undefined) return [bytes];
  limit(before.length, name);
  before.push(bytes);
  return before;
}

/** One occurrence stays a view of the input. */
function joinOccurrences({ fields }: MessageType<unknown>, message: Target, raw: readonly string[]): void {
  for (const { name, rule } of fields) {
    const found = message[name] as readonly Uint8Array[] | undefined;
    if (rule === 'list' || found === undefined || !raw.includes(name)) continue;
    message[name] = found.length === 1 ? found[0]! : joinBytes(found);
  }
}
