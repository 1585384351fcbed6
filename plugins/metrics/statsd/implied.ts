import type { ImpliedPlugin } from '../../../core/contract/implied.js';

const OPTIONS = ['network', 'address', 'writeInterval', 'prefix'];

/** The provider that pushes to a daemon. */
export const statsd: ImpliedPlugin = {
  settings(agent) {
    if (agent.get('metrics.provider').value !== 'statsd') return undefined;
    const options = OPTIONS.map((name) => [name, agent.get(`metrics.statsd.${name}`)] as const);
    return { key: 'metrics.provider', options: Object.fromEntries(options) };
  },
};
