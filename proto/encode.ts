// JSON text -> serialized message.

import { descriptorOf, isJsonString } from './descriptor.js';
import { TranslateError } from './errors.js';
import { fillMessage } from './fill.js';
import { parseNatively } from './json-native.js';
import { parseJson } from './json-parser.js';
import { goTypeOfJson, INTERMEDIATE, isObject, type JsonValue } from './json-value.js';
import { maxValuesOf, type Bounds } from './limits.js';
import type { Descriptor } from './message.js';
import { resolveName } from './registry.js';
import { RoundedNumber } from './scalar.js';
import { goUtf8 } from './utf8.js';
import { toBinary } from './to-binary.js';

/**
 * The serialized message of a JSON document in the form that `decode` writes.
 *
 * Equal documents give equal bytes: fields in number order, map entries in key order. Opaque bytes may be base64 where `decode` writes
 * base64: if their type is unknown, or if the bytes are not a message of that type.
 *
 * @param json text, or its UTF-8 bytes; invalid bytes become U+FFFD
 * @throws TranslateError UNKNOWN_TYPE, BAD_JSON, BAD_FIELD, TOO_LARGE
 */
export function encode(type: string, json: string | Uint8Array, bounds?: Bounds): Buffer {
  const descriptor = descriptorOf(resolveName(type));
  const text = typeof json === 'string' ? json : textOf(json);
  const maxValues = bounds && maxValuesOf(bounds, 'json', text.length);
  const native = parseNatively(text, maxValues);
  try {
    return encodeDocument(descriptor, native ?? parseJson(text, maxValues));
  } catch (error) {
    if (error instanceof RoundedNumber) return encodeDocument(descriptor, parseJson(text, maxValues));
    throw error;
  }
}

function encodeDocument(descriptor: Descriptor, document: JsonValue): Buffer {
  if (document === null) {
    throw new TranslateError(
      'BAD_JSON',
      `${descriptor.goType}: proto: syntax error (line 1:1): unexpected token null`,
    );
  }
  if (!isObject(document)) {
    const found = JSON_TYPES.get(goTypeOfJson(document))!;
    const text = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
    throw new TranslateError('BAD_JSON', `${INTERMEDIATE}${text}`);
  }
  if (isJsonString(descriptor)) {
    throw new TranslateError(
      'BAD_FIELD',
      `${descriptor.goType}: proto: syntax error (line 1:1): unexpected token {`,
    );
  }
  const bytes = toBinary(fillMessage(descriptor, document));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The JSON type names in errors of Go's encoding/json, by Go type. */
const JSON_TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['bool', 'bool'],
  ['json.Number', 'number'],
  ['[]interface {}', 'array'],
]);

const VALID_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string {
  try {
    return VALID_UTF8.decode(bytes);
  } catch {
    return goUtf8(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
}
