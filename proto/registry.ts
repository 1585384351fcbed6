// Looks up messages and enums in the schema, and the names of their Go types.

import { nearest } from '../core/common/text/nearest.js';
import { TranslateError } from './errors.js';
import { readSchema } from './schema-file.js';
import { HIDDEN, type FieldRow, type SchemaTable } from './schema-table.js';

/** The values of an enum, by name and by number. */
export interface EnumType {
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, string>;
}

/** Aliases: Fabric's documentation uses the name `common.Configuration`. */
const ALIASES: ReadonlyMap<string, string> = new Map([['common.Configuration', 'common.Config']]);

let table: SchemaTable | undefined;
const enums = new Map<string, EnumType>();

function schema(): SchemaTable {
  table ??= readSchema();
  return table;
}

/** The fields of a message of the schema, in number order. */
export function fieldsOf(message: string): readonly FieldRow[] {
  return schema().messages[message]!;
}

/** The values of an enum of the schema; undefined if there is no enum with this name. */
export function enumOf(name: string): EnumType | undefined {
  const known = enums.get(name);
  if (known !== undefined || !Object.hasOwn(schema().enums, name)) return known;
  const values = Object.entries(schema().enums[name]!);
  const made: EnumType = {
    numbers: new Map(values),
    names: new Map(values.map(([value, number]) => [number, value])),
  };
  enums.set(name, made);
  return made;
}

let names: readonly string[] | undefined;

/** The message names that `decode` and `encode` accept, sorted. */
export function messageNames(): readonly string[] {
  names ??= Object.freeze(
    [...Object.keys(schema().messages).filter((name) => !HIDDEN.test(name)), ...ALIASES.keys()].toSorted(),
  );
  return names;
}

/**
 * The name of a message in the schema.
 *
 * @throws TranslateError UNKNOWN_TYPE, with the nearest names
 */
export function resolveName(name: string): string {
  const known = ALIASES.get(name) ?? name;
  if (Object.hasOwn(schema().messages, known) && !HIDDEN.test(known)) return known;
  if (Object.hasOwn(schema().enums, name)) {
    throw new TranslateError('UNKNOWN_TYPE', 'proto: found wrong type: got enum, want message');
  }
  const near = nearest(name, messageNames());
  const hint = near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`;
  throw new TranslateError('UNKNOWN_TYPE', `proto: not found${hint}`);
}

/** Go packages with a name that differs from the proto package, by message or proto package. */
const GO_PACKAGES: ReadonlyMap<string, string> = new Map([
  ['orderer.smartbft', 'smartbft'],
  ['protos', 'peer'],
  ['google.protobuf.Timestamp', 'timestamppb'],
  ['google.protobuf.Duration', 'durationpb'],
  ['google.protobuf.Empty', 'emptypb'],
  ['google.protobuf.Any', 'anypb'],
  ['google.rpc', 'status'],
  ['grpc.binarylog.v1', 'grpc_binarylog_v1'],
  ...['MSPPrincipal', 'OrganizationUnit', 'MSPRole', 'MSPIdentityAnonymity', 'CombinedPrincipal'].map(
    (name) => [`common.${name}`, 'msp'] as const,
  ),
]);

/** The name of a message's Go type in errors of Fabric's configtxlator: `*common.SignaturePolicy_NOutOf` for `common.SignaturePolicy.NOutOf`. */
export function goTypeOf(message: string): string {
  // Packages are lower case, message names begin with a capital letter.
  const parts = message.split('.');
  const first = parts.findIndex((part) => /^[A-Z]/.test(part));
  const packageName = parts.slice(0, first).join('.');
  const goPackage = GO_PACKAGES.get(message) ?? GO_PACKAGES.get(packageName) ?? packageName;
  return `*${goPackage}.${parts.slice(first).join('_')}`;
}
