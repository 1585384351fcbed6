import type { ForNode } from '../../../core/contract/for-node.js';

/** The ledgers of a peer whose metrics are relayed, if the agent has several nodes. */
export const forNode: ForNode = ({ kind, metrics, name }, { nodeCount }) =>
  kind === 'peer' && metrics.value && nodeCount > 1 ? { node: name } : undefined;
