import type { ImpliedPlugin } from '../../../core/contract/implied.js';

/** The provider that is served on a route. */
export const prometheus: ImpliedPlugin = {
  settings: (agent) =>
    agent.get('metrics.provider').value === 'prometheus'
      ? { key: 'metrics.provider', options: {} }
      : undefined,
};
