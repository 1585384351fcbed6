import { endpointOptions, type ForNode } from '../../../core/contract/for-node.js';

/** The source has the name of the node. */
export const nodeComponent = '';

/** Reads each node. */
export const forNode: ForNode = (node) => ({
  kind: node.kind,
  ...endpointOptions(node),
  metrics: node.metrics,
});
