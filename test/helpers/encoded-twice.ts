// Documents that are encoded both ways: directly, and through a message.

import * as fc from 'fast-check';
import { descriptorOf, isJsonString } from '../../proto/descriptor.js';
import { writeDirectly } from '../../proto/direct-writer.js';
import { fillMessage } from '../../proto/from-json.js';
import { decode, encode, messageNames, TranslateError } from '../../proto/index.js';
import { parseJson } from '../../proto/json-parser.js';
import { isObject, parseNatively, type JsonObject, type JsonValue } from '../../proto/json-value.js';
import { resolveName } from '../../proto/registry.js';
import { RoundedNumber } from '../../proto/scalar.js';
import { toBinary } from '../../proto/to-binary.js';
import { mutateJson } from '../fuzz/mutate-json.js';
import { createRandom } from '../fuzz/random.js';
import { randomMessage } from './messages/random-message.js';
import { readBody, readVectors, routeOf, type Vector } from './vectors/vector.js';

/** A JSON text of a message. */
export interface Document {
  readonly type: string;
  readonly text: string;
}

const VECTORS = 'test/vectors/translator';

/** The documents of the recorded exchanges, given or decoded. */
export function recordedDocuments(): readonly Document[] {
  return readVectors(VECTORS).flatMap(documentOf);
}

function documentOf({ path, request }: Vector): readonly Document[] {
  const route = routeOf(path);
  if (route === undefined) return [];
  const { type, operation } = route;
  const body = readBody(VECTORS, request);
  try {
    return [{ type, text: operation === 'encode' ? body.toString() : decode(type, body) }];
  } catch (error) {
    if (error instanceof TranslateError) return [];
    throw error;
  }
}

/** Longer documents would reduce the number of runs. */
const MAX_LENGTH = 12_000;

/** The types that are used most. */
const MAIN_TYPES = [
  'common.Block',
  'common.Config',
  'common.ConfigUpdate',
  'common.ConfigUpdateEnvelope',
  'common.Envelope',
  'protos.Transaction',
];

/** Recorded and random documents; three of four with one to three changes. */
export function* changedDocuments(seed: number, count: number): Generator<Document> {
  const random = createRandom(seed);
  const recorded = recordedDocuments().filter(({ text }) => text.length <= MAX_LENGTH);
  const types = [...MAIN_TYPES, ...MAIN_TYPES, ...messageNames()].filter(
    (type) => !isJsonString(descriptorOf(resolveName(type))),
  );
  for (let index = 0; index < count; index++) {
    const document =
      random.below(2) === 0 ? random.pick(recorded) : randomDocument(random.pick(types), index);
    yield random.below(4) === 0
      ? document
      : { ...document, text: mutateJson(Buffer.from(document.text), random).toString() };
  }
}

function randomDocument(type: string, seed: number): Document {
  const [message] = fc.sample(randomMessage(type), { seed, numRuns: 1 });
  return { type, text: decode(type, message!.shuffled) };
}

/** The bytes in hexadecimal digits, or code, path and text of the error. */
function outcome(encoded: () => Uint8Array): string {
  try {
    return Buffer.from(encoded()).toString('hex');
  } catch (error) {
    if (error instanceof TranslateError) return `${error.code} ${error.path} ${error.message}`;
    throw error;
  }
}

/** The results of `encode` and of the way through a message; undefined if the document is not a JSON object of a known type. */
export function bothWays({ type, text }: Document): { encoded: string; throughMessage: string } | undefined {
  const object = objectOf(text);
  if (object === undefined || !messageNames().includes(type)) return undefined;
  const descriptor = descriptorOf(resolveName(type));
  if (isJsonString(descriptor)) return undefined;
  const write = (value: JsonValue): Uint8Array => toBinary(fillMessage(descriptor, value as JsonObject));
  const throughMessage = outcome(() => {
    try {
      return write(object);
    } catch (error) {
      if (error instanceof RoundedNumber) return write(parseJson(text));
      throw error;
    }
  });
  return { encoded: outcome(() => encode(type, text)), throughMessage };
}

/** The bytes that the direct writer writes, in hexadecimal digits; undefined if it leaves the document to the other way. */
export function directly({ type, text }: Document, expectedSize = text.length): string | undefined {
  return writeDirectly(descriptorOf(resolveName(type)), objectOf(text)!, expectedSize)?.toString('hex');
}

/** The object of a text as `encode` parses it first. */
function objectOf(text: string): JsonObject | undefined {
  try {
    const value = parseNatively(text) ?? parseJson(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
