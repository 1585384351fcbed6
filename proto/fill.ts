// JSON values -> message.

import { goTypeOfJson, INTERMEDIATE, isObject, MAX_DEPTH, type JsonObject, type JsonValue } from './json.js';
import { TranslateError } from './errors.js';
import { compareUtf8 } from './json-text.js';
import { Message, type Value } from './message.js';
import { tryRead } from './open.js';
import { refuse, refuseContent, type Place } from './place.js';
import { plainPlan, type Field, type Plan } from './plan.js';
import { bytesFrom, numberText, scalarFrom } from './scalar.js';
import { isInRange, parseTimestamp, TIMESTAMP } from './timestamp.js';
import { Refusal } from './treatment.js';

/** A value that is still to be put into a message. */
interface Task {
  readonly place: Place;
  readonly field: Field;
  /** Set for an element of a list or an entry of a map. */
  readonly key: string | number | undefined;
  readonly json: JsonValue;
}

/**
 * Makes a message of an object. All messages in it are in the answer, outer ones before inner ones.
 *
 * Values are put on a stack instead of being filled by recursion, so that no input overflows the stack. They are
 * taken from it in the order in which Fabric's configtxlator visits them, so that the same mistake is told first.
 *
 * @throws TranslateError BAD_FIELD
 */
export function fillMessage(plan: Plan, object: JsonObject): readonly Message[] {
  const filling = new Filling();
  filling.begin({ message: new Message(plan), depth: 1, outer: undefined }, object);
  filling.finish();
  return filling.messages;
}

class Filling {
  readonly messages: Message[] = [];
  readonly #tasks: Task[] = [];

  finish(): void {
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#run(task);
  }

  /** Sets the single scalars of a message, and makes tasks of all else that is given. */
  begin(place: Place, object: JsonObject): void {
    const { message } = place;
    const { fields, specials } = message.plan;
    this.messages.push(message);
    const given = valuesOf(place, object);
    // The stack gives back first what is put on it last.
    for (let index = specials.length - 1; index >= 0; index--) {
      const field = specials[index]!;
      const json = given.own[field.slot];
      if (json !== undefined) this.#tasks.push({ place, field, key: undefined, json });
    }
    for (let slot = fields.length - 1; slot >= 0; slot--) this.#plain(place, fields[slot]!, given);
  }

  /** A field that is not looked into: every one but special ones under their own name. */
  #plain(place: Place, known: Field, { own, other }: Given): void {
    const json = other?.[known.slot] ?? (known.special ? undefined : own[known.slot]);
    if (json === undefined || json === null) return;
    const field = known.special ? plainPlan(place.message.plan).fields[known.slot]! : known;
    if (field.oneof !== undefined) refuseSecondMember(place, field, { own, other });
    if (field.rule === 'list' || field.rule === 'map' || field.kind === 'message') {
      this.#tasks.push({ place, field, key: undefined, json });
    } else place.message.slots[field.slot] = this.#scalar(place, field, undefined, json);
  }

  #run(task: Task): void {
    const { field, key, json } = task;
    if (key === undefined && field.rule === 'list') this.#list(task);
    else if (key === undefined && field.rule === 'map') this.#map(task);
    else if (json === null && key === undefined) return;
    else if (field.content !== undefined) this.#opaque(task, field.content(task.place.message, String(key)));
    else this.#message(task, field.child(String(key)));
  }

  #list(task: Task): void {
    const { place, field, json } = task;
    if (!Array.isArray(json)) throw mismatch(task);
    if (place.depth === MAX_DEPTH) throw tooDeep('[');
    const list: Value[] = [];
    place.message.slots[field.slot] = list;
    if (holdsMessages(field)) {
      for (let key = json.length - 1; key >= 0; key--)
        this.#tasks.push({ place, field, key, json: json[key]! });
    } else for (const [key, element] of json.entries()) list.push(this.#scalar(place, field, key, element));
  }

  #map(task: Task): void {
    const { place, field, json } = task;
    if (!isObject(json)) throw mismatch(task);
    if (place.depth === MAX_DEPTH) throw tooDeep('{');
    const keys = Object.keys(json);
    const map = new Map<string, Value>();
    place.message.slots[field.slot] = map;
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index]!;
      if (field.keyKind === 'uint64') checkKey(place, field, key);
      if (holdsMessages(field)) this.#tasks.push({ place, field, key, json: json[key]! });
      else map.set(key, this.#scalar(place, field, key, json[key]!));
    }
  }

  /** A message as one. */
  #message(task: Task, plan: Plan): void {
    const { place, key, json } = task;
    if (!isObject(json)) throw mismatch(task);
    const message = new Message(plan, place.message, typeof key === 'string' ? key : '');
    put(task, message);
    const depth = place.depth + (key === undefined ? 1 : 2);
    if (depth > MAX_DEPTH) throw tooDeep('{');
    this.begin({ message, depth, outer: task }, json);
  }

  /** Bytes, as the message that they hold, or as base64 where they hold no known one (design, decision 13). */
  #opaque(task: Task, content: Plan | Refusal): void {
    const { place, field, key, json } = task;
    const bytes = typeof json === 'string' ? bytesFrom(json) : undefined;
    if (content instanceof Refusal) {
      if (bytes === undefined) throw refuseContent(place, field, key, content.reason);
      put(task, bytes);
    } else if (bytes !== undefined && tryRead(content, bytes, place.message) === undefined) put(task, bytes);
    else this.#message(task, content);
  }

  #scalar(place: Place, field: Field, key: Task['key'], json: JsonValue): Value {
    if (field.kind === 'timestamp') return this.#timestamp({ place, field, key, json });
    const value = scalarFrom(json, field.kind, field.enum);
    if (value === undefined) throw invalid({ place, field, key, json });
    return value;
  }

  #timestamp(task: Task): Message {
    const { place, field, json } = task;
    if (typeof json !== 'string') throw mismatch(task);
    const parsed = parseTimestamp(json);
    if (parsed === undefined) throw invalid(task);
    if (!isInRange(parsed.seconds)) {
      throw refuse(place, field.name, `proto: ${TIMESTAMP} value out of range: ${shown(json)}`);
    }
    const message = new Message(field.child(''), place.message);
    message.slots[0] = String(parsed.seconds);
    message.slots[1] = parsed.nanos;
    this.messages.push(message);
    return message;
  }
}

/** Whether the elements or entries of a field are objects. */
const holdsMessages = (field: Field): boolean => field.kind === 'message' || field.content !== undefined;

/** The values of an object by slot: under the names of the schema, and under camelCase names that differ. */
interface Given {
  readonly own: readonly (JsonValue | undefined)[];
  readonly other: readonly (JsonValue | undefined)[] | undefined;
}

/** A plain field may be given under one of its names only. */
function valuesOf(place: Place, object: JsonObject): Given {
  const { byName, byJsonName, fields, noValues } = place.message.plan;
  const own: (JsonValue | undefined)[] = noValues.slice();
  let other: (JsonValue | undefined)[] | undefined;
  for (const name of Object.keys(object)) {
    const field = byName.get(name);
    if (field !== undefined) own[field.slot] = object[name]!;
    else {
      const renamed = byJsonName.get(name);
      if (renamed === undefined) throw unknownField(place, name);
      (other ??= [])[renamed.slot] = object[name]!;
    }
  }
  for (const field of other === undefined ? [] : fields) {
    if (field.special || own[field.slot] === undefined || other![field.slot] === undefined) continue;
    throw refuse(place, field.name, `proto: duplicate field ${JSON.stringify(field.name)}`);
  }
  return { own, other };
}

function unknownField(place: Place, name: string): Error {
  return refuse(place, name, `proto: unknown field ${JSON.stringify(name)} in ${place.message.plan.name}`);
}

function tooDeep(opening: '{' | '['): Error {
  return new TranslateError('TOO_LARGE', `${INTERMEDIATE}invalid character '${opening}' exceeded max depth`);
}

// Go meets the members in the order of their names and tells of the second one.
function refuseSecondMember(place: Place, { oneof }: Field, { own, other }: Given): void {
  const { fields, name: type } = place.message.plan;
  const given = fields.filter(
    (field) => field.oneof === oneof && (own[field.slot] ?? other?.[field.slot] ?? null) !== null,
  );
  if (given.length < 2) return;
  const names = given.map(({ slot, name, jsonName }) => (own[slot] === undefined ? jsonName : name));
  const second = names.toSorted(compareUtf8)[1]!;
  const text = `error parsing ${JSON.stringify(second)}, oneof ${type}.${oneof!} is already set`;
  throw refuse(place, second, `proto: ${text}`);
}

/** Puts a value where its task says. */
function put({ place, field, key }: Task, value: Value): void {
  const { slots } = place.message;
  if (key === undefined) slots[field.slot] = value;
  else if (typeof key === 'number') (slots[field.slot] as Value[]).push(value);
  else (slots[field.slot] as Map<string, Value>).set(key, value);
}

// Without signs and leading zeros, so that no two texts are the same key.
const DECIMAL = /^(?:0|[1-9]\d{0,19})$/;

function checkKey(place: Place, field: Field, key: string): void {
  if (DECIMAL.test(key) && scalarFrom(key, 'uint64', undefined) !== undefined) return;
  throw refuse(place, field.name, `proto: invalid value for uint64 key: ${JSON.stringify(key)}`);
}

/** The error of a scalar that its type does not allow. */
function invalid({ place, field, key, json }: Task): Error {
  const text =
    field.kind === 'timestamp'
      ? `invalid ${TIMESTAMP} value ${shown(json)}`
      : `invalid value for ${field.kind} type: ${shown(json)}`;
  return refuse(place, memberName(field, key), `proto: ${text}`);
}

/** The error of a value of another JSON type. */
function mismatch({ place, field, key, json }: Task): Error {
  const name = memberName(field, key);
  if (!field.special)
    return refuse(place, name, `proto: syntax error: unexpected token ${shown(json)} for ${field.name}`);
  const type = place.message.plan.goType;
  const found = goTypeOfJson(json);
  if (key === undefined && field.rule === 'list') {
    const text = `expected slice field ${field.name} for message ${type} to be assignable from []interface{} but was not. Got ${found}`;
    return refuse(place, name, text);
  }
  if (key === undefined && field.rule === 'map') {
    const text = `expected map field ${field.name} for message ${type} to be assignable from map[string]interface{} but was not. Got ${found}`;
    return refuse(place, name, text);
  }
  const where =
    key === undefined
      ? `field ${field.name}`
      : typeof key === 'number'
        ? `slice field ${field.name} value at index ${String(key)}`
        : `map field ${field.name} value for ${key}`;
  const text = `expected ${where} for message ${type} to be assignable from map[string]interface {} but was not.  Is ${found}`;
  return refuse(place, name, text);
}

function memberName(field: Field, key: string | number | undefined): string {
  return key === undefined ? field.name : `${field.name}[${JSON.stringify(key)}]`;
}

/** Longest value that an error shows. */
const MAX_SHOWN = 80;

function shown(json: JsonValue): string {
  if (Array.isArray(json)) return '[';
  if (isObject(json)) return '{';
  const number = typeof json === 'string' ? undefined : numberText(json);
  const text = number ?? JSON.stringify(json);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
