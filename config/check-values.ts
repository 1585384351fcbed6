// Checks values with convict and reports every invalid value with its origin.

import { resolve } from 'node:path';
import convict from '#convict';
import { joinLines } from '../core/common/text/one-line.js';
import { showValue } from '../core/common/text/value.js';
import { convictSchema, convictValue, plainValue } from './convict-schema.js';
import { FORMATS, isMapping, isTextList } from './formats.js';
import type { Leaf } from './leaf.js';

/** A value as written, and its origin. */
export interface RawValue {
  readonly value: unknown;
  /** For messages: a file and line, an environment variable, a flag. */
  readonly origin: string;
  /** The origins of the entries of a list in a file. */
  readonly entryOrigins?: readonly string[];
  /** The directory that relative paths in the value are resolved against. */
  readonly directory: string;
}

/** A value that is missing or not allowed. */
export interface InvalidValue {
  readonly key: string;
  /** Undefined when no value was given. */
  readonly origin: string | undefined;
  /** What is allowed, and the value unless it is sensitive. */
  readonly reason: string;
}

/** The outcome of {@link checkValues}. */
export interface CheckedValues {
  /** The valid values by key, converted; defaults included. */
  readonly values: ReadonlyMap<string, unknown>;
  /** In the order of the schema. */
  readonly invalid: readonly InvalidValue[];
}

/**
 * Checks and converts values.
 *
 * @param leaves the schema by dotted key
 * @param raw the values given, by the same keys
 */
export function checkValues(
  leaves: ReadonlyMap<string, Leaf>,
  raw: ReadonlyMap<string, RawValue>,
): CheckedValues {
  // Without these, convict reads the environment and the arguments of the process.
  const config = convict(convictSchema(leaves), { env: {}, args: [] });
  for (const [key, { value }] of raw) {
    const leaf = leaves.get(key);
    if (leaf !== undefined) config.set(key, convictValue(leaf, value));
  }
  const invalid = invalidValues(config, leaves, raw);
  const invalidKeys = new Set(invalid.map(({ key }) => key));
  const values = new Map<string, unknown>();
  for (const [key, leaf] of leaves) {
    if (invalidKeys.has(key)) continue;
    const value = plainValue(leaf, config.get(key));
    const isPath = leaf.format === 'path' || leaf.format === 'path-list';
    values.set(key, isPath ? absolute(value, raw.get(key)?.directory) : value);
  }
  return { values, invalid };
}

/** What convict refuses. Its error is one string for all values, so each format is asked for its reason. */
function invalidValues(
  config: convict.Config<Record<string, unknown>>,
  leaves: ReadonlyMap<string, Leaf>,
  raw: ReadonlyMap<string, RawValue>,
): InvalidValue[] {
  try {
    config.validate({ allowed: 'strict' });
    return [];
  } catch (error) {
    const invalid = [...leaves].flatMap(([key, leaf]) => {
      const given = raw.get(key);
      const reason = reasonAgainst(leaf, given, config.get(key));
      return reason === undefined ? [] : [{ key, origin: given?.origin, reason }];
    });
    if (invalid.length === 0) throw error;
    return invalid;
  }
}

/** Why a value of convict is invalid; undefined: it is valid. */
function reasonAgainst(leaf: Leaf, given: RawValue | undefined, value: unknown): string | undefined {
  const { format } = leaf;
  if (given === undefined && leaf.default === undefined) return `is required: ${leaf.doc}`;
  if (isMapping(given?.value) && typeof format !== 'function')
    return `must be ${format === 'list' || isTextList(format) ? 'a list' : 'a value'}, not a mapping`;
  if (value === null && leaf.nullable === true) return undefined;
  try {
    checkFormat(format, plainValue(leaf, value));
    return undefined;
  } catch (error) {
    return reasonOf(error, leaf, given === undefined ? leaf.default : given.value);
  }
}

/** @throws what the format throws, which for the function of a plugin can be anything */
function checkFormat(format: Leaf['format'], value: unknown): void {
  if (typeof format === 'function') format(value);
  else if (typeof format === 'string') FORMATS[format].validate(value);
  else if (!format.includes(value as string)) throw new Error(`must be one of ${format.join(', ')}`);
}

function absolute(value: unknown, directory: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((path) => absolute(path, directory));
  return directory === undefined || value === '' ? value : resolve(directory, value as string);
}

/** Why a value is invalid, on one line. */
function reasonOf(error: unknown, { sensitive }: Leaf, value: unknown): string {
  // The function of a plugin may throw anything.
  const message: unknown = error instanceof Error ? error.message : error;
  const text = typeof message === 'string' && message !== '' ? message : 'is invalid';
  const reason = joinLines(text);
  return sensitive === true || value === undefined ? reason : `${reason}: value was ${showValue(value)}`;
}
