// Cross-origin requests: what browsers on other sites may do, by the values of `--CORS`.

import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from './replies.js';

const ANY_ORIGIN = '*';
/** Headers that a browser may send without asking. */
const SIMPLE_HEADERS = new Set(['', 'accept', 'accept-language', 'content-language', 'origin']);
const CONTENT_TYPE = 'content-type';

/**
 * The headers that let the page read the answer; none where its origin is not one of those allowed.
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
    // The answer for another origin would be another one.
    ...(origins.length > 1 && !allowsAny && { Vary: 'Origin' }),
  };
}

/** Answers the question of a browser (`OPTIONS`) whether a request would be allowed. */
export function preflightReply(origins: readonly string[], headers: IncomingHttpHeaders): Reply {
  const allowed = corsHeaders(origins, headers);
  if (!('Access-Control-Allow-Origin' in allowed)) return { status: 200 };
  const method = headers['access-control-request-method'];
  if (method === undefined) return { status: 400 };
  if (method !== 'POST') return { status: 405 };
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
