// Stand-ins for a StatsD daemon that keep what they are sent.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';

/** Lines as a daemon understands them. */
export class ReceivedLines {
  readonly lines: string[] = [];

  /** What a counter adds up to. */
  total(bucket: string): number {
    let total = 0;
    for (const { value } of this.of(bucket, 'c')) total += value;
    return total;
  }

  /** The values of a bucket in the order they came, by type. */
  of(bucket: string, type: 'c' | 'g' | 'ms'): { value: number; line: string }[] {
    return this.lines.flatMap((line) => {
      const [name, rest = ''] = line.split(':');
      const [value, kind] = rest.split('|');
      return name === bucket && kind === type ? [{ value: Number(value), line }] : [];
    });
  }
}

/** A daemon that listens. */
export interface Daemon {
  readonly port: number;
  /** Ends it, with every connection, as a kill would. Safe to call twice. */
  kill(): Promise<void>;
}

/** A daemon on UDP. */
export interface UdpDaemon extends Daemon {
  readonly datagrams: readonly Buffer[];
}

/** A daemon on TCP. */
export interface TcpDaemon extends Daemon {
  /** Every connection made so far, the closed ones too. */
  readonly connections: readonly Socket[];
  readonly bytes: () => number;
}

/** Listens on UDP until the end of the test. */
export async function startUdpDaemon(
  t: ExecutionContext,
  received: ReceivedLines,
  { host = '127.0.0.1', port = 0 } = {},
): Promise<UdpDaemon> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4_000_000 });
  const datagrams: Buffer[] = [];
  socket.on('message', (datagram) => {
    datagrams.push(datagram);
    received.lines.push(...linesOf(datagram.toString('utf8')));
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  let closed: Promise<void> | undefined;
  const kill = (): Promise<void> => (closed ??= new Promise((resolve) => socket.close(resolve)));
  t.teardown(kill);
  return { port: socket.address().port, datagrams, kill };
}

/**
 * Listens on TCP until the end of the test. The unfinished last line of a connection is not counted.
 *
 * @param onConnection called with each connection
 */
export async function startTcpDaemon(
  t: ExecutionContext,
  received: ReceivedLines,
  {
    host = '127.0.0.1',
    port = 0,
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
  server.listen(port, host);
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
