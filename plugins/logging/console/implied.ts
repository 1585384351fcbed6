import type { ImpliedPlugin } from '../../../core/contract/implied.js';

/** The backend unless another one is declared. */
export const console: ImpliedPlugin = {
  settings: (agent) => ({ key: 'logging.format', options: { format: agent.get('logging.format') } }),
};
