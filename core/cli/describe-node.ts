import { formatHostPort } from '../common/text/host-port.js';
import type { BesideNode } from '../../config/index.js';

/** A line about a node, and where its value came from. */
export interface NodeLine {
  readonly text: string;
  readonly origin: string;
}

/** The lines of `config print` about a node; empty values are omitted. */
export function describeNode(node: BesideNode): NodeLine[] {
  const { address, tls, metrics, health, logging } = node;
  const values = {
    address: { ...address, value: formatHostPort(address.value) },
    ...tls,
    metrics,
    health,
    logging,
  };
  return [
    { text: `node ${node.name} (${node.kind})`, origin: node.origin },
    ...Object.entries(values)
      .filter(([, { value }]) => value !== '')
      .map(([key, { value, origin }]) => ({ text: `    ${key}: ${JSON.stringify(value)}`, origin })),
  ];
}
