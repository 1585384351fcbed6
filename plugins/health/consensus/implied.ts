import type { ImpliedPlugin } from '../../../core/contract/implied.js';

/** The channels of an orderer whose metrics are relayed. */
export const consensus: ImpliedPlugin = {
  beside: ({ kind, metrics, name, origin }) =>
    kind === 'orderer' && metrics.value ? { node: { value: name, origin } } : undefined,
};
