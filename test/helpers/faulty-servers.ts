// Servers that do not respond as they should.

import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { bytesOnPort, engineOnPort } from './engine.js';

/** Accepts connections and never sends anything. */
export const hanging = (t: ExecutionContext): Promise<string> =>
  bytesOnPort(t, (socket) => void socket.resume());

/** Closes each connection with a reset as soon as something arrives. */
export const resetting = (t: ExecutionContext): Promise<string> =>
  bytesOnPort(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));

/** Sends bytes that are neither HTTP nor TLS. */
export const babbling = (t: ExecutionContext): Promise<string> =>
  bytesOnPort(t, (socket) => void socket.resume().write('\u0000\u0001garbage\r\n\r\n'));

/** A response that is interrupted. */
export const interrupted: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Length': '100' });
  response.write('x', () => (response.socket as Socket).resetAndDestroy());
};

const BLOCK = Buffer.alloc(64 * 1024, 'x');
const GIGABYTE = 1024 ** 3;

/** A server of 1 GB bodies, and how many bytes of them it has written. */
export async function gigabytes(
  t: ExecutionContext,
  status: number,
): Promise<{ readonly address: string; readonly written: () => number }> {
  let written = 0;
  const address = await engineOnPort(t, ({ method }, response) => {
    response.writeHead(status);
    if (method === 'HEAD') return response.end();
    const write = (): void => {
      while (written < GIGABYTE && !response.destroyed) {
        written += BLOCK.length;
        if (!response.write(BLOCK)) return;
      }
      response.end();
    };
    response.on('drain', write);
    return write();
  });
  return { address, written: () => written };
}
