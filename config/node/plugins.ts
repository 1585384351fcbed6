// The plugins that a node beside the agent implies, and the rule for relaying what a node protects with TLS.

import { formatHostPort } from '../../core/common/text/host-port.js';
import type { Sourced } from './config.js';
import type { BesideNode } from './nodes.js';
import type { NodeSettings, PluginDeclaration } from '../settings.js';

/** Nodes as the agent needs them at run time. */
export function nodeSettings(nodes: readonly BesideNode[]): NodeSettings[] {
  return nodes.map(({ name, kind, logging, metrics }) => ({
    name,
    kind,
    ...(!logging.value && { logging: false }),
    ...(!metrics.value && { metrics: false }),
  }));
}

/**
 * A source for each node, and its checkers unless they are switched off. The height of a peer is compared with that of other nodes,
 * so it is checked beside several.
 *
 * @param interval time between two requests for the health of a node
 */
export function nodePlugins(nodes: readonly BesideNode[], interval: Sourced<unknown>): PluginDeclaration[] {
  return nodes.flatMap((node) => {
    const endpoint = endpointOptions(node);
    const kind = { value: node.kind, origin: node.origin };
    const source = declare(node, 'node', { kind, ...endpoint, metrics: node.metrics });
    return [
      source,
      ...(node.health.value ? [declare(node, 'node-health', { ...endpoint, interval })] : []),
      ...node.checks
        .filter(({ plugin }) => plugin !== 'height' || nodes.length > 1)
        .map(({ plugin, component, options }) => declare(node, plugin, options, `${node.name}/${component}`)),
    ];
  });
}

function endpointOptions({ address, tls }: BesideNode): Record<string, Sourced<unknown>> {
  return { address: { ...address, value: formatHostPort(address.value) }, ...tls };
}

function declare(
  { name: node, origin, directory }: BesideNode,
  plugin: string,
  options: Readonly<Record<string, Sourced<unknown>>>,
  name = node,
): PluginDeclaration {
  const entries = Object.entries(options);
  return {
    plugin,
    name,
    onStartError: 'fail',
    options: Object.fromEntries(entries.map(([option, { value }]) => [option, value])),
    origin,
    optionOrigins: Object.fromEntries(entries.map(([option, each]) => [option, each.origin])),
    directory,
    fallback: false,
  };
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
