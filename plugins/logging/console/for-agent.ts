import type { ForAgent } from '../../../core/contract/for-node.js';

/** The backend unless another one is declared. */
export const forAgent: ForAgent = (agent) => ({
  key: 'logging.format',
  options: { format: agent.get('logging.format') },
});
