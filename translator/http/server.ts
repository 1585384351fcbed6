// The HTTP service: Node's HTTP server with limits, with or without TLS.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { ByteBudget } from '../../core/common/server/byte-budget.js';
import { Connections } from '../../core/common/server/connections.js';
import { HostNames } from '../../core/common/server/host-headers.js';
import { limitPipelining } from '../../core/common/server/pipelining.js';
import { protocolProblem } from '../../core/common/server/protocol.js';
import { ResponseSender } from '../../core/common/server/response-sender.js';
import { type BuildInfo } from '../../core/common/files/build-info.js';
import { aboutRoutes, type WorkersRunning } from './about.js';
import { readRawBody } from './body.js';
import {
  HANDSHAKE_TIMEOUT,
  HEADER_TIMEOUT,
  IDLE_TIMEOUT,
  KEEP_ALIVE_TIMEOUT,
  MAX_CONNECTIONS,
  MAX_HEADER_LINES,
  MAX_HEADER_SIZE,
  REQUEST_TIMEOUT,
  SHUTDOWN_TIMEOUT,
  TIMEOUT_CHECK_INTERVAL,
} from './limits.js';
import type { Operations } from './operations.js';
import { INTERNAL_ERROR, RequestError, requestErrorReply, sendReply, type Reply } from './reply.js';
import { createRouter } from './router.js';
import { TranslationThread } from './translation-thread.js';
import { createTranslations, translationRoute } from './translations.js';

/** The certificate and key of the service, and the CAs for client certificates. */
export interface TranslatorTls {
  readonly cert: string;
  readonly key: string;
  /** Unless empty, every client must present a certificate issued by one of them. */
  readonly clientCAs: readonly X509Certificate[];
}

/** Options of {@link createTranslatorServer}. */
export interface TranslatorServerOptions {
  /** @default those of the program */
  readonly operations?: Operations;
  /** The module of the thread that translates large bodies with the same operations. */
  readonly thread: URL;
  readonly build: BuildInfo;
  /** The values of `--CORS`. */
  readonly origins: readonly string[];
  /** The values of `--hosts`. */
  readonly hosts: readonly string[];
  /** The maximum request body, in bytes. */
  readonly maxBody: number;
  /** The maximum JSON text to which a body is decoded, in bytes. */
  readonly maxOutput: number;
  /** Undefined means plain HTTP. */
  readonly tls: TranslatorTls | undefined;
  /** The number of processes that share the limits of connections and of bytes. */
  readonly workers: number;
  /** The number of running processes, for `/healthz`; undefined for a single process. */
  readonly count?: WorkersRunning | undefined;
  /** Reads the page at `/`, for each request: an idle service does not keep it. Undefined: there is none. */
  readonly readPage?: (() => Buffer) | undefined;
}

/** The service. */
export interface TranslatorServer {
  /**
   * Starts to listen.
   *
   * @param host an address; empty means all
   * @param port 0 means any free port
   * @param name the given name of the address
   * @returns the bound address
   * @throws Node's error if it cannot listen
   */
  listen(host: string, port: number, name?: string): Promise<AddressInfo>;
  /** Stops accepting connections and waits for current requests, at most {@link SHUTDOWN_TIMEOUT}. */
  close(): Promise<void>;
}

/** Creates the service, without listening. */
export async function createTranslatorServer({
  operations,
  thread: module,
  build,
  origins,
  hosts,
  maxBody,
  maxOutput,
  tls,
  workers,
  count,
  readPage,
}: TranslatorServerOptions): Promise<TranslatorServer> {
  const budget = new ByteBudget((maxBody + maxOutput) / workers);
  const bounds = { maxOutput };
  const thread = new TranslationThread({ module, bounds, maxBody, budget });
  const routes = [
    ...createTranslations(operations).map((translation) => translationRoute(translation, thread, bounds)),
    ...aboutRoutes(build, count, readPage),
  ];
  const names = new HostNames(hosts, 'the flag --hosts', tls === undefined);
  const router = createRouter(routes, origins, names);
  const server = await createLimitedServer(tls, workers);
  const connections = new Connections(server);
  const sender = new ResponseSender(budget);
  let isClosing = false;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.socket.destroyed) return;
    // At once: Node's parser closes the connection after the header if the last transfer coding is not chunked.
    const refused = protocolProblem(request);
    if (refused !== undefined)
      return sendReply(response, requestErrorReply(refused.status, refused.reason), true, sender);
    const parts = {
      body: () => readRawBody(request, response, maxBody, budget),
      onClose: (listener: () => void) => void response.once('close', listener),
    };
    router(request, parts)
      .catch(toErrorReply)
      .then((reply) => sendReply(response, reply, isClosing, sender))
      .catch(() => request.socket.destroy());
  };
  server.on('request', onRequest);
  // The body reader sends `100 Continue`, only before it reads the body.
  server.on('checkContinue', onRequest);
  limitPipelining(server);
  return {
    async listen(host, port, name = host) {
      const bound = await listen(server, host, port);
      names.listening(name, bound.address);
      return bound;
    },
    async close() {
      isClosing = true;
      await connections.close(SHUTDOWN_TIMEOUT);
      await thread.close();
    },
  };
}

async function createLimitedServer(tls: TranslatorTls | undefined, workers: number): Promise<Server> {
  const options: ServerOptions = {
    maxHeaderSize: MAX_HEADER_SIZE,
    headersTimeout: HEADER_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
  };
  const server = tls === undefined ? createServer(options) : await createTlsServer(options, tls);
  server.timeout = IDLE_TIMEOUT;
  server.maxConnections = Math.ceil(MAX_CONNECTIONS / workers);
  server.maxHeadersCount = MAX_HEADER_LINES;
  // A client that closes its sending side still receives the response. Node has no type for this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

async function createTlsServer(
  options: ServerOptions,
  { cert, key, clientCAs: cas }: TranslatorTls,
): Promise<Server> {
  // Loaded on demand.
  const https = await import('node:https');
  const { peerOf, secureContextOptions } = await import('../../core/common/server/mutual-tls.js');
  const isMutual = cas.length > 0;
  const server = https.createServer({
    ...options,
    ...secureContextOptions({ cert, key, cas }),
    requestCert: isMutual,
    rejectUnauthorized: isMutual,
    handshakeTimeout: HANDSHAKE_TIMEOUT,
  });
  if (isMutual)
    server.prependListener('secureConnection', (socket: TLSSocket) => {
      const { certificate, problem } = peerOf(socket);
      if (certificate === undefined || problem !== undefined) socket.destroy();
    });
  return server;
}

function toErrorReply(error: unknown): Reply {
  if (error instanceof RequestError) return requestErrorReply(error.status, error.message);
  return INTERNAL_ERROR;
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== '' && { host }) }, () => {
      server.off('error', reject);
      // Later errors, such as no free file descriptor, concern one connection, not the service.
      server.on('error', () => undefined);
      resolve(server.address() as AddressInfo);
    });
  });
}
