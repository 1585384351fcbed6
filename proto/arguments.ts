// Types of arguments: callers in JavaScript and forms can pass anything.

import { suggestion } from '../core/common/text/nearest.js';
import { TranslateError } from './errors.js';

/** A type: what is wrong with a value; undefined if it is of the type. `place` is the value in errors. */
export type Type = (value: unknown, place: string) => string | undefined;

const type =
  (name: string, isOf: (value: unknown) => boolean): Type =>
  (value, place) =>
    isOf(value) ? undefined : `${place} must be ${name}, found ${shown(value)}`;

/** The class of an object of the language, also of another realm, as tests with Jest have them. */
const classOf = (value: unknown): string =>
  Object.prototype.toString.call(value).slice('[object '.length, -1);

const text = type('a text', (value) => typeof value === 'string');
const bytes = type('a Uint8Array', (value) => classOf(value) === 'Uint8Array');
const textOrBytes = type(
  'a text or a Uint8Array',
  (value) => typeof value === 'string' || bytes(value, '') === undefined,
);
const bool = type('true or false', (value) => typeof value === 'boolean');
const map = type('a Map', (value) => classOf(value) === 'Map');
const set = type('a Set', (value) => classOf(value) === 'Set');
const method = type('a function', (value) => typeof value === 'function');
const bigint = type('a bigint', (value) => typeof value === 'bigint');
const date = type('a valid Date', (value) => classOf(value) === 'Date' && !Number.isNaN(Number(value)));

/** A number from `min`; whole unless it may have a fraction. */
const number = (min: number, max = Number.MAX_SAFE_INTEGER): Type =>
  type(
    max === Number.MAX_SAFE_INTEGER ? `a whole number, ${min} or more` : `a whole number of ${min} to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  );

/** One of some texts. */
const oneOf = (...texts: readonly string[]): Type =>
  type(`one of ${texts.join(', ')}`, (value) => typeof value === 'string' && texts.includes(value));

/** A type, or undefined. */
const optional =
  (of: Type): Type =>
  (value, place) =>
    value === undefined ? undefined : of(value, place);

/** An array of values of a type. */
const list =
  (of: Type): Type =>
  (value, place) => {
    if (!Array.isArray(value)) return `${place} must be a list, found ${shown(value)}`;
    const faults = value.map((each: unknown, index) => of(each, `${place}[${index}]`));
    return faults.find((fault) => fault !== undefined);
  };

/** An object with properties of some types; others are ignored. */
const record =
  (properties: Readonly<Record<string, Type>>): Type =>
  (value, place) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return `${place} must be an object, found ${shown(value)}`;
    const faults = Object.entries(properties).map(([name, of]) =>
      of((value as Readonly<Record<string, unknown>>)[name], `${place}.${name}`),
    );
    return faults.find((fault) => fault !== undefined);
  };

/** An object with properties of some types and no others. */
const only = (properties: Readonly<Record<string, Type>>): Type => {
  const known = Object.keys(properties);
  const ofKnown = record(properties);
  return (value, place) => {
    const fault = ofKnown(value, place);
    if (typeof value !== 'object' || value === null) return fault;
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    return unknown === undefined ? fault : `${place}.${unknown} is unknown; ${suggestion(unknown, known)}`;
  };
};

/** A value that a function returns, which a name describes better than its properties. */
const named = (name: string, of: Type): Type => type(name, (value) => of(value, '') === undefined);

const listOrSet = type('a list or a Set', (value) => Array.isArray(value) || classOf(value) === 'Set');
const any: Type = () => undefined;

/** The types. */
export const is = {
  any,
  text,
  bytes,
  textOrBytes,
  bool,
  map,
  set,
  listOrSet,
  method,
  bigint,
  date,
  number,
  oneOf,
  optional,
  list,
  record,
  only,
  named,
};

/**
 * Checks arguments by their names.
 *
 * @param code BAD_EDIT for the values of edits
 * @throws TranslateError BAD_ARGUMENT
 */
export function requireTypes<Name extends string>(
  values: Readonly<Record<Name, unknown>>,
  types: Readonly<Record<Name, Type>>,
  code: 'BAD_ARGUMENT' | 'BAD_EDIT' = 'BAD_ARGUMENT',
): void {
  for (const [name, of] of Object.entries(types) as [Name, Type][]) {
    const fault = of(values[name], name);
    if (fault === undefined) continue;
    throw code === 'BAD_EDIT'
      ? new TranslateError('BAD_EDIT', fault)
      : new TranslateError('BAD_ARGUMENT', fault);
  }
}

const shown = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && classOf(value) !== 'Object' ? classOf(value) : typeof value;
};
