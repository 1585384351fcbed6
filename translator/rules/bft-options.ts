// The options of a BFT channel. Orderers refuse few of them (Fabric's orderer/consensus/smartbft/configverifier.go) and accept options that
// consensus does not: SmartBFT checks them when a node starts and when it applies the update (`smartBftFaults`). Also options that it does
// not check: too much memory, and requests that are too large or removed before they are ordered.

import { parseDuration } from '../../core/common/text/go-duration.js';
import { attempt } from '../../proto/errors.js';
import {
  BFT_DURATIONS,
  type BftOptions,
  ROTATION_ON,
  type SmartBftFault,
  bftOptionName,
  readBftOptions,
  smartBftFaults,
  smartBftOptions,
  valueOrEmpty,
} from '../channel/index.js';
import { type FindingWords, quoted, words } from '../documents/index.js';
import type { ChannelState } from '../state/index.js';
import { bytesOfNextUpdate, requestLimit } from './facts/limits.js';
import { BATCH_SIZE, batchTimeoutLong, longInterval } from './orderer.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The effect of options that SmartBFT does not accept. */
const STOPS = 'the orderers stop when they apply it, and do not start again';

/** The reason that a BFT option is out of range. */
type BftOptionProblem = Exclude<SmartBftFault, { readonly problem: 'duration' }>;

/** The names of the options that limit a batch: with the batch size, or in the metadata alone. */
export const BATCH = {
  size: ['max_message_count of the batch size', 'absolute_max_bytes of the batch size'],
  metadata: ['request_batch_max_count', 'request_batch_max_bytes'],
} as const;

export function smartBftWords(
  data: SmartBftFault,
  [count, bytes]: (typeof BATCH)[keyof typeof BATCH],
): FindingWords {
  switch (data.problem) {
    case 'duration':
      return words(
        `${data.option} ${quoted(data.value)} is not a positive duration`,
        'set a duration with a unit, for example 20s',
      );
    case 'zero':
      return words(`${data.option} is ${data.value}`, 'set it to 1 or more');
    case 'batch':
      return words(`${count} ${data.count} is more than ${bytes} ${data.bytes}`, `lower ${count}`);
    case 'request':
      return data.isDefault
        ? words(`${bytes} ${data.bytes} is less than ${data.value}`, `set it to ${data.value} or more`)
        : words(
            `request_max_bytes ${data.value} is more than ${bytes} ${data.bytes}`,
            `lower request_max_bytes, or raise ${bytes}`,
          );
    case 'order':
      return words(
        `${data.option} ${data.value} is longer than ${data.limit} ${data.limitValue}`,
        `set ${data.option} to at most ${data.limit}`,
      );
    case 'rotation':
      break;
  }
  return words(
    'leader rotation is on and decisions_per_leader is 0',
    'set decisions_per_leader, or turn leader rotation off',
  );
}

function stopWords(data: SmartBftFault): FindingWords {
  const { text, todo } = smartBftWords(data, BATCH.size);
  return words(`${text}: ${STOPS}`, todo, `${text}: the orderers stop when they apply it`);
}

/** A timeout; `isOrdered` if requests still get into a block. */
export interface ShortTimeout {
  readonly option: string;
  readonly value: string;
  readonly isOrdered: boolean;
}

const bftOptions = defineRule({
  id: 'bft-options',
  severity: 'refused',
  meaning: 'the BFT options cannot be decoded',
  words: () => words('the BFT options do not parse', 'set the metadata again from its JSON form'),
});

const bftRotation = defineRule({
  id: 'bft-rotation',
  severity: 'refused',
  meaning: 'leader rotation is on, which is not supported',
  words: () =>
    words('leader_rotation is on, which the orderers do not support', 'set leader_rotation to ROTATION_OFF'),
});

const bftOption = defineRule({
  id: 'bft-option',
  severity: 'danger',
  meaning: 'a BFT option is out of range: SmartBFT does not accept it',
  words: (data: BftOptionProblem) => stopWords(data),
});

const bftBuffer = defineRule({
  id: 'bft-buffer',
  severity: 'danger',
  meaning: 'the buffer of BFT messages needs more memory than there is',
  words: ({ value, limit }: { value: string; limit: string }) =>
    words(
      `incoming_message_buffer_size ${value} is more than ${limit}: the orderers cannot get that much memory and panic when they apply it, and again at each start`,
      'set it to about 200',
    ),
});

const bftRequestBytes = defineRule({
  id: 'bft-request-bytes',
  severity: 'danger',
  meaning: 'the largest BFT request is too small for a further config update',
  words: ({ value, needed }: { value: string; needed: number }) =>
    words(
      `request_max_bytes ${value} is less than the ${needed} bytes that a further config update needs: nobody can ever correct it`,
      'set request_max_bytes to the absolute_max_bytes of the batch size',
    ),
});

const bftTimeoutShort = defineRule({
  id: 'bft-timeout-short',
  severity: ['danger', 'warning'],
  meaning: 'a BFT timeout is too short',
  words: ({ option, value, isOrdered }: ShortTimeout) =>
    isOrdered
      ? words(
          `${option} ${value} is shorter than a second: a busy leader is replaced again and again`,
          'set seconds, for example 20s',
        )
      : words(
          `${option} ${value} is too short: orderers accept transactions and updates and remove them before they are in a block`,
          'set minutes, for example 3m',
        ),
});

const bftDuration = defineRule({
  id: 'bft-duration',
  severity: 'danger',
  meaning: 'a BFT option is not a positive duration',
  words: (data: { option: string; value: string }) => stopWords({ problem: 'duration', ...data }),
});

const bftDurationLong = defineRule({
  id: 'bft-duration-long',
  severity: 'danger',
  meaning: 'a BFT timeout is longer than an hour',
  words: ({ option, value }: { option: string; value: string }) =>
    words(
      `${option} ${value} is longer than an hour: the orderers wait that long before they go on`,
      'set seconds, for example 20s',
    ),
});

const PATH = '/Channel/Orderer/ConsensusType';

/** Options that become signed numbers: memory of this size, or for this number of messages, cannot be allocated. */
const SIGNED = ['incomingMessageBufferSize', 'requestPoolSize', 'leaderHeartbeatCount'] as const;

/** A longer timeout practically never elapses. */
const LONGEST = 3_600_000_000_000n;

function faultFinding(fault: SmartBftFault): RawFinding {
  if (fault.problem === 'duration') {
    const { option, value } = fault;
    return bftDuration.at(PATH, { option, value });
  }
  const isAboutBatch = fault.problem === 'batch' || (fault.problem === 'request' && fault.isDefault);
  return bftOption.at(isAboutBatch ? BATCH_SIZE : PATH, fault);
}

const signFindings = (options: BftOptions): RawFinding[] =>
  SIGNED.filter((name) => BigInt.asIntN(64, options[name]) < 0n).map((name) =>
    bftOption.at(PATH, {
      problem: 'zero',
      option: bftOptionName(name),
      value: String(options[name]),
    }),
  );

/** SmartBFT makes queues for this many messages (internal/bft/view.go); from about 2^45 on, Go panics: `makechan: size out of range`. */
const MAX_BUFFER = 100_000_000n;

function memoryFindings({ incomingMessageBufferSize: buffer }: BftOptions): RawFinding[] {
  if (buffer <= MAX_BUFFER || BigInt.asIntN(64, buffer) <= 0n) return [];
  return [bftBuffer.at(PATH, { value: String(buffer), limit: String(MAX_BUFFER) })];
}

/** Larger requests are refused (SmartBFT's internal/bft/requestpool.go, `Submit`). A config update is a request with the whole config. */
function requestFindings(state: ChannelState): RawFinding[] {
  const needed = bytesOfNextUpdate(state.config);
  const limit = requestLimit(state.channel, state.program.bft);
  if (limit === undefined || limit >= BigInt(needed)) return [];
  return [bftRequestBytes.at(PATH, { value: String(limit), needed })];
}

const MILLISECOND = 1_000_000n;
/** A request is removed again before it is in a block. */
const SHORTEST_REQUEST = 10n * MILLISECOND;
/** Orderers complain about a leader that needs longer for a block. */
const SHORT_REQUEST = 1000n * MILLISECOND;

function shortFindings(options: BftOptions, lengths: ReadonlyMap<string, bigint>): RawFinding[] {
  const short = (name: (typeof BFT_DURATIONS)[number], bound: bigint): boolean =>
    (lengths.get(name) ?? bound) < bound;
  const of = (severity: 'danger' | 'warning', name: (typeof BFT_DURATIONS)[number]): RawFinding[] => [
    bftTimeoutShort.at(
      PATH,
      {
        option: bftOptionName(name),
        value: options[name],
        isOrdered: severity === 'warning',
      },
      severity,
    ),
  ];
  if (short('requestAutoRemoveTimeout', SHORTEST_REQUEST)) return of('danger', 'requestAutoRemoveTimeout');
  return SHORT.filter((name) => short(name, SHORT_REQUEST)).flatMap((name) => of('warning', name));
}

/** Timeouts after which a busy leader is replaced. */
const SHORT = [
  'requestComplainTimeout',
  'viewChangeTimeout',
  'leaderHeartbeatTimeout',
] as const satisfies readonly (typeof BFT_DURATIONS)[number][];

function durationFindings(options: BftOptions): RawFinding[] {
  const lengths = new Map<string, bigint>();
  const findings = BFT_DURATIONS.flatMap((name) => {
    const duration = parseDuration(options[name]);
    if ('error' in duration || duration.nanoseconds <= 0n) return [];
    lengths.set(name, duration.nanoseconds);
    if (duration.nanoseconds > LONGEST) return [longFinding(name, options[name])];
    return name === 'requestBatchMaxInterval' ? longInterval(bftOptionName(name), options[name], PATH) : [];
  });
  return [...findings, ...shortFindings(options, lengths)];
}

const longFinding = (name: string, value: string): RawFinding =>
  bftDurationLong.at(PATH, { option: bftOptionName(name), value });

/** Options that orderers refuse, also in a config by itself. */
export const refusedBftOptions = defineCheck({
  needs: 'proposal',
  rules: [bftOptions, bftRotation],
  isOfConfig: true,
  find({ before, after }) {
    const { group } = after.channel.orderer;
    if (!before.channel.orderer.isBft || group === undefined) return [];
    const { metadata } = valueOrEmpty(group, 'orderer', 'ConsensusType');
    const text = 'leader rotation must be turned off for this version or be unspecified';
    return attempt(
      () =>
        readBftOptions(metadata).leaderRotation === ROTATION_ON ? [bftRotation.refused(text, PATH, {})] : [],
      ({ message }) => [
        bftOptions.refused(`invalid options encoded in consensus metadata: ${message}`, PATH, {}),
      ],
    );
  },
});

/** Options that orderers accept and consensus does not, or not as it should. */
export const bftOptionValues = defineCheck({
  needs: 'config',
  rules: [
    bftDuration,
    bftOption,
    bftBuffer,
    bftRequestBytes,
    bftDurationLong,
    batchTimeoutLong,
    bftTimeoutShort,
  ],
  find(state) {
    const { orderer } = state.channel;
    const read = attempt(
      () => smartBftOptions(orderer),
      () => undefined,
    );
    if (read === undefined) return [];
    return [
      ...smartBftFaults(read, state.program.bft).map(faultFinding),
      ...signFindings(read),
      ...memoryFindings(read),
      ...requestFindings(state),
      ...durationFindings(read),
    ];
  },
});
