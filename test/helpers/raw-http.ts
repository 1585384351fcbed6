// HTTP at the level of bytes, for requests that no client library would send.

import { connect, type Socket } from 'node:net';

/** What came back on a connection until the server closed it or the wait was over. */
export interface RawAnswer {
  readonly text: string;
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
  wait = 2000,
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
      resolve({
        text: Buffer.concat(chunks).toString('utf8'),
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
