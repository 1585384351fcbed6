import type { ImpliedPlugin } from '../../../core/contract/implied.js';
import { endpointOptions } from '../../../core/kit/node-endpoint.js';

/** Reads each node beside the agent. */
export const node: ImpliedPlugin = {
  component: '',
  beside: (config) => ({
    kind: { value: config.kind, origin: config.origin },
    ...endpointOptions(config),
    metrics: config.metrics,
  }),
};
