// Checks values against a convict schema, all problems at once, and converts them.

import convict from 'convict';
import { resolve } from 'node:path';
import { FORMATS, type FormatName } from './formats.js';
import { showValue } from './show-value.js';

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
  /** Of a list in a file: where each entry came from. */
  readonly entryOrigins?: readonly string[];
  /** The directory that relative paths in the value start from. */
  readonly directory: string;
}

/** The outcome of {@link checkValues}. */
export interface CheckedValues {
  /** Every value that is as it should be, given or default. */
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
  const given = [...leaves].filter(([key, leaf]) => raw.has(key) || leaf.default !== undefined);
  const config = convict(schemaOf(given), { env: {}, args: [] });
  for (const [key] of given) {
    const value = raw.get(key);
    if (value !== undefined) config.set(flat(key), boxed(value.value));
  }

  const faults = faultsOf(config);
  const values = new Map<string, unknown>();
  const problems: string[] = [];
  for (const [key, leaf] of leaves) {
    const origin = raw.get(key)?.origin;
    const fault = faults.get(flat(key));
    if (origin === undefined && leaf.default === undefined)
      problems.push(`${missing}: ${key}: is required: ${leaf.doc}`);
    else if (fault !== undefined) problems.push(`${origin ?? missing}: ${key}: ${fault}`);
    else values.set(key, convert(leaf, config.get(flat(key))[0], raw.get(key)?.directory));
  }
  return { values, problems };
}

/** A value that convict must neither look into for leaves of its own nor coerce. */
type Box = readonly [unknown];

const boxed = (value: unknown): Box => [value];

// convict takes a dot in a key for a path.
const flat = (key: string): string => key.replaceAll('.', '/');

function schemaOf(leaves: readonly (readonly [string, Leaf])[]): convict.Schema<Record<string, Box>> {
  const schema = Object.create(null) as Record<string, convict.SchemaObj<Box>>;
  for (const [key, leaf] of leaves) {
    schema[flat(key)] = {
      doc: leaf.doc,
      default: boxed(leaf.default),
      format: ([value]: Box) => check(leaf, value),
      // Messages show the value themselves where they may: convict would show the box.
      sensitive: true,
    };
  }
  return schema;
}

function check({ format, sensitive }: Leaf, value: unknown): void {
  try {
    if (typeof format === 'function') format(value);
    else if (typeof format === 'string') FORMATS[format](value);
    else if (!format.includes(value as string)) throw new Error(`must be one of ${format.join(', ')}`);
  } catch (error) {
    // A format of a plugin may throw anything.
    const said: unknown = error instanceof Error ? error.message : error;
    const text = typeof said === 'string' && said !== '' ? said : 'is refused';
    const fault = text.replaceAll(/\s*\n\s*/g, ' ');
    throw new Error(sensitive === true ? fault : `${fault}: value was ${showValue(value)}`, { cause: error });
  }
}

/** What is wrong, by flat key. */
function faultsOf(config: convict.Config<Record<string, Box>>): Map<string, string> {
  try {
    config.validate({ allowed: 'strict' });
    return new Map();
  } catch (error) {
    // One line for each fault, `<key>: <fault>`.
    const lines = (error as Error).message.split('\n');
    return new Map(
      lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    );
  }
}

function convert({ format }: Leaf, value: unknown, directory: string | undefined): unknown {
  if (typeof format !== 'string') return value;
  const converted = FORMATS[format](value);
  return format === 'path' || format === 'path-list' ? absolute(converted, directory) : converted;
}

function absolute(value: unknown, directory: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((path) => absolute(path, directory));
  return directory === undefined || value === '' ? value : resolve(directory, value as string);
}
