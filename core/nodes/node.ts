import { AgentError, type SourceState } from '../contract/index.js';
import type { NodeClient } from './node-client.js';

/** Longest part of an unknown name in a message, in UTF-16 units. */
const MAX_SHOWN = 100;

/** A node beside the agent. */
export interface AgentNode {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  readonly client: NodeClient;
  /** The state of its source. */
  state(): SourceState | Promise<SourceState>;
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
