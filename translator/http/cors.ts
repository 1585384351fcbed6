// Cross-origin requests (CORS), as allowed by the values of `--CORS`.

import type { IncomingHttpHeaders } from 'node:http';
import { methodNotAllowed, type Reply } from './reply.js';

const ANY_ORIGIN = '*';
/** Request headers that need no permission. */
const SIMPLE_HEADERS = new Set(['', 'accept', 'accept-language', 'content-language', 'origin']);
const CONTENT_TYPE = 'content-type';

/**
 * The headers that allow the page to read the response; none if its origin is not allowed.
 *
 * @param origins the values of `--CORS`; `*` allows every origin
 */
export function corsHeaders(
  origins: readonly string[],
  headers: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  const { origin = '' } = headers;
  const allowsAny = origins.includes(ANY_ORIGIN);
  if (origin === '' || !(allowsAny || origins.includes(origin))) return {};
  return {
    'Access-Control-Allow-Origin': allowsAny ? ANY_ORIGIN : origin,
    // Caches must not reuse the response for another origin.
    ...(origins.length > 1 && !allowsAny && { Vary: 'Origin' }),
  };
}

/** The response to a preflight request (`OPTIONS`). */
export function preflightReply(origins: readonly string[], headers: IncomingHttpHeaders): Reply {
  const allowed = corsHeaders(origins, headers);
  if (!('Access-Control-Allow-Origin' in allowed)) return { status: 200 };
  const method = headers['access-control-request-method'];
  if (method === undefined) return { status: 400 };
  if (method !== 'POST') return methodNotAllowed(['POST', 'OPTIONS']);
  const requested = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !SIMPLE_HEADERS.has(name));
  if (requested.some((name) => name !== CONTENT_TYPE)) return { status: 403 };
  return {
    status: 200,
    headers: { ...allowed, ...(requested.length > 0 && { 'Access-Control-Allow-Headers': 'Content-Type' }) },
  };
}
