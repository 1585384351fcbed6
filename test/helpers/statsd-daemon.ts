// Fake StatsD daemons that record the lines they receive.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { freePort } from './free-port.js';

/** The lines that a daemon has received. */
export class ReceivedLines {
  readonly lines: string[] = [];

  /** The sum of a counter. */
  total(bucket: string): number {
    let total = 0;
    for (const { value } of this.of(bucket, 'c')) total += value;
    return total;
  }

  /** The values of a bucket with a type, in the order they were received. */
  of(bucket: string, type: 'c' | 'g' | 'ms'): { value: number; line: string }[] {
    return this.lines.flatMap((line) => {
      const [name, rest = ''] = line.split(':');
      const [value, kind] = rest.split('|');
      return name === bucket && kind === type ? [{ value: Number(value), line }] : [];
    });
  }
}

/** A running daemon. */
export interface Daemon {
  readonly port: number;
  /** Closes the daemon and its connections, like SIGKILL. Safe to call twice. */
  kill(): Promise<void>;
}

/** A daemon on UDP. */
export interface UdpDaemon extends Daemon {
  readonly datagrams: readonly Buffer[];
}

/** A daemon on TCP. */
export interface TcpDaemon extends Daemon {
  /** All connections so far, including closed ones. */
  readonly connections: readonly Socket[];
  readonly bytes: () => number;
}

/** Listens on UDP until the end of the test. */
export async function startUdpDaemon(
  t: ExecutionContext,
  received: ReceivedLines,
  { host = '127.0.0.1', port }: { host?: string; port?: number } = {},
): Promise<UdpDaemon> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4_000_000 });
  const datagrams: Buffer[] = [];
  socket.on('message', (datagram) => {
    datagrams.push(datagram);
    received.lines.push(...linesOf(datagram.toString('utf8')));
  });
  socket.bind(port ?? (await freePort(host)), host);
  await once(socket, 'listening');
  let closed: Promise<void> | undefined;
  const kill = (): Promise<void> => (closed ??= new Promise((resolve) => socket.close(resolve)));
  t.teardown(kill);
  return { port: socket.address().port, datagrams, kill };
}

/**
 * Listens on TCP until the end of the test. An incomplete last line of a connection is ignored.
 *
 * @param onConnection called with each connection
 * @param onBytes called with the number of bytes received so far
 */
export async function startTcpDaemon(
  t: ExecutionContext,
  received: ReceivedLines,
  {
    host = '127.0.0.1',
    port,
    onConnection,
    onBytes,
  }: {
    host?: string;
    port?: number;
    onConnection?: (connection: Socket) => void;
    onBytes?: (bytes: number) => void;
  } = {},
): Promise<TcpDaemon> {
  const connections: Socket[] = [];
  let bytes = 0;
  const server = createServer((connection) => {
    connections.push(connection);
    let rest = '';
    connection.on('data', (chunk) => {
      bytes += chunk.length;
      const text = rest + chunk.toString('latin1');
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      received.lines.push(...linesOf(Buffer.from(text.slice(0, end), 'latin1').toString('utf8')));
      onBytes?.(bytes);
    });
    connection.on('error', () => undefined);
    onConnection?.(connection);
  });
  server.listen(port ?? (await freePort(host)), host);
  await once(server, 'listening');
  let closed: Promise<void> | undefined;
  const kill = (): Promise<void> =>
    (closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const connection of connections) connection.destroy();
    }));
  t.teardown(kill);
  return { port: (server.address() as AddressInfo).port, connections, bytes: () => bytes, kill };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
