// What becomes of connections that break the protocol: an answer where one can still be sent and read, then the end.

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { lingerOn } from './linger.js';

/** An error of node's parser, with the bytes it had and how many of them it understood. */
export type ParseError = NodeJS.ErrnoException & {
  /** The parser's own words. */
  readonly reason?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** What is answered to a request that node's parser refused. */
export interface Refusal {
  /** Code and phrase. */
  readonly status: string;
  readonly error: ParseError;
  /** Whether the request was known, and only its body is broken. */
  readonly isInBody: boolean;
}

/** The answer to such a request; it is the last one of its connection. */
export interface RefusalReply {
  /** Code and phrase. */
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const STATUS_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_INVALID_VERSION', '505 HTTP Version Not Supported'],
]);
const BAD_REQUEST = '400 Bad Request';
/** What the parser takes for a wrong version, too: a line that ends in a line feed alone, as typed by hand. */
const WRONG_LINE_END = 'Expected CRLF after version';

/**
 * Makes a listener for the event `clientError` of a server: it answers what node's parser refused, after the answers that are still
 * under way, and closes the connection.
 *
 * @param replyTo what is answered; `Date`, `Content-Length` and `Connection` are added
 */
export function createClientErrorListener(
  replyTo: (refusal: Refusal) => RefusalReply,
): (error: ParseError, socket: Duplex) => void {
  const leaving = new WeakSet<Duplex>();
  return (error, socket) => {
    // What follows a refused request is refused again.
    if (leaving.has(socket)) return;
    const code = error.code ?? '';
    // Anything else is a connection or a handshake that broke: no answer would arrive.
    if (!/^(?:HPE|ERR_HTTP)_/.test(code)) {
      socket.destroy();
      return;
    }
    leaving.add(socket);
    const status = error.reason === WRONG_LINE_END ? BAD_REQUEST : (STATUS_BY_CODE.get(code) ?? BAD_REQUEST);
    answerLast(socket, (isInBody) => replyTo({ status, error, isInBody }));
  };
}

/** The response that is being sent on a connection. */
export function answerOn(socket: Duplex): ServerResponse | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

function answerLast(socket: Duplex, reply: (isInBody: boolean) => RefusalReply): void {
  const current = answerOn(socket);
  if (current?.req.complete === true) {
    // It belongs to an earlier request of the connection.
    current.once('finish', () => answerLast(socket, reply));
  } else if (current?.headersSent === true || !socket.writable) {
    // A second answer in the middle of the first would be garbage.
    socket.destroy();
  } else {
    socket.end(written(reply(current !== undefined)));
    lingerOn(socket);
  }
}

/** The whole answer, head and body: node makes no response of a request that it could not read. */
function written({ status, headers, body }: RefusalReply): string {
  const all = {
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}
