// A message in memory, between bytes and JSON text or a typed object, and the descriptor of its type for JSON.

import { joinBytes, NO_BYTES } from './bytes.js';
import type { Line } from './json-text.js';
import type { ValueLimit } from './limits.js';
import type { EnumType } from './registry.js';
import type { FieldType, MessageType } from './type.js';

/** What a rule of opaque bytes reads: a message, or an object of a document that is written without one. */
export interface Readable {
  readonly descriptor: Descriptor;
  /** The message that contains this one, directly or as opaque bytes. */
  readonly parent: Readable | undefined;
  /** The key of the map entry whose value this message is. */
  readonly key: string;
  /** The value of a field that is not a list or map, by its name; undefined if it is absent. A message is a `Readable`. */
  readonly get: (field: string) => unknown;
  /** The value of a 32-bit number or enum field; 0 if it is absent. */
  readonly int: (field: string) => number;
}

/** Opens a bytes field: returns the message in it, or the bytes if they are not one; undefined if it is absent or empty. */
export type OpenField = (message: Readable, field: string) => Readable | Buffer | undefined;

/** The reason why opaque bytes cannot be opened, as Fabric's configtxlator words it. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** What JSON needs to know about a field. */
export interface JsonField {
  /** The full name of the message or enum, or the scalar type. */
  readonly type: string;
  /** `"name": ` */
  readonly label: Line;
  /** The JSON member for an absent value; undefined if an absent value is not printed. */
  readonly absent: Line | undefined;
  readonly enum: EnumType | undefined;
  /**
   * Whether Fabric's protolator handles the field itself: opaque bytes in it and below it are opened, and encoding accepts it under its
   * original name only. All other fields are plain: protojson handles them with everything below.
   */
  readonly traversed: boolean;
  /** Finds what the bytes in the field hold, `key` being that of a map entry; undefined if they are never opened. */
  readonly content:
    | ((message: Readable, key: string, openField: OpenField) => Descriptor | Refusal)
    | undefined;
  /** A hint for the error about an unknown field in the content of the bytes. */
  readonly hint: ((unknownField: string) => string | undefined) | undefined;
  /** The descriptor of the messages in the field; `key` is that of the map entry. */
  readonly child: (key: string) => Descriptor;
}

/** A field of a message type, with what JSON needs. */
export type Field = Omit<FieldType, 'child'> & JsonField;

/** A message type with one set of opaque-field rules. */
export interface Descriptor extends MessageType {
  readonly goType: string;
  readonly fields: readonly Field[];
  readonly byNumber: readonly (Field | undefined)[];
  /** In the order of names, as they are printed. */
  readonly sortedFields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** The traversed fields in the order in which Fabric's protolator visits them. */
  readonly traversedFields: readonly Field[];
  /** By camelCase name; only fields whose camelCase name is not the original name. */
  readonly byJsonName: ReadonlyMap<string, Field>;
}

/**
 * A value of a field. 64-bit integers are decimal strings, enums are numbers. A message that is written may be bytes where it is
 * serialized already.
 */
export type Value<T extends MessageType = Descriptor> =
  | string
  | number
  | boolean
  | Uint8Array
  | Message<T>
  | Value<T>[]
  | Map<string, Value<T>>;

interface More {
  /** Where the message occurs again. */
  ranges?: { readonly start: number; readonly end: number }[];
  unknown?: Uint8Array[];
  fault?: string;
}

/** A message: one slot for each field of its type; undefined for absent fields. */
export class Message<T extends MessageType = Descriptor> {
  readonly descriptor: T;
  /** The message that contains this one, directly or as opaque bytes. */
  readonly parent: Message<T> | undefined;
  /** The key of the map entry whose value this message is. */
  readonly key: string;
  /** Opaque bytes that were given as JSON objects are a Message here. */
  readonly slots: (Value<T> | undefined)[];
  /** Limits the values of the outermost message, with those in opaque bytes. */
  readonly limit: ValueLimit | undefined;
  /** The size in bytes while the message is written. */
  size = 0;
  // Not `#`: V8 makes objects with such fields more slowly, and there are many messages.
  /** The bytes that the message was read from, up to its first occurrence. */
  private input: Uint8Array | undefined = undefined;
  private start = 0;
  private end = 0;
  /** What few messages have. */
  private more: More | undefined = undefined;

  constructor(descriptor: T, parent?: Message<T>, key = '', limit = parent?.limit) {
    this.descriptor = descriptor;
    this.parent = parent;
    this.key = key;
    this.slots = descriptor.emptySlots.slice();
    this.limit = limit;
  }

  /** The value of a field by its name; undefined if it is absent. */
  get(field: string): Value<T> | undefined {
    return this.slots[this.descriptor.fields.find(({ name }) => name === field)!.slot];
  }

  /** The value of a 32-bit number or enum field; 0 if it is absent. */
  int(field: string): number {
    return (this.get(field) as number | undefined) ?? 0;
  }

  /**
   * The bytes that the message was read from: a view of the input, or a copy of all parts of a message that occurs several times. Joined
   * when they are needed, because a message contains the parts of all messages in it.
   */
  get bytes(): Uint8Array {
    const input = this.input ?? NO_BYTES;
    const first = input.subarray(this.start, this.end);
    const others = this.more?.ranges;
    if (others === undefined) return first;
    return joinBytes([first, ...others.map(({ start, end }) => input.subarray(start, end))]);
  }

  /** The unknown fields with their tags. */
  get unknown(): readonly Uint8Array[] {
    return this.more?.unknown ?? NOTHING;
  }

  /** Of a message that was read: why its bytes are not in the form that programs write, see `fromBinary`. */
  get fault(): string | undefined {
    return this.more?.fault;
  }

  /** Adds an unknown field with its tag. */
  addUnknown(field: Uint8Array): void {
    ((this.more ??= {}).unknown ??= []).push(field);
  }

  setFault(fault: string): void {
    (this.more ??= {}).fault = fault;
  }

  /** Adds a range of the input that the message is read from. */
  occurs(input: Uint8Array, start: number, end: number): void {
    if (this.input !== undefined) {
      ((this.more ??= {}).ranges ??= []).push({ start, end });
      return;
    }
    this.input = input;
    this.start = start;
    this.end = end;
  }
}

const NOTHING: readonly never[] = [];
