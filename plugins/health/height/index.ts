import { FailedChecks } from '../../../core/contract/index.js';
import { type DetailedPart, defineNodeChecker } from '../../../core/contract/internal/index.js';
import { ConditionDurations, readNode, requireNode } from '../../../core/kit/index.js';
import { newestConsenters } from '../../../core/kit/internal/index.js';
import { channelsBehind, isPeerOf, type HeightGap } from './behind.js';

/** Compares the ledgers of a node with the ledgers of the other nodes by their metrics. Each channel that fails is a part. */
export default defineNodeChecker({
  name: 'height',
  headlines: { failed: '{part} is behind on {node}', warning: '{part} is behind on {node}' },
  forNode: ({ metrics }, { nodeCount }) => (metrics.value && nodeCount > 1 ? {} : undefined),
  options: {
    maxLag: { format: Number, default: 10, doc: 'how many blocks a ledger may be behind the highest one' },
    timeout: {
      format: 'duration',
      default: '60s',
      doc: 'how long a ledger may be further behind than `maxLag`, or behind without growing',
    },
  },
  create({ options, node, readings, facts }) {
    const held = new ConditionDurations();
    // The key contains the height, so the duration starts again when the ledger grows.
    const stuckKey = ({ channel, height }: HeightGap): string => `stuck ${height} ${channel}`;
    const farKey = ({ channel }: HeightGap): string => `far ${channel}`;
    return {
      onTimeout: 'warning',

      init() {
        requireNode(node);
        if (options.maxLag < 0) throw new Error('options.maxLag: must not be negative');
      },

      async check(signal) {
        const { own, others } = await readNode(readings, requireNode(node), signal);
        // In maintenance, orderers send peers no blocks; the verdict about the channel names it.
        const isPaused = ({ channel }: HeightGap): boolean =>
          isPeerOf(channel, own) && newestConsenters(facts, channel)?.maintenance !== undefined;
        const behind = channelsBehind(own, others).filter((each) => !isPaused(each));
        const isFar = ({ height, highest }: HeightGap): boolean => highest - height > options.maxLag;
        const durations = held.record(
          [...behind.map(stuckKey), ...behind.filter(isFar).map(farKey)],
          performance.now(),
        );
        const lasts = (key: string): boolean => (durations.get(key) ?? -1) >= options.timeout;
        const linked = new Set(
          facts
            .latest('responses')
            .flatMap((fact) => (fact.node === node ? fact.value.map(({ channel }) => channel) : [])),
        );
        const failed = behind.flatMap((channel): DetailedPart[] => {
          const { channel: component, height, highest, at } = channel;
          const compared = `it has ${height} blocks, ${at} has ${highest}`;
          // One event for one cause: the other checker reports the reason.
          const follows = linked.has(component) && {
            follows: `${node}/orderer-link/${component}`,
          };
          const failure = (what: string): DetailedPart[] => [
            { component, severity: 'warning', reason: `${what}: ${compared}`, ...follows },
          ];
          if (lasts(stuckKey(channel))) return failure('the ledger does not grow');
          return lasts(farKey(channel)) ? failure(`the ledger is ${highest - height} blocks behind`) : [];
        });
        if (failed.length > 0) throw new FailedChecks(failed);
      },
    };
  },
});
