import type { ForNode } from '../../../core/contract/for-node.js';

/** Nodes with relayed metrics, if the agent monitors several nodes. */
export const forNode: ForNode = ({ metrics, name }, { nodeCount }) =>
  metrics.value && nodeCount > 1 ? { node: name } : undefined;
