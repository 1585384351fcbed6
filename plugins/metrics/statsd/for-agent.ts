import type { ForAgent } from '../../../core/contract/for-node.js';

const OPTIONS = ['network', 'address', 'writeInterval', 'prefix'];

/** The provider that pushes to a daemon. */
export const forAgent: ForAgent = (agent) => {
  if (agent.get('metrics.provider').value !== 'statsd') return undefined;
  const options = OPTIONS.map((name) => [name, agent.get(`metrics.statsd.${name}`)] as const);
  return { key: 'metrics.provider', options: Object.fromEntries(options) };
};
