// Values of the Orderer group: batches, the state of the consensus type, Kafka brokers.

import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import { absoluteMaxBytes, configEnvelopeSize } from '../stages/submission.js';
import type { ChannelState } from '../../state/index.js';
import { STATE_MAINTENANCE, STATE_NORMAL } from '../../channel/index.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';

/** A small update with two signatures. */
const SMALL_UPDATE = 3000;

/** How many bytes the next config update needs at least, as orderers pass it on. */
export const bytesOfNextUpdate = ({ config }: ChannelState): number =>
  configEnvelopeSize(config, undefined).least + SMALL_UPDATE;

/** The largest message that orderers and peers receive by default (Fabric's internal/pkg/comm/config.go, `DefaultMaxRecvMsgSize`). */
const MAX_MESSAGE = 100 * 1024 * 1024;

/** Larger transactions are common, for example with documents or many keys. */
const SMALL_MESSAGE = 512 * 1024;

export const BATCH_SIZE = '/Channel/Orderer/BatchSize';

export function batchFindings(state: ChannelState): Finding[] {
  const limit = absoluteMaxBytes(state.config);
  const needed = bytesOfNextUpdate(state);
  if (limit < needed) return [finding('danger', 'absolute-max-bytes-small', BATCH_SIZE, { limit, needed })];
  if (limit < SMALL_MESSAGE) return [finding('warning', 'absolute-max-bytes-low', BATCH_SIZE, { limit })];
  if (limit <= MAX_MESSAGE) return [];
  return [finding('danger', 'batch-bytes-large', BATCH_SIZE, { value: String(limit), limit: MAX_MESSAGE })];
}

const SECOND = 1_000_000_000n;
/** Clients give up on a commit after this time: it is the deadline of the samples of fabric-gateway. */
const WAITED_FOR = 60n * SECOND;

/** BFT orderers do not use BatchTimeout: the interval is an option of their own. */
export const batchTimeoutFindings = ({ channel: { orderer } }: ChannelState): Finding[] =>
  orderer.isBft
    ? []
    : batchIntervalFindings('BatchTimeout', orderer.batchTimeout, '/Channel/Orderer/BatchTimeout');

/** How long a transaction waits for others that fill the block. */
export function batchIntervalFindings(option: string, value: string, path: string): Finding[] {
  const interval = parseDuration(value);
  if ('error' in interval || interval.nanoseconds <= WAITED_FOR) return [];
  return [finding('danger', 'batch-timeout-long', path, { option, value })];
}

const CONSENSUS_TYPE = '/Channel/Orderer/ConsensusType';

export function consensusFindings({ channel: { orderer } }: ChannelState): Finding[] {
  const { type, state: mode } = orderer.consensus;
  const findings: Finding[] = [];
  if (mode === STATE_MAINTENANCE)
    findings.push(finding('warning', 'maintenance-entered', CONSENSUS_TYPE, {}));
  else if (mode !== STATE_NORMAL)
    findings.push(finding('danger', 'consensus-state-unknown', CONSENSUS_TYPE, { state: mode }));
  if (orderer.group?.values.has('KafkaBrokers') === true && type !== 'kafka')
    findings.push(finding('warning', 'kafka-brokers', '/Channel/Orderer/KafkaBrokers', { type }));
  return findings;
}
