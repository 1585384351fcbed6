// Compares a response with the recorded one, by the rule of the case.

import { canonical } from '../messages/canonical.js';
import { readBody, readPart, type HttpResponse, type Vector } from './vector.js';

/** Go's protobuf library writes a space or a no-break space after `proto:`, depending on the build. */
const normalizeSpace = (text: string): string => text.replaceAll('proto:\u00a0', 'proto: ');

/** How many bytes of a difference are printed. */
const SHOWN_BYTES = 160;

/** Describes the first difference of two bodies, with an excerpt of each. */
function describeDifference(expected: Buffer, actual: Buffer): string {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 40);
  const show = (body: Buffer): string => {
    const text = body.subarray(from, from + SHOWN_BYTES);
    return text.includes(0) || text.toString().includes('\ufffd')
      ? text.toString('hex')
      : JSON.stringify(text.toString());
  };
  return [
    `bodies of ${expected.length} and ${actual.length} bytes differ from byte ${at}`,
    `    expected ${show(expected)}`,
    `    got      ${show(actual)}`,
  ].join('\n');
}

function compareMaps(
  directory: string,
  { response }: Vector,
  expected: Buffer,
  body: Buffer,
): string | undefined {
  const type = response.canonicalType ?? '';
  const sorted =
    response.sortedFile === undefined
      ? canonical(type, expected)
      : readPart(directory, response.sortedFile, response.sortedFileEncoding);
  if (sorted.equals(canonical(type, body))) {
    return body.equals(sorted) ? undefined : `maps are not sorted by key`;
  }
  return describeDifference(sorted, body);
}

function compareBodies(directory: string, vector: Vector, body: Buffer): string | undefined {
  const expected = readBody(directory, vector.response);
  if (vector.compare === 'proto-equal') return compareMaps(directory, vector, expected, body);
  if (body.equals(expected)) return undefined;
  // Only error messages are compared as text, everything else byte by byte.
  const isError = vector.response.status >= 400;
  return isError && normalizeSpace(body.toString()) === normalizeSpace(expected.toString())
    ? undefined
    : describeDifference(expected, body);
}

/** Compares a response with the recorded one. Returns a description of the difference; undefined if there is none. */
export function compare(directory: string, vector: Vector, actual: HttpResponse): string | undefined {
  const { status } = vector.response;
  if (vector.compare === 'no-response') {
    return actual.status >= 400 && actual.status < 500 ? undefined : `status ${actual.status}, expected 4xx`;
  }
  if (actual.status !== status) {
    const text = actual.body.subarray(0, SHOWN_BYTES).toString();
    return [
      `status ${actual.status}, expected ${status}`,
      `    expected ${JSON.stringify(readBody(directory, vector.response).subarray(0, SHOWN_BYTES).toString())}`,
      `    got      ${JSON.stringify(text)}`,
    ].join('\n');
  }
  return vector.compare === 'status' ? undefined : compareBodies(directory, vector, actual.body);
}
