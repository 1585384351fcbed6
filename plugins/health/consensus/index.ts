import { defineHealthChecker, FailedChecks } from '../../../core/contract/index.js';
import { ConditionDurations, readNode, requireNode } from '../../../core/kit/index.js';
import { forNode } from './for-node.js';
import { consensusProblems } from './channels.js';

/** Checks the consensus of the channels of an orderer by its metrics. Each channel that fails is a part. */
export default defineHealthChecker({
  name: 'consensus',
  forNode,
  options: {
    leaderTimeout: {
      format: 'duration',
      default: '30s',
      doc: 'how long a channel may be without a leader or without a quorum',
    },
    viewChangeTimeout: {
      format: 'duration',
      default: '60s',
      doc: 'how long a change of the BFT view may take',
    },
  },
  create({ options, node, readings }) {
    const held = new ConditionDurations();
    return {
      whenLate: 'warning',

      init: () => void requireNode(node),

      async check(signal) {
        const { own } = await readNode(readings, requireNode(node), signal);
        const problems = new Map(
          consensusProblems(own.reading).map((problem) => [`${problem.kind} ${problem.channel}`, problem]),
        );
        const failed = new Map<string, string[]>();
        for (const [key, duration] of held.record(problems.keys(), performance.now())) {
          const problem = problems.get(key);
          const limit = problem?.kind === 'view' ? options.viewChangeTimeout : options.leaderTimeout;
          if (problem === undefined || duration < limit) continue;
          const reason = `${problem.reason}, for ${Math.floor(duration / 1000)}s`;
          failed.set(problem.channel, [...(failed.get(problem.channel) ?? []), reason]);
        }
        if (failed.size > 0)
          throw new FailedChecks(
            [...failed].map(([component, reasons]) => ({ component, reason: reasons.join('; ') })),
          );
      },
    };
  },
});
