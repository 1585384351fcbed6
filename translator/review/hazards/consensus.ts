// Hazards: the consensus type, and its options under Raft.

import { TranslateError } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import { readRaftMetadata, STATE_MAINTENANCE, STATE_NORMAL, valueOrEmpty } from '../../config/values.js';
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
  const interval = tickInterval(metadata);
  const tick = interval === undefined ? undefined : parseDuration(interval);
  if (tick === undefined || 'error' in tick || tick.nanoseconds >= 0n) return [];
  return [
    hazard(
      'danger',
      'raft-tick-negative',
      PATH,
      `the tick interval ${interval} is negative: the orderers panic`,
      'set a positive duration, for example 500ms',
    ),
  ];
}

function tickInterval(metadata: Uint8Array): string | undefined {
  try {
    return readRaftMetadata(metadata).options?.tickInterval;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
