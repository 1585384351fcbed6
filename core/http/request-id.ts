import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MAX_REQUEST_ID_LENGTH } from './limits.js';

/** Ids that a handler has read. The response must have the same one. */
const ids = new WeakMap<IncomingMessage, string>();

/** The id that the client sent in `X-Request-Id`, or a new one. */
export function requestId(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  // Collecting the distinct values takes time, and most requests have no id.
  if (request.headers['x-request-id'] === undefined) return randomUUID();
  const first = request.headersDistinct['x-request-id']?.[0] ?? '';
  return first === '' ? randomUUID() : first.slice(0, MAX_REQUEST_ID_LENGTH);
}

/** The id of a request for its handler; later calls of {@link requestId} return the same one. */
export function keepRequestId(request: IncomingMessage): string {
  const id = requestId(request);
  ids.set(request, id);
  return id;
}
