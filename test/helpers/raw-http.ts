// HTTP over plain sockets, for requests that no client library sends.

import { connect, type Socket } from 'node:net';
import { PATIENCE } from './patience.js';

/** What a connection received until the server closed it or the wait ended. */
export interface RawResponse {
  readonly text: string;
  /** The same as Latin-1, one character per byte. */
  readonly bytes: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
  readonly milliseconds: number;
}

/** A request: its bytes, or a function that writes it to the socket. */
type RawRequest = string | Buffer | ((socket: Socket) => void);

/**
 * Sends bytes and collects what the server sends.
 *
 * @param wait longest time to wait for the server to close the connection, in milliseconds
 */
export function exchangeRaw(port: number, request: RawRequest, wait = PATIENCE): Promise<RawResponse> {
  return new Promise((resolve) => {
    const start = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      if (typeof request === 'function') request(socket);
      else socket.write(request);
    });
    const finish = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const all = Buffer.concat(chunks);
      resolve({
        text: all.toString('utf8'),
        bytes: all.toString('latin1'),
        closed,
        milliseconds: performance.now() - start,
      });
    };
    const timer = setTimeout(() => finish(false), wait);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => finish(true));
    socket.on('error', () => finish(true));
  });
}

/** One response of a connection. */
export interface ParsedResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Parses the responses of a connection, interim ones (`100 Continue`) included.
 *
 * @param methods of the requests in order; needed if one of them is HEAD
 */
export function parseResponses(bytes: string, methods: readonly string[] = []): ParsedResponse[] {
  const responses: ParsedResponse[] = [];
  let rest = bytes;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`not a response: ${JSON.stringify(rest.slice(0, 100))}`);
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const match = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine);
    if (match === null) throw new Error(`not a status line: ${JSON.stringify(statusLine.slice(0, 100))}`);
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const status = Number(match[1]);
    const isBodiless = status < 200 || status === 204 || methods[responses.length] === 'HEAD';
    const [body, length] = isBodiless ? ['', 0] : takeBody(headers, rest.slice(end + 4));
    responses.push({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8') });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

/** A body and how many bytes it takes on the wire. */
function takeBody(headers: ReadonlyMap<string, string>, rest: string): [body: string, length: number] {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? rest.length);
    return [rest.slice(0, length), length];
  }
  let body = '';
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    const size = Number.parseInt(rest.slice(at, line), 16);
    if (line < 0 || Number.isNaN(size)) throw new Error('not a chunked body');
    body += rest.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    if (size === 0) return [body, at];
  }
}

/** Sends one or more requests in one write and returns the responses. */
export async function sendRequest(
  port: number,
  request: RawRequest,
  { wait, methods }: { wait?: number; methods?: readonly string[] } = {},
): Promise<readonly ParsedResponse[]> {
  return parseResponses((await exchangeRaw(port, request, wait)).bytes, methods);
}
