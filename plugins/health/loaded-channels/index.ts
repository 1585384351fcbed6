import { defineHealthChecker, FailedChecks } from '../../../core/contract/index.js';
import type { ForNode } from '../../../core/contract/internal/index.js';
import { readNode, requireNode } from '../../../core/kit/index.js';
import { LoadedChannels } from './judge.js';

/** A duration with units; for any other value the peer uses its default. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** Peers with relayed metrics. */
const forNode: ForNode = (node) => {
  if (node.kind !== 'peer' || !node.metrics.value) return undefined;
  const trackerInterval = node.get<unknown>('gossip.membershipTrackerInterval');
  return DURATION.test(String(trackerInterval.value)) ? { trackerInterval } : {};
};

/** Checks that a peer has loaded all its channels, by its metrics and its log. Each channel that fails is a part. */
export default defineHealthChecker({
  name: 'loaded-channels',
  headlines: { failed: '{part} is not loaded on {node}', warning: '{part} is not loaded on {node}' },
  forNode,
  options: {
    trackerInterval: {
      format: 'duration',
      default: '5s',
      doc: '`peer.gossip.membershipTrackerInterval` of the peer',
    },
  },
  create({ options, node, readings }) {
    let channels: LoadedChannels | undefined;
    return {
      onTimeout: 'warning',

      init() {
        channels = new LoadedChannels(requireNode(node), options.trackerInterval);
      },

      async check(signal) {
        const name = requireNode(node);
        const { own } = await readNode(readings, name, signal);
        const lines = await readings.logLines(name);
        const failed = channels?.failuresOf(own.reading, lines, performance.now(), Date.now()) ?? [];
        if (failed.length > 0) throw new FailedChecks(failed);
      },
    };
  },
});
