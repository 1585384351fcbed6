// JSON values in memory.

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
