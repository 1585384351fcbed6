// What becomes of connections that break the protocol: an answer where one can still be sent and read, then the end.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LINGER_TIME } from './limits.js';

/** A connection as node's HTTP server keeps it: with the answer that is being sent on it. */
type Connection = Duplex & { readonly _httpMessage?: ServerResponse | null };

const STATUS_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_INVALID_VERSION', '505 HTTP Version Not Supported'],
]);

const leaving = new WeakSet<Duplex>();

/** Answers what node's parser refused, after the answers that are still under way, and closes the connection. */
export function onClientError({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  // What follows a refused request is refused again.
  if (leaving.has(socket)) return;
  // Anything else is a connection or a handshake that broke: no answer would arrive.
  if (!/^(?:HPE|ERR_HTTP)_/.test(code)) {
    socket.destroy();
    return;
  }
  leaving.add(socket);
  const text = code === 'HPE_INVALID_EOF_STATE' ? 'unexpected EOF' : undefined;
  answerLast(socket, STATUS_BY_CODE.get(code) ?? '400 Bad Request', text);
}

function answerLast(socket: Connection, status: string, text = status): void {
  const current = socket._httpMessage ?? undefined;
  if (current?.req.complete === true) {
    // It belongs to an earlier request of the connection.
    current.once('finish', () => answerLast(socket, status, text));
  } else if (current?.headersSent === true || !socket.writable) {
    // A second answer in the middle of the first would be garbage.
    socket.destroy();
  } else {
    socket.end(rawReply(status, `${text}\n`));
    lingerOn(socket);
  }
}

function rawReply(status: string, body: string): string {
  const lines = [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/plain',
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Closes a connection whose last answer is being sent, a little later: closing it with bytes of the client unread would reset it,
 * and the client might never see the answer.
 */
function lingerOn(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_TIME);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** Makes node, which closes a connection after its last answer by `destroySoon`, leave the client the time to read it. */
export function closeLate(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    lingerOn(socket);
  };
}
