// HTTP at the level of bytes, for requests that no client library would send.

import { connect, type Socket } from 'node:net';

/** What came back on a connection until the server closed it or the wait was over. */
export interface RawAnswer {
  readonly text: string;
  /** The same, one character for each byte. */
  readonly bytes: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
  readonly milliseconds: number;
}

/**
 * Sends bytes and collects what comes back.
 *
 * @param request the bytes, or a function that writes them to the socket bit by bit
 * @param wait longest time to wait for the server to close, in milliseconds
 */
export function exchangeRaw(
  port: number,
  request: string | Buffer | ((socket: Socket) => void),
  wait = 10_000,
): Promise<RawAnswer> {
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

/** One answer of a connection. */
export interface ParsedAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Reads the answers of a connection one after the other; interim ones (`100 Continue`) too.
 *
 * @param methods of the requests in order, where an answer to HEAD is among them
 */
export function parseAnswers(bytes: string, methods: readonly string[] = []): ParsedAnswer[] {
  const answers: ParsedAnswer[] = [];
  let rest = bytes;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no answer begins with ${JSON.stringify(rest.slice(0, 100))}`);
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
    const isBodiless = status < 200 || status === 204 || methods[answers.length] === 'HEAD';
    const length = isBodiless ? 0 : Number(headers.get('content-length') ?? rest.length);
    const body = rest.slice(end + 4, end + 4 + length);
    answers.push({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8') });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** Sends one request, or several in one go, and reads the answers. */
export async function ask(
  port: number,
  request: string | Buffer | ((socket: Socket) => void),
  { wait, methods }: { wait?: number; methods?: readonly string[] } = {},
): Promise<readonly ParsedAnswer[]> {
  return parseAnswers((await exchangeRaw(port, request, wait)).bytes, methods);
}
