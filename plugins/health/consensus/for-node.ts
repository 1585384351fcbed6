import type { ForNode } from '../../../core/contract/for-node.js';

/** Orderers with relayed metrics. */
export const forNode: ForNode = ({ kind, metrics }) => (kind === 'orderer' && metrics.value ? {} : undefined);
