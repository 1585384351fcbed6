// The operations server: the restify server with TLS files that can be reloaded, listening, and graceful shutdown.

import type { ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import type { Server } from 'restify';
import type { Settings } from '../../config/index.js';
import { formatHostPort, type HostPort } from '../common/text/host-port.js';
import { describeSystemError } from '../common/text/system-error.js';
import { AgentError, CheckWarning, reasonOf, type Logger, type MetricFactory } from '../contract/index.js';
import { Connections } from '../common/server/connections.js';
import { limitPipelining, MAX_PIPELINED } from '../common/server/pipelining.js';
import { watchHandshakes, type VerifiedConnections } from './client-certificate.js';
import { Hosts } from './hosts.js';
import { LimitedLog } from './limited-log.js';
import type { Limits } from './limits.js';
import { Responder } from './responder.js';
import type { Route } from './route.js';
import { createRestifyServer } from './restify.js';
import { readTlsMaterial, type TlsMaterial } from './tls.js';

/** Options of {@link createOperationsServer}. */
export interface OperationsServerOptions {
  readonly routes: readonly Route[];
  /** Undefined: plain HTTP. */
  readonly tls: Omit<Settings['operations']['tls'], 'enabled'> | undefined;
  /** Names that clients use for the agent. */
  readonly hosts: readonly string[];
  readonly log: Logger;
  readonly metrics: MetricFactory;
  readonly limits: Limits;
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
  /** @throws CheckWarning when the TLS files could not be used at the last reload, or clients refuse the current certificate */
  checkTls(): void;
  /** Stops listening and waits for requests in flight, at most for `shutdownTimeout`. */
  close(): Promise<void>;
}

/** Why a connection is closed: too many pipelined requests. */
const PIPELINED = `more than ${MAX_PIPELINED} requests without reading a response`;

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
  limits,
}: OperationsServerOptions): OperationsServer {
  let material = tls && readTlsMaterial(tls);
  /** Why the files were not used at the last reload. */
  let reloadProblem: string | undefined;
  const limitedLog = new LimitedLog(log);
  const responder = new Responder({ log, metrics, limits });
  const hosts = new Hosts(names, tls === undefined);
  const https = tls && material && tlsOptions(material, tls.clientAuthRequired, limits.handshakeTimeout);
  const server = createRestifyServer({
    routes,
    responder,
    hosts,
    roles: () => material?.roles,
    https,
    limits,
    limitedLog,
  });
  // Read the address now: Node caches it, and cannot read it after the connection is closed.
  server.server.on('connection', (socket: Socket) => void socket.remoteAddress);
  const connections = new Connections(server.server);
  limitPipelining(server.server, ({ remoteAddress }) =>
    limitedLog.log('warn', PIPELINED, `${PIPELINED}: the connection is closed`, { remoteAddress }),
  );
  let verified: VerifiedConnections | undefined;
  if (tls !== undefined && material !== undefined) {
    const { clientAuthRequired } = tls;
    verified = watchHandshakes(server.server as TlsServer, {
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
        const trusted = new Set(next.cas.map(({ fingerprint256 }) => fingerprint256));
        const isWithdrawn = material?.cas.some(({ fingerprint256 }) => !trusted.has(fingerprint256)) === true;
        material = next;
        reloadProblem = undefined;
        if (isWithdrawn) {
          // Clients connect again, and their certificates are verified against the new CAs.
          verified?.end();
          responder.endEvents();
        }
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
      await connections.close(limits.shutdownTimeout);
      limitedLog.flush();
    },
  };
}

function tlsOptions(
  material: TlsMaterial,
  clientAuthRequired: boolean,
  handshakeTimeout: number,
): ServerOptions {
  return {
    ...material.context,
    requestCert: true,
    rejectUnauthorized: clientAuthRequired,
    handshakeTimeout,
  };
}

/** @param onListening called with the address before the first request */
function listen(server: Server, address: HostPort, onListening: (address: string) => void): Promise<void> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const message = `cannot listen on ${formatHostPort(address)}: ${describeListenError(error)}`;
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

function describeListenError(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return 'the address is already in use; set operations.listenAddress to another one';
  return describeSystemError(error);
}

function recordExpiry(metrics: MetricFactory, { expiry }: TlsMaterial): void {
  const family = metrics.gauge({
    namespace: 'tls',
    subsystem: 'certificate',
    name: 'expiry_timestamp_seconds',
    help: 'Expiry of the certificate with this role as a Unix timestamp; for several CAs, of the first to expire.',
    labelNames: ['role'],
  });
  for (const [role, time] of Object.entries(expiry)) family.with({ role }).set(time / 1000);
}
