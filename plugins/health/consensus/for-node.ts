import type { ForNode } from '../../../core/contract/for-node.js';

/** Orderers with relayed metrics. */
export const forNode: ForNode = ({ kind, metrics, name }) =>
  kind === 'orderer' && metrics.value ? { node: name } : undefined;
