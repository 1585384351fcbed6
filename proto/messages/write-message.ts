// Writes typed objects as serialized messages: the bytes of Go's deterministic marshalling.

import { compareUtf8 } from '../compare-utf8.js';
import { bigintToInt64 } from '../wire.js';
import { WireWriter } from '../wire-writer.js';
import { ENTRY_KEY, entryValueTag, tagOf, type FieldType, type MessageType } from './message-type.js';

/** The fields of a message to write: absent ones have their zero value, and messages may be serialized already. */
export type FieldsOf<T> = { readonly [K in keyof T]?: Writable<T[K]> | undefined };

type Writable<V> = V extends string | number | bigint | boolean | Uint8Array | undefined
  ? V
  : V extends readonly (infer E)[]
    ? readonly Writable<E>[]
    : V extends ReadonlyMap<string, infer E>
      ? ReadonlyMap<string, Writable<E>>
      : FieldsOf<V> | Uint8Array;

/**
 * Serializes a message: fields in the order of their numbers, entries of maps in the order of their names.
 *
 * @param size the number of bytes to begin with: few for small messages, of which there may be many
 */
export function writeMessage<T>(type: MessageType<T>, message: FieldsOf<T>, size?: number): Uint8Array {
  const writer = new WireWriter(size);
  writeFields(writer, type, message);
  return new Uint8Array(writer.written);
}

/** From the last field to the first, as the writer requires. */
function writeFields(
  writer: WireWriter,
  { fields }: MessageType<unknown>,
  message: Readonly<Record<string, unknown>>,
): void {
  for (let index = fields.length - 1; index >= 0; index--) {
    const field = fields[index]!;
    const value = message[field.name];
    if (value === undefined) continue;
    const tag = tagOf(field);
    if (field.rule === 'list') {
      const list = value as readonly unknown[];
      for (let at = list.length - 1; at >= 0; at--) writeValue(writer, field, tag, list[at]);
    } else if (field.rule === 'map') writeEntries(writer, field, tag, value as ReadonlyMap<string, unknown>);
    else if (field.rule === 'oneof' || !isZero(field, value)) writeValue(writer, field, tag, value);
  }
}

function writeEntries(
  writer: WireWriter,
  field: FieldType,
  tag: number,
  map: ReadonlyMap<string, unknown>,
): void {
  for (const key of [...map.keys()].sort(compareUtf8).toReversed()) {
    const start = writer.length;
    writeValue(writer, field, entryValueTag(field), map.get(key));
    writer.string(key);
    writer.uint32(ENTRY_KEY);
    writer.delimit(start, tag);
  }
}

function isZero({ kind }: FieldType, value: unknown): boolean {
  if (kind === 'bytes') return (value as Uint8Array).length === 0;
  return value === 0 || value === '' || value === false || value === 0n;
}

function writeValue(writer: WireWriter, { kind, type }: FieldType, tag: number, value: unknown): void {
  switch (kind) {
    case 'string':
      writer.string(value as string);
      break;
    case 'bytes':
      writer.bytes(value as Uint8Array);
      break;
    case 'bool':
      writer.uint32(value === true ? 1 : 0);
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
      writer.varint64(bigintToInt64(value as bigint));
      break;
    case 'message':
      writeNested(writer, type!(), value as object);
      break;
  }
  writer.uint32(tag);
}

function writeNested(writer: WireWriter, type: MessageType<unknown>, value: object): void {
  if (value instanceof Uint8Array) {
    writer.bytes(value);
    return;
  }
  const start = writer.length;
  writeFields(writer, type, value as Readonly<Record<string, unknown>>);
  writer.uint32(writer.length - start);
}
