// Values of the Orderer group: batches, capabilities, the consensus type, its options under Raft and BFT. Orderers accept BFT options that
// consensus does not: SmartBFT checks them when a node starts and when it applies the update (orderer/consensus/smartbft/util/util.go
// ConfigFromMetadataOptions, SmartBFT's pkg/types/config.go Validate).

import type { Finding } from '../../describe/findings/index.js';
import { finding } from '../finding.js';
import { absoluteMaxBytes, configEnvelopeSize } from '../stages/submission.js';
import type { State } from '../facts/state.js';
import { APPLICATION_CAPABILITIES, EXPERIMENTAL } from '../../channel/capabilities.js';
import {
  ROTATION_ON,
  STATE_MAINTENANCE,
  STATE_NORMAL,
  readBftOptions,
  readRaftMetadata,
  type BftOptions,
  type RaftMetadata,
} from '../../channel/values.js';
import { TranslateError } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';

/** A small update with two signatures. */
const SMALL_UPDATE = 3000;

export function batchFindings({ config }: State): Finding[] {
  const limit = absoluteMaxBytes(config);
  const needed = configEnvelopeSize(config, undefined).least + SMALL_UPDATE;
  if (limit >= needed) return [];
  return [finding('danger', 'absolute-max-bytes-small', '/Channel/Orderer/BatchSize', { limit, needed })];
}

export function capabilityFindings({ channel }: State): Finding[] {
  const findings = [...channel.application.capabilities]
    .filter((name) => ![...APPLICATION_CAPABILITIES, ...EXPERIMENTAL].includes(name))
    .map((name) =>
      finding('danger', 'application-capability-unknown', '/Channel/Application/Capabilities', {
        capability: name,
        known: APPLICATION_CAPABILITIES,
      }),
    );
  if (channel.orderer.isBft && !channel.capabilities.has('V3_0'))
    findings.push(finding('danger', 'bft-without-v3', '/Channel/Capabilities', {}));
  return findings;
}

const PATH = '/Channel/Orderer/ConsensusType';

export function consensusFindings({ channel: { orderer } }: State): Finding[] {
  const { type, metadata, state: mode } = orderer.consensus;
  const findings: Finding[] = [];
  if (mode === STATE_MAINTENANCE) findings.push(finding('warning', 'maintenance-entered', PATH, {}));
  else if (mode !== STATE_NORMAL)
    findings.push(finding('danger', 'consensus-state-unknown', PATH, { state: mode }));
  if (type === 'etcdraft') findings.push(...raftFindings(metadata));
  if (orderer.group?.values.has('KafkaBrokers') === true && type !== 'kafka')
    findings.push(finding('warning', 'kafka-brokers', '/Channel/Orderer/KafkaBrokers', { type }));
  return findings;
}

function raftFindings(metadata: Uint8Array): Finding[] {
  if (metadata.length === 0) return [finding('danger', 'raft-metadata-empty', PATH, {})];
  const options = optionsIn(metadata);
  return options === undefined ? [] : [...tickFindings(options), ...sizeFindings(options)];
}

/** A channel that is this long without a leader seems to have failed, and cannot be corrected meanwhile. */
const LONGEST_ELECTION = 60_000_000_000n;

function tickFindings({ tickInterval, electionTick }: RaftOptions): Finding[] {
  const tick = parseDuration(tickInterval);
  if ('error' in tick) return [];
  if (tick.nanoseconds < 0n) return [finding('danger', 'raft-tick-negative', PATH, { tickInterval })];
  const election = tick.nanoseconds * BigInt(electionTick);
  if (election <= LONGEST_ELECTION) return [];
  return [finding('danger', 'raft-election-timeout', PATH, { electionTick, tickInterval })];
}

/** etcdraft/chain.go makes a channel for this many blocks. */
const MAX_INFLIGHT = 100_000;

function sizeFindings({ maxInflightBlocks }: RaftOptions): Finding[] {
  if (maxInflightBlocks <= MAX_INFLIGHT) return [];
  return [finding('danger', 'raft-inflight-blocks', PATH, { maxInflightBlocks })];
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

type Names<T> = { [K in keyof BftOptions]: BftOptions[K] extends T ? K : never }[keyof BftOptions];

const COUNTS = [
  'requestBatchMaxCount',
  'requestBatchMaxBytes',
  'incomingMessageBufferSize',
  'requestPoolSize',
  'leaderHeartbeatCount',
] as const satisfies readonly Names<bigint>[];

const DURATIONS = [
  'requestBatchMaxInterval',
  'requestForwardTimeout',
  'requestComplainTimeout',
  'requestAutoRemoveTimeout',
  'viewChangeResendInterval',
  'viewChangeTimeout',
  'leaderHeartbeatTimeout',
  'collectTimeout',
] as const satisfies readonly Names<string>[];

/** Durations of which the first must not be longer than the second. */
const ORDER = [
  ['requestForwardTimeout', 'requestComplainTimeout'],
  ['requestComplainTimeout', 'requestAutoRemoveTimeout'],
  ['viewChangeResendInterval', 'viewChangeTimeout'],
] as const satisfies readonly (readonly [Names<string>, Names<string>])[];

/** A timeout beyond this never elapses while people look at it. */
const LONGEST = 3_600_000_000_000n;

/** `request_pool_size` */
const optionOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function bftOptionFindings(state: State): Finding[] {
  const { type, metadata } = state.channel.orderer.consensus;
  const options = type === 'BFT' ? tryOptions(metadata) : undefined;
  if (options === undefined) return [];
  return [...countFindings(options), ...durationFindings(options), ...rotationFindings(options)];
}

function countFindings(options: BftOptions): Finding[] {
  const { requestBatchMaxCount, requestBatchMaxBytes } = options;
  const zero = COUNTS.filter((name) => BigInt.asIntN(64, options[name]) <= 0n).map((name) =>
    finding('danger', 'bft-option', PATH, {
      problem: 'zero',
      option: optionOf(name),
      value: String(options[name]),
    }),
  );
  if (requestBatchMaxCount <= requestBatchMaxBytes) return zero;
  return [
    ...zero,
    finding('danger', 'bft-option', PATH, {
      problem: 'batch',
      count: String(requestBatchMaxCount),
      bytes: String(requestBatchMaxBytes),
    }),
  ];
}

function durationFindings(options: BftOptions): Finding[] {
  const lengths = new Map<string, bigint>();
  const findings = DURATIONS.flatMap((name) => {
    const duration = parseDuration(options[name]);
    if ('nanoseconds' in duration && duration.nanoseconds > 0n) {
      lengths.set(name, duration.nanoseconds);
      return duration.nanoseconds > LONGEST ? [longFinding(name, options[name])] : [];
    }
    return [finding('danger', 'bft-duration', PATH, { option: optionOf(name), value: options[name] })];
  });
  for (const [short, long] of ORDER)
    if ((lengths.get(short) ?? 0n) > (lengths.get(long) ?? LONGEST))
      findings.push(
        finding('danger', 'bft-option', PATH, {
          problem: 'order',
          option: optionOf(short),
          value: options[short],
          limit: optionOf(long),
          limitValue: options[long],
        }),
      );
  return findings;
}

const longFinding = (name: string, value: string): Finding =>
  finding('danger', 'bft-duration-long', PATH, { option: optionOf(name), value });

function rotationFindings({ leaderRotation, decisionsPerLeader }: BftOptions): Finding[] {
  if (leaderRotation !== ROTATION_ON || decisionsPerLeader > 0n) return [];
  return [finding('danger', 'bft-option', PATH, { problem: 'rotation' })];
}

function tryOptions(metadata: Uint8Array): BftOptions | undefined {
  try {
    return readBftOptions(metadata);
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
