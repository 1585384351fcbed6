// Responses as values, and the function that sends them.

import type { ServerResponse } from 'node:http';
import { sizeOf, type Body, type ResponseSender } from '../../core/common/server/response-sender.js';
import { onOneLine } from '../../core/common/text/one-line.js';

/** A response to send. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Body;
}

/** A request body that could not be read, with the HTTP status of the response. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TEXT = { 'Content-Type': 'text/plain' };
const CLOSE = { Connection: 'close' };

/** An error message on one line. */
export function textReply(status: number, text: string): Reply {
  return { status, headers: TEXT, body: `${onOneLine(text)}\n` };
}

/** 200 with a JSON document. */
export function jsonReply(body: string | Body): Reply {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
}

/** 200 with a serialized message. */
export function bytesReply(body: Uint8Array): Reply {
  return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body };
}

/** The text of 503: the request would take more memory than the other current requests leave. */
export const TOO_BUSY = 'too many requests are in progress; try again later';

/** The error response to a request that was not read to its end; the connection is closed after it. */
export function requestErrorReply(status: number, message: string): Reply {
  return { ...textReply(status, message), headers: { ...TEXT, ...CLOSE } };
}

/** The response to a request on which the service failed. An error message may quote the request. */
export const INTERNAL_ERROR = textReply(500, 'internal error');

/** 405 with the supported methods. */
export const methodNotAllowed = (methods: readonly string[]): Reply => ({
  status: 405,
  headers: { Allow: methods.join(', ') },
});

/** The 404 page of Go's net/http. */
export const NOT_FOUND: Reply = {
  status: 404,
  headers: { ...TEXT, 'X-Content-Type-Options': 'nosniff' },
  body: '404 page not found\n',
};

/**
 * Sends a response, unless the connection is closed.
 *
 * @param sender sends the body
 * @param isLast whether the connection is closed after it
 */
export function sendReply(
  response: ServerResponse,
  { status, headers, body = '' }: Reply,
  isLast: boolean,
  sender: ResponseSender,
): void {
  if (response.destroyed) return;
  // Node would encode headers and a string body together as UTF-8, which changes a non-ASCII origin in the CORS headers.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { 'Content-Length': sizeOf(bytes), ...headers, ...(isLast && CLOSE) });
  sender.send(response, bytes);
}
