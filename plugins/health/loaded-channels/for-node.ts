import type { ForNode } from '../../../core/contract/for-node.js';

/** A duration with units; for any other value the peer uses its default. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** Peers with relayed metrics. */
export const forNode: ForNode = (node) => {
  if (node.kind !== 'peer' || !node.metrics.value) return undefined;
  const trackerInterval = node.get<unknown>('gossip.membershipTrackerInterval');
  return DURATION.test(String(trackerInterval.value)) ? { trackerInterval } : {};
};
