// A message in memory, between bytes and JSON text or a typed object, and the descriptors of message types for JSON.

import { joinBytes, NO_BYTES } from './bytes.js';
import type { Line } from './json-text.js';
import type { ValueLimit } from './limits.js';
import type { EnumType } from './registry.js';
import type { FieldType, MessageType } from './type.js';

/** The input of a rule for opaque bytes: a message, or an object of a document that is written without a message. */
export interface Readable {
  readonly descriptor: Descriptor;
  /** The message that contains this one, directly or as opaque bytes. */
  readonly parent: Readable | undefined;
  /** Its key, if it is the value of a map entry. */
  readonly key: string;
  /** The value of a field that is not a list or map, by its name; undefined if it is absent. A message is a `Readable`. */
  readonly get: (field: string) => unknown;
  /** The value of a 32-bit number or enum field; 0 if it is absent. */
  readonly int: (field: string) => number;
}

/** Opens a bytes field: returns the message in it, or the bytes if they are not a message; undefined if it is absent or empty. */
export type OpenField = (message: Readable, field: string) => Readable | Uint8Array | undefined;

/** The reason why opaque bytes cannot be opened, in the words of Fabric's configtxlator. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The properties of a field for JSON. */
export interface JsonField {
  /** The full name of the message or enum, or the scalar type. */
  readonly type: string;
  /** `"name": ` */
  readonly label: Line;
  /** The JSON member for an absent value; undefined if an absent value is not printed. */
  readonly absent: Line | undefined;
  readonly enum: EnumType | undefined;
  /**
   * Whether Fabric's protolator handles the field itself: opaque bytes in it and below it are opened, and encoding accepts only its
   * original name. All other fields are plain: protojson handles them and all messages below them.
   */
  readonly traversed: boolean;
  /** Returns the type of the message in the bytes; `key` is the key of a map entry. Undefined if the bytes are never opened. */
  readonly content:
    | ((message: Readable, key: string, openField: OpenField) => Descriptor | Refusal)
    | undefined;
  /** A hint for the error about an unknown field in the content of the bytes. */
  readonly hint: ((unknownField: string) => string | undefined) | undefined;
  /** The descriptor of the messages in the field; `key` is the key of the map entry. */
  readonly child: (key: string) => Descriptor;
}

/** A field of a message type with its properties for JSON. */
export type Field = Omit<FieldType, 'child'> & JsonField;

/** A message type with one set of opaque-field rules. */
export interface Descriptor extends MessageType {
  readonly goType: string;
  readonly fields: readonly Field[];
  readonly byNumber: readonly (Field | undefined)[];
  /** Sorted by name, as printed. */
  readonly sortedFields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** The traversed fields in the order in which Fabric's protolator visits them. */
  readonly traversedFields: readonly Field[];
  /** By camelCase name; only fields with a camelCase name that differs from the original name. */
  readonly byJsonName: ReadonlyMap<string, Field>;
}

/**
 * A value of a field. 64-bit integers are decimal strings, enums are numbers. In a message that is written, nested messages may be
 * serialized bytes.
 */
export type Value<T extends MessageType = Descriptor> =
  | string
  | number
  | boolean
  | Uint8Array
  | Message<T>
  | Value<T>[]
  | Map<string, Value<T>>;

/** Rare properties of a message. */
interface More {
  /** Additional occurrences of the message in the input. */
  ranges?: { readonly start: number; readonly end: number }[];
  unknown?: Uint8Array[];
  /** The number of unknown fields in the entries of its maps. */
  unknownInEntries?: number;
  fault?: string;
}

/** A message: one slot for each field of its type; undefined for absent fields. */
export class Message<T extends MessageType = Descriptor> {
  readonly descriptor: T;
  /** The message that contains this one, directly or as opaque bytes. */
  readonly parent: Message<T> | undefined;
  /** Its key, if it is the value of a map entry. */
  readonly key: string;
  /** Opaque bytes that were given as JSON objects are a Message here. */
  readonly slots: (Value<T> | undefined)[];
  /** Limits the values of the outermost message, including values in opaque bytes. */
  readonly limit: ValueLimit | undefined;
  /** The size in bytes while the message is written. */
  size = 0;
  // Not `#`: V8 creates objects with such fields more slowly, and there are many messages.
  /** The input of the message; `start` and `end` are its first occurrence. */
  private input: Uint8Array | undefined = undefined;
  private start = 0;
  private end = 0;
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
   * The bytes that the message was read from: a view of the input, or a joined copy of all occurrences. They are joined on demand, because a
   * message also contains the bytes of all nested messages.
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

  /** For a message that was read: why its bytes are not in the form that programs write, see `fromBinary`. */
  get fault(): string | undefined {
    return this.more?.fault;
  }

  /** Adds an unknown field with its tag. */
  addUnknown(field: Uint8Array): void {
    ((this.more ??= {}).unknown ??= []).push(field);
  }

  /** The number of unknown fields in the message and in the entries of its maps, without those of nested messages. */
  get unknownCount(): number {
    const { more } = this;
    return more === undefined ? 0 : (more.unknown?.length ?? 0) + (more.unknownInEntries ?? 0);
  }

  countUnknownInEntry(): void {
    const more = (this.more ??= {});
    more.unknownInEntries = (more.unknownInEntries ?? 0) + 1;
  }

  setFault(fault: string): void {
    (this.more ??= {}).fault = fault;
  }

  /** Adds an occurrence of the message in the input. */
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
