// The node server under the service: sockets, TLS and limits. It is made here and not by restify because restify cannot give a
// plain server its limits.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import {
  createServer as createTlsServer,
  type Server as TlsServer,
  type ServerOptions as TlsServerOptions,
} from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { formatHostPort, type HostPort } from '../../config/index.js';
import { Connections, createConnectListener } from '../service/index.js';
import { AgentError, reasonOf, type Logger } from '../contract/index.js';
import { describeRefusal } from './client-certificate.js';
import { onClientError } from './client-errors.js';
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
  // The router looks for it: node's own answer has no request id.
  requireHostHeader: false,
};

/** A server with limits, and its connections. */
export class Listener {
  readonly #server: Server | TlsServer;
  readonly #connections: Connections;

  constructor(onRequest: RequestListener, tls: ListenerTls | undefined, log: Logger) {
    const server = tls === undefined ? createServer(OPTIONS) : createTlsServer(tlsOptions(tls));
    this.#server = server;
    this.#connections = new Connections(server);
    if (tls !== undefined) this.exchange(tls.material);
    server.timeout = IDLE_TIMEOUT;
    server.maxConnections = MAX_CONNECTIONS;
    server.maxHeadersCount = MAX_HEADER_LINES;
    // A client that has sent all it wants to say still wants the answer; node has no type for this switch.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Asked for now, the address is still known when the connection is gone.
    server.on('connection', (socket: Socket) => void socket.remoteAddress);
    // `Expect` goes the way of every request: the body reader says `100 Continue` once it wants the body.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
    server.on('connect', createConnectListener(onRequest));
    server.on('clientError', onClientError);
    server.on('tlsClientError', (error: Error, socket: TLSSocket) => logFailedHandshake(log, error, socket));
  }

  /**
   * Listens.
   *
   * @throws AgentError `LISTEN_FAILED`
   */
  listen({ host, port }: HostPort): Promise<void> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException): void => {
        const message = `cannot listen on ${formatHostPort({ host, port })}: ${describe(error)}`;
        reject(new AgentError('LISTEN_FAILED', message, { cause: error }));
      };
      // Closed while the name of the host is looked up, a server does neither listen nor fail.
      const onClose = (): void => onError(new Error('it was closed first'));
      server.once('error', onError).once('close', onClose);
      server.listen({ port, ...(host !== '' && { host }) }, () => {
        server.off('error', onError).off('close', onClose);
        // Later errors (no file descriptor left for a connection) concern one connection, not the service.
        server.on('error', () => undefined);
        resolve();
      });
    });
  }

  /** The address it listens on, as `host:port`; undefined while it does not. */
  get address(): string | undefined {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null
      ? formatHostPort({ host: address.address, port: address.port })
      : undefined;
  }

  /** Shows other certificates to new connections, and asks theirs of other authorities. */
  exchange({ context }: TlsMaterial): void {
    (this.#server as TlsServer).setSecureContext(context);
    // A server does not hand on the option that makes intermediate authorities trusted; a context that has it is put in place of
    // the server's own. Where node kept that elsewhere, such authorities would not be trusted, and a test would say so.
    Object.assign(this.#server, { _sharedCreds: createSecureContext(context) });
  }

  /** Accepts nothing any more, lets requests in flight end, and cuts what is left after the grace time, in milliseconds. */
  close(grace: number): Promise<void> {
    return this.#connections.close(grace);
  }
}

function tlsOptions({ material, clientAuthRequired }: ListenerTls): TlsServerOptions {
  return {
    ...OPTIONS,
    ...material.context,
    requestCert: true,
    rejectUnauthorized: clientAuthRequired,
    handshakeTimeout: HANDSHAKE_TIMEOUT,
    // None is chosen, as by a node: a client that offers HTTP/2 alone would be refused, and can do with 1.1.
    ALPNProtocols: [],
  };
}

function logFailedHandshake(
  log: Logger,
  error: Error,
  socket: TLSSocket & { readonly _parent?: Socket },
): void {
  // Set where a certificate was refused; node then knows no better error than that the connection is gone.
  const refused = socket.authorizationError as unknown as string | null;
  const reason =
    refused === null ? reasonOf(error) : `the client certificate was refused: ${describeRefusal(refused)}`;
  log.warn(`TLS handshake failed: ${reason}`, { remoteAddress: socket._parent?.remoteAddress });
}

function describe(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return 'the address is already in use; set operations.listenAddress to another one';
  if (error.code === 'EADDRNOTAVAIL') return 'the address is not one of this machine';
  if (error.code === 'EACCES') return 'permission denied';
  if (error.code === 'ENOTFOUND') return 'the host name is not known';
  return error.message;
}
