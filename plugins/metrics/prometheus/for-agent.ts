import type { ForAgent } from '../../../core/contract/for-node.js';

/** The provider that is served on a route. */
export const forAgent: ForAgent = (agent) =>
  agent.get('metrics.provider').value === 'prometheus' ? { key: 'metrics.provider', options: {} } : undefined;
