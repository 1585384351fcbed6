// Where in a document something stands, for errors.

import { TranslateError } from './errors.js';
import type { Message } from './message.js';
import type { Field } from './plan.js';

/** A message that is being filled, and how it was reached. */
export interface Place {
  readonly message: Message;
  /** How deep its object is nested, the outermost at 1. */
  readonly depth: number;
  /** The message around it, and the field that holds it; undefined for the outermost. */
  readonly outer:
    { readonly place: Place; readonly field: Field; readonly key: string | number | undefined } | undefined;
}

/** A place and those around it, the outermost first. There may be thousands, so this is no recursion. */
function placesTo(place: Place): Place[] {
  const places = [place];
  for (let { outer } = place; outer !== undefined; { outer } = outer.place) places.push(outer.place);
  return places.toReversed();
}

/**
 * The chain of messages and fields that errors of Fabric's configtxlator begin with (specification section 7).
 * Messages that are not looked into do not appear in it.
 */
function chain(place: Place): string {
  let text = '';
  for (const { message, outer } of placesTo(place)) {
    if (outer?.field.special === false) continue;
    if (outer !== undefined) text += frame(outer.place, outer.field, outer.key);
    text += `${message.plan.goType}: `;
  }
  return text;
}

function frame({ message }: Place, field: Field, key: string | number | undefined): string {
  const type = message.plan.goType;
  if (key === undefined) return `error in PopulateFrom for field ${field.name} for message ${type}: `;
  return typeof key === 'number'
    ? `error in PopulateFrom for slice field ${field.name} at index ${String(key)} for message ${type}: `
    : `error in PopulateFrom for map field ${field.name} with key ${key} for message ${type}: `;
}

/** `payload.data.config`, `data.data[0]`, `groups["Org1"]`. */
function path(place: Place): string {
  return placesTo(place)
    .flatMap(({ outer }) => (outer === undefined ? [] : [member(outer.field.name, outer.key)]))
    .join('.');
}

function member(name: string, key: string | number | undefined): string {
  return key === undefined ? name : `${name}[${JSON.stringify(key)}]`;
}

/** An error in a message itself: `text` follows the chain. */
export function refuse(place: Place, name: string, text: string): TranslateError {
  const around = path(place);
  return new TranslateError('BAD_FIELD', chain(place) + text, around === '' ? name : `${around}.${name}`);
}

/** An error in the content of a field. */
export function refuseContent(
  place: Place,
  field: Field,
  key: string | number | undefined,
  text: string,
): TranslateError {
  return refuse(place, member(field.name, key), frame(place, field, key) + text);
}
