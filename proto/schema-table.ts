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

/** The JSON name by protobuf's rule: underscores are removed, and a letter after an underscore becomes upper case. */
export const jsonNameOf = (name: string): string =>
  name.replace(/_([a-z])?/g, (_, letter = '') => letter.toUpperCase());

/** Fabric has messages in these packages, but its configtxlator does not resolve them, and no message outside of them has one in a field. */
export const HIDDEN = /^(?:lifecycle|queryresult|gossip|discovery|gateway|transientstore)\./;

/** The table for browsers: each message is a text `1 channel_id string;2 …`, without what can be derived from it. */
export interface CompactTable {
  readonly messages: Readonly<Record<string, string>>;
  readonly enums: SchemaTable['enums'];
}

/** The compact form of a table, without the messages and enums of {@link HIDDEN} packages. */
export function compact({ messages, enums }: SchemaTable): CompactTable {
  const shown = <Value>(all: Record<string, Value>): readonly (readonly [string, Value])[] =>
    Object.entries(all).filter(([name]) => !HIDDEN.test(name));
  const textOf = (rows: readonly FieldRow[]): string =>
    rows.map(([number, name, , ...rest]) => [number, name, ...rest].join(' ').trimEnd()).join(';');
  return {
    messages: Object.fromEntries(shown(messages).map(([name, rows]) => [name, textOf(rows)])),
    enums: Object.fromEntries(shown(enums)),
  };
}

/** The table of a compact form. It has no files. */
export const expanded = ({ messages, enums }: CompactTable): SchemaTable => ({
  messages: Object.fromEntries(
    Object.entries(messages).map(([message, text]) => [
      message,
      text === '' ? [] : text.split(';').map(rowOf),
    ]),
  ),
  enums,
  files: {},
});

function rowOf(text: string): FieldRow {
  const [number = '', name = '', type = '', rule = '', ...extra] = text.split(' ');
  return [Number(number), name, jsonNameOf(name), type, rule as FieldRule, ...(extra as [string?])];
}

/** All names are full protobuf names without a leading dot, such as `common.SignaturePolicy.NOutOf`. */
export interface SchemaTable {
  /** The fields of each message in number order. The entry messages that protobuf generates for maps are omitted. */
  messages: { [fullName: string]: FieldRow[] };
  /** The values of each enum in declaration order. */
  enums: { [fullName: string]: { [valueName: string]: number } };
  /** The file that declares each message, relative to proto/schema: `common/common.proto`. Empty in browsers. */
  files: { [fullMessageName: string]: string };
}
