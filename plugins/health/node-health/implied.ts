import type { ImpliedPlugin } from '../../../core/contract/implied.js';
import { endpointOptions } from '../../../core/kit/node-endpoint.js';

/** Polls each node beside the agent. */
export const nodeHealth: ImpliedPlugin = {
  component: '',
  switch: 'health',
  beside(node, agent) {
    const { isDefault, ...interval } = agent.get('health.interval');
    return { ...endpointOptions(node), ...(!isDefault && { interval }) };
  },
};
