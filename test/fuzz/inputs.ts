// Makes the inputs: noise, and damaged requests out of the recorded exchanges.

import { messageNames } from '../../proto/index.js';
import { writeForm } from '../helpers/translator.js';
import { readBody, readPart, readVectors, routeOf, type Vector } from '../helpers/vectors/vector.js';
import { mutate } from './mutate.js';
import { mutateJson } from './mutate-json.js';
import { createRandom, type Random } from './random.js';
import type { Input } from './targets.js';

const VECTORS = 'test/vectors/translator';
/** Longer requests would make few runs out of the time. */
const LONGEST = 20_000;
/** Empty documents have nothing to change. */
const SHORTEST = 4;
/** Longest noise, in bytes. */
const NOISE = 60;

const names = messageNames();

function formOf({ request }: Vector): Buffer | undefined {
  const { original, originalEncoding, updated, updatedEncoding, channel = '' } = request.multipart ?? {};
  if (original === undefined || updated === undefined) return undefined;
  return writeForm([
    { name: 'original', filename: 'a', content: readPart(VECTORS, original, originalEncoding) },
    { name: 'updated', filename: 'b', content: readPart(VECTORS, updated, updatedEncoding) },
    { name: 'channel', content: channel },
  ]);
}

function inputOf(vector: Vector): Input | undefined {
  const route = routeOf(vector.path);
  if (route !== undefined)
    return { target: route.operation, type: route.type, bytes: readBody(VECTORS, vector.request) };
  const form = formOf(vector);
  return form && { target: 'form', type: '', bytes: form };
}

/** Requests to start from. */
export function readSamples(): readonly Input[] {
  return readVectors(VECTORS)
    .map(inputOf)
    .filter((input) => input !== undefined)
    .filter(({ bytes }) => bytes.length >= SHORTEST && bytes.length <= LONGEST);
}

function noise(random: Random): Input {
  const target = random.pick(['decode', 'encode', 'form'] as const);
  return { target, type: random.pick(names), bytes: random.bytes(random.below(NOISE)) };
}

/** The input of a run: the same for the same seed, number and samples. */
export function makeInput(samples: readonly Input[], seed: number, number: number): Input {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + number);
  if (random.below(10) === 0) return noise(random);
  const sample = random.pick(samples);
  const type = random.below(16) === 0 ? random.pick(names) : sample.type;
  const change = sample.target === 'encode' && random.below(4) > 0 ? mutateJson : mutate;
  return { ...sample, type, bytes: change(sample.bytes, random) };
}
