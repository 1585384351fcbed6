// What becomes of connections that break the protocol: an answer where one can still be sent and read, then the end.

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LINGER_TIME } from './limits.js';

/** A connection as node's HTTP server keeps it: with the answer that is being sent on it. */
type Connection = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** An error of node's parser, with the bytes it had and how many of them it understood. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const STATUS_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_INVALID_VERSION', '505 HTTP Version Not Supported'],
]);
const REQUEST_LINE = /^\S+ \S+ HTTP\/1\.[01]\r?\n/;

const leaving = new WeakSet<Duplex>();

/** Answers what node's parser refused, after the answers that are still under way, and closes the connection. */
export function onClientError(error: ParseError, socket: Duplex): void {
  // What follows a refused request is refused again.
  if (leaving.has(socket)) return;
  const code = error.code ?? '';
  // Anything else is a connection or a handshake that broke: no answer would arrive.
  if (!/^(?:HPE|ERR_HTTP)_/.test(code)) {
    socket.destroy();
    return;
  }
  leaving.add(socket);
  answerLast(socket, STATUS_BY_CODE.get(code) ?? statusOfUnreadable(error));
}

/** The parser knows the methods of HTTP by name and takes any other for garbage. */
function statusOfUnreadable({ code, rawPacket, bytesParsed = 0 }: ParseError): string {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return '400 Bad Request';
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1;
  const isRequest = REQUEST_LINE.test(rawPacket.toString('latin1', start));
  return isRequest ? '501 Not Implemented' : '400 Bad Request';
}

function answerLast(socket: Connection, status: string): void {
  const current = socket._httpMessage ?? undefined;
  if (current?.req.complete === true) {
    // It belongs to an earlier request of the connection.
    current.once('finish', () => answerLast(socket, status));
  } else if (current?.headersSent === true || !socket.writable) {
    // A second answer in the middle of the first would be garbage.
    socket.destroy();
  } else {
    socket.end(current === undefined ? plainReply(status) : brokenBodyReply(status));
    lingerOn(socket);
  }
}

/**
 * Closes a connection whose last answer is being sent, a little later: closing it with bytes of the client unread would reset it,
 * and the client might never see the answer.
 */
export function lingerOn(socket: Duplex): void {
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

function plainReply(status: string): string {
  return rawReply(status, 'text/plain; charset=utf-8', status);
}

function brokenBodyReply(status: string): string {
  return rawReply(status, 'application/json', '{"error":"the request body is malformed or cut off"}\n');
}

function rawReply(status: string, type: string, body: string): string {
  const lines = [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${type}`,
    `X-Request-Id: ${randomUUID()}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
