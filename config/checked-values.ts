// Checks values against a convict schema, all problems at once, and converts them.

import convict from 'convict';
import { resolve } from 'node:path';
import { FORMATS, type FormatName } from './formats.js';

for (const [name, parse] of Object.entries(FORMATS))
  convict.addFormat({ name, validate: (value) => void parse(value) });

/** One value of a schema: convict's attributes, with the formats of this project. */
export interface Leaf {
  readonly doc: string;
  /** A named format, the words allowed, or a function that throws an Error saying what is allowed. */
  readonly format: FormatName | readonly string[] | ((value: unknown) => void);
  /** In the raw form a file has. Undefined: a value is required. */
  readonly default?: unknown;
  readonly sensitive?: boolean;
}

/** A raw value and where it came from. */
export interface RawValue {
  readonly value: unknown;
  /** Where it came from, for an error message: a file and line, an environment variable, a flag. */
  readonly origin: string;
  /** The directory that relative paths in the value start from. */
  readonly directory: string;
}

/** The outcome of {@link checkValues}: either values for every leaf, or problems. */
export interface CheckedValues {
  readonly values: ReadonlyMap<string, unknown>;
  /** One line for each problem: `<origin>: <key>: <what is allowed>: value was <value>`. */
  readonly problems: readonly string[];
}

/**
 * Checks and converts values. Sensitive values are left out of problems.
 *
 * @param leaves every value of the schema by its dotted key
 * @param raw the values given, by the same keys
 * @param missing where a value that is required and not given should have been, for its problem
 */
export function checkValues(
  leaves: ReadonlyMap<string, Leaf>,
  raw: ReadonlyMap<string, RawValue>,
  missing = 'settings',
): CheckedValues {
  const problems: string[] = [];
  const schema: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const config = new Map<string, unknown>();
  for (const [key, leaf] of leaves) {
    if (leaf.default === undefined && !raw.has(key))
      problems.push(`${missing}: ${key}: is required: ${leaf.doc}`);
    const format = typeof leaf.format === 'object' ? [...leaf.format] : leaf.format;
    // convict would take a dot in a key for a path: each leaf is a schema of its own under a flat key.
    schema[flat(key)] = { ...leaf, format, default: leaf.default ?? null, nullable: true };
  }
  const instance = convict<Record<string, unknown>>(schema as never, { env: {}, args: [] });
  for (const [key, { value }] of raw) instance.set(flat(key), value);
  problems.push(...problemsOf(instance, leaves, raw));
  if (problems.length > 0) return { values: config, problems };

  for (const [key, leaf] of leaves) {
    const value: unknown = instance.get(flat(key) as never);
    const convert = typeof leaf.format === 'string' ? FORMATS[leaf.format] : undefined;
    const converted = convert === undefined || value === null ? value : convert(value);
    config.set(
      key,
      leaf.format === 'path' || leaf.format === 'path-list' ? absolute(converted, raw.get(key)) : converted,
    );
  }
  return { values: config, problems };
}

const flat = (key: string): string => key.replaceAll('.', '/');

function problemsOf(
  instance: convict.Config<Record<string, unknown>>,
  leaves: ReadonlyMap<string, Leaf>,
  raw: ReadonlyMap<string, RawValue>,
): string[] {
  try {
    instance.validate({ allowed: 'strict' });
    return [];
  } catch (error) {
    // One line for each problem, beginning with the key; convict joins them and masks sensitive values.
    return (error as Error).message.split('\n').map((line) => {
      const key = [...leaves.keys()].find((candidate) => line.startsWith(`${flat(candidate)}: `));
      if (key === undefined) return line;
      const origin = raw.get(key)?.origin;
      return `${origin === undefined ? '' : `${origin}: `}${key}${line.slice(flat(key).length)}`;
    });
  }
}

function absolute(value: unknown, raw: RawValue | undefined): unknown {
  if (Array.isArray(value)) return value.map((path) => absolute(path, raw));
  return raw === undefined || value === '' ? value : resolve(raw.directory, value as string);
}
