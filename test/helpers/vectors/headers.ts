// Checks the headers of a response. The recorded content types were guessed by Go's HTTP library; this service derives them from the route.

import type { HttpResponse, Vector } from './vector.js';

/** Returns the expected content type; undefined for a response without body. */
function contentTypeOf({ path, method }: Vector, { status, body }: HttpResponse): string | undefined {
  if (status === 200 && method === 'POST')
    return path.startsWith('/protolator/decode/') ? 'application/json' : 'application/octet-stream';
  return body.length === 0 ? undefined : 'text/plain';
}

/** Checks the headers of a response. Returns a description of the first wrong header; undefined if there is none. */
export function headersProblem(vector: Vector, response: HttpResponse): string | undefined {
  const expected: Record<string, string | undefined> = {
    'content-type': contentTypeOf(vector, response),
    'content-length': String(response.body.length),
    location: vector.response.location,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = response.headers?.get(name);
    if (found !== value) return `${name}: ${found ?? 'none'}, expected ${value ?? 'none'}`;
  }
  return undefined;
}
