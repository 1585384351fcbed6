// The form of dist/proto/schema.json: every message and enum of proto/schema, as plain data.

const SCALARS = ['string', 'bytes', 'bool', 'int32', 'uint32', 'int64', 'uint64'] as const;

/** A scalar type by its protobuf name. Fabric's schema uses no other. */
export type ScalarName = (typeof SCALARS)[number];

/** Whether a type is a scalar. */
export const isScalar = (type: string): type is ScalarName => (SCALARS as readonly string[]).includes(type);

/** How often a field may stand in a message: once (''), once among the members of a oneof, as a list, as a map. */
export type FieldRule = '' | 'oneof' | 'list' | 'map';

/**
 * One field: number, name, JSON name, type, rule, and for some rules one thing more.
 *
 * The type is a scalar or the full name of a message or enum; of a map it is the type of the values.
 * The last entry is the key type of a map, or the name of the oneof; other fields have none.
 */
export type FieldRow = [
  number: number,
  name: string,
  jsonName: string,
  type: string,
  rule: FieldRule,
  extra?: string,
];

/** Every name is a full protobuf name without a leading dot, such as `common.SignaturePolicy.NOutOf`. */
export interface SchemaTable {
  /** The fields of each message in number order. The entry messages that protobuf makes for maps are not here. */
  messages: { [fullName: string]: FieldRow[] };
  /** The values of each enum in the order of their declaration. */
  enums: { [fullName: string]: { [valueName: string]: number } };
  /** The file of each message by its path in proto/schema: `common/common.proto`. */
  files: { [fullMessageName: string]: string };
}
