// Changes one field of a message, or of a message in it.

import type { Field } from 'protobufjs';
import type { Random } from '../random.js';
import { parse, serialize, typeInside, typeOf, type Tree } from './messages.js';
import { entriesOf, type Pool } from './pool.js';

/** How often a mutation goes into an inner message instead of changing this one, in percent. */
const DESCEND = 85;

const NUMBERS = [0, 1, 2, 3, 10, 65_535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const TEXTS = ['', 'Admins', '/Channel/Admins', 'Org1MSP', '1h', '-1s', '0s', 'x', 'a/b', '..', 'ä\u202e'];

/** A place in a message at which there is an inner message. */
interface Inner {
  readonly type: string;
  readonly key: string;
  readonly message: Tree;
  /** Writes the changed message back. */
  readonly store: (changed: Tree) => void;
}

/**
 * Changes a message in place.
 *
 * @param name its type
 * @param key its name in a map
 * @returns the path of the changed field
 */
export function mutate(random: Random, pool: Pool, name: string, message: Tree, key = ''): string {
  const inner = random.below(100) < DESCEND ? innerOf(name, message, key) : [];
  if (inner.length > 0) {
    const { type, key: entry, message: found, store } = random.pick(inner);
    const path = mutate(random, pool, type, found, entry);
    store(found);
    return path;
  }
  const fields = typeOf(name).fieldsArray;
  if (fields.length === 0) return name;
  const field = random.pick(fields);
  changeField(random, pool, `${name}.${field.name}`, field, message);
  return `${name}.${field.name}`;
}

function innerOf(name: string, message: Tree, key: string): Inner[] {
  return typeOf(name).fieldsArray.flatMap((field) => {
    if (!Object.hasOwn(message, field.name)) return [];
    return entriesOf(field, message[field.name]).flatMap(([entry, value]): Inner[] => {
      if (field.resolvedType !== null && typeof value === 'object')
        return [
          {
            type: field.resolvedType.fullName.slice(1),
            key: entry,
            message: value as Tree,
            store: () => undefined,
          },
        ];
      const type = value instanceof Uint8Array ? typeInside(name, field.name, message, key) : undefined;
      return type === undefined ? [] : opaqueInner(type, value as Uint8Array, field, message);
    });
  });
}

function opaqueInner(type: string, bytes: Uint8Array, field: Field, message: Tree): Inner[] {
  try {
    const store = (changed: Tree): void => void (message[field.name] = serialize(type, changed));
    return [{ type, key: '', message: parse(type, bytes), store }];
  } catch {
    return [];
  }
}

function changeField(random: Random, pool: Pool, path: string, field: Field, message: Tree): void {
  if (field.map) changeMap(random, pool, path, field, message);
  else if (field.repeated) changeList(random, pool, path, field, message);
  else if (random.below(8) === 0) delete message[field.name];
  else message[field.name] = changedValue(random, pool, path, field, message[field.name]);
}

function changeMap(random: Random, pool: Pool, path: string, field: Field, message: Tree): void {
  const map: Tree = { ...(message[field.name] as Tree | undefined) };
  const keys = Object.keys(map);
  const key = keys.length > 0 ? random.pick(keys) : random.pick(TEXTS);
  const how = random.below(4);
  if (how === 0) delete map[key];
  else if (how === 1) map[random.pick([...TEXTS, 'Org9', 'Writers'])] = map[key] ?? pool.pick(random, path);
  else map[key] = pool.pick(random, path) ?? map[key];
  for (const each of Object.keys(map)) if (map[each] === undefined) delete map[each];
  message[field.name] = map;
}

function changeList(random: Random, pool: Pool, path: string, field: Field, message: Tree): void {
  const list = [...((message[field.name] as unknown[] | undefined) ?? [])];
  const index = random.below(list.length + 1);
  const how = random.below(5);
  if (how === 0) list.splice(index, 1);
  else if (how === 1 && list.length > 0) list.splice(index, 0, random.pick(list));
  else if (how === 2) list.reverse();
  else list.splice(index, how === 3 ? 1 : 0, changedValue(random, pool, path, field, list[index]));
  message[field.name] = list;
}

function changedValue(random: Random, pool: Pool, path: string, field: Field, value: unknown): unknown {
  const known = random.below(2) === 0 ? pool.pick(random, path) : undefined;
  if (known !== undefined) return known;
  if (field.resolvedType !== null && 'values' in field.resolvedType) return random.below(5);
  if (field.resolvedType !== null) return value ?? {};
  if (field.type === 'string') return random.pick(TEXTS);
  if (field.type === 'bool') return value !== true;
  if (field.type === 'bytes') return changedBytes(random, value);
  return random.pick(NUMBERS);
}

function changedBytes(random: Random, value: unknown): Buffer {
  const bytes = Buffer.from((value as Uint8Array | undefined) ?? []);
  const how = random.below(4);
  if (how === 0 || bytes.length === 0) return random.bytes(random.below(4));
  if (how === 1) return bytes.subarray(0, random.below(bytes.length));
  if (how === 2) return Buffer.concat([bytes, random.bytes(1 + random.below(3))]);
  const index = random.below(bytes.length);
  bytes[index] = bytes[index]! ^ (1 << random.below(8));
  return bytes;
}
