// Writes answers: the only place that does.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isWaiting } from './body.js';
import { closeLate } from '../../core/service/index.js';
import type { Reply } from './replies.js';

/**
 * Sends an answer, whole, unless the client is gone.
 *
 * @param isLast whether the connection ends with it
 */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { status, reason, headers, body = '' }: Reply,
  isLast: boolean,
): void {
  if (response.headersSent || response.destroyed) return;
  // Node would write a header and a text together in the encoding of the text; the bytes of a foreign origin must stay.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const all: Record<string, string | number> = { 'Content-Length': bytes.length, ...headers };
  // A client that was never told to go on may send its body or may not: where it ends is unknown.
  if (isLast || (!request.complete && isWaiting(request))) all.Connection = 'close';
  if (!request.complete) closeLate(request.socket);
  if (reason === undefined) response.writeHead(status, all);
  else response.writeHead(status, reason, all);
  if (request.method === 'HEAD') response.end();
  else response.end(bytes);
}
