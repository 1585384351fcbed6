import type { Reply } from './route.js';

/** The header of a JSON document. */
export const JSON_TYPE = { 'Content-Type': 'application/json' };
const HTML_SPECIAL = /[<>&\u2028\u2029]/g;

/** JSON that is also safe inside HTML, as Go writes it. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(
    HTML_SPECIAL,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A reply of one JSON document. */
export function jsonReply(status: number, value: unknown): Reply {
  return { status, headers: JSON_TYPE, body: json(value) };
}

/** A reply of one JSON document and a newline. */
export function jsonLineReply(status: number, value: unknown): Reply {
  return { status, headers: JSON_TYPE, body: `${json(value)}\n` };
}

/** A reply that says what is wrong: `{"error":"…"}` and a newline. */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const reply = jsonLineReply(status, { error: message.toWellFormed() });
  return { ...reply, headers: { ...JSON_TYPE, ...headers } };
}

/** The reply for a path that does not exist, byte for byte that of a node. */
export const NOT_FOUND: Reply = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  body: '404 page not found\n',
};

/** The reply to a request whose host is not clear, with the body of a node. */
export function badHostReply(what: string): Reply {
  return {
    status: 400,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' },
    body: `400 Bad Request: ${what}`,
  };
}

/** The reply to a request in a version of HTTP that the parser reads, but that is not HTTP/1. */
export const VERSION_NOT_SUPPORTED: Reply = {
  status: 505,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' },
  body: '505 HTTP Version Not Supported',
};

/** The reply for a path that names a resource in a roundabout way. */
export function movedReply(path: string, method: string): Reply {
  const headers = { Location: path };
  if (method !== 'GET' && method !== 'HEAD') return { status: 301, headers };
  const shown = path.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
  return {
    status: 301,
    headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' },
    body: `<a href="${shown}">Moved Permanently</a>.\n\n`,
  };
}
