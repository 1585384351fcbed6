// Clients that send requests and do not read the responses.

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ExecutionContext } from 'ava';

/** Opens a connection, sends bytes and does not read. The connection is closed at the end of the test. */
export async function sendUnread(
  t: ExecutionContext,
  port: number,
  bytes: Buffer,
  { isTls = false }: { readonly isTls?: boolean } = {},
): Promise<Socket> {
  const target = { port, host: '127.0.0.1' };
  const socket = isTls ? connectTls({ ...target, rejectUnauthorized: false }) : connect(target);
  // A service may close the connection.
  socket.on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await new Promise((resolve) => socket.once(isTls ? 'secureConnect' : 'connect', resolve));
  socket.pause();
  socket.write(bytes);
  return socket;
}

/** Many requests of one kind, as one client would pipeline them. */
export function pipelined(path: string, count: number): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(count));
}
