// What the agent relays of the nodes at run time, and the rule for what a node protects with TLS.

import type { BesideNode } from './nodes.js';
import type { NodeSettings } from '../settings.js';

/** Nodes as the agent needs them at run time. */
export function nodeSettings(nodes: readonly BesideNode[]): NodeSettings[] {
  return nodes.map(({ name, kind, logging, spec, metrics, isLabelled, log }) => ({
    name,
    kind,
    ...(!logging.value && { logging: false }),
    ...(spec !== undefined && { spec }),
    ...(!metrics.value && { metrics: false }),
    ...(isLabelled && { isLabelled }),
    ...(log && { log }),
  }));
}

/**
 * A node with TLS serves its metrics and its log level only to clients with a certificate. A service without TLS would relay them to
 * every client.
 */
export function relayProblems(nodes: readonly BesideNode[]): string[] {
  return nodes
    .filter(
      ({ tls, metrics, logging, insecureRelay }) =>
        tls.tls.value && !insecureRelay && (metrics.value || logging.value),
    )
    .map(
      ({ name, path, tls }) =>
        `${tls.tls.origin}: ${name} serves its metrics and log level only to clients with a certificate, but this service has no TLS and would relay them to every client: set operations.tls of this service, or ${path}.metrics and ${path}.logging to false, or ${path}.insecureRelay to true`,
    );
}
