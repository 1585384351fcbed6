// Starts the HTTP server of the agent with test routes.

import type { ExecutionContext } from 'ava';
import { LeveledLoggers, type LogEntry } from '../../core/contract/index.js';
import {
  createOperationsServer,
  jsonReply,
  LIMITS,
  type Limits,
  type OperationsServer,
  type Route,
} from '../../core/http/index.js';
import type { OperationsServerOptions } from '../../core/http/server.js';
import { MetricStore } from '../../core/metrics/index.js';
import { textOf } from './exposition.js';

/** Limits with which late headers and handshakes end after a second. */
export const SHORT_LIMITS: Partial<Limits> = {
  requestTimeout: 1000,
  keepAliveTimeout: 1000,
  handshakeTimeout: 1000,
  timeoutCheckInterval: 100,
};

/**
 * Limits with which late bodies end after a second. Node itself does not look for late requests meanwhile: on a busy machine it could close
 * the connection before the response.
 */
export const SHORT_BODY_LIMITS: Partial<Limits> = { ...SHORT_LIMITS, timeoutCheckInterval: 3_600_000 };

/** A started server. */
export interface StartedServer {
  readonly server: OperationsServer;
  readonly port: number;
  /** What it has logged so far. */
  readonly logged: readonly LogEntry[];
  /** Changes its log specification, initially `info`. */
  readonly activate: (spec: string) => void;
  /** Its metrics in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
}

/** Responds `{"ok":true}` to `GET /ok`, without a client certificate too. */
export const OK_ROUTE: Route = {
  path: '/ok',
  isOpen: true,
  handlers: { GET: async () => jsonReply(200, { ok: true }) },
};

/** Returns the bytes that were PUT to `/echo`. */
export const ECHO_ROUTE: Route = {
  path: '/echo',
  handlers: {
    GET: async () => jsonReply(200, {}),
    PUT: async (request) => ({
      status: 200,
      headers: { 'Content-Type': 'application/octet-stream' },
      body: await request.body(),
    }),
  },
};

/** Starts a server on a free port of 127.0.0.1, or of another address; it is closed when the test ends. */
export async function startServer(
  t: ExecutionContext,
  routes: readonly Route[] = [OK_ROUTE, ECHO_ROUTE],
  tls?: OperationsServerOptions['tls'],
  {
    hosts = [],
    host = '127.0.0.1',
    limits = {},
  }: {
    readonly hosts?: readonly string[];
    readonly host?: string;
    /** Other limits than those of the service. */
    readonly limits?: Partial<Limits>;
  } = {},
): Promise<StartedServer> {
  const logged: LogEntry[] = [];
  const loggers = new LeveledLoggers({ write: (entry) => logged.push(entry) });
  const store = new MetricStore(1000);
  const server = createOperationsServer({
    routes,
    tls,
    hosts,
    log: loggers.logger('operations'),
    metrics: store,
    limits: { ...LIMITS, ...limits },
  });
  t.teardown(() => server.close());
  await server.listen({ host, port: 0 });
  const address = server.address() ?? '';
  return {
    server,
    port: Number(address.slice(address.lastIndexOf(':') + 1)),
    logged,
    activate: (spec) => loggers.activate(spec),
    metrics: () => textOf(store),
  };
}
