import type { ForNode } from '../../../core/contract/for-node.js';

/** The ledgers of a node whose metrics are relayed, if the agent has several nodes. */
export const forNode: ForNode = ({ metrics, name }, { nodeCount }) =>
  metrics.value && nodeCount > 1 ? { node: name } : undefined;
