// Compares an answer with the recorded one, by the rule of the case.

import { canonical } from '../messages/canonical.js';
import { readBody, readPart, type Answer, type Vector } from './vector.js';

/** Go's protobuf library puts a space or a no-break space after `proto:`, which depends on the build. */
const oneBlank = (text: string): string => text.replaceAll('proto:\u00a0', 'proto: ');

/** The characters of a difference that are shown. */
const SHOWN = 160;

/** Where two bodies part, with what follows in each. */
function parting(expected: Buffer, actual: Buffer): string {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 40);
  const show = (body: Buffer): string => {
    const text = body.subarray(from, from + SHOWN);
    return text.includes(0) || text.toString().includes('\ufffd')
      ? text.toString('hex')
      : JSON.stringify(text.toString());
  };
  return [
    `bodies of ${expected.length} and ${actual.length} bytes part at byte ${at}`,
    `    expected ${show(expected)}`,
    `    got      ${show(actual)}`,
  ].join('\n');
}

function compareMaps(
  folder: string,
  { response }: Vector,
  expected: Buffer,
  body: Buffer,
): string | undefined {
  const type = response.canonicalType ?? '';
  const sorted =
    response.sortedFile === undefined
      ? canonical(type, expected)
      : readPart(folder, response.sortedFile, response.sortedFileEncoding);
  if (sorted.equals(canonical(type, body))) {
    return body.equals(sorted) ? undefined : `maps are not in the order of their keys`;
  }
  return parting(sorted, body);
}

function compareBodies(folder: string, vector: Vector, body: Buffer): string | undefined {
  const expected = readBody(folder, vector.response);
  if (vector.compare === 'proto-equal') return compareMaps(folder, vector, expected, body);
  if (body.equals(expected)) return undefined;
  // Only texts of errors are read as text: elsewhere each byte counts.
  const isError = vector.response.status >= 400;
  return isError && oneBlank(body.toString()) === oneBlank(expected.toString())
    ? undefined
    : parting(expected, body);
}

/** What is wrong with an answer; undefined when it is the recorded one. */
export function compare(folder: string, vector: Vector, answer: Answer): string | undefined {
  const { status } = vector.response;
  if (vector.compare === 'no-response') {
    return answer.status >= 400 && answer.status < 500 ? undefined : `status ${answer.status}, expected 4xx`;
  }
  if (answer.status !== status) {
    const said = answer.body.subarray(0, SHOWN).toString();
    return [
      `status ${answer.status}, expected ${status}`,
      `    expected ${JSON.stringify(readBody(folder, vector.response).subarray(0, SHOWN).toString())}`,
      `    got      ${JSON.stringify(said)}`,
    ].join('\n');
  }
  return vector.compare === 'status' ? undefined : compareBodies(folder, vector, answer.body);
}
