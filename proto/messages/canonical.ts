// Whether a message has one meaning only. Bytes with unknown or repeated fields can mean something else to a program that reads them as
// another message: a signature on them would count there, too.

import type { FieldType, MessageType } from './message-type.js';
import { tagOf, entryValueTag, ENTRY_KEY } from './message-type.js';

/**
 * Why a serialized message is not in the form that programs write, for example `common.ConfigUpdate has an unknown field 99`; undefined
 * if it is. Fields and entries of maps may be in any order, and zero values may be present. Messages inside of `bytes` are not read.
 *
 * @param bytes a message that can be read
 */
export function canonicalFault<T>(type: MessageType<T>, bytes: Uint8Array): string | undefined {
  try {
    checkMessage(new Bytes(bytes, 0, bytes.length), type, 1);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

class Fault extends Error {}

/** A range of bytes that is read once. */
class Bytes {
  readonly #bytes: Uint8Array;
  #position: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    if (end > bytes.length) throw new Fault('the message is truncated');
    this.#bytes = bytes;
    this.#position = start;
    this.end = end;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.end;
  }

  /** Reads a varint; what is beyond 53 bits is lost. */
  varint(where: string): number {
    let [value, factor] = [0, 1];
    for (let size = 1; ; size++) {
      const byte = this.#bytes[this.#position++];
      if (byte === undefined || this.#position > this.end) throw new Fault('the message is truncated');
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
      if (byte >= 0x80) continue;
      if (size > 1 && byte === 0) throw new Fault(`${where} has a number that is longer than necessary`);
      return value;
    }
  }

  /** The content of a field with a length. */
  content(where: string): Bytes {
    const size = this.varint(where);
    const inner = new Bytes(this.#bytes, this.#position, this.#position + size);
    if (inner.end > this.end) throw new Fault('the message is truncated');
    this.#position = inner.end;
    return inner;
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes.subarray(this.#position, this.end));
  }
}

const BYTES = 2;
/** Nesting of messages. */
const MAX_DEPTH = 200;

function checkMessage(bytes: Bytes, type: MessageType<unknown>, depth: number): void {
  if (depth > MAX_DEPTH) throw new Fault(`${type.name} is nested more than ${MAX_DEPTH} levels deep`);
  const seen = new Set<FieldType | string>();
  const names = new Map<FieldType, Set<string>>();
  while (!bytes.isAtEnd) {
    const field = fieldAt(bytes, type);
    if (field.rule === 'map') {
      const known = names.get(field) ?? new Set<string>();
      names.set(field, known);
      checkEntry(bytes.content(type.name), field, { where: type.name, known, depth });
      continue;
    }
    const once = field.oneof ?? field;
    if (field.rule !== 'list' && seen.has(once))
      throw new Fault(`${type.name} has the field ${nameOf(field)} more than once`);
    seen.add(once);
    checkValue(bytes, field, type.name, depth);
  }
}

function fieldAt(bytes: Bytes, { name, fields }: MessageType<unknown>): FieldType {
  const tag = bytes.varint(name);
  const field = fields.find((each) => tagOf(each) === tag);
  if (field === undefined) throw new Fault(`${name} has an unknown field ${Math.floor(tag / 8)}`);
  return field;
}

function checkValue(bytes: Bytes, field: FieldType, where: string, depth: number): void {
  if (field.kind === 'message') checkMessage(bytes.content(where), field.type!(), depth + 1);
  else if ((tagOf(field) & 7) === BYTES) bytes.content(where);
  else bytes.varint(where);
}

function checkEntry(
  entry: Bytes,
  field: FieldType,
  { where, known, depth }: { readonly where: string; readonly known: Set<string>; readonly depth: number },
): void {
  const seen = new Set<number>();
  let key = '';
  while (!entry.isAtEnd) {
    const tag = entry.varint(where);
    const isKnown = tag === ENTRY_KEY || tag === entryValueTag(field);
    if (!isKnown) throw new Fault(`an entry of ${nameOf(field)} in ${where} has an unknown field`);
    if (seen.has(tag))
      throw new Fault(`an entry of ${nameOf(field)} in ${where} has its key or value more than once`);
    seen.add(tag);
    if (tag === ENTRY_KEY) key = entry.content(where).text();
    else checkValue(entry, { ...field, rule: '' }, where, depth);
  }
  if (known.has(key)) throw new Fault(`${where} has two entries of ${nameOf(field)} with one name`);
  known.add(key);
}

/** The name of a field in Fabric's protobuf files. */
const nameOf = ({ name }: FieldType): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
