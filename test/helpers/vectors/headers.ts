// What the headers of an answer must be. The recorded types are guesses of Go's library; ours follow from the route.

import type { Answer, Vector } from './vector.js';

/** The type of an answer: JSON of decode, bytes of the others, words of errors; none where there is no body to type. */
function typeOf({ path, method }: Vector, { status, body }: Answer): string | undefined {
  if (status === 200 && method === 'POST')
    return path.startsWith('/protolator/decode/') ? 'application/json' : 'application/octet-stream';
  return body.length === 0 ? undefined : 'text/plain';
}

/** What is wrong with the headers of an answer; undefined when nothing is. */
export function headersProblem(vector: Vector, answer: Answer): string | undefined {
  const expected: Record<string, string | undefined> = {
    'content-type': typeOf(vector, answer),
    'content-length': String(answer.body.length),
    location: vector.response.location,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = answer.headers?.get(name);
    if (found !== value) return `${name}: ${found ?? 'none'}, expected ${value ?? 'none'}`;
  }
  return undefined;
}
