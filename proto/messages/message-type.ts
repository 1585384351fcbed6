// What reading and writing typed messages need to know about a message type. `schema.ts` has the types, made from proto/schema.
//
// Not protobufjs' static modules: their writer puts the entries `9` and `10` of a map before `V2_0`, in the order of numbers, and a
// message that is read loses its own bytes.

import type { FieldRule, ScalarName } from '../schema-table.js';
import { BYTES, VARINT } from '../wire.js';

/** A field of a message type. */
export interface FieldType {
  readonly number: number;
  /** In camelCase. */
  readonly name: string;
  /** The kind of the value, of an element of a list, or of a value of a map, whose keys are strings. */
  readonly kind: ScalarName | 'enum' | 'message';
  readonly rule: FieldRule;
  /** The oneof that the field is a member of. */
  readonly oneof?: string;
  /** The type of messages. */
  // eslint-disable-next-line typescript/no-explicit-any
  readonly type?: () => MessageType<any>;
}

/** A message type. */
export interface MessageType<T> {
  /** The full name: `common.ConfigGroup`. */
  readonly name: string;
  /** In the order of their numbers. */
  readonly fields: readonly FieldType[];
  /** A message without fields. */
  readonly empty: () => T;
}

/** The tag (number and wire type) before a field. */
export const tagOf = ({ number, kind, rule }: FieldType): number => number * 8 + wireTypeOf(kind, rule);

/** The tag before a field, by its name. */
export function tagOfField<T>(type: MessageType<T>, name: keyof T): number {
  return tagOf(type.fields.find((field) => field.name === name)!);
}

function wireTypeOf(kind: FieldType['kind'], rule: FieldRule): number {
  return rule === 'map' || kind === 'message' || kind === 'string' || kind === 'bytes' ? BYTES : VARINT;
}

/** The tag of the key in an entry of a map. */
export const ENTRY_KEY = 8 + BYTES;

/** The tag of the value in an entry of a map. */
export const entryValueTag = ({ kind }: FieldType): number => 16 + wireTypeOf(kind, '');

/** The tag of a message in an entry of a map. */
export const ENTRY_MESSAGE = 16 + BYTES;
