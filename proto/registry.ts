// Message name -> type, from the schema that the build compiled out of proto/schema.

import { readFileSync } from 'node:fs';
import { TranslateError } from './errors.js';
import { nearest } from './nearest.js';
import type { FieldRow, SchemaTable } from './schema-table.js';

/** The values of an enum, both ways. */
export interface EnumType {
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, string>;
}

/** Messages of these packages are known to Fabric, but not to its configtxlator (specification section 3). */
const HIDDEN = /^(?:lifecycle|queryresult|gossip|discovery|gateway|transientstore)\./;

/** Names beside those of the schema (design, decision 12). */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['common.Configuration', 'common.Config']]);

let table: SchemaTable | undefined;
const enums = new Map<string, EnumType>();

function schema(): SchemaTable {
  table ??= JSON.parse(readFileSync(new URL('schema.json', import.meta.url), 'utf8')) as SchemaTable;
  return table;
}

/** The fields of a message of the schema, in the order of their numbers. */
export function fieldsOf(message: string): readonly FieldRow[] {
  return schema().messages[message]!;
}

/** The schema file that a message is declared in. */
export function fileOf(message: string): string {
  return schema().files[message]!;
}

/** The values of an enum of the schema; undefined when the name is not one of an enum. */
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

/** The names that can be decoded and encoded, sorted. */
export function messageNames(): readonly string[] {
  const names = Object.keys(schema().messages).filter((name) => !HIDDEN.test(name));
  return [...names, ...OTHER_NAMES.keys()].toSorted();
}

/**
 * The name under which the schema knows a message.
 *
 * @throws TranslateError UNKNOWN_TYPE, with the nearest names
 */
export function resolveName(name: string): string {
  const known = OTHER_NAMES.get(name) ?? name;
  if (Object.hasOwn(schema().messages, known) && !HIDDEN.test(known)) return known;
  if (Object.hasOwn(schema().enums, name)) {
    throw new TranslateError('UNKNOWN_TYPE', 'proto: found wrong type: got enum, want message');
  }
  const near = nearest(name, messageNames());
  const hint = near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`;
  throw new TranslateError('UNKNOWN_TYPE', `proto: not found${hint}`);
}
