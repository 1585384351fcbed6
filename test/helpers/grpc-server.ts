// Stand-ins for gRPC servers, and for servers that are none.

import { once } from 'node:events';
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { SecureServerOptions } from 'node:http2';
import type { ExecutionContext } from 'ava';
import type { HostPort } from '../../core/contract/index.js';

/** What happens with a stream, given the body and the path of its request. */
export type Respond = (stream: ServerHttp2Stream, body: Buffer, path: string) => void;

/** A server, and how many sessions it has. */
export interface GrpcServer {
  readonly address: HostPort;
  readonly sessions: () => number;
  /** How many sessions it had so far. */
  readonly opened: () => number;
  /** The headers of the requests. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
}

/** The message of a response, with its prefix. */
export function frame(...message: readonly number[]): Buffer {
  return Buffer.from([0, 0, 0, 0, message.length, ...message]);
}

/** Responds with a message and with a status in the trailers. */
export const respond =
  (body: Buffer, status = '0', message?: string): Respond =>
  (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () =>
      stream.sendTrailers({
        'grpc-status': status,
        ...(message !== undefined && { 'grpc-message': message }),
      }),
    );
    stream.end(body);
  };

/** Responds without a message: with headers alone. */
export const refuse =
  (headers: Readonly<Record<string, string | number>>, body = ''): Respond =>
  (stream) => {
    stream.respond(headers, { endStream: body === '' });
    if (body !== '') stream.end(body);
  };

/** Starts a server; with TLS if there are options for it. It is stopped at the end of the test. */
export async function grpcServer(
  t: Pick<ExecutionContext, 'teardown'>,
  respondTo: Respond,
  tls?: SecureServerOptions,
): Promise<GrpcServer> {
  const server = tls === undefined ? createHttp2Server() : createSecureServer(tls);
  const sessions = new Set<Http2Session>();
  const requests: Readonly<Record<string, unknown>>[] = [];
  let opened = 0;
  server.on('session', (session: Http2Session) => {
    opened += 1;
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => {
    requests.push(headers);
    stream.on('error', () => undefined);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => respondTo(stream, Buffer.concat(chunks), String(headers[':path'])));
  });
  const address = await listen(server);
  t.teardown(() => {
    server.close();
    for (const session of sessions) session.destroy();
  });
  return { address, sessions: () => sessions.size, opened: () => opened, requests };
}

/** Starts a TCP server. It is stopped at the end of the test. */
export async function tcpServer(
  t: Pick<ExecutionContext, 'teardown'>,
  accept: (socket: Socket) => void,
): Promise<{ readonly address: HostPort; readonly connections: () => number }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    // Without reading, the end of the connection would not be noticed.
    socket.resume();
    accept(socket);
  });
  const address = await listen(server);
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { address, connections: () => sockets.size };
}

async function listen(server: Server): Promise<HostPort> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}
