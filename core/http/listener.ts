// The node server under the service: sockets, TLS, limits, and what becomes of connections that do not speak HTTP. It is made
// here and not by restify because restify cannot give a plain server its limits.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { formatHostPort, parseHostPort } from '../../config/index.js';
import { AgentError, reasonOf, type Logger } from '../contract/index.js';
import {
  HANDSHAKE_TIMEOUT,
  IDLE_TIMEOUT,
  KEEP_ALIVE_TIMEOUT,
  MAX_CONNECTIONS,
  MAX_HEADER_LINES,
  MAX_HEADER_SIZE,
  REQUEST_TIMEOUT,
  TIMEOUT_CHECK_INTERVAL,
} from './limits.js';
import type { TlsMaterial } from './tls.js';

/** What the listener hands requests to. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** How a TLS listener treats its clients. */
export interface ListenerTls {
  readonly material: TlsMaterial;
  readonly clientAuthRequired: boolean;
}

const OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEADER_SIZE,
  headersTimeout: REQUEST_TIMEOUT,
  // Bodies have their own deadline, which can still be answered; this one closes what is left.
  requestTimeout: 2 * REQUEST_TIMEOUT,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
  connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
};

/** A server that listens nowhere yet. */
export function createListener(
  onRequest: RequestListener,
  tls: ListenerTls | undefined,
  log: Logger,
): Server | TlsServer {
  const server =
    tls === undefined
      ? createServer(OPTIONS)
      : createTlsServer({
          ...OPTIONS,
          ...tls.material.context,
          requestCert: true,
          rejectUnauthorized: tls.clientAuthRequired,
          handshakeTimeout: HANDSHAKE_TIMEOUT,
        });
  server.timeout = IDLE_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADER_LINES;
  server.on('request', onRequest);
  // The body reader sends `100 Continue` itself, once it wants the body.
  server.on('checkContinue', onRequest);
  server.on('clientError', onClientError);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const body = `{"error":"invalid request method: ${request.method ?? ''}"}\n`;
    socket.end(rawReply('405 Method Not Allowed', body, 'application/json', ['Allow: GET, HEAD, PUT']));
  });
  server.on('tlsClientError', (error: Error, socket: Socket) => {
    log.warn(`TLS handshake failed: ${reasonOf(error)}`, { remoteAddress: socket.remoteAddress });
  });
  return server;
}

const STATUS_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_INVALID_VERSION', '505 HTTP Version Not Supported'],
]);

function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const answering = (socket as Duplex & { _httpMessage?: unknown })._httpMessage;
  // A second answer in the middle of the first would be garbage.
  if (!socket.writable || error.code === 'ECONNRESET' || answering) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_CODE.get(error.code ?? '') ?? '400 Bad Request';
  socket.end(rawReply(status, status, 'text/plain; charset=utf-8', []), () => socket.destroy());
}

function rawReply(status: string, body: string, type: string, headers: readonly string[]): string {
  const lines = [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Listens.
 *
 * @param address `host:port`
 * @throws AgentError `LISTEN_FAILED`
 */
export function listen(server: Server, address: string): Promise<void> {
  const { host, port } = parseHostPort(address);
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      reject(
        new AgentError('LISTEN_FAILED', `cannot listen on ${address}: ${describe(error)}`, { cause: error }),
      );
    };
    server.once('error', onError);
    server.listen({ port, ...(host !== '' && { host }) }, () => {
      server.off('error', onError);
      // Later errors (no file descriptor left for a connection) concern one connection, not the service.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** The address a server listens on, as `host:port`. */
export function addressOf(server: Server): string | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null
    ? formatHostPort({ host: address.address, port: address.port })
    : undefined;
}

/** Accepts nothing any more, lets requests in flight end, and cuts what is left after the grace time. */
export function close(server: Server, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function describe(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'the address is already in use';
  if (error.code === 'EADDRNOTAVAIL') return 'the address is not one of this machine';
  if (error.code === 'EACCES') return 'permission denied';
  if (error.code === 'ENOTFOUND') return 'the host name is not known';
  return error.message;
}
