// The options of a Raft channel. Orderers check that ticks are not zero and that the election tick is the larger one (Fabric's
// orderer/consensus/etcdraft/util.go, `VerifyConfigMetadata`), and use them only at their next start (node.go).

import { parseDuration } from '../../core/common/text/go-duration.js';
import { attempt } from '../../proto/errors.js';
import { type RaftMetadata, readRaftMetadata } from '../channel/index.js';
import { words } from '../documents/index.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** An election timeout; `hasLeader` if the orderers still agree on a leader. */
export interface ShortElection {
  readonly electionTick: number;
  readonly tickInterval: string;
  readonly hasLeader: boolean;
}

const raftMetadataEmpty = defineRule({
  id: 'raft-metadata-empty',
  severity: 'danger',
  meaning: 'a Raft channel has no consenters',
  words: () =>
    words(
      'the metadata of the consensus type is empty: the channel has no consenters and stops',
      'keep the consenters and options in the metadata',
    ),
});

const raftTickNegative = defineRule({
  id: 'raft-tick-negative',
  severity: 'danger',
  meaning: 'the Raft tick interval is negative',
  words: ({ tickInterval }: { tickInterval: string }) =>
    words(
      `the tick interval ${tickInterval} is negative: the orderers panic`,
      'set a positive duration, for example 500ms',
    ),
});

const raftElectionTimeout = defineRule({
  id: 'raft-election-timeout',
  severity: ['danger', 'warning'],
  meaning: 'the election timeout is long',
  words: (data: { electionTick: number; tickInterval: string; limit: '10 seconds' | 'a minute' }) =>
    words(
      `election_tick ${data.electionTick} × tick_interval ${data.tickInterval} is more than ${data.limit}: after the next restart, the channel has no leader for that long and takes no updates`,
      'set a tick interval of about 500ms and an election_tick of about 10',
    ),
});

const raftElectionShort = defineRule({
  id: 'raft-election-short',
  severity: ['danger', 'warning'],
  meaning: 'the election timeout of Raft is too short',
  words: (data: ShortElection) =>
    words(
      `election_tick ${data.electionTick} × tick_interval ${data.tickInterval} is too short: after the next restart, ${data.hasLeader ? 'each pause of the network or of a process is enough for another leader' : 'the orderers do not agree on a leader, and the channel takes no updates for good'}`,
      'set a tick interval of about 500ms and an election_tick of about 10',
    ),
});

const raftSnapshotInterval = defineRule({
  id: 'raft-snapshot-interval',
  severity: 'warning',
  meaning: 'the snapshots of Raft are very small or very large',
  words: ({ bytes, isSmall }: { bytes: number; isSmall: boolean }) =>
    words(
      `snapshot_interval_size ${bytes}: ${isSmall ? 'the orderers write a snapshot after nearly every block' : 'the orderers keep that many bytes of blocks in memory and read them again at each start'}`,
      'set it to about 20 MB',
    ),
});

const raftInflightBlocks = defineRule({
  id: 'raft-inflight-blocks',
  severity: ['danger', 'warning'],
  meaning: 'max_inflight_blocks is too large',
  words: ({ maxInflightBlocks, isFatal }: { maxInflightBlocks: number; isFatal: boolean }) =>
    words(
      `max_inflight_blocks ${maxInflightBlocks}: ${isFatal ? 'an orderer that becomes the leader reserves gigabytes of memory, or ends' : 'the leader keeps so many blocks in memory if the others are slow'}`,
      'set it to about 5',
    ),
});

const PATH = '/Channel/Orderer/ConsensusType';

type Options = NonNullable<RaftMetadata['options']>;

const MILLISECOND = 1_000_000n;
const SECOND = 1000n * MILLISECOND;
/** A channel that is this long without a leader seems to have failed, and cannot be corrected meanwhile. */
const LONGEST_ELECTION = 60n * SECOND;
/** A client or an administrator waits this long at most: 50 s were seen as a channel that does not serve. */
const LONG_ELECTION = 10n * SECOND;
/** Below this, orderers start the next election before the votes of the last one arrive. */
const SHORTEST_ELECTION = 100n * MILLISECOND;
/** Below this, a pause of a process or of the network is enough for an election. */
const SHORT_ELECTION = SECOND;
/** Orderers cannot keep up with ticks that are this short, however many of them an election has. */
const SHORTEST_TICK = 1000n;
/** Below this, ticks get lost and an election takes many times as long as it should. */
const SHORT_TICK = 100_000n;

function tickFindings({ tickInterval, electionTick }: Options, consenters: number): RawFinding[] {
  const tick = parseDuration(tickInterval);
  if ('error' in tick || tick.nanoseconds === 0n) return [];
  if (tick.nanoseconds < 0n) return [raftTickNegative.at(PATH, { tickInterval })];
  const election = tick.nanoseconds * BigInt(electionTick);
  const data = { electionTick, tickInterval };
  if (election > LONGEST_ELECTION)
    return [raftElectionTimeout.at(PATH, { ...data, limit: 'a minute' }, 'danger')];
  if (election > LONG_ELECTION)
    return [raftElectionTimeout.at(PATH, { ...data, limit: '10 seconds' }, 'warning')];
  const isShortest = election < SHORTEST_ELECTION || tick.nanoseconds <= SHORTEST_TICK;
  // A lone consenter elects itself.
  if (isShortest && consenters > 1)
    return [raftElectionShort.at(PATH, { ...data, hasLeader: false }, 'danger')];
  if (election >= SHORT_ELECTION && tick.nanoseconds >= SHORT_TICK) return [];
  return [raftElectionShort.at(PATH, { ...data, hasLeader: true }, 'warning')];
}

/** The leader takes further messages until so many blocks wait for the others (etcdraft/chain.go). */
const MAX_INFLIGHT = 100_000;
/** The leader makes a channel with 8 bytes for each of them (etcdraft/chain.go, `becomeLeader`): 100,000,000 served, 2^32 - 1 did not. */
const FATAL_INFLIGHT = 100_000_000;

function inflightFindings({ maxInflightBlocks }: Options): RawFinding[] {
  if (maxInflightBlocks <= MAX_INFLIGHT) return [];
  const isFatal = maxInflightBlocks > FATAL_INFLIGHT;
  return [raftInflightBlocks.at(PATH, { maxInflightBlocks, isFatal }, isFatal ? 'danger' : 'warning')];
}

/** A few transactions: an orderer writes a snapshot after each block. 0 stands for 16 MB (etcdraft/chain.go, `DefaultSnapshotIntervalSize`). */
const SMALLEST_SNAPSHOT = 64 * 1024;
/** An orderer keeps the blocks since the last snapshot in memory, and reads them again at each start. */
const LARGEST_SNAPSHOT = 1024 * 1024 * 1024;

function snapshotFindings({ snapshotIntervalSize: bytes }: Options): RawFinding[] {
  if (bytes === 0 || (bytes >= SMALLEST_SNAPSHOT && bytes <= LARGEST_SNAPSHOT)) return [];
  return [raftSnapshotInterval.at(PATH, { bytes, isSmall: bytes < SMALLEST_SNAPSHOT })];
}

/** The options of one channel. */
export const raftOptionValues = defineCheck({
  needs: 'config',
  rules: [
    raftMetadataEmpty,
    raftTickNegative,
    raftElectionTimeout,
    raftElectionShort,
    raftInflightBlocks,
    raftSnapshotInterval,
  ],
  find({ channel: { orderer } }) {
    const { type, metadata } = orderer.consensus;
    if (type !== 'etcdraft') return [];
    if (metadata.length === 0) return [raftMetadataEmpty.at(PATH, {})];
    const read = attempt(
      () => readRaftMetadata(metadata),
      () => undefined,
    );
    if (read?.options === undefined) return [];
    return [
      ...tickFindings(read.options, read.consenters.length),
      ...inflightFindings(read.options),
      ...snapshotFindings(read.options),
    ];
  },
});
