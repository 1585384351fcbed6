// Requests to the translator, taken from the recorded exchanges.

import { writeForm } from '../../helpers/translator.js';
import { readBody, readPart, readVectors, routeOf, type Vector } from '../../helpers/vectors/vector.js';
import type { Input } from '../target.js';

const VECTORS = 'test/vectors/translator';
/** Longer requests would reduce the number of runs. */
const MAX_SIZE = 20_000;
/** Shorter documents have nothing to mutate. */
const MIN_SIZE = 4;

/** Requests to decode, encode and compute. */
export function translatorSamples(): readonly Input[] {
  return readVectors(VECTORS)
    .map(inputOf)
    .filter((input) => input !== undefined)
    .filter(({ bytes }) => bytes.length >= MIN_SIZE && bytes.length <= MAX_SIZE);
}

function inputOf(vector: Vector): Input | undefined {
  const route = routeOf(vector.path);
  if (route !== undefined)
    return { target: route.operation, type: route.type, bytes: readBody(VECTORS, vector.request) };
  const form = formOf(vector);
  return form && { target: 'form', type: '', bytes: form };
}

function formOf({ request }: Vector): Buffer | undefined {
  const { original, originalEncoding, updated, updatedEncoding, channel = '' } = request.multipart ?? {};
  if (original === undefined || updated === undefined) return undefined;
  return writeForm([
    { name: 'original', filename: 'a', content: readPart(VECTORS, original, originalEncoding) },
    { name: 'updated', filename: 'b', content: readPart(VECTORS, updated, updatedEncoding) },
    { name: 'channel', content: channel },
  ]);
}
