// Message types: the properties of fields for reading and writing bytes. Descriptors for JSON (descriptor.ts) and types of
// typed messages (messages.ts) both use them. Both are made from one table, which the build makes from proto/schema.

import type { FieldRule, ScalarName } from './schema-table.js';
import { BYTES, VARINT } from './wire.js';

/** The message that is a string in JSON. */
export const TIMESTAMP = 'google.protobuf.Timestamp';

/** The kind of a field's value, list element or map value. */
export type Kind = ScalarName | 'enum' | 'message' | 'timestamp';

/** Returns true if a kind is a message on the wire. */
export const isMessage = (kind: Kind): boolean => kind === 'message' || kind === 'timestamp';

/** The declaration of a field. */
export interface FieldDeclaration {
  readonly number: number;
  /** The name in the `.proto` file, such as `channel_id`. */
  readonly name: string;
  /** The name in camelCase. */
  readonly jsonName: string;
  readonly rule: FieldRule;
  /** The kind of the value, of an element of a list, or of a value of a map. */
  readonly kind: Kind;
  /** The oneof that the field is a member of. */
  readonly oneof?: string | undefined;
  /** The kind of map keys. @default string */
  readonly keyKind?: 'string' | 'uint64';
  /** Whether reading drops a map entry without a value, like Fabric's protolator for bytes that it opens. */
  readonly dropsEmptyEntries?: boolean;
}

/** A field on the wire. It is a class, because V8 reads properties of an object made with `...` more slowly. */
export class FieldType {
  readonly number: number;
  readonly name: string;
  readonly jsonName: string;
  readonly rule: FieldRule;
  readonly kind: Kind;
  readonly oneof: string | undefined;
  readonly keyKind: 'string' | 'uint64';
  readonly dropsEmptyEntries: boolean;
  /** The index in the slots of a message. Slots are in the order of field numbers. */
  readonly slot: number;
  /** Whether the values are messages. */
  readonly nested: boolean;
  /** The wire type of a single value, list element or map value. */
  readonly wireType: number;
  /** Whether a list is written packed. */
  readonly packed: boolean;
  /** The tag before each value on the wire, or before the values of a packed list. */
  readonly tag: number;
  /** The tags of the key and of the value in an entry of a map. */
  readonly keyTag: number;
  readonly valueTag: number;
  /** The type of the messages in the field; `key` is the key of the map entry. */
  readonly child: (key: string) => MessageType;

  constructor(declared: FieldDeclaration, slot: number, child: (key: string) => MessageType) {
    const { number, name, jsonName, rule, kind, oneof, keyKind = 'string' } = declared;
    this.number = number;
    this.name = name;
    this.jsonName = jsonName;
    this.rule = rule;
    this.kind = kind;
    this.oneof = oneof;
    this.keyKind = keyKind;
    this.dropsEmptyEntries = declared.dropsEmptyEntries ?? false;
    this.slot = slot;
    this.nested = isMessage(kind);
    this.wireType = kind === 'string' || kind === 'bytes' || this.nested ? BYTES : VARINT;
    this.packed = rule === 'list' && this.wireType === VARINT;
    this.tag = (number << 3) | (this.packed || rule === 'map' ? BYTES : this.wireType);
    this.keyTag = (1 << 3) | (keyKind === 'string' ? BYTES : VARINT);
    this.valueTag = (2 << 3) | this.wireType;
    this.child = child;
  }
}

/** A message type. */
export interface MessageType {
  /** The full name: `common.ConfigGroup`. */
  readonly name: string;
  /** In the order of field numbers. */
  readonly fields: readonly FieldType[];
  /** The index is the field number. */
  readonly byNumber: readonly (FieldType | undefined)[];
  /** The slots of an empty message. */
  readonly emptySlots: readonly undefined[];
}

/** The fields by their numbers. */
export function byNumber<F extends FieldType>(fields: readonly F[]): (F | undefined)[] {
  const found: (F | undefined)[] = Array.from({ length: (fields.at(-1)?.number ?? 0) + 1 });
  for (const field of fields) found[field.number] = field;
  return found;
}
