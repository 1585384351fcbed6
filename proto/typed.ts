// Typed messages: messages as plain objects, with types that are generated from proto/schema (messages.ts). Works in browsers, without the
// schema.

import { joinBytes } from './bytes.js';
import { attempt } from './errors.js';
import { fromBinary } from './from-binary.js';
import { TREE_LIMITS, type Limits } from './limits.js';
import { Message, type Value } from './message.js';
import { toBinary } from './to-binary.js';
import { byNumber, FieldType, type FieldDeclaration, type MessageType as WireType } from './type.js';
import { fieldsOnWire } from './wire.js';

/** A message type. */
export interface MessageType<T> extends WireType {
  /** A message without fields. */
  readonly empty: () => T;
}

/** The declaration of a message type in messages.ts. */
interface Declaration<T> {
  readonly name: string;
  readonly fields: readonly (Omit<FieldDeclaration, 'jsonName'> & {
    /** @default the name */
    readonly jsonName?: string;
    /** The type of messages. */
    // eslint-disable-next-line typescript/no-explicit-any
    readonly type?: () => MessageType<any>;
  })[];
  readonly empty: () => T;
}

/** Makes a message type. */
export function messageType<T>({ name, fields: declared, empty }: Declaration<T>): MessageType<T> {
  const fields = declared.map(
    ({ type, ...field }, slot) =>
      new FieldType({ ...field, jsonName: field.jsonName ?? field.name }, slot, () => type!()),
  );
  return { name, fields, byNumber: byNumber(fields), emptySlots: fields.map(() => undefined), empty };
}

/** A message with some fields of messages as bytes. */
export type WithRaw<T, K extends keyof T> = {
  readonly [P in keyof T]: P extends K
    ? T[P] extends readonly unknown[]
      ? readonly Uint8Array[]
      : Uint8Array | undefined
    : T[P];
};

/**
 * Reads a message. Several occurrences of a message are merged; unknown fields, and known fields with another wire type, are skipped.
 *
 * @param raw fields with messages that are not read: the result has their bytes, all occurrences joined, or for a list the bytes of each element
 * @throws TranslateError BAD_BYTES, TOO_LARGE
 */
export function readMessage<T extends object, K extends keyof T & string = never>(
  type: MessageType<T>,
  bytes: Uint8Array,
  raw: readonly K[] = [],
): WithRaw<T, K> {
  const unread = new Set(
    type.fields.filter(({ jsonName }) => raw.includes(jsonName as K)).map(({ slot }) => slot),
  );
  return objectOf(
    fromBinary<MessageType<object>>(type, bytes, { limits: TREE_LIMITS, unread }),
    unread,
  ) as WithRaw<T, K>;
}

/** The slots of a message by field name. */
export const slotsOf = <T>({ fields }: MessageType<T>): Readonly<Record<keyof T, number>> =>
  Object.fromEntries(fields.map(({ jsonName, slot }) => [jsonName, slot])) as Record<keyof T, number>;

type Typed = Message<MessageType<object>>;

function objectOf({ descriptor, slots }: Typed, unread?: ReadonlySet<number>): object {
  const object = descriptor.empty() as Record<string, unknown>;
  for (let slot = 0; slot < slots.length; slot++) {
    const value = slots[slot];
    if (value === undefined) continue;
    const { kind, jsonName } = descriptor.fields[slot]!;
    const read = (each: Value<MessageType<object>>): unknown =>
      each instanceof Message
        ? unread?.has(slot) === true
          ? each.bytes
          : objectOf(each)
        : kind === 'int64' || kind === 'uint64'
          ? BigInt(each as string)
          : each;
    object[jsonName] = Array.isArray(value)
      ? value.map(read)
      : value instanceof Map
        ? new Map(Array.from(value, ([key, each]) => [key, read(each)]))
        : read(value);
  }
  return object;
}

/** The fields of a message to write: missing fields have their zero value, and nested messages may be serialized bytes. */
export type FieldsOf<T> = { readonly [K in keyof T]?: Writable<T[K]> | undefined };

type Writable<V> = V extends string | number | bigint | boolean | Uint8Array | undefined
  ? V
  : V extends readonly (infer E)[]
    ? readonly Writable<E>[]
    : V extends ReadonlyMap<string, infer E>
      ? ReadonlyMap<string, Writable<E>>
      : FieldsOf<V> | Uint8Array;

/** Serializes a message: fields in number order, map entries in key order. */
export const writeMessage = <T>(type: MessageType<T>, fields: FieldsOf<T>): Uint8Array =>
  new Uint8Array(toBinary(messageOf(type, fields)));

function messageOf(type: WireType, fields: Readonly<Record<string, unknown>>): Message<WireType> {
  const message = new Message(type);
  for (const field of type.fields) {
    const value = fields[field.jsonName];
    if (value === undefined) continue;
    const write = (each: unknown): Value<WireType> => valueOf(field, each);
    message.slots[field.slot] = Array.isArray(value)
      ? value.map(write)
      : value instanceof Map
        ? new Map(Array.from(value as ReadonlyMap<string, unknown>, ([key, each]) => [key, write(each)]))
        : write(value);
  }
  return message;
}

function valueOf(field: FieldType, value: unknown): Value<WireType> {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value !== 'object' || value instanceof Uint8Array
    ? (value as Value<WireType>)
    : messageOf(field.child(''), value as Readonly<Record<string, unknown>>);
}

/**
 * Replaces all occurrences of some fields. All other bytes are preserved, including unknown fields.
 *
 * @param changed the fields with their new values; zero values remove them
 * @throws TranslateError BAD_BYTES
 */
export function replaceFields<T>(
  type: MessageType<T>,
  message: Uint8Array,
  changed: FieldsOf<T>,
): Uint8Array {
  let fields = Array.from(fieldsOnWire(message), ({ tag, start, end }) => ({
    number: tag >>> 3,
    bytes: message.subarray(start, end),
  }));
  for (const { number, jsonName } of type.fields) {
    if (!Object.hasOwn(changed, jsonName)) continue;
    const bytes = writeMessage<T>(type, { [jsonName]: changed[jsonName as keyof T] } as FieldsOf<T>);
    const others = fields.filter((field) => field.number !== number);
    const next = others.findIndex((field) => field.number > number);
    const at = next === -1 ? others.length : next;
    fields = [...others.slice(0, at), { number, bytes }, ...others.slice(at)];
  }
  return joinBytes(fields.map(({ bytes }) => bytes));
}

/**
 * Why a serialized message is not in the form that programs write, see `fromBinary`, or why it cannot be read; undefined if it has this form.
 * Messages inside `bytes` fields are not read.
 *
 * @param limits the limits of the reader. @default the limits of {@link readMessage}
 */
export function canonicalFault<T>(
  type: MessageType<T>,
  bytes: Uint8Array,
  limits: Limits = TREE_LIMITS,
): string | undefined {
  return attempt(
    () => fromBinary<WireType>(type, bytes, { limits }).fault,
    ({ message }) => message,
  );
}
