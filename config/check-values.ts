// Checks and converts values with convict: settings, options of plugins, and values in files of nodes. One pass finds all invalid values.

import { resolve } from 'node:path';
import convict from 'convict';
import { joinLines } from '../core/common/text/one-line.js';
import { showValue } from '../core/common/text/value.js';
import { FORMATS, isMapping, isTextList, type Format, type FormatName } from './formats.js';

/** One value of a schema, with convict's attributes. */
export interface Leaf {
  readonly doc: string;
  /** A named format, the allowed strings, or a function that throws an Error saying what is allowed. */
  readonly format: FormatName | readonly string[] | ((value: unknown) => void);
  /** In the form of a file. Undefined: a value is required. */
  readonly default?: unknown;
  /** Whether the empty string is also allowed, which becomes null. Not for function formats. */
  readonly nullable?: boolean;
  readonly sensitive?: boolean;
}

/** A value as written, with its origin. */
export interface RawValue {
  readonly value: unknown;
  /** For messages: a file and line, an environment variable, a flag. */
  readonly origin: string;
  /** The origins of the entries of a list in a file. */
  readonly entryOrigins?: readonly string[];
  /** The directory that relative paths in the value are resolved against. */
  readonly directory: string;
}

/** A missing or invalid value. */
interface InvalidValue {
  readonly key: string;
  /** Undefined if no value was given. */
  readonly origin: string | undefined;
  /** The rule, and the value unless it is sensitive. */
  readonly reason: string;
}

/** The result of {@link checkValues}. */
export interface CheckedValues {
  /** The valid values by key, converted; defaults included. */
  readonly values: ReadonlyMap<string, unknown>;
  /** In the order of the schema. */
  readonly invalid: readonly InvalidValue[];
}

/** A value in the schema of convict. Its format reports the reason to `onInvalid`, because convict throws one error for all values. */
interface SchemaEntry extends convict.SchemaObj<unknown> {
  readonly onInvalid: (error: unknown) => void;
}

// Formats are global in convict, and plugins may use convict, too: the prefix prevents clashes.
const registeredName = (name: FormatName): string => `fabric-ops-agent/${name}`;

convict.addFormats(
  Object.fromEntries(
    Object.entries<Format>(FORMATS).map(([name, { coerce, validate }]) => [
      registeredName(name as FormatName),
      { ...(coerce && { coerce }), validate: reporting(validate) },
    ]),
  ),
);

/** A validate function for convict that reports errors to its node. */
function reporting(validate: Format['validate']): (value: unknown, node: convict.SchemaObj) => void {
  return (value, node) => {
    try {
      validate(value);
    } catch (error) {
      (node as SchemaEntry).onInvalid(error);
      throw error;
    }
  };
}

/**
 * Checks and converts values.
 *
 * @param leaves the schema by dotted key
 * @param raw the given values, by the same keys
 */
export function checkValues(
  leaves: ReadonlyMap<string, Leaf>,
  raw: ReadonlyMap<string, RawValue>,
): CheckedValues {
  const reasons = new Map<string, string>();
  const schema = schemaOf(leaves, (key, leaf, error) =>
    reasons.set(key, reasonOf(error, leaf, raw.get(key))),
  );
  // Without these, convict reads the environment and the arguments of the process.
  const config = convict(schema, { env: {}, args: [] });
  // load() would merge a mapping with the default, and fail for a mapping that is nested twice.
  for (const [key, { value }] of raw) {
    const leaf = leaves.get(key);
    if (leaf !== undefined) config.set(key, convictValue(leaf, value));
  }
  try {
    config.validate({ allowed: 'strict' });
  } catch (error) {
    if (reasons.size === 0) throw error;
  }
  const values = new Map<string, unknown>();
  const invalid: InvalidValue[] = [];
  for (const [key, leaf] of leaves) {
    const reason = reasons.get(key);
    if (reason !== undefined) {
      invalid.push({ key, origin: raw.get(key)?.origin, reason });
      continue;
    }
    const value = plainValue(leaf, config.get(key));
    const isPath = leaf.format === 'path' || leaf.format === 'path-list';
    values.set(key, isPath ? absolute(value, raw.get(key)?.directory) : value);
  }
  return { values, invalid };
}

/** The nested schema of convict. */
function schemaOf(
  leaves: ReadonlyMap<string, Leaf>,
  onInvalid: (key: string, leaf: Leaf, error: unknown) => void,
): convict.Schema<Record<string, unknown>> {
  const schema: Record<string, unknown> = {};
  for (const [key, leaf] of leaves) {
    const path = key.split('.');
    const name = path.pop() ?? '';
    let section = schema;
    for (const part of path) section = (section[part] ??= {}) as Record<string, unknown>;
    section[name] = nodeOf(leaf, (error) => onInvalid(key, leaf, error));
  }
  return schema as convict.Schema<Record<string, unknown>>;
}

function nodeOf(leaf: Leaf, onInvalid: SchemaEntry['onInvalid']): SchemaEntry {
  const { doc, format, nullable = false, sensitive = false } = leaf;
  // A default of null makes convict validate a value that was not given.
  const fallback = leaf.default === undefined ? null : convictValue(leaf, leaf.default);
  const node = { doc, nullable, sensitive, onInvalid, default: fallback };
  if (typeof format === 'function')
    return { ...node, format: reporting((value) => checkWrapped(leaf, value as Wrapped)) };
  if (typeof format !== 'string') return { ...node, format: reporting((value) => checkOneOf(format, value)) };
  const { coerce }: Format = FORMATS[format];
  // The default is converted here because convict accepts an object as a value only if the default is an object.
  const converted = typeof fallback === 'string' ? (coerce?.(fallback) ?? fallback) : fallback;
  return { ...node, default: converted, format: registeredName(format) };
}

/**
 * The value of a function format, wrapped in a list: `validate()` of convict looks up each value inside a mapping by its keys joined with
 * dots, and fails if a key contains a dot. Null: a required value is missing.
 */
type Wrapped = readonly [unknown] | null;

function checkWrapped({ format }: Leaf, wrapped: Wrapped): void {
  if (wrapped === null) throw new Error('is required');
  (format as (value: unknown) => void)(wrapped[0]);
}

function checkOneOf(allowed: readonly string[], value: unknown): void {
  if (!allowed.includes(value as string)) throw new Error(`must be one of ${allowed.join(', ')}`);
}

/** Prepares a value for convict. */
function convictValue({ format, nullable }: Leaf, value: unknown): unknown {
  if (typeof format === 'function') return [value] satisfies Wrapped;
  // Every format refuses undefined. convict would take a mapping as a section of the schema.
  if (isMapping(value)) return undefined;
  if (nullable === true && value === '') return null;
  // convict converts only strings, and a number without a unit must not be taken as milliseconds.
  const isDuration = format === 'duration' || format === 'positive-duration';
  return isDuration && typeof value === 'number' ? String(value) : value;
}

/** Reverses {@link convictValue} for a value returned by convict. */
function plainValue({ format }: Leaf, value: unknown): unknown {
  return typeof format === 'function' ? (value as NonNullable<Wrapped>)[0] : value;
}

function absolute(value: unknown, directory: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((path) => absolute(path, directory));
  return directory === undefined || value === '' ? value : resolve(directory, value as string);
}

/** Why a value is invalid, on one line. @param error the value that the format threw; a function of a plugin can throw any value */
function reasonOf(error: unknown, leaf: Leaf, given: RawValue | undefined): string {
  const { format, sensitive, doc } = leaf;
  if (given === undefined && leaf.default === undefined) return `is required: ${doc}`;
  if (isMapping(given?.value) && typeof format !== 'function')
    return `must be ${format === 'list' || isTextList(format) ? 'a list' : 'a value'}, not a mapping`;
  const message: unknown = error instanceof Error ? error.message : error;
  const text = typeof message === 'string' && message !== '' ? message : 'is invalid';
  const value = given === undefined ? leaf.default : given.value;
  const reason = joinLines(text);
  return sensitive === true || value === undefined ? reason : `${reason}: value was ${showValue(value)}`;
}
