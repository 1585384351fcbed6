import { defineHealthChecker, FailedChecks, type FailedPart } from '../../../core/contract/index.js';
import { ConditionDurations, readNode, requireNode } from '../../../core/kit/index.js';
import { changedIds, channelsWithoutLeader, consensusProblems, type ChangedId } from './channels.js';

/** The failure of an orderer with a changed Raft id, which no time and no restart repairs. */
const changedIdFailure = (node: string, { channel, id }: ChangedId): FailedPart => ({
  component: channel,
  reason: `the orderer gets no blocks: its Raft id is ${id} now, because it was removed from the consenters and added again while it was down; remove the channel from it and let it join again`,
  steps: [
    {
      text: `Remove ${channel} from ${node} at its Admin endpoint; the other orderers keep it:`,
      command: `osnadmin channel remove --channelID ${channel} -o ADMIN_ADDRESS`,
    },
    {
      text: `Fetch the newest config block of ${channel} from another orderer, and let ${node} join with it:`,
      command: `osnadmin channel join --channelID ${channel} --config-block FILE -o ADMIN_ADDRESS`,
    },
  ],
});

/** Checks the consensus of the channels of an orderer by its metrics. Each channel that fails is a part. */
export default defineHealthChecker({
  name: 'consensus',
  headlines: { failed: '{node} orders nothing in {part}', warning: '{node} orders nothing in {part}' },
  forNode: ({ kind, metrics }) => (kind === 'orderer' && metrics.value ? {} : undefined),
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
      onTimeout: 'warning',

      init: () => void requireNode(node),

      async check(signal) {
        const name = requireNode(node);
        const { own } = await readNode(readings, name, signal);
        const problems = new Map(
          consensusProblems(own.reading).map((problem) => [`${problem.kind} ${problem.channel}`, problem]),
        );
        const withoutLeader = channelsWithoutLeader(own.reading);
        const lines = withoutLeader.length === 0 ? [] : await readings.logLines(name);
        const ids = changedIds(lines, Date.now());
        const changed = withoutLeader.flatMap((channel) => ids.get(channel) ?? []);
        const failed = new Map<string, string[]>();
        for (const [key, duration] of held.record(problems.keys(), performance.now())) {
          const problem = problems.get(key);
          const limit = problem?.kind === 'view' ? options.viewChangeTimeout : options.leaderTimeout;
          if (problem === undefined || duration < limit) continue;
          if (ids.has(problem.channel)) continue;
          const reason = `${problem.reason}, for ${Math.floor(duration / 1000)}s`;
          failed.set(problem.channel, [...(failed.get(problem.channel) ?? []), reason]);
        }
        const parts = [
          ...changed.map((each) => changedIdFailure(name, each)),
          ...[...failed].map(([component, reasons]) => ({ component, reason: reasons.join('; ') })),
        ];
        if (parts.length > 0) throw new FailedChecks(parts);
      },
    };
  },
});
