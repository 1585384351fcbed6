import { AgentError } from '../contract/index.js';
import type { NodeClient } from './node-client.js';
import type { LogTail } from './node-log.js';

/** Longest part of an unknown name in a message, in UTF-16 units. */
const MAX_SHOWN = 100;

/** A node beside the agent. */
export interface AgentNode {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  readonly client: NodeClient;
  /** Whether its `/metrics` can be requested through the agent. */
  readonly hasMetrics: boolean;
  /** Reads the end of its log; undefined if the agent does not know it. */
  readonly readLog?: () => Promise<LogTail>;
}

/**
 * Finds a node by its name.
 *
 * @throws AgentError `NODE_UNKNOWN`, with the names of all nodes
 */
export function findNode<Node extends { readonly name: string }>(nodes: readonly Node[], name = ''): Node {
  const node = nodes.find((each) => each.name === name);
  if (node !== undefined) return node;
  const known =
    nodes.length === 0
      ? 'the agent has no nodes'
      : `the nodes are ${nodes.map((each) => each.name).join(', ')}`;
  throw new AgentError('NODE_UNKNOWN', `unknown node '${name.slice(0, MAX_SHOWN)}'; ${known}`);
}

/** The error for a resource of a node that the settings switch off. @param setting such as `metrics` */
export function switchedOff(node: string, setting: string): AgentError {
  return new AgentError(
    'NODE_UNKNOWN',
    `the settings switch this resource of node ${node} off (node.${setting}: false)`,
  );
}
