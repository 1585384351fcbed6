// A message in memory, between bytes and JSON text, and the descriptor of its type.

import type { Line } from './json-text.js';
import type { Refusal } from './refusal.js';
import type { ValueLimit } from './value-limit.js';
import type { EnumType } from './registry.js';
import type { FieldRule, ScalarName } from './schema-table.js';

/** The kind of a field's value, list element or map value. */
export type Kind = ScalarName | 'enum' | 'message' | 'timestamp';

/** Whether a kind is a message on the wire. */
export const isMessage = (kind: Kind): boolean => kind === 'message' || kind === 'timestamp';

/** Opens a bytes field: returns the message in it, or the bytes if they are not one; undefined if it is absent or empty. */
export type OpenField = (message: Message, field: string) => Message | Buffer | undefined;

/** A field of a message type. */
export interface Field {
  /** The index in the slots of a message. Slots are in the order of field numbers. */
  readonly slot: number;
  readonly number: number;
  readonly name: string;
  readonly jsonName: string;
  readonly rule: FieldRule;
  readonly kind: Kind;
  /** The full name of the message or enum, or the scalar type. */
  readonly type: string;
  readonly oneof: string | undefined;
  /** The kind of map keys. */
  readonly keyKind: 'string' | 'uint64';
  /** The wire type of a single value, list element or map value. */
  readonly wireType: number;
  /** The tag before each value on the wire, or before the values of a packed list. */
  readonly tag: number;
  /** Whether a list is written packed. */
  readonly packed: boolean;
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
    | ((message: Message, key: string, openField: OpenField) => Descriptor | Refusal)
    | undefined;
  /** A hint for the error about an unknown field in the content of the bytes. */
  readonly hint: ((unknownField: string) => string | undefined) | undefined;
  /** The descriptor of the messages in the field; `key` is that of the map entry. */
  readonly child: (key: string) => Descriptor;
}

/** A message type with one set of opaque-field rules. */
export interface Descriptor {
  readonly name: string;
  readonly goType: string;
  /** In the order of field numbers. */
  readonly fields: readonly Field[];
  /** The slots of an empty message. */
  readonly emptySlots: readonly undefined[];
  /** In the order of names, as they are printed. */
  readonly sortedFields: readonly Field[];
  /** The index is the field number. */
  readonly byNumber: readonly (Field | undefined)[];
  readonly byName: ReadonlyMap<string, Field>;
  /** The traversed fields in the order in which Fabric's protolator visits them. */
  readonly traversedFields: readonly Field[];
  /** By camelCase name; only fields whose camelCase name is not the original name. */
  readonly byJsonName: ReadonlyMap<string, Field>;
}

/** A value of a field. 64-bit integers are decimal strings, enums are numbers. */
export type Value = string | number | boolean | Buffer | Message | Value[] | Map<string, Value>;

/** A message: one slot for each field of its descriptor; undefined for absent fields. */
export class Message {
  readonly descriptor: Descriptor;
  /** The message that contains this one, directly or as opaque bytes. */
  readonly parent: Message | undefined;
  /** The key of the map entry whose value this message is. */
  readonly key: string;
  /** Opaque bytes that were given as JSON objects are a Message here. */
  readonly slots: (Value | undefined)[];
  /** Limits the values of the outermost message, with those in opaque bytes. */
  readonly limit: ValueLimit | undefined;

  constructor(descriptor: Descriptor, parent?: Message, key = '', limit = parent?.limit) {
    this.descriptor = descriptor;
    this.parent = parent;
    this.key = key;
    this.slots = descriptor.emptySlots.slice();
    this.limit = limit;
  }

  /** The value of a field by its name; undefined if it is absent. */
  get(field: string): Value | undefined {
    return this.slots[this.descriptor.byName.get(field)!.slot];
  }

  /** The value of a 32-bit number or enum field; 0 if it is absent. */
  int(field: string): number {
    return (this.get(field) as number | undefined) ?? 0;
  }
}
