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

/** Numbers that JSON.parse may round to a whole one: with a long fraction, or with an exponent that makes one. */
const LONG_FRACTION = /\.[0-9]{6}/;
const NEGATIVE_EXPONENT = /[0-9][eE]-/;

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

// Few texts have an `e-`, which is found sooner than a digit before it.
const mayBeRounded = (text: string): boolean =>
  LONG_FRACTION.test(text) ||
  ((text.includes('e-') || text.includes('E-')) && NEGATIVE_EXPONENT.test(text));

const hasSurrogates = (text: string): boolean =>
  !text.isWellFormed() || text.includes(String.raw`\ud`) || text.includes(String.raw`\uD`);
