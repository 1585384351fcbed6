// Hazards: BFT options that consensus does not accept. The orderer accepts the update; SmartBFT checks the options when a node starts and
// when it applies the update (orderer/consensus/smartbft/util/util.go ConfigFromMetadataOptions, SmartBFT's pkg/types/config.go Validate).

import { TranslateError } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import { readBftOptions, ROTATION_ON, valueOrEmpty, type BftOptions } from '../../config/values.js';
import { hazard, type Finding } from '../finding.js';
import { ordererOf, type State } from '../facts/state.js';

const PATH = '/Channel/Orderer/ConsensusType';
const STOPS = 'the orderers stop when they apply it';

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

export function bftOptionHazards(state: State): Finding[] {
  const { type, metadata } = valueOrEmpty(ordererOf(state), 'orderer', 'ConsensusType');
  const options = type === 'BFT' ? tryOptions(metadata) : undefined;
  if (options === undefined) return [];
  return [...countHazards(options), ...durationHazards(options), ...rotationHazards(options)];
}

function countHazards(options: BftOptions): Finding[] {
  const { requestBatchMaxCount, requestBatchMaxBytes } = options;
  const zero = COUNTS.filter((name) => BigInt.asIntN(64, options[name]) <= 0n).map((name) =>
    hazard(
      'danger',
      'bft-option',
      PATH,
      `${optionOf(name)} is ${options[name]}: ${STOPS}`,
      'set it to 1 or more',
    ),
  );
  if (requestBatchMaxCount <= requestBatchMaxBytes) return zero;
  return [
    ...zero,
    hazard(
      'danger',
      'bft-option',
      PATH,
      `request_batch_max_count ${requestBatchMaxCount} is more than request_batch_max_bytes ${requestBatchMaxBytes}: ${STOPS}`,
      'lower request_batch_max_count or raise request_batch_max_bytes',
    ),
  ];
}

function durationHazards(options: BftOptions): Finding[] {
  const lengths = new Map<string, bigint>();
  const findings = DURATIONS.flatMap((name) => {
    const duration = parseDuration(options[name]);
    if ('nanoseconds' in duration && duration.nanoseconds > 0n) {
      lengths.set(name, duration.nanoseconds);
      return duration.nanoseconds > LONGEST ? [longHazard(name, options[name])] : [];
    }
    return [
      hazard(
        'danger',
        'bft-duration',
        PATH,
        `${optionOf(name)} ${JSON.stringify(options[name])} is not a positive duration: ${STOPS}`,
        'set a duration with a unit, for example 20s',
      ),
    ];
  });
  for (const [short, long] of ORDER)
    if ((lengths.get(short) ?? 0n) > (lengths.get(long) ?? LONGEST))
      findings.push(
        hazard(
          'danger',
          'bft-option',
          PATH,
          `${optionOf(short)} ${options[short]} is longer than ${optionOf(long)} ${options[long]}: ${STOPS}`,
          `set ${optionOf(short)} to at most ${optionOf(long)}`,
        ),
      );
  return findings;
}

const longHazard = (name: string, value: string): Finding =>
  hazard(
    'danger',
    'bft-duration-long',
    PATH,
    `${optionOf(name)} ${value} is longer than an hour: the orderers wait that long before they go on`,
    'set seconds, for example 20s',
  );

function rotationHazards({ leaderRotation, decisionsPerLeader }: BftOptions): Finding[] {
  if (leaderRotation !== ROTATION_ON || decisionsPerLeader > 0n) return [];
  return [
    hazard(
      'danger',
      'bft-option',
      PATH,
      `leader rotation is on and decisions_per_leader is 0: ${STOPS}`,
      'set decisions_per_leader, or turn leader rotation off',
    ),
  ];
}

function tryOptions(metadata: Uint8Array): BftOptions | undefined {
  try {
    return readBftOptions(metadata);
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
