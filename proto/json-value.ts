// JSON values in memory, and the fast way to parse them: JSON.parse, if it gives the same result as json-parser.ts.

import { MAX_JSON_VALUES } from './limits.js';

/** The first words of errors about the document. */
export const INTERMEDIATE = 'error unmarshaling intermediate JSON: ';

/** A number as written in the text. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value. The own keys of an object are the keys in the document; for duplicate keys the last value is used. */
export type JsonValue = string | boolean | null | number | JsonNumber | JsonValue[] | JsonObject;

/** A JSON object. Read only its own keys: they come from user input. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Returns true if a value is an object. */
export function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);
}

/** The Go type of a JSON value, for errors. */
export function goTypeOfJson(json: JsonValue): string {
  if (json === null) return '<nil>';
  if (Array.isArray(json)) return '[]interface {}';
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'string') return 'string';
  return isObject(json) ? 'map[string]interface {}' : 'json.Number';
}

/** Longer texts are not passed to JSON.parse, which copies all strings in them. */
const MAX_LENGTH = 16_000_000;

/** The shortest value, with the comma, bracket or colon before it. */
const MIN_VALUE_LENGTH = 2;

/** The values of a text are counted in parts of this length. */
const PART_LENGTH = 65_536;

/** One of these precedes each value except the first one; in an object there are a key and a colon in between. */
const BEFORE_VALUES = [',', '[', '{'] as const;

/** Integers up to this value are exact after JSON.parse, unless the text has a long fraction. */
export const MAX_NATIVE_NUMBER = 2 ** 32;

/** The text after a decimal point if it is a fraction that JSON.parse may round to an integer. */
const LONG_FRACTION = /[0-9]{6}/y;
/** The text before the sign of an exponent, which may turn many digits into such a fraction. */
const EXPONENT = /[0-9][eE]/y;

/**
 * The value of a text, parsed by JSON.parse; undefined if `parseJson` could give another result, or if the text is not JSON.
 * Numbers above `MAX_NATIVE_NUMBER` may be rounded: a caller that finds such a number must use `parseJson`.
 *
 * @param maxValues maximum number of values; a text that could have more is not parsed
 */
export function parseNatively(text: string, maxValues = MAX_JSON_VALUES): JsonValue | undefined {
  if (text.length > MAX_LENGTH || mayHaveMoreValues(text, maxValues)) return undefined;
  if (hasSurrogates(text) || mayBeRounded(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * Returns true if a text could have more than `maxValues` values. JSON.parse limits neither their number nor their depth, and values take up
 * to thirty times the memory of their characters, so they are counted first.
 */
function mayHaveMoreValues(text: string, maxValues: number): boolean {
  let values = 1;
  // Stops when the rest of the text is too short for the remaining values.
  for (let start = 0; values + (text.length - start) / MIN_VALUE_LENGTH > maxValues; start += PART_LENGTH) {
    const part = text.slice(start, start + PART_LENGTH);
    // Searching for a character is faster than a loop over all characters, because most characters are in strings.
    for (const character of BEFORE_VALUES)
      for (let index = part.indexOf(character); index !== -1; index = part.indexOf(character, index + 1))
        if (++values > maxValues) return true;
  }
  return false;
}

// Points and signs are rare in these texts, and searching for a character is faster than searching for a pattern.
const mayBeRounded = (text: string): boolean =>
  hasNear(text, '.', 1, LONG_FRACTION) || hasNear(text, '-', -2, EXPONENT);

/** Returns true if a pattern matches at a fixed distance from any occurrence of a character. */
function hasNear(text: string, character: string, distance: number, pattern: RegExp): boolean {
  for (let index = text.indexOf(character); index !== -1; index = text.indexOf(character, index + 1)) {
    pattern.lastIndex = index + distance;
    if (index + distance >= 0 && pattern.test(text)) return true;
  }
  return false;
}

const hasSurrogates = (text: string): boolean =>
  !text.isWellFormed() || text.includes(String.raw`\ud`) || text.includes(String.raw`\uD`);
