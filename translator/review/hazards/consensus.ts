// Hazards: the consensus type, and its options under Raft.

import { TranslateError } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import {
  readRaftMetadata,
  STATE_MAINTENANCE,
  STATE_NORMAL,
  valueOrEmpty,
  type RaftMetadata,
} from '../../config/values.js';
import { hazard, type Finding } from '../finding.js';
import { ordererOf, type State } from '../facts/state.js';

const PATH = '/Channel/Orderer/ConsensusType';

export function consensusHazards(state: State): Finding[] {
  const orderer = ordererOf(state);
  const { type, metadata, state: mode } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  const findings: Finding[] = [];
  if (mode === STATE_MAINTENANCE)
    findings.push(
      hazard(
        'warning',
        'maintenance-entered',
        PATH,
        'in maintenance the orderers accept only updates of orderer organisations, no transactions',
        'set the state back to STATE_NORMAL when the migration is done',
      ),
    );
  else if (mode !== STATE_NORMAL)
    findings.push(
      hazard(
        'danger',
        'consensus-state-unknown',
        PATH,
        `${mode} is no state of the consensus type`,
        'set it to STATE_NORMAL or STATE_MAINTENANCE',
      ),
    );
  if (type === 'etcdraft') findings.push(...raftHazards(metadata));
  if (orderer?.values.has('KafkaBrokers') === true && type !== 'kafka')
    findings.push(
      hazard(
        'warning',
        'kafka-brokers',
        '/Channel/Orderer/KafkaBrokers',
        `KafkaBrokers has no effect with the consensus type ${JSON.stringify(type)}`,
        'remove KafkaBrokers',
      ),
    );
  return findings;
}

function raftHazards(metadata: Uint8Array): Finding[] {
  if (metadata.length === 0)
    return [
      hazard(
        'danger',
        'raft-metadata-empty',
        PATH,
        'the metadata of the consensus type is empty: the channel has no consenters and stops',
        'keep the consenters and options in the metadata',
      ),
    ];
  const options = optionsIn(metadata);
  return options === undefined ? [] : [...tickHazards(options), ...sizeHazards(options)];
}

/** A channel that is this long without a leader seems to have failed, and cannot be corrected meanwhile. */
const LONGEST_ELECTION = 60_000_000_000n;

function tickHazards({ tickInterval, electionTick }: RaftOptions): Finding[] {
  const tick = parseDuration(tickInterval);
  if ('error' in tick) return [];
  if (tick.nanoseconds < 0n)
    return [
      hazard(
        'danger',
        'raft-tick-negative',
        PATH,
        `the tick interval ${tickInterval} is negative: the orderers panic`,
        'set a positive duration, for example 500ms',
      ),
    ];
  const election = tick.nanoseconds * BigInt(electionTick);
  if (election <= LONGEST_ELECTION) return [];
  return [
    hazard(
      'danger',
      'raft-election-timeout',
      PATH,
      `election_tick ${electionTick} × tick_interval ${tickInterval} is more than a minute: after the next restart, the channel has no leader for that long and takes no updates`,
      'set a tick interval of about 500ms and an election_tick of about 10',
    ),
  ];
}

/** etcdraft/chain.go makes a channel for this many blocks. */
const MAX_INFLIGHT = 100_000;

function sizeHazards({ maxInflightBlocks }: RaftOptions): Finding[] {
  if (maxInflightBlocks <= MAX_INFLIGHT) return [];
  return [
    hazard(
      'danger',
      'raft-inflight-blocks',
      PATH,
      `max_inflight_blocks ${maxInflightBlocks}: the orderers reserve memory for so many blocks, or panic at the next start`,
      'set it to about 5',
    ),
  ];
}

type RaftOptions = NonNullable<RaftMetadata['options']>;

function optionsIn(metadata: Uint8Array): RaftOptions | undefined {
  try {
    return readRaftMetadata(metadata).options;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
