// The strict value formats that settings and plugin options share. Each one reads a raw value (from a file, an environment
// variable or a flag) or throws an Error saying what is allowed.

import { parseDuration, parsePositiveDuration } from './duration.js';
import { parseHostPort } from './host-port.js';

const TRUE = new Set(['true', 'yes', 'on', '1', 't', 'y']);
const FALSE = new Set(['false', 'no', 'off', '0', 'f', 'n']);

/** Reads a switch: a boolean, or one of the words the nodes accept, in any case. */
function parseSwitch(value: unknown): boolean {
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
  const fault = 'must be a whole number of 1 or more';
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text) || Number(text) < 1) throw new Error(fault);
  return Number(text);
}

function parseText(value: unknown): string {
  if (typeof value !== 'string') throw new Error('must be text');
  return value;
}

function parsePath(value: unknown): string {
  if (typeof value !== 'string' || value.includes('\0')) throw new Error('must be a path');
  return value;
}

function parsePathList(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [parsePath(value)];
  if (!Array.isArray(value) || value.includes(''))
    throw new Error('must be a list of paths, none of them empty');
  return value.map(parsePath);
}

function parseList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('must be a list');
  return value as unknown[];
}

/** The formats by the name that a schema gives. */
export const FORMATS = {
  switch: parseSwitch,
  // Not named number: convict would read a text of that format itself, and laxly.
  decimal: parseNumber,
  count: parseCount,
  text: parseText,
  path: parsePath,
  'path-list': parsePathList,
  duration: parseDuration,
  'positive-duration': parsePositiveDuration,
  /** The empty text, where there is no address. */
  'optional-host-port': (value: unknown): string => {
    if (value !== '') parseHostPort(value);
    return value as string;
  },
  'host-port': (value: unknown): string => {
    parseHostPort(value);
    return value as string;
  },
  list: parseList,
} as const;

/** The name of a format. */
export type FormatName = keyof typeof FORMATS;
