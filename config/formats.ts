// The formats of settings and plugin options, in the form that convict registers.

import { isIPv6 } from 'node:net';
import { ANY_HOST } from '../core/common/server/host-headers.js';
import { parseDuration, parsePositiveDuration } from '../core/common/text/duration.js';
import { parseHostPort } from '../core/common/text/host-port.js';

/** A format: `coerce` converts strings, then `validate` checks every value. */
export interface Format {
  /** Converts a string. An invalid string is returned unchanged, so that `validate` can refuse it. */
  readonly coerce?: (text: string) => unknown;
  /** @throws Error saying what is allowed */
  readonly validate: (value: unknown) => void;
}

const TRUE = new Set(['true', 'yes', 'on', '1', 't', 'y']);
const FALSE = new Set(['false', 'no', 'off', '0', 'f', 'n']);

/** Parses a boolean, or one of the words that nodes accept, in any case. */
function parseBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw new Error('must be true or false');
}

function parseNumber(value: unknown): number {
  const number = typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new Error('must be a number');
  return number;
}

function parseCount(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text) || Number(text) < 1)
    throw new Error('must be a whole number of 1 or more');
  return Number(text);
}

function checkString(value: unknown): void {
  if (typeof value !== 'string') throw new Error('must be a string');
}

/** Checks the URL of a page, which a path can follow; or an empty string. */
function checkUrl(value: unknown): void {
  if (value === '') return;
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain =
    (url?.protocol === 'http:' || url?.protocol === 'https:') &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isPlain)
    throw new Error(
      'must be a URL that begins with http:// or https://, without user name, query and fragment',
    );
}

function checkPath(value: unknown): void {
  if (typeof value !== 'string' || value.includes('\0')) throw new Error('must be a path');
}

function checkPathList(value: unknown): void {
  if (!Array.isArray(value) || value.includes(''))
    throw new Error('must be a list of paths, none of them empty');
  value.forEach(checkPath);
}

function checkNameList(value: unknown): void {
  if (!Array.isArray(value) || value.some((name) => typeof name !== 'string' || name === ''))
    throw new Error('must be a list of names, none of them empty');
}

function isHost(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return isIPv6(value) || (/^[A-Za-z0-9._-]+$/.test(value) && URL.canParse(`http://${value}`));
}

function checkHostList(value: unknown): void {
  if (!Array.isArray(value) || !value.every((host) => host === ANY_HOST || isHost(host)))
    throw new Error("must be a list of host names or addresses without ports, or '*'");
}

function checkList(value: unknown): void {
  if (!Array.isArray(value)) throw new Error('must be a list');
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isHostPort = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'host' in value && 'port' in value;

/** A list with one item can be written without brackets. */
function listOfOne(text: string): readonly string[] {
  return text === '' ? [] : [text];
}

/** Creates a format from a parse function. @param isParsed recognizes parsed values that `parse` does not accept as input */
function parsedBy(parse: (value: unknown) => unknown, isParsed?: (value: unknown) => boolean): Format {
  return {
    coerce(text) {
      try {
        return parse(text);
      } catch {
        return text;
      }
    },
    validate(value) {
      if (isParsed?.(value) !== true) parse(value);
    },
  };
}

const SWITCHES_RULE = 'must be a mapping of names to true or false, such as {disk: false}';

/**
 * Parses names that are switched on or off: a mapping, or a text such as `disk=false,height=false` for variables and flags.
 *
 * @throws Error saying what is allowed
 */
export function parseSwitches(value: unknown): ReadonlyMap<string, boolean> {
  try {
    const entries =
      typeof value === 'string' ? pairsIn(value) : Object.entries(isMapping(value) ? value : [value]);
    return new Map(entries.map(([name, text]) => [name, parseBoolean(text)]));
  } catch {
    throw new Error(SWITCHES_RULE);
  }
}

const pairsIn = (text: string): [string, string][] =>
  (text === '' ? [] : text.split(',')).map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return [name.trim(), value.trim()];
  });

/** The formats by their name in schemas. */
export const FORMATS = {
  boolean: parsedBy(parseBoolean),
  number: parsedBy(parseNumber),
  /** A whole number of 1 or more. */
  count: parsedBy(parseCount),
  string: { validate: checkString },
  url: { validate: checkUrl },
  path: { validate: checkPath },
  'path-list': { coerce: listOfOne, validate: checkPathList },
  'name-list': { coerce: listOfOne, validate: checkNameList },
  /** Names and addresses of hosts; an IPv6 address without brackets; `*` for every host. */
  'host-list': { coerce: listOfOne, validate: checkHostList },
  /** Becomes milliseconds. */
  duration: parsedBy(parseDuration, isNumber),
  'positive-duration': parsedBy(parsePositiveDuration, isNumber),
  /** Becomes `{ host, port }`. */
  'host-port': parsedBy(parseHostPort, isHostPort),
  list: { validate: checkList },
} as const satisfies Readonly<Record<string, Format>>;

/** The name of a format. */
export type FormatName = keyof typeof FORMATS;

/** Returns true if a value is an object but not a list. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true for formats of lists of strings, which variables and flags can set, too. */
export function isTextList(format: unknown): boolean {
  return format === 'path-list' || format === 'name-list' || format === 'host-list';
}
