// JSON values -> message.

import { goTypeOfJson, JsonNumber, JsonObject, type JsonValue } from './json.js';
import { Message, type Value } from './message.js';
import { tryRead } from './open.js';
import { refuse, refuseContent, type Place } from './place.js';
import { plainPlan, type Field, type Plan } from './plan.js';
import { bytesFrom, scalarFrom } from './scalar.js';
import { parseTimestamp } from './timestamp.js';
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
  filling.fill({ message: new Message(plan), outer: undefined }, object);
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
  fill(place: Place, object: JsonObject): void {
    const { message } = place;
    this.messages.push(message);
    const given = valuesByName(place, object);
    const tasks: Task[] = [];
    for (const [name, json] of given) {
      const field = plainField(place, name, given);
      if (field === undefined || json === null) continue;
      refuseSecondMember(place, field, name, given);
      const task: Task = { place, field, key: undefined, json };
      if (field.rule === 'list' || field.rule === 'map' || field.kind === 'message') tasks.push(task);
      else message.slots[field.slot] = this.#scalar(task);
    }
    for (const field of message.plan.specials) {
      const json = given.get(field.name);
      if (json !== undefined) tasks.push({ place, field, key: undefined, json });
    }
    this.#later(tasks);
  }

  #later(tasks: readonly Task[]): void {
    for (let index = tasks.length - 1; index >= 0; index--) this.#tasks.push(tasks[index]!);
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
    const tasks = json.map((element, key): Task => ({ place, field, key, json: element }));
    const list: Value[] = [];
    place.message.slots[field.slot] = list;
    if (holdsMessages(field)) this.#later(tasks);
    else for (const element of tasks) list.push(this.#scalar(element));
  }

  #map(task: Task): void {
    const { place, field, json } = task;
    if (!(json instanceof JsonObject)) throw mismatch(task);
    const entries = new Map(json.keys.map((key, index): [string, JsonValue] => [key, json.values[index]!]));
    const tasks = [...entries].map(([key, value]): Task => ({ place, field, key, json: value }));
    const map = new Map<string, Value>();
    place.message.slots[field.slot] = map;
    if (holdsMessages(field)) this.#later(tasks);
    else for (const entry of tasks) map.set(mapKey(entry), this.#scalar(entry));
  }

  /** A message as one. */
  #message(task: Task, plan: Plan): void {
    const { place, field, key, json } = task;
    if (!(json instanceof JsonObject)) throw mismatch(task);
    const message = new Message(plan, place.message, typeof key === 'string' ? key : '');
    put(task, message);
    this.fill({ message, outer: { place, field, key } }, json);
  }

  /** Bytes, as the message that they hold, or as base64 where they hold no known one (design, decision 13). */
  #opaque(task: Task, content: Plan | Refusal): void {
    const { place, field, key, json } = task;
    if (typeof json === 'string' && key === undefined && json === '') return;
    const bytes = typeof json === 'string' ? bytesFrom(json) : undefined;
    if (content instanceof Refusal) {
      if (bytes === undefined) throw refuseContent(place, field, key, content.reason);
      put(task, bytes);
    } else if (bytes !== undefined && tryRead(content, bytes, place.message) === undefined) put(task, bytes);
    else this.#message(task, content);
  }

  #scalar(task: Task): Value {
    const { field, json } = task;
    if (field.kind === 'timestamp') return this.#timestamp(task);
    const value = scalarFrom(json, field.kind, field.enum);
    if (value === undefined) throw invalid(task);
    return value;
  }

  #timestamp(task: Task): Message {
    const { place, field, json } = task;
    const parsed = typeof json === 'string' ? parseTimestamp(json) : undefined;
    if (parsed === undefined) throw invalid(task);
    const message = new Message(field.child(''), place.message);
    message.slots[0] = parsed.seconds;
    message.slots[1] = parsed.nanos;
    this.messages.push(message);
    return message;
  }
}

/** Whether the elements or entries of a field are objects. */
const holdsMessages = (field: Field): boolean => field.kind === 'message' || field.content !== undefined;

/** The values of an object by name; of a name given twice the last one counts. */
function valuesByName(place: Place, object: JsonObject): ReadonlyMap<string, JsonValue> {
  const { byName, byJsonName } = place.message.plan;
  const given = new Map<string, JsonValue>();
  for (const [index, name] of object.keys.entries()) {
    if (!byName.has(name) && !byJsonName.has(name)) {
      throw refuse(place, name, `proto: unknown field ${JSON.stringify(name)} in ${place.message.plan.name}`);
    }
    given.set(name, object.values[index]!);
  }
  return given;
}

/**
 * The field of a name that is to be read as plain JSON: all but the special ones under their original name.
 * A special field is plain under its camelCase name.
 */
function plainField(place: Place, name: string, given: ReadonlyMap<string, JsonValue>): Field | undefined {
  const { plan } = place.message;
  const field = plan.byName.get(name) ?? plan.byJsonName.get(name)!;
  if (field.special) return name === field.name ? undefined : plainPlan(plan).fields[field.slot]!;
  if (name !== field.name && given.has(field.name)) {
    throw refuse(place, name, `proto: duplicate field ${JSON.stringify(name)}`);
  }
  return field;
}

function refuseSecondMember(
  place: Place,
  field: Field,
  name: string,
  given: ReadonlyMap<string, JsonValue>,
): void {
  if (field.oneof === undefined) return;
  for (const { oneof, name: other, jsonName } of place.message.plan.fields) {
    if (oneof !== field.oneof || other === field.name) continue;
    if ((given.get(other) ?? given.get(jsonName) ?? null) === null) continue;
    const text = `error parsing ${JSON.stringify(name)}, oneof ${place.message.plan.name}.${oneof} is already set`;
    throw refuse(place, name, `proto: ${text}`);
  }
}

/** Puts a value where its task says. */
function put({ place, field, key }: Task, value: Value): void {
  const { slots } = place.message;
  if (key === undefined) slots[field.slot] = value;
  else if (typeof key === 'number') (slots[field.slot] as Value[]).push(value);
  else (slots[field.slot] as Map<string, Value>).set(key, value);
}

function mapKey(task: Task): string {
  if (task.field.keyKind === 'string') return task.key as string;
  const key = scalarFrom(task.key as string, 'uint64', undefined);
  if (key === undefined)
    throw refuse(
      task.place,
      task.field.name,
      `proto: invalid value for uint64 key: ${JSON.stringify(task.key)}`,
    );
  return key as string;
}

/** The error of a scalar that its type does not allow. */
function invalid({ place, field, key, json }: Task): Error {
  const what = field.kind === 'timestamp' ? 'google.protobuf.Timestamp' : `${field.kind} type`;
  return refuse(place, memberName(field, key), `proto: invalid value for ${what}: ${shown(json)}`);
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
  if (json instanceof JsonObject) return '{';
  const text = json instanceof JsonNumber ? json.text : JSON.stringify(json);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
