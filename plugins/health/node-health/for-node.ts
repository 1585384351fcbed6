import { endpointOptions, type ForNode } from '../../../core/contract/for-node.js';

/** The checker has the name of the node. */
export const nodeComponent = '';

/** Polls each node with `health` enabled. */
export const forNode: ForNode = (node, agent) => {
  if (!node.health.value) return undefined;
  const { isDefault, ...interval } = agent.get('health.interval');
  return { ...endpointOptions(node), ...(!isDefault && { interval }) };
};
