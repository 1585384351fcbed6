// A client that costs little: on a machine with few cores it must leave them to the service.

import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const HEADER_END = Buffer.from('\r\n\r\n');

/** What is sent again and again. */
export interface LoadOptions {
  readonly port: number;
  readonly path: string;
  readonly body: Buffer;
  readonly connections: number;
  readonly seconds: number;
}

/** Sends POST requests, each after the response to the one before. @returns responses per second @throws Error for any other response than 200 */
export async function responseRate({ port, path, body, connections, seconds }: LoadOptions): Promise<number> {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), body]);
  const count = { responses: 0, error: undefined as Error | undefined };
  const sockets = Array.from({ length: connections }, () =>
    repeat(connect(port, '127.0.0.1'), request, count),
  );
  const start = performance.now();
  await wait(seconds * 1000);
  const rate = (count.responses * 1000) / (performance.now() - start);
  for (const socket of sockets) socket.destroy();
  if (count.error !== undefined) throw count.error;
  return rate;
}

function repeat(
  socket: Socket,
  request: Buffer,
  count: { responses: number; error: Error | undefined },
): Socket {
  /** Bytes of the response that are missing; undefined before its header. */
  let missing: number | undefined;
  const fail = (error: Error): void => {
    count.error ??= error;
    socket.destroy();
  };
  return socket
    .on('connect', () => socket.write(request))
    .on('error', fail)
    .on('data', (chunk: Buffer) => {
      missing = missing === undefined ? bodyAfter(chunk, fail) : missing - chunk.length;
      if (missing !== 0) return;
      missing = undefined;
      count.responses += 1;
      socket.write(request);
    });
}

/** How much of the body is missing after the chunk with the header. The service sends the header in one piece. */
function bodyAfter(chunk: Buffer, fail: (error: Error) => void): number | undefined {
  const end = chunk.indexOf(HEADER_END);
  const head = chunk.toString('latin1', 0, Math.max(end, 0));
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) {
    fail(new Error(`unexpected response: ${chunk.toString('latin1', 0, 100)}`));
    return undefined;
  }
  return Number(length) - (chunk.length - end - HEADER_END.length);
}
