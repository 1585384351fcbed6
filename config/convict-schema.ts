// The convict schema: registers the formats, and turns settings and plugin options into the nodes that convict reads.

import convict from '#convict';
import { FORMATS, isMapping, type Format } from './formats.js';
import type { Leaf } from './leaf.js';

// Formats are global to convict, which a plugin may use too: the prefix prevents clashes.
const registeredName = (name: string): string => `fabric-ops-agent/${name}`;

for (const [name, format] of Object.entries<Format>(FORMATS))
  convict.addFormat({ name: registeredName(name), ...format });

/** The nested schema that convict gets, from leaves by dotted key. */
export function convictSchema(leaves: ReadonlyMap<string, Leaf>): convict.Schema<Record<string, unknown>> {
  const schema: Record<string, unknown> = {};
  for (const [key, leaf] of leaves) {
    const path = key.split('.');
    const name = path.pop() ?? '';
    let section = schema;
    for (const part of path) section = (section[part] ??= {}) as Record<string, unknown>;
    section[name] = nodeOf(leaf);
  }
  return schema as convict.Schema<Record<string, unknown>>;
}

function nodeOf(leaf: Leaf): convict.SchemaObj<unknown> {
  const { doc, format, nullable = false, sensitive = false } = leaf;
  // A default of null makes convict validate a value that was not given.
  const fallback = leaf.default === undefined ? null : convictValue(leaf, leaf.default);
  const attributes = { doc, nullable, sensitive, default: fallback };
  if (typeof format === 'function')
    return { ...attributes, format: (value: unknown) => format((value as Box)[0]) };
  if (typeof format !== 'string') return { ...attributes, format: [...format] };
  const { coerce }: Format = FORMATS[format];
  // Converted here because convict accepts an object as a value only when the default is an object, too.
  const converted = typeof fallback === 'string' ? (coerce?.(fallback) ?? fallback) : fallback;
  return { ...attributes, default: converted, format: registeredName(format) };
}

/** The value of a function format, in a list: convict takes a mapping for a section of the schema. */
type Box = readonly [unknown];

/** Prepares a value for convict. */
export function convictValue({ format, nullable }: Leaf, value: unknown): unknown {
  if (typeof format === 'function') return [value] satisfies Box;
  // Every format refuses undefined; a mapping would be a section of the schema.
  if (isMapping(value)) return undefined;
  if (nullable === true && value === '') return null;
  // convict converts only strings, and a number without a unit must not pass as milliseconds.
  const isDuration = format === 'duration' || format === 'positive-duration';
  return isDuration && typeof value === 'number' ? String(value) : value;
}

/** Reverses {@link convictValue} for a value returned by convict. */
export function plainValue({ format }: Leaf, value: unknown): unknown {
  return typeof format === 'function' ? (value as Box)[0] : value;
}
