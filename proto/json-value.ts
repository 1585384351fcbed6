// JSON values in memory, and the fast way from text to them: JSON.parse, if its result is the same as that of json-parser.ts.

import { MAX_JSON_VALUES } from './limits.js';

/** The first words of errors about the document. */
export const INTERMEDIATE = 'error unmarshaling intermediate JSON: ';

/** A number as it was written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value. The own keys of an object are those of the document; for duplicate keys the last value is used. */
export type JsonValue = string | boolean | null | number | JsonNumber | JsonValue[] | JsonObject;

/** A JSON object. Read its own keys only: they come from user input. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object. */
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

/** A value and the comma, bracket or colon before it. */
const MIN_VALUE_LENGTH = 2;

/** The values of a text are counted in parts of this length. */
const PART_LENGTH = 65_536;

/** Before each value, except the first one, is one of these, or a colon after a key after one of these. */
const BEFORE_VALUES = [',', '[', '{'] as const;

/** Integers up to here are exact after JSON.parse, unless the text has a long fraction. */
export const MAX_NATIVE_NUMBER = 2 ** 32;

/** After a decimal point: a fraction that JSON.parse may round to an integer. */
const LONG_FRACTION = /[0-9]{6}/y;
/** Before the sign of an exponent: it may turn many digits into such a fraction. */
const EXPONENT = /[0-9][eE]/y;

/**
 * The value of a text, parsed by JSON.parse; undefined if the result could differ from that of `parseJson`, or if the text is not JSON.
 *
 * @param maxValues the number of values that the text may have; one that could have more is not parsed
 *
 * Numbers above `MAX_NATIVE_NUMBER` may be rounded: a caller that finds one must use `parseJson`.
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
 * Whether a text could have more values than a number. JSON.parse limits neither these nor their depth, and values take up to thirty times
 * the memory of their characters, so they are counted before.
 */
function mayHaveMoreValues(text: string, maxValues: number): boolean {
  let values = 1;
  // The rest of the text need not be searched when it is too short for the values that are left.
  for (let start = 0; values + (text.length - start) / MIN_VALUE_LENGTH > maxValues; start += PART_LENGTH) {
    const part = text.slice(start, start + PART_LENGTH);
    // Searching for a character is faster than a loop over all characters, because most of them are in strings.
    for (const character of BEFORE_VALUES)
      for (let index = part.indexOf(character); index !== -1; index = part.indexOf(character, index + 1))
        if (++values > maxValues) return true;
  }
  return false;
}

// Points and signs are rare in these texts, and searching for a character is faster than for a pattern.
const mayBeRounded = (text: string): boolean =>
  hasNear(text, '.', 1, LONG_FRACTION) || hasNear(text, '-', -2, EXPONENT);

/** Whether a pattern matches at a fixed distance from any occurrence of a character. */
function hasNear(text: string, character: string, distance: number, pattern: RegExp): boolean {
  for (let index = text.indexOf(character); index !== -1; index = text.indexOf(character, index + 1)) {
    pattern.lastIndex = index + distance;
    if (index + distance >= 0 && pattern.test(text)) return true;
  }
  return false;
}

const hasSurrogates = (text: string): boolean =>
  !text.isWellFormed() || text.includes(String.raw`\ud`) || text.includes(String.raw`\uD`);
