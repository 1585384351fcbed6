// JSON text -> binary.

import { isUtf8 } from 'node:buffer';
import { TranslateError } from './errors.js';
import { fillMessage } from './fill.js';
import { goTypeOfJson, INTERMEDIATE, isObject, parseNatively, type JsonValue } from './json.js';
import { parseJson } from './json-parser.js';
import { isText, planOf, type Plan } from './plan.js';
import { resolveName } from './registry.js';
import { RoundedNumber } from './scalar.js';
import { goUtf8 } from './utf8.js';
import { writeMessage } from './write.js';

/**
 * The serialized message of a JSON document, in the form that `decode` writes (specification section 5).
 *
 * The same document gives the same bytes every time: fields in the order of their numbers, map entries in the order
 * of their keys. Base64 is accepted for opaque bytes wherever `decode` writes it: where it is not known what they
 * hold, or where they do not hold it.
 *
 * @param json text, or its bytes; every byte that is not UTF-8 becomes U+FFFD
 * @throws TranslateError UNKNOWN_TYPE, BAD_JSON, BAD_FIELD, TOO_LARGE
 */
export function encode(type: string, json: string | Uint8Array): Buffer {
  const plan = planOf(resolveName(type));
  const text = typeof json === 'string' ? json : textOf(json);
  const quick = parseNatively(text);
  try {
    return encodeDocument(plan, quick ?? parseJson(text));
  } catch (error) {
    if (error instanceof RoundedNumber) return encodeDocument(plan, parseJson(text));
    throw error;
  }
}

function encodeDocument(plan: Plan, document: JsonValue): Buffer {
  if (document === null) {
    throw new TranslateError(
      'BAD_JSON',
      `${plan.goType}: proto: syntax error (line 1:1): unexpected token null`,
    );
  }
  if (!isObject(document)) {
    const found = NAMES.get(goTypeOfJson(document))!;
    const text = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
    throw new TranslateError('BAD_JSON', `${INTERMEDIATE}${text}`);
  }
  if (isText(plan)) {
    throw new TranslateError(
      'BAD_FIELD',
      `${plan.goType}: proto: syntax error (line 1:1): unexpected token {`,
    );
  }
  return writeMessage(fillMessage(plan, document));
}

/** What Go calls the JSON type of a value that is no object. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['bool', 'bool'],
  ['json.Number', 'number'],
  ['[]interface {}', 'array'],
]);

function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : goUtf8(buffer);
}
