// JSON text -> serialized message. Usual documents are written directly (direct-writer.ts). The values of all other documents are put
// into a message, which is then written; this way has all rules and errors.

import { is, requireTypes } from './arguments.js';
import { descriptorOf, isJsonString, plainDescriptor } from './descriptor.js';
import { writeDirectly } from './direct-writer.js';
import { TranslateError } from './errors.js';
import {
  contentError,
  fieldError,
  PROTO,
  invalidScalar,
  mismatch,
  shown,
  type FieldPath,
  type JsonMember,
} from './field-path.js';
import { parseJson } from './json-parser.js';
import {
  goTypeOfJson,
  INTERMEDIATE,
  isObject,
  parseNatively,
  type JsonObject,
  type JsonValue,
} from './json-value.js';
import { MAX_DEPTH, maxValuesOf, type Bounds, BOUNDS } from './limits.js';
import { Message, Refusal, type Descriptor, type Field, type Value } from './message.js';
import { openField, tryRead } from './open.js';
import { resolveName } from './registry.js';
import { bytesFrom, RoundedNumber, scalarFrom } from './scalar.js';
import { isInRange, parseTimestamp } from './timestamp.js';
import { toBinary } from './to-binary.js';
import { TIMESTAMP } from './type.js';
import { compareUtf8, goUtf8 } from './utf8.js';

/**
 * The serialized message of a JSON document in the form that `decode` writes.
 *
 * Equal documents give equal bytes: fields in number order, map entries in key order. Opaque bytes may be base64 only where `decode` writes
 * base64: if their type is unknown, or if the bytes are not a message of this type.
 *
 * @param json text, or its UTF-8 bytes; invalid bytes become U+FFFD
 * @throws TranslateError UNKNOWN_TYPE, BAD_JSON, BAD_FIELD, TOO_LARGE
 */
export function encode(type: string, json: string | Uint8Array, bounds?: Bounds): Uint8Array {
  requireTypes({ type, json, bounds }, { type: is.text, json: is.textOrBytes, bounds: BOUNDS });
  const descriptor = descriptorOf(resolveName(type));
  const text = typeof json === 'string' ? json : textOf(json);
  const maxValues = bounds && maxValuesOf(bounds, 'json', text.length);
  const native = parseNatively(text, maxValues);
  try {
    return encodeDocument(descriptor, native ?? parseJson(text, maxValues), text.length);
  } catch (error) {
    if (error instanceof RoundedNumber)
      return encodeDocument(descriptor, parseJson(text, maxValues), text.length);
    throw error;
  }
}

/**
 * As {@link encode}, for a value from `parseJson`, which the caller may have changed. It has no rounded numbers.
 *
 * @throws TranslateError UNKNOWN_TYPE, BAD_JSON, BAD_FIELD, TOO_LARGE
 */
export const encodeValue = (type: string, value: JsonValue): Uint8Array =>
  encodeDocument(descriptorOf(resolveName(type)), value);

function encodeDocument(descriptor: Descriptor, document: JsonValue, textLength = 0): Uint8Array {
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
  const direct = writeDirectly(descriptor, document, expectedSize(textLength));
  if (direct !== undefined) return direct;
  const bytes = toBinary(fillMessage(descriptor, document));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * The expected number of bytes: indented documents have about 0.43 bytes for each character. Growing the buffer costs less than unused
 * memory.
 */
const expectedSize = (textLength: number): number => Math.min(textLength >> 1, 2 ** 20);

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

/** A value that is not in its message yet. */
type Task = JsonMember;

/**
 * Makes a message from any JSON object.
 *
 * Uses a list of tasks instead of recursion, so that no input overflows the stack. Tasks run in the order in which Fabric's protolator
 * visits the fields, so that the same error is reported if there are several.
 *
 * @throws TranslateError BAD_FIELD
 */
export function fillMessage(descriptor: Descriptor, object: JsonObject): Message {
  const message = new Message(descriptor);
  const filling = new Filling();
  filling.begin({ message, depth: 1, container: undefined }, object);
  filling.finish();
  return message;
}

class Filling {
  readonly #tasks: Task[] = [];

  finish(): void {
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#run(task);
  }

  /** Sets the single scalars of a message and adds tasks for its other values. */
  begin(path: FieldPath, object: JsonObject): void {
    const { message } = path;
    const { fields, traversedFields } = message.descriptor;
    const given = valuesOf(path, object);
    const { own, other } = given;
    // The task that is added last runs first.
    for (let index = traversedFields.length - 1; index >= 0; index--) {
      const field = traversedFields[index]!;
      const json = own[field.slot];
      if (json !== undefined) this.#tasks.push({ path, field, key: undefined, json });
    }
    for (let slot = fields.length - 1; slot >= 0; slot--)
      if (own[slot] !== undefined || other !== undefined) this.#plain(path, fields[slot]!, given);
  }

  /** Handles a plain field, or a traversed field given by its camelCase name, which counts as plain. */
  #plain(path: FieldPath, known: Field, { own, other }: Given): void {
    const json = other?.[known.slot] ?? (known.traversed ? undefined : own[known.slot]);
    if (json === undefined || json === null) return;
    const field = known.traversed ? plainDescriptor(path.message.descriptor).fields[known.slot]! : known;
    if (field.oneof !== undefined) checkOneof(path, field, { own, other });
    if (field.rule === 'list' || field.rule === 'map' || field.kind === 'message') {
      this.#tasks.push({ path, field, key: undefined, json });
    } else path.message.slots[field.slot] = this.#scalar(path, field, undefined, json);
  }

  #run(task: Task): void {
    const { field, key, json } = task;
    if (key === undefined && field.rule === 'list') this.#list(task);
    else if (key === undefined && field.rule === 'map') this.#map(task);
    else if (json === null && key === undefined) return;
    else if (field.content !== undefined)
      this.#opaque(task, field.content(task.path.message, String(key), openField));
    else this.#message(task, field.child(String(key)));
  }

  #list(task: Task): void {
    const { path, field, json } = task;
    if (!Array.isArray(json)) throw mismatch(task);
    if (path.depth === MAX_DEPTH) throw tooDeep('[');
    const list: Value[] = [];
    path.message.slots[field.slot] = list;
    if (holdsMessages(field)) {
      for (let key = json.length - 1; key >= 0; key--)
        this.#tasks.push({ path, field, key, json: json[key]! });
    } else for (const [key, element] of json.entries()) list.push(this.#scalar(path, field, key, element));
  }

  #map(task: Task): void {
    const { path, field, json } = task;
    if (!isObject(json)) throw mismatch(task);
    if (path.depth === MAX_DEPTH) throw tooDeep('{');
    const keys = Object.keys(json);
    const map = new Map<string, Value>();
    path.message.slots[field.slot] = map;
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index]!;
      if (field.keyKind === 'uint64') checkKey(path, field, key);
      if (holdsMessages(field)) this.#tasks.push({ path, field, key, json: json[key]! });
      else map.set(key, this.#scalar(path, field, key, json[key]!));
    }
  }

  #message(task: Task, descriptor: Descriptor): void {
    const { path, key, json } = task;
    if (!isObject(json)) throw mismatch(task);
    const message = new Message(descriptor, path.message, typeof key === 'string' ? key : '');
    put(task, message);
    const depth = path.depth + (key === undefined ? 1 : 2);
    if (depth > MAX_DEPTH) throw tooDeep('{');
    this.begin({ message, depth, container: task }, json);
  }

  /** Handles opaque bytes: an object for the message in them; base64 where `decode` writes base64. */
  #opaque(task: Task, content: Descriptor | Refusal): void {
    const { path, field, key, json } = task;
    const bytes = typeof json === 'string' ? bytesFrom(json) : undefined;
    if (content instanceof Refusal) {
      if (bytes === undefined) throw contentError(path, field, key, content.reason);
      put(task, bytes);
    } else if (bytes !== undefined && tryRead(content, bytes, path.message) === undefined) put(task, bytes);
    else this.#message(task, content);
  }

  #scalar(path: FieldPath, field: Field, key: Task['key'], json: JsonValue): Value {
    if (field.kind === 'timestamp') return this.#timestamp({ path, field, key, json });
    const value = scalarFrom(json, field.kind, field.enum);
    if (value === undefined) throw invalidScalar({ path, field, key, json });
    return value;
  }

  #timestamp(task: Task): Message {
    const { path, field, json } = task;
    if (typeof json !== 'string') throw mismatch(task);
    const parsed = parseTimestamp(json);
    if (parsed === undefined) throw invalidScalar(task);
    if (!isInRange(parsed.seconds)) {
      throw fieldError(path, field.name, `${TIMESTAMP} value out of range: ${shown(json)}`, PROTO);
    }
    const message = new Message(field.child(''), path.message);
    message.slots[0] = String(parsed.seconds);
    message.slots[1] = parsed.nanos;
    return message;
  }
}

/** Returns true if the elements or entries of a field need tasks. */
const holdsMessages = (field: Field): boolean => field.kind === 'message' || field.content !== undefined;

/** The values of an object by slot. */
interface Given {
  /** Given by the original names. */
  readonly own: readonly (JsonValue | undefined)[];
  /** Given by camelCase names that differ from the original names. */
  readonly other: readonly (JsonValue | undefined)[] | undefined;
}

/** @throws TranslateError BAD_FIELD for an unknown name, and for a plain field that is given by both names */
function valuesOf(path: FieldPath, object: JsonObject): Given {
  const { byName, byJsonName, fields, emptySlots } = path.message.descriptor;
  const own: (JsonValue | undefined)[] = emptySlots.slice();
  let other: (JsonValue | undefined)[] | undefined;
  // Faster than Object.keys; JSON objects inherit no enumerable properties.
  for (const name in object) {
    const field = byName.get(name);
    if (field !== undefined) own[field.slot] = object[name]!;
    else {
      const renamed = byJsonName.get(name);
      if (renamed === undefined) throw unknownField(path, name);
      (other ??= [])[renamed.slot] = object[name]!;
    }
  }
  for (const field of other === undefined ? [] : fields) {
    if (field.traversed || own[field.slot] === undefined || other![field.slot] === undefined) continue;
    throw fieldError(path, field.name, `duplicate field ${JSON.stringify(field.name)}`, PROTO);
  }
  return { own, other };
}

function unknownField(path: FieldPath, name: string): Error {
  const hint = path.container?.field.hint?.(name);
  const text = `unknown field ${JSON.stringify(name)} in ${path.message.descriptor.name}`;
  return fieldError(path, name, hint === undefined ? text : `${text}; ${hint}`, PROTO);
}

function tooDeep(opening: '{' | '['): Error {
  return new TranslateError('TOO_LARGE', `${INTERMEDIATE}invalid character '${opening}' exceeded max depth`);
}

/** Rejects a second member of a oneof. Go reads members in name order and reports the second. */
function checkOneof(path: FieldPath, { oneof }: Field, { own, other }: Given): void {
  const { fields, name: type } = path.message.descriptor;
  const given = fields.filter(
    (field) => field.oneof === oneof && (own[field.slot] ?? other?.[field.slot] ?? null) !== null,
  );
  if (given.length < 2) return;
  const names = given.map(({ slot, name, jsonName }) => (own[slot] === undefined ? jsonName : name));
  const second = names.toSorted(compareUtf8)[1]!;
  const text = `error parsing ${JSON.stringify(second)}, oneof ${type}.${oneof!} is already set`;
  throw fieldError(path, second, text, PROTO);
}

/** Stores the value of a task. */
function put({ path, field, key }: Task, value: Value): void {
  const { slots } = path.message;
  if (key === undefined) slots[field.slot] = value;
  else if (typeof key === 'number') (slots[field.slot] as Value[]).push(value);
  else (slots[field.slot] as Map<string, Value>).set(key, value);
}

// Without signs and leading zeros, so that different strings are different keys.
const DECIMAL = /^(?:0|[1-9]\d{0,19})$/;

function checkKey(path: FieldPath, field: Field, key: string): void {
  if (DECIMAL.test(key) && scalarFrom(key, 'uint64', undefined) !== undefined) return;
  throw fieldError(path, field.name, `invalid value for uint64 key: ${JSON.stringify(key)}`, PROTO);
}
