import type { ImpliedPlugin } from '../../../core/contract/implied.js';

/** The ledgers of a peer whose metrics are relayed, beside several nodes. */
export const height: ImpliedPlugin = {
  beside: ({ kind, metrics, name, origin }, { nodeCount }) =>
    kind === 'peer' && metrics.value && nodeCount > 1 ? { node: { value: name, origin } } : undefined,
};
