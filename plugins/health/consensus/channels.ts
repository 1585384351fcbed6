// Problems with the consensus of the channels of an orderer, from its metrics.

import type { SourceReading } from '../../../core/contract/index.js';
import { valuesByChannel } from '../../../core/kit/index.js';

/** A state of a channel that is a failure if it lasts. */
export interface ConsensusProblem {
  readonly channel: string;
  readonly kind: 'leader' | 'quorum' | 'view';
  readonly reason: string;
}

/** The value of `participation_consensus_relation` for a consenter. */
const CONSENTER = 1;

/** The problems of all channels in which the orderer is a consenter. In channels that it only follows, it has no consensus. */
export function consensusProblems(reading: SourceReading): ConsensusProblem[] {
  const relations = valuesByChannel(reading, 'participation_consensus_relation');
  return [...raftProblems(reading), ...bftProblems(reading)].filter(
    ({ channel }) => (relations.get(channel) ?? CONSENTER) === CONSENTER,
  );
}

/** A raft orderer that knows no leader has 0 active nodes (orderer/consensus/etcdraft/chain.go). */
function raftProblems(reading: SourceReading): ConsensusProblem[] {
  const sizes = valuesByChannel(reading, 'consensus_etcdraft_cluster_size');
  const active = valuesByChannel(reading, 'consensus_etcdraft_active_nodes');
  return [...sizes].flatMap(([channel, size]): ConsensusProblem[] => {
    const count = active.get(channel);
    if (count === undefined || count > size / 2) return [];
    if (count === 0) return [{ channel, kind: 'leader', reason: 'the orderer knows no raft leader' }];
    const reason = `${count} of ${size} orderers are active; the channel needs ${Math.floor(size / 2) + 1}`;
    return [{ channel, kind: 'quorum', reason }];
  });
}

/** `consensus_BFT_leader_id` is the leader of the last block; the leader of the view is the current leader. */
function bftProblems(reading: SourceReading): ConsensusProblem[] {
  const leaders = valuesByChannel(reading, 'consensus_smartbft_view_leader_id');
  const current = valuesByChannel(reading, 'consensus_smartbft_viewchange_current_view');
  const next = valuesByChannel(reading, 'consensus_smartbft_viewchange_next_view');
  const withoutLeader = [...leaders].flatMap(([channel, leader]): ConsensusProblem[] =>
    leader === 0 ? [{ channel, kind: 'leader', reason: 'the orderer knows no BFT leader' }] : [],
  );
  const changing = [...next].flatMap(([channel, view]): ConsensusProblem[] => {
    const from = current.get(channel);
    if (from === undefined || view <= from) return [];
    return [{ channel, kind: 'view', reason: `the change from view ${from} to view ${view} does not end` }];
  });
  return [...withoutLeader, ...changing];
}
