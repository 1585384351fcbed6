// Values of recorded configs by field, for grafts.

import type { Field } from 'protobufjs';
import type { Random } from '../random.js';
import { parse, serialize, typeInside, typeOf, type Tree } from './messages.js';

/** Makes a value again; values are not shared between configs. */
type Maker = () => unknown;

/** Values by the full name of their field, such as `orderer.BatchSize.max_message_count`. */
export class Pool {
  readonly #makers = new Map<string, Maker[]>();

  /** Adds all values of a message and of the messages in it. @param key its name in a map */
  add(name: string, message: Tree, key = ''): void {
    for (const field of typeOf(name).fieldsArray) {
      if (!Object.hasOwn(message, field.name)) continue;
      for (const [entry, value] of entriesOf(field, message[field.name])) {
        this.#add(`${name}.${field.name}`, field, value);
        if (field.resolvedType !== null && typeof value === 'object')
          this.add(field.resolvedType.fullName.slice(1), value as Tree, entry);
        const inner = value instanceof Uint8Array ? typeInside(name, field.name, message, key) : undefined;
        if (inner !== undefined) this.#addInside(inner, value as Uint8Array);
      }
    }
  }

  /** A value of a field; undefined if none was recorded. */
  pick(random: Random, path: string): unknown {
    const makers = this.#makers.get(path) ?? [];
    return makers.length === 0 ? undefined : random.pick(makers)();
  }

  #addInside(name: string, bytes: Uint8Array): void {
    try {
      this.add(name, parse(name, bytes));
    } catch {
      // Some recorded values do not parse.
    }
  }

  #add(path: string, field: Field, value: unknown): void {
    const makers = this.#makers.get(path) ?? [];
    this.#makers.set(path, makers);
    if (field.resolvedType === null || typeof value !== 'object') makers.push(() => value);
    else {
      const type = field.resolvedType.fullName.slice(1);
      const bytes = serialize(type, value as Tree);
      makers.push(() => parse(type, bytes));
    }
  }
}

/** The values of a field with their keys: those of a map, of a list, or the one value. */
export function entriesOf(field: Field, value: unknown): [key: string, value: unknown][] {
  if (field.map) return Object.entries(value as Tree);
  return field.repeated ? (value as unknown[]).map((each, index) => [String(index), each]) : [['', value]];
}
