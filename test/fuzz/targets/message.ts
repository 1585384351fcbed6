// Messages: our reader understands them as protobufjs' reflection does, and writes what was read with the same meaning.

import protobuf from 'protobufjs';
import { descriptorOf } from '../../../proto/descriptor.js';
import { TranslateError } from '../../../proto/errors.js';
import { fromBinary } from '../../../proto/from-binary.js';
import { Message, type Field, type Value } from '../../../proto/message.js';
import { resolveName } from '../../../proto/registry.js';
import { toBinary } from '../../../proto/to-binary.js';
import type { Input, Outcome } from '../target.js';
import { translatorSamples } from './translator-samples.js';

let root: protobuf.Root | undefined;

function typeOf(name: string): protobuf.Type {
  if (root === undefined) {
    root = new protobuf.Root();
    root.resolvePath = (_, target) => `proto/schema/${target}`;
    root.loadSync(FILES, { keepCase: true });
  }
  return root.lookupType(name);
}

/** They import all others that the samples need. */
const FILES = [
  'common/common.proto',
  'common/configtx.proto',
  'common/configuration.proto',
  'common/policies.proto',
  'msp/msp_config.proto',
  'orderer/configuration.proto',
  'peer/configuration.proto',
  'peer/transaction.proto',
];

/** Recorded messages of types with a schema in these files. */
export function messageSamples(): readonly Input[] {
  return translatorSamples()
    .filter(({ target, type }) => target === 'decode' && hasType(type))
    .map((sample) => ({ ...sample, target: 'message' }));
}

function hasType(name: string): boolean {
  try {
    typeOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Reads a message; undefined if it is refused. */
function read(type: string, bytes: Uint8Array): Message | undefined {
  try {
    return fromBinary(descriptorOf(resolveName(type)), bytes);
  } catch (error) {
    if (error instanceof TranslateError && error.message !== '') return undefined;
    throw error;
  }
}

/** @throws any difference that is not one between Go's runtime and protobufjs */
export function runMessage({ type, bytes }: Input): Outcome {
  const message = hasType(type) ? read(type, bytes) : undefined;
  if (message === undefined) return 'refused';
  const own = JSON.stringify(plainMessage(message));
  const again = read(type, toBinary(message));
  if (again === undefined || JSON.stringify(plainMessage(again)) !== own)
    throw new Error(`${own} is written with another meaning`);
  const other = readByReflection(type, bytes);
  if (other !== undefined && other !== own) throw new Error(`protobufjs reads ${other}, we read ${own}`);
  // protobufjs refuses long tags and lengths, and messages nested more than 100 deep.
  if (other === undefined && message.fault === undefined)
    throw new Error(`protobufjs refuses what we read as ${own}`);
  return 'accepted';
}

function readByReflection(name: string, bytes: Uint8Array): string | undefined {
  const type = typeOf(name);
  let decoded: protobuf.Message;
  try {
    decoded = type.decode(bytes);
  } catch {
    return undefined;
  }
  const object = type.toObject(decoded, { longs: String, bytes: String });
  return JSON.stringify(plainObject(name, object));
}

/** A message as names and values, without zero values, in the order of its fields. */
function plainMessage({ descriptor, slots }: Message): unknown {
  return descriptor.fields.flatMap((field) => member(field, slots[field.slot], plainValue));
}

function plainValue(value: Value): unknown {
  if (value instanceof Message) return plainMessage(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** The same of a plain object. */
function plainObject(name: string, object: Readonly<Record<string, unknown>>): unknown {
  return descriptorOf(name, {}).fields.flatMap((field) => {
    const value = object[field.name];
    const entries =
      field.rule === 'map' && value !== undefined ? new Map(Object.entries(value as object)) : value;
    return member(field, entries, (each) =>
      field.nested ? plainObject(field.type, each as Readonly<Record<string, unknown>>) : each,
    );
  });
}

function member<V>(field: Field, value: unknown, plain: (value: V) => unknown): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.length === 0 ? [] : [[field.name, value.map((each) => plain(each as V))]];
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<string, V>)].map(([key, each]) => [key, plain(each)] as const);
    return entries.length === 0 ? [] : [[field.name, entries.toSorted(([a], [b]) => (a < b ? -1 : 1))]];
  }
  const found = plain(value as V);
  const isZero = ['', 0, '0', false].includes(found as string);
  return isZero && field.oneof === undefined ? [] : [[field.name, found]];
}
