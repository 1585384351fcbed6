// The operations service: a listener, a router, and TLS material that can be exchanged.

import type { HostPort } from '../../config/index.js';
import type { Logger, MetricFactory } from '../contract/index.js';
import { SHUTDOWN_GRACE } from './limits.js';
import { Listener } from './listener.js';
import { Responder } from './responder.js';
import type { Route } from './route.js';
import { Router } from './router.js';
import { readTlsMaterial, type TlsFiles, type TlsMaterial } from './tls.js';

/** What {@link createOperationsServer} needs. */
export interface OperationsServerOptions {
  readonly routes: readonly Route[];
  /** Undefined: plain HTTP. */
  readonly tls: (TlsFiles & { readonly clientAuthRequired: boolean }) | undefined;
  readonly log: Logger;
  readonly metrics: MetricFactory;
}

/** The operations service. */
export interface OperationsServer {
  /** @throws AgentError `LISTEN_FAILED` */
  listen(address: HostPort): Promise<void>;
  /** `host:port` while it listens. */
  address(): string | undefined;
  /**
   * Reads certificates, key and authorities again, for new connections.
   *
   * @throws AgentError `TLS_INVALID`; the old ones then stay
   */
  reloadTls(): void;
  /** Stops accepting and lets requests in flight end, for {@link SHUTDOWN_GRACE} at most. */
  close(): Promise<void>;
}

/**
 * Makes the service; certificates are read now, nothing listens yet.
 *
 * @throws AgentError `TLS_INVALID`
 */
export function createOperationsServer({
  routes,
  tls,
  log,
  metrics,
}: OperationsServerOptions): OperationsServer {
  const responder = new Responder(log, metrics);
  const router = new Router(routes, responder, log);
  const material = tls && readTlsMaterial(tls);
  const listener = new Listener(
    (request, response) => router.handle(request, response),
    tls && material && { material, clientAuthRequired: tls.clientAuthRequired },
    log,
  );
  if (material !== undefined) showExpiry(metrics, material);
  return {
    listen: (address) => listener.listen(address),
    address: () => listener.address,
    reloadTls() {
      if (tls === undefined) return;
      const next = readTlsMaterial(tls);
      listener.exchange(next);
      showExpiry(metrics, next);
    },
    close() {
      responder.isClosing = true;
      return listener.close(SHUTDOWN_GRACE);
    },
  };
}

function showExpiry(metrics: MetricFactory, { expiry }: TlsMaterial): void {
  const family = metrics.gauge({
    namespace: 'tls',
    subsystem: 'certificate',
    name: 'expiry_timestamp_seconds',
    help: 'When the certificate in this role expires, in seconds since the epoch; of several authorities the first to expire.',
    labelNames: ['role'],
  });
  for (const [role, time] of Object.entries(expiry)) family.with({ role }).set(time / 1000);
}
