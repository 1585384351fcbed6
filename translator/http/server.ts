// The service: node's HTTP server with limits, over plain connections or TLS.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Operations } from '../operations.js';
import { Connections, createConnectListener, type BuildInfo } from '../../core/service/index.js';
import { aboutRoutes } from './about.js';
import { readBody } from './body.js';
import { onClientError } from './client-errors.js';
import { computeRoute } from './compute.js';
import {
  HANDSHAKE_TIMEOUT,
  HEADER_TIMEOUT,
  IDLE_TIMEOUT,
  KEEP_ALIVE_TIMEOUT,
  MAX_CONNECTIONS,
  MAX_HEADER_LINES,
  MAX_HEADER_SIZE,
  REQUEST_TIMEOUT,
  SHUTDOWN_GRACE,
  TIMEOUT_CHECK_INTERVAL,
} from './limits.js';
import { RequestError, requestErrorReply, textReply, type Reply } from './replies.js';
import { respond } from './respond.js';
import { createRouter, type Router } from './router.js';
import { translateRoutes } from './translate.js';

/** What {@link createTranslatorServer} needs. */
export interface TranslatorServerOptions {
  readonly operations: Operations;
  readonly build: BuildInfo;
  /** The values of `--CORS`. */
  readonly origins: readonly string[];
  /** Largest request body, in bytes. */
  readonly maxBody: number;
  /** Undefined: plain HTTP. With authorities (`ca`) every client must show a certificate of theirs. */
  readonly tls: SecureContextOptions | undefined;
}

/** The service. */
export interface TranslatorServer {
  /**
   * Listens.
   *
   * @param host an address; empty: all
   * @param port 0: any that is free
   * @returns where it listens
   * @throws what node says when it cannot
   */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Stops accepting and lets requests in flight end, for {@link SHUTDOWN_GRACE} at most. */
  close(): Promise<void>;
}

const OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEADER_SIZE,
  headersTimeout: HEADER_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
  connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
  // The router looks for it, to say so in the words that clients know.
  requireHostHeader: false,
};

/** Makes the service; nothing listens yet. */
export async function createTranslatorServer({
  operations,
  build,
  origins,
  maxBody,
  tls,
}: TranslatorServerOptions): Promise<TranslatorServer> {
  const routes = [...translateRoutes(operations), computeRoute(operations), ...aboutRoutes(build)];
  const router = createRouter(routes, origins);
  const server = tls === undefined ? createServer(OPTIONS) : await createTlsListener(tls);
  limit(server);
  let isClosing = false;
  const connections = new Connections(server);
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const body = (): Promise<Buffer> => readBody(request, response, maxBody);
    answer(router, request, body)
      .then((reply) => respond(request, response, reply, isClosing))
      .catch(() => request.socket.destroy());
  };
  // `Expect` goes the way of every request: the body reader says `100 Continue` once it wants the body.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
  server.on('connect', createConnectListener(onRequest));
  server.on('clientError', onClientError);
  return {
    listen: (host, port) => listen(server, host, port),
    close() {
      isClosing = true;
      return connections.close(SHUTDOWN_GRACE);
    },
  };
}

/** Makes a server of HTTP over TLS; its module is loaded only where it is wanted. */
async function createTlsListener(tls: SecureContextOptions): Promise<Server> {
  const { createServer: createTlsServer } = await import('node:https');
  const isMutual = tls.ca !== undefined;
  return createTlsServer({
    ...OPTIONS,
    ...tls,
    minVersion: 'TLSv1.2',
    requestCert: isMutual,
    rejectUnauthorized: isMutual,
    handshakeTimeout: HANDSHAKE_TIMEOUT,
  });
}

/** Sets limits on a server. */
function limit(server: Server): void {
  server.timeout = IDLE_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADER_LINES;
  // A client that has sent all it wants to say still wants the answer; node has no type for this switch.
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** Never rejects. */
async function answer(router: Router, request: IncomingMessage, body: () => Promise<Buffer>): Promise<Reply> {
  try {
    return await router(request, body);
  } catch (error) {
    if (error instanceof RequestError) return requestErrorReply(error);
    // What went wrong may quote the request, which nobody but its sender may see.
    return textReply(500, 'internal error');
  }
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== '' && { host }) }, () => {
      server.off('error', reject);
      // Later errors (no file descriptor left for a connection) concern one connection, not the service.
      server.on('error', () => undefined);
      resolve(server.address() as AddressInfo);
    });
  });
}
