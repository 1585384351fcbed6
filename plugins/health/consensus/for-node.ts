import type { ForNode } from '../../../core/contract/for-node.js';

/** The channels of an orderer whose metrics are relayed. */
export const forNode: ForNode = ({ kind, metrics, name }) =>
  kind === 'orderer' && metrics.value ? { node: name } : undefined;
