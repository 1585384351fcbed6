// Types of the arguments of edits: JavaScript callers and forms can pass anything.

import { suggestion } from '../../core/common/text/nearest.js';
import { badEdit } from './edited.js';

/** A type: its name in errors, and what is wrong with a value; undefined if it is of the type. `place` is the value in errors. */
export type Type = (value: unknown, place: string) => string | undefined;

const type =
  (name: string, isOf: (value: unknown) => boolean): Type =>
  (value, place) =>
    isOf(value) ? undefined : `${place} must be ${name}, found ${shown(value)}`;

const text = type('a text', (value) => typeof value === 'string');
const bytes = type('bytes', (value) => value instanceof Uint8Array);

/** A whole number of 1 to `max`. */
const number = (max: number): Type =>
  type(
    `a whole number of 1 to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max,
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
    const unknown = Object.keys(value ?? {}).find((name) => !known.includes(name));
    return unknown === undefined ? fault : `${place}.${unknown} is unknown; ${suggestion(unknown, known)}`;
  };
};

const map = type('a map', (value) => value instanceof Map);

/** A config. */
const config = record({ channelGroup: record({ groups: map, values: map, policies: map }) });

/** The types. */
export const is = { text, bytes, number, oneOf, optional, list, record, only, config };

/** Checks the arguments of an edit by their names. @throws TranslateError BAD_EDIT */
export function requireTypes<Name extends string>(
  values: Readonly<Record<Name, unknown>>,
  types: Readonly<Record<Name, Type>>,
): void {
  for (const [name, of] of Object.entries(types) as [Name, Type][]) {
    const fault = of(values[name], name);
    if (fault !== undefined) throw badEdit(fault);
  }
}

const shown = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
