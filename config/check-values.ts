// Checks values with convict and reports every invalid value with its origin.

import { resolve } from 'node:path';
import convict from '#convict';
import { convictSchema, convictValue, plainValue } from './convict-schema.js';
import { isTextList } from './formats.js';
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
  const reasons = new Map<string, string>();
  const valueOf = (key: string, leaf: Leaf): unknown => (raw.has(key) ? raw.get(key)?.value : leaf.default);
  const schema = convictSchema(leaves, (key, leaf, error) => {
    if (!reasons.has(key)) reasons.set(key, reasonOf(error, leaf, valueOf(key, leaf)));
  });
  // Without these, convict reads the environment and the arguments of the process.
  const config = convict(schema, { env: {}, args: [] });
  for (const [key, leaf] of leaves) {
    const given = raw.get(key);
    if (given === undefined) continue;
    const mustBe = isMapping(given.value) ? insteadOfMapping(leaf.format) : undefined;
    if (mustBe === undefined) config.set(key, convictValue(leaf, given.value));
    else reasons.set(key, `must be ${mustBe}, not a mapping`);
  }
  try {
    config.validate({ allowed: 'strict' });
  } catch (error) {
    // convict's error is one string for all invalid values; `reasons` has them one by one.
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

function absolute(value: unknown, directory: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((path) => absolute(path, directory));
  return directory === undefined || value === '' ? value : resolve(directory, value as string);
}

/** Whether a value is an object but not a list. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value must be instead of a mapping; undefined when the format may allow a mapping. */
function insteadOfMapping(format: Leaf['format']): string | undefined {
  if (typeof format === 'function') return undefined;
  return format === 'list' || isTextList(format) ? 'a list' : 'a value';
}

/** Why a value is invalid, on one line. */
function reasonOf(error: unknown, { sensitive }: Leaf, value: unknown): string {
  // The function of a plugin may throw anything.
  const message: unknown = error instanceof Error ? error.message : error;
  const text = typeof message === 'string' && message !== '' ? message : 'is invalid';
  const reason = text.replaceAll(/\s*\n\s*/g, ' ');
  return sensitive === true || value === undefined ? reason : `${reason}: value was ${showValue(value)}`;
}

/** Longest value in a message, in UTF-16 units. */
const MAX_VALUE_LENGTH = 200;

/** A value for a message: as JSON, on one line, without the credentials of URLs, cut when it is long. */
export function showValue(value: unknown): string {
  const text = toText(value).replaceAll(/[^\s"]+/g, hideCredentials);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** Hides the user name and the password of a URL. A password can have a slash and an @ in it. */
function hideCredentials(word: string): string {
  const start = word.indexOf('//');
  const end = word.lastIndexOf('@');
  return start === -1 || end < start ? word : `${word.slice(0, start)}//********${word.slice(end)}`;
}

function toText(value: unknown): string {
  // JSON has neither NaN nor bigint.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}
