// Problems with the consensus of the channels of an orderer, from its metrics.

import type { SourceReading } from '../../../core/contract/index.js';
import { valuesByChannel } from '../../../core/kit/index.js';

/** A state of a channel that is a failure if it lasts. */
interface ConsensusProblem {
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

/** A Raft orderer that other orderers know by another id: it was down when it was removed from the consenters and added again. */
export interface ChangedId {
  readonly channel: string;
  /** The id that the others send messages to. */
  readonly id: string;
}

/** The line of such an orderer about each message, in the formats of Fabric (orderer/consensus/etcdraft/chain.go, `Consensus`). */
const CHANGED_ID =
  /Received msg to (\d+), my ID is probably wrong due to out of date.*?\bchannel"?[=:] ?"?([a-z][a-z0-9.-]*)/;
/** The time of a line: in the default format, or in seconds since the epoch. */
const LINE_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) UTC|"ts":(\d+)|\bts=(\d+)/;
/** The orderer writes the line every 500 ms; an older one is from before a repair. In milliseconds. */
const MAX_LINE_AGE = 60_000;

/** The channels in which a Raft orderer knows no leader. Its relation does not count: with a changed id it changes every 500 ms. */
export const channelsWithoutLeader = (reading: SourceReading): string[] =>
  raftProblems(reading).flatMap(({ kind, channel }) => (kind === 'leader' ? [channel] : []));

/**
 * The channels with a changed Raft id, according to the log.
 *
 * @param lines of the log, newest first
 * @param time milliseconds since the epoch
 */
export function changedIds(lines: readonly string[], time: number): ReadonlyMap<string, ChangedId> {
  const found = lines.flatMap((line, index) => {
    const [, id, channel] = CHANGED_ID.exec(line) ?? [];
    if (id === undefined || channel === undefined) return [];
    const [, day, clock, json, logfmt] = LINE_TIME.exec(line) ?? [];
    const at = day === undefined ? Number(json ?? logfmt) * 1000 : Date.parse(`${day}T${clock}Z`);
    // Without a time, only the newest line is certainly from now.
    const isNew = Number.isNaN(at) ? index === 0 : time - at <= MAX_LINE_AGE;
    return isNew ? [[channel, { channel, id }] as const] : [];
  });
  return new Map(found.toReversed());
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
