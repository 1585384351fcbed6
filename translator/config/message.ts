// Reads serialized messages into typed objects: of each message only the fields that a shape names.
//
// Unlike proto/, this needs no schema at run time, so it works in a browser, and the types of the fields are known to the compiler.

import { badBytes, BYTES, int64ToBigint, VARINT, type WireReader } from '../../proto/wire.js';
import { NO_BYTES } from './element.js';
import { tagOf } from './fields.js';
import { readFields, readNested, type ReadField } from './read-fields.js';

/** How a field is read. */
export interface Field<T> {
  readonly tag: number;
  /** The value of an absent field. */
  readonly initial: () => T;
  /** Reads an occurrence; `before` is the value so far. */
  readonly read: (reader: WireReader, before: T) => T;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
/** The fields of a message by name. */
export type Shape = Readonly<Record<string, Field<any>>>;

/** The object that a shape is read into. */
export type MessageOf<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
};

export const text = (number: number): Field<string> => ({
  tag: tagOf(number, BYTES),
  initial: () => '',
  read: (reader) => reader.string(),
});

export const bytes = (number: number): Field<Uint8Array> => ({
  tag: tagOf(number, BYTES),
  initial: () => NO_BYTES,
  read: (reader) => reader.bytes(),
});

export const uint32 = (number: number): Field<number> => ({
  tag: tagOf(number, VARINT),
  initial: () => 0,
  read: (reader) => reader.uint32(),
});

/** Also for enums. */
export const int32 = (number: number): Field<number> => ({
  tag: tagOf(number, VARINT),
  initial: () => 0,
  read: (reader) => reader.uint32() | 0,
});

export const uint64 = (number: number): Field<bigint> => ({
  tag: tagOf(number, VARINT),
  initial: () => 0n,
  read: (reader) => int64ToBigint(reader.varint64()),
});

export const bool = (number: number): Field<boolean> => ({
  tag: tagOf(number, VARINT),
  initial: () => false,
  read: (reader) => reader.bool(),
});

/** A list of strings. */
export const texts = (number: number): Field<readonly string[]> => ({
  tag: tagOf(number, BYTES),
  initial: () => [],
  read: (reader, before) => pushed(before, reader.string()),
});

/** A message that may be absent. Occurrences are merged. */
export const message = <S extends Shape>(number: number, shape: S): Field<MessageOf<S> | undefined> => ({
  tag: tagOf(number, BYTES),
  initial: () => undefined,
  read: (reader, before) => nested(reader, shape, before ?? emptyMessage(shape)),
});

/** A list of messages. */
export const messages = <S extends Shape>(number: number, shape: S): Field<readonly MessageOf<S>[]> => ({
  tag: tagOf(number, BYTES),
  initial: () => [],
  read: (reader, before) => pushed(before, nested(reader, shape, emptyMessage(shape))),
});

/** A list of bytes. */
export const chunks = (number: number): Field<readonly Uint8Array[]> => ({
  tag: tagOf(number, BYTES),
  initial: () => [],
  read: (reader, before) => pushed(before, reader.bytes()),
});

/** A map of strings to messages. */
export const named = <S extends Shape>(
  number: number,
  shape: S,
): Field<ReadonlyMap<string, MessageOf<S>>> => ({
  tag: tagOf(number, BYTES),
  initial: () => new Map<string, MessageOf<S>>(),
  read(reader, before) {
    const entryShape = { key: text(1), value: message(2, shape) };
    const entry = nested(reader, entryShape, emptyMessage(entryShape));
    return (before as Map<string, MessageOf<S>>).set(entry.key, entry.value ?? emptyMessage(shape));
  },
});

/** A message without fields. */
export const emptyMessage = <S extends Shape>(shape: S): MessageOf<S> =>
  Object.fromEntries(Object.entries(shape).map(([name, { initial }]) => [name, initial()])) as MessageOf<S>;

/**
 * Reads a message.
 *
 * @throws TranslateError BAD_BYTES
 */
export function readAs<S extends Shape>(shape: S, encoded: Uint8Array): MessageOf<S> {
  const into = emptyMessage(shape);
  try {
    readFields(encoded, readInto(shape, into));
  } catch (error) {
    throw badBytes(error);
  }
  return into;
}

function nested<S extends Shape>(reader: WireReader, shape: S, into: MessageOf<S>): MessageOf<S> {
  readNested(reader, readInto(shape, into));
  return into;
}

/** Sets the fields of an object. */
function readInto<S extends Shape>(shape: S, into: MessageOf<S>): ReadField {
  const fields = Object.entries(shape);
  const target = into as Record<string, unknown>;
  return (tag, reader) => {
    const field = fields.find(([, each]) => each.tag === tag);
    if (field === undefined) return false;
    target[field[0]] = field[1].read(reader, target[field[0]]);
    return true;
  };
}

function pushed<T>(list: readonly T[], item: T): readonly T[] {
  (list as T[]).push(item);
  return list;
}
