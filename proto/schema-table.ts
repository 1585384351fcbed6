// The form of dist/proto/schema.json: every message and enum of proto/schema, as plain data.

const SCALARS = ['string', 'bytes', 'bool', 'int32', 'uint32', 'int64', 'uint64'] as const;

/** The scalar types in Fabric's schema, by their protobuf names. */
export type ScalarName = (typeof SCALARS)[number];

/** Returns true if a type is a scalar. */
export const isScalar = (type: string): type is ScalarName => (SCALARS as readonly string[]).includes(type);

/** A single value (''), a member of a oneof, a list, or a map. */
export type FieldRule = '' | 'oneof' | 'list' | 'map';

/**
 * One field.
 *
 * `type` is a scalar or the full name of a message or enum; for a map it is the type of the values.
 * `extra` is the key type of a map, or the name of the oneof.
 */
export type FieldRow = [
  number: number,
  name: string,
  jsonName: string,
  type: string,
  rule: FieldRule,
  extra?: string,
];

/** All names are full protobuf names without a leading dot, such as `common.SignaturePolicy.NOutOf`. */
export interface SchemaTable {
  /** The fields of each message in number order. The entry messages that protobuf generates for maps are omitted. */
  messages: { [fullName: string]: FieldRow[] };
  /** The values of each enum in declaration order. */
  enums: { [fullName: string]: { [valueName: string]: number } };
  /** The file that declares each message, relative to proto/schema: `common/common.proto`. Empty in browsers. */
  files: { [fullMessageName: string]: string };
}
