import type { ForNode } from '../../../core/contract/for-node.js';

/** Nodes with relayed metrics, if the agent monitors several nodes. */
export const forNode: ForNode = ({ metrics }, { nodeCount }) =>
  metrics.value && nodeCount > 1 ? {} : undefined;
