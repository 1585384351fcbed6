// The options of a Raft channel. Orderers check that ticks are not zero and that the election tick is the larger one (Fabric's
// orderer/consensus/etcdraft/util.go, `VerifyConfigMetadata`), and use them only at their next start (node.go).

import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import type { ChannelState } from '../../state/index.js';
import { readRaftMetadata, type RaftMetadata } from '../../channel/index.js';
import { attempt } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';

const PATH = '/Channel/Orderer/ConsensusType';

type Options = NonNullable<RaftMetadata['options']>;

export function raftOptionFindings({ channel: { orderer } }: ChannelState): Finding[] {
  const { type, metadata } = orderer.consensus;
  if (type !== 'etcdraft') return [];
  if (metadata.length === 0) return [finding('danger', 'raft-metadata-empty', PATH, {})];
  const read = attempt(
    () => readRaftMetadata(metadata),
    () => undefined,
  );
  if (read?.options === undefined) return [];
  const { options, consenters } = read;
  return [
    ...tickFindings(options, consenters.length),
    ...inflightFindings(options),
    ...snapshotFindings(options),
  ];
}

const MILLISECOND = 1_000_000n;
const SECOND = 1000n * MILLISECOND;
/** A channel that is this long without a leader seems to have failed, and cannot be corrected meanwhile. */
const LONGEST_ELECTION = 60n * SECOND;
/** Below this, orderers start the next election before the votes of the last one arrive. */
const SHORTEST_ELECTION = 100n * MILLISECOND;
/** Below this, a pause of a process or of the network is enough for an election. */
const SHORT_ELECTION = SECOND;
/** Orderers cannot keep up with ticks that are this short, however many of them an election has. */
const SHORTEST_TICK = 1000n;
/** Below this, ticks get lost and an election takes many times as long as it should. */
const SHORT_TICK = 100_000n;

function tickFindings({ tickInterval, electionTick }: Options, consenters: number): Finding[] {
  const tick = parseDuration(tickInterval);
  if ('error' in tick || tick.nanoseconds === 0n) return [];
  if (tick.nanoseconds < 0n) return [finding('danger', 'raft-tick-negative', PATH, { tickInterval })];
  const election = tick.nanoseconds * BigInt(electionTick);
  const data = { electionTick, tickInterval };
  if (election > LONGEST_ELECTION) return [finding('danger', 'raft-election-timeout', PATH, data)];
  const isShortest = election < SHORTEST_ELECTION || tick.nanoseconds <= SHORTEST_TICK;
  // A lone consenter elects itself.
  if (isShortest && consenters > 1)
    return [finding('danger', 'raft-election-short', PATH, { ...data, hasLeader: false })];
  if (election >= SHORT_ELECTION && tick.nanoseconds >= SHORT_TICK) return [];
  return [finding('warning', 'raft-election-short', PATH, { ...data, hasLeader: true })];
}

/** etcdraft/chain.go makes a channel for this many blocks. */
const MAX_INFLIGHT = 100_000;

function inflightFindings({ maxInflightBlocks }: Options): Finding[] {
  if (maxInflightBlocks <= MAX_INFLIGHT) return [];
  return [finding('danger', 'raft-inflight-blocks', PATH, { maxInflightBlocks })];
}

/** A few transactions: an orderer writes a snapshot after each block. 0 stands for 16 MB (etcdraft/chain.go, `DefaultSnapshotIntervalSize`). */
const SMALLEST_SNAPSHOT = 64 * 1024;
/** An orderer keeps the blocks since the last snapshot in memory, and reads them again at each start. */
const LARGEST_SNAPSHOT = 1024 * 1024 * 1024;

function snapshotFindings({ snapshotIntervalSize: bytes }: Options): Finding[] {
  if (bytes === 0 || (bytes >= SMALLEST_SNAPSHOT && bytes <= LARGEST_SNAPSHOT)) return [];
  return [finding('warning', 'raft-snapshot-interval', PATH, { bytes, isSmall: bytes < SMALLEST_SNAPSHOT })];
}
