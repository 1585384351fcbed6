// JSON values, and the short way to them: JSON.parse, where it gives what our own parser gives.

/** How errors about the document begin. */
export const INTERMEDIATE = 'error unmarshaling intermediate JSON: ';

/** How deep objects and lists may nest (specification section 4). */
export const MAX_DEPTH = 10_000;

/** A number as it was written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value. Own keys of an object are what was written; of a key given twice the last value counts. */
export type JsonValue = string | boolean | null | number | JsonNumber | JsonValue[] | JsonObject;

/** An object. Only its own keys may be looked at: they come from outside. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object. */
export function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);
}

/** The Go type that errors call a JSON value by. */
export function goTypeOfJson(json: JsonValue): string {
  if (json === null) return '<nil>';
  if (Array.isArray(json)) return '[]interface {}';
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'string') return 'string';
  return isObject(json) ? 'map[string]interface {}' : 'json.Number';
}

/** Longer texts are not given to JSON.parse, which knows no bound to depth and number of values. */
const MAX_NATIVE = 4_000_000;

/** What stands after the dot of a number that JSON.parse may round to a whole one. */
const LONG_FRACTION = /[0-9]{6}/y;
/** What stands before the sign of an exponent that may make such a one of many digits. */
const EXPONENT = /[0-9][eE]/y;

/**
 * The value of a text by JSON.parse, where that gives what `parseJson` gives; else undefined.
 *
 * Numbers beyond `MAX_NATIVE_NUMBER` may have been rounded: whoever meets one must parse the text again.
 */
export function parseNatively(text: string): JsonValue | undefined {
  if (text.length > MAX_NATIVE || hasSurrogates(text) || mayBeRounded(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whole numbers up to here are exact after JSON.parse, as long as there is no long fraction. */
export const MAX_NATIVE_NUMBER = 2 ** 32;

// Dots and signs are rare in these texts, and a single character is found sooner than a pattern.
const mayBeRounded = (text: string): boolean =>
  hasAt(text, '.', 1, LONG_FRACTION) || hasAt(text, '-', -2, EXPONENT);

/** Whether a pattern stands at some distance from one of the places of a character. */
function hasAt(text: string, character: string, distance: number, pattern: RegExp): boolean {
  for (let index = text.indexOf(character); index !== -1; index = text.indexOf(character, index + 1)) {
    pattern.lastIndex = index + distance;
    if (index + distance >= 0 && pattern.test(text)) return true;
  }
  return false;
}

const hasSurrogates = (text: string): boolean =>
  !text.isWellFormed() || text.includes(String.raw`\ud`) || text.includes(String.raw`\uD`);
