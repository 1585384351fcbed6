// The operations server: restify with limits, TLS, routes and graceful shutdown.

import type { ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { createServer, type Server } from '#restify';
import { formatHostPort, type HostPort } from '../common/text/host-port.js';
import { describeSystemError } from '../common/text/system-error.js';
import { AgentError, CheckWarning, reasonOf, type Logger, type MetricFactory } from '../contract/index.js';
import { Connections } from '../common/server/connections.js';
import { rejectsUnauthorized } from '../common/server/mutual-tls.js';
import { limitPipelining, MAX_PIPELINED } from '../common/server/pipelining.js';
import { watchHandshakes } from './client-certificate.js';
import { Hosts } from './hosts.js';
import { LimitedLog } from './limited-log.js';
import {
  HANDSHAKE_TIMEOUT,
  IDLE_TIMEOUT,
  KEEP_ALIVE_TIMEOUT,
  MAX_CONNECTIONS,
  MAX_HEADER_LINES,
  REQUEST_TIMEOUT,
  SHUTDOWN_TIMEOUT,
  TIMEOUT_CHECK_INTERVAL,
} from './limits.js';
import { Responder } from './responder.js';
import type { Route } from './route.js';
import { mountRoutes, type RestifyServer } from './routing.js';
import { readTlsMaterial, type TlsFiles, type TlsMaterial } from './tls.js';

/** What {@link createOperationsServer} needs. */
export interface OperationsServerOptions {
  readonly routes: readonly Route[];
  /** Undefined: plain HTTP. */
  readonly tls: (TlsFiles & { readonly clientAuthRequired: boolean }) | undefined;
  /** Names under which clients reach the service. */
  readonly hosts: readonly string[];
  readonly log: Logger;
  readonly metrics: MetricFactory;
}

/** The operations server. */
export interface OperationsServer {
  /**
   * Starts listening.
   *
   * @throws AgentError `LISTEN_FAILED`
   */
  listen(address: HostPort): Promise<void>;
  /** `host:port` while the server is listening. */
  address(): string | undefined;
  /**
   * Reads certificate, key and CAs from their files and uses them for new connections.
   *
   * @throws AgentError `TLS_INVALID`, also for a server certificate that is not valid now; the current ones stay in use
   */
  reloadTls(): void;
  /** @throws CheckWarning when the TLS files could not be used at the last reload, or clients refuse the certificate that is in use */
  checkTls(): void;
  /** Stops listening and waits for requests in flight, for {@link SHUTDOWN_TIMEOUT} at most. */
  close(): Promise<void>;
}

/** What a connection has sent that is closed for it. */
const PIPELINED = `more than ${MAX_PIPELINED} requests without reading a response`;

/** restify calls a logger for each response. The agent has its own log of requests. */
const SILENT_LOG = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => false]),
) as never;

/**
 * Creates the server. TLS files are read now; nothing listens yet.
 *
 * @throws AgentError `TLS_INVALID`
 */
export function createOperationsServer({
  routes,
  tls,
  hosts: names,
  log,
  metrics,
}: OperationsServerOptions): OperationsServer {
  let material = tls && readTlsMaterial(tls);
  /** Why the files were not used at the last reload. */
  let reloadProblem: string | undefined;
  const server = createServer({
    name: '',
    log: SILENT_LOG,
    // The body reader sends `100 Continue` when a handler reads the body.
    noWriteContinue: true,
    ...(tls && material && { httpsServerOptions: tlsOptions(material, tls.clientAuthRequired) }),
  });
  setLimits(server);
  // With a listener for upgrades, such as restify's, Node hands over the connection. Without one it ignores the header.
  server.server.removeAllListeners('upgrade');
  const limitedLog = new LimitedLog(log);
  // Read the address now: Node keeps it, and cannot find it any more once the connection is closed.
  server.server.on('connection', (socket: Socket) => void socket.remoteAddress);
  const connections = new Connections(server.server);
  const responder = new Responder(log, limitedLog, metrics);
  const hosts = new Hosts(names, tls === undefined);
  mountRoutes(server as RestifyServer, routes, responder, hosts, limitedLog);
  limitPipelining(server.server, ({ remoteAddress }) =>
    limitedLog.log('warn', PIPELINED, `${PIPELINED}: the connection is closed`, { remoteAddress }),
  );
  if (tls !== undefined && material !== undefined) {
    const { clientAuthRequired } = tls;
    watchHandshakes(server.server as TlsServer, {
      cas: () => material?.cas ?? [],
      clientAuthRequired,
      log: limitedLog,
    });
    recordExpiry(metrics, material);
  }
  return {
    async listen(address) {
      if (material?.problem !== undefined) log.warn(`clients refuse the server: ${material.problem}`);
      await listen(server, address, (bound) => hosts.listening(address.host, bound));
    },
    address: () => addressOf(server),
    reloadTls() {
      if (tls === undefined) return;
      try {
        const next = readTlsMaterial(tls);
        if (next.problem !== undefined) throw new AgentError('TLS_INVALID', next.problem);
        (server.server as TlsServer).setSecureContext(next.context);
        Object.assign(server.server, verification(next, tls.clientAuthRequired));
        material = next;
        reloadProblem = undefined;
        recordExpiry(metrics, next);
      } catch (error) {
        reloadProblem = reasonOf(error);
        throw error;
      }
    },
    checkTls() {
      if (material === undefined) return;
      const { problem, expiry } = material;
      if (problem !== undefined) throw new CheckWarning(`clients refuse the server: ${problem}`);
      if (reloadProblem !== undefined)
        throw new CheckWarning(
          `certificates not reloaded: ${reloadProblem}; the server certificate in use ends ${new Date(expiry.server).toISOString()}`,
        );
    },
    async close() {
      responder.close();
      await connections.close(SHUTDOWN_TIMEOUT);
      limitedLog.flush();
    },
  };
}

function tlsOptions(material: TlsMaterial, clientAuthRequired: boolean): ServerOptions {
  return {
    ...material.context,
    requestCert: true,
    ...verification(material, clientAuthRequired),
    handshakeTimeout: HANDSHAKE_TIMEOUT,
  };
}

/** {@link watchHandshakes} decides about the other connections. Node reads the property of this name of a server for each connection. */
const verification = ({ cas }: TlsMaterial, clientAuthRequired: boolean) => ({
  rejectUnauthorized: rejectsUnauthorized(cas, clientAuthRequired),
});

function setLimits({ server }: Server): void {
  server.headersTimeout = REQUEST_TIMEOUT;
  // The body reader has its own deadline and can still respond. This one closes connections whose body nothing reads.
  server.requestTimeout = 2 * REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.timeout = IDLE_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADER_LINES;
  // An option of Node's constructor, which restify calls without options for plain HTTP. Node reads the property of the same name
  // when the server starts listening. By default it looks for late requests every 30 seconds only.
  Object.assign(server, { connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL });
}

/** @param onListening called with the address before the first request */
function listen(server: Server, address: HostPort, onListening: (address: string) => void): Promise<void> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const message = `cannot listen on ${formatHostPort(address)}: ${describe(error)}`;
      reject(new AgentError('LISTEN_FAILED', message, { cause: error }));
    };
    // A server that is closed during the DNS lookup neither listens nor fails.
    const onClose = (): void => onError(new Error('the server was closed'));
    server.once('error', onError).once('close', onClose);
    server.server.listen({ port, ...(host !== '' && { host }) }, () => {
      server.off('error', onError).off('close', onClose);
      // Later errors, such as no free file descriptor, concern one connection.
      server.on('error', () => undefined);
      onListening((server.server.address() as AddressInfo).address);
      resolve();
    });
  });
}

function addressOf(server: Server): string | undefined {
  const address = server.server.address();
  return typeof address === 'object' && address !== null
    ? formatHostPort({ host: address.address, port: address.port })
    : undefined;
}

function describe(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return 'the address is already in use; set operations.listenAddress to another one';
  return describeSystemError(error);
}

function recordExpiry(metrics: MetricFactory, { expiry }: TlsMaterial): void {
  const family = metrics.gauge({
    namespace: 'tls',
    subsystem: 'certificate',
    name: 'expiry_timestamp_seconds',
    help: 'Expiry of the certificate with this role as a Unix timestamp; for several CAs that of the first to expire.',
    labelNames: ['role'],
  });
  for (const [role, time] of Object.entries(expiry)) family.with({ role }).set(time / 1000);
}
