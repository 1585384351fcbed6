// The message classes that the Fabric project publishes for JavaScript (@hyperledger/fabric-protos), with access to fields by name.

import { createRequire } from 'node:module';
import type { FieldRow } from '../../proto/schema-table.js';
import type { Sample, SampleField, SampleValue } from './schema-sample.js';

const require = createRequire(import.meta.url);
// google-protobuf is a dependency of the published package, not of this one.
const requireAsPublished = createRequire(require.resolve('@hyperledger/fabric-protos'));

export interface PublishedMessage {
  serializeBinary(): Uint8Array;
  /** Has an entry for every field, set or not. */
  toObject(): Readonly<Record<string, unknown>>;
}

export interface PublishedClass {
  new (): PublishedMessage;
  deserializeBinary(bytes: Uint8Array): PublishedMessage;
}

interface PublishedMap {
  set(key: string | number, value: unknown): void;
  get(key: string | number): unknown;
  getLength(): number;
}

/** The exports of a module, or the inner types of a class, by short name. */
type Exported = Readonly<Record<string, unknown>>;

/** The classes and enums of the published package. */
export interface PublishedTypes {
  readonly classes: ReadonlyMap<string, PublishedClass>;
  readonly enums: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/**
 * Collects the classes and enums in the published modules of some messages.
 *
 * @param files path of the .proto file of each message by full name; files that are not published are skipped
 */
export function loadPublished(files: Readonly<Record<string, string>>): PublishedTypes {
  const types = { classes: new Map(), enums: new Map() };
  const packages = new Map(Object.entries(files).map(([name, file]) => [file, packageOf(name)]));
  for (const [file, name] of packages) collect(requirePublished(file), name, types);
  return types;
}

/** The part of a name before the first capitalized part. */
const packageOf = (name: string): string => name.replace(/\.[A-Z].*/, '');

function requirePublished(file: string): Exported {
  const module = `${file.replace(/\.proto$/, '')}_pb.js`;
  const wellKnown = file.startsWith('google/protobuf/');
  try {
    return requireAsPublished(
      wellKnown ? `google-protobuf/${module}` : `@hyperledger/fabric-protos/lib/${module}`,
    ) as Exported;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return {};
    throw error;
  }
}

function collect(
  exported: Exported,
  outer: string,
  types: { classes: Map<string, unknown>; enums: Map<string, unknown> },
): void {
  for (const [short, value] of Object.entries(exported)) {
    const name = `${outer}.${short}`;
    if (typeof value === 'function' && 'deserializeBinary' in value) {
      types.classes.set(name, value);
      collect(value as unknown as Exported, name, types);
    } else if (isEnum(short, value)) types.enums.set(name, value);
  }
}

/** Classes also have lists of numbers, and for each oneof an object of numbers whose name ends in Case. */
function isEnum(short: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || short.endsWith('Case'))
    return false;
  const numbers = Object.values(value);
  return numbers.length > 0 && numbers.every((each) => typeof each === 'number');
}

/** The name of a field in the accessors of google-protobuf: `ChannelMac` for `channel_MAC`. */
function accessorName([, name, , , rule]: FieldRow): string {
  const words = name
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`);
  const suffix = rule === 'list' ? 'List' : rule === 'map' ? 'Map' : '';
  return words.join('') + suffix;
}

/** Calls an accessor. Accessors whose name exists in the base class end with a dollar sign. */
function call(message: PublishedMessage, name: string, ...args: readonly unknown[]): unknown {
  const methods = message as unknown as Readonly<
    Record<string, ((...values: unknown[]) => unknown) | undefined>
  >;
  const method = methods[`${name}$`] ?? methods[name];
  if (method === undefined) throw new Error(`the published message has no ${name}`);
  return method.apply(message, [...args]);
}

/** Finds the class of a message by name. */
export type ClassOf = (type: string) => PublishedClass;

/** Makes a published message with the values of a sample. */
export function makePublished(sample: Sample, classOf: ClassOf): PublishedMessage {
  const message = new (classOf(sample.type))();
  const publish = (value: SampleValue): unknown =>
    typeof value === 'object' && 'fields' in value ? makePublished(value, classOf) : value;
  for (const { row, values, keys } of sample.fields) {
    const name = accessorName(row);
    const published = values.map(publish);
    if (row[4] === 'map') {
      const map = call(message, `get${name}`) as PublishedMap;
      for (const [index, key] of keys.entries()) map.set(key, published[index]);
    } else call(message, `set${name}`, row[4] === 'list' ? published : published[0]);
  }
  return message;
}

/** Reads the fields of a sample from a published message. @throws if a message has another class */
export function readPublished(sample: Sample, message: PublishedMessage, classOf: ClassOf): Sample {
  if (message.constructor !== classOf(sample.type)) throw new Error(`expected a ${sample.type}`);
  const fields = sample.fields.map((field): SampleField => {
    const found = readField(field, message);
    const values = found.map((value, index): SampleValue => {
      const expected = field.values[index];
      return typeof expected === 'object' && 'fields' in expected
        ? readPublished(expected, value as PublishedMessage, classOf)
        : (value as SampleValue);
    });
    return { ...field, values };
  });
  return { type: sample.type, fields };
}

function readField({ row, keys }: SampleField, message: PublishedMessage): unknown[] {
  const name = accessorName(row);
  if (row[4] === 'map') {
    const map = call(message, `get${name}`) as PublishedMap;
    if (map.getLength() !== keys.length) throw new Error(`${name} has ${map.getLength()} entries`);
    return keys.map((key) => map.get(key));
  }
  const value = call(message, row[3] === 'bytes' ? `get${name}_asU8` : `get${name}`);
  return row[4] === 'list' ? (value as unknown[]) : [value];
}
