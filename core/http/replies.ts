import type { Reply } from './route.js';

/** The header of a JSON document. */
export const JSON_TYPE = { 'Content-Type': 'application/json' };
const HTML_SPECIAL = /[<>&\u2028\u2029]/g;

/** JSON with the escapes that Go adds for HTML. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(
    HTML_SPECIAL,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A reply with one JSON document. */
export function jsonReply(status: number, value: unknown): Reply {
  return { status, headers: JSON_TYPE, body: json(value) };
}

/** A reply with one JSON document and a newline. */
export function jsonLineReply(status: number, value: unknown): Reply {
  return { status, headers: JSON_TYPE, body: `${json(value)}\n` };
}

/** An error reply: `{"error":"…"}` and a newline. */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const reply = jsonLineReply(status, { error: message.toWellFormed() });
  return { ...reply, headers: { ...JSON_TYPE, ...headers } };
}

/** The reply for an unknown path, byte for byte the one of Go's `http.NotFound`. */
export const NOT_FOUND: Reply = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  body: '404 page not found\n',
};
