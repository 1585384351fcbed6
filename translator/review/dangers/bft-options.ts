// The options of a BFT channel. Orderers accept options that consensus does not: SmartBFT checks them when a node starts and when it applies
// the update (orderer/consensus/smartbft/util/util.go, `ConfigFromMetadataOptions`; SmartBFT's pkg/types/config.go, `Validate`). What
// neither checks is here too: memory that cannot be had, requests that are too large or removed before they are ordered.

import type { Finding } from '../../describe/index.js';
import { finding } from '../finding.js';
import type { State } from '../../powers/index.js';
import { ROTATION_ON, type BftOptions } from '../../channel/index.js';
import { attempt } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import { requestLimit } from '../stages/submission.js';
import { MAX_MESSAGE, batchIntervalFindings, bytesOfNextUpdate } from './orderer-values.js';

const PATH = '/Channel/Orderer/ConsensusType';

type Names<T> = { [K in keyof BftOptions]: BftOptions[K] extends T ? K : never }[keyof BftOptions];

const COUNTS = [
  'requestBatchMaxCount',
  'requestBatchMaxBytes',
  'incomingMessageBufferSize',
  'requestPoolSize',
  'leaderHeartbeatCount',
] as const satisfies readonly Names<bigint>[];

/** These stay 64-bit numbers without a sign; the others are converted to numbers with one. */
const UNSIGNED: ReadonlySet<string> = new Set(['requestBatchMaxCount', 'requestBatchMaxBytes']);

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
  const options = attempt(
    () => state.channel.orderer.bftOptions,
    () => undefined,
  );
  if (options === undefined) return [];
  return [
    ...countFindings(options),
    ...memoryFindings(options),
    ...byteFindings(options, state),
    ...durationFindings(options),
    ...rotationFindings(options),
  ];
}

function countFindings(options: BftOptions): Finding[] {
  const { requestBatchMaxCount, requestBatchMaxBytes } = options;
  const zero = COUNTS.filter(
    (name) => (UNSIGNED.has(name) ? options[name] : BigInt.asIntN(64, options[name])) <= 0n,
  ).map((name) =>
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

/** SmartBFT makes queues for this many messages (internal/bft/view.go); from about 2^45 on, Go panics: `makechan: size out of range`. */
const MAX_BUFFER = 100_000_000n;

function memoryFindings({ incomingMessageBufferSize: buffer }: BftOptions): Finding[] {
  if (buffer <= MAX_BUFFER || BigInt.asIntN(64, buffer) <= 0n) return [];
  return [finding('danger', 'bft-buffer', PATH, { value: String(buffer), limit: String(MAX_BUFFER) })];
}

/** A request above this is refused (SmartBFT's internal/bft/requestpool.go, `Submit`). A config update is a request with the complete config. */
function byteFindings({ requestBatchMaxBytes }: BftOptions, state: State): Finding[] {
  const needed = bytesOfNextUpdate(state);
  const limit = requestLimit(state.channel);
  const findings: Finding[] = [];
  // 0 is a finding of its own.
  if (limit !== undefined && limit.bytes > 0n && limit.bytes < BigInt(needed)) {
    const { option, bytes } = limit;
    findings.push(finding('danger', 'bft-request-bytes', PATH, { option, value: String(bytes), needed }));
  }
  if (requestBatchMaxBytes > BigInt(MAX_MESSAGE))
    findings.push(
      finding('danger', 'batch-bytes-large', PATH, {
        option: 'request_batch_max_bytes',
        value: String(requestBatchMaxBytes),
        limit: MAX_MESSAGE,
      }),
    );
  return findings;
}

const MILLISECOND = 1_000_000n;
/** A request is removed again before it is in a block. */
const SHORTEST_REQUEST = 10n * MILLISECOND;
/** Orderers complain about a leader that needs longer for a block. */
const SHORT_REQUEST = 1000n * MILLISECOND;

function shortFindings(options: BftOptions, lengths: ReadonlyMap<string, bigint>): Finding[] {
  const short = (name: Names<string>, bound: bigint): boolean => (lengths.get(name) ?? bound) < bound;
  const of = (severity: 'danger' | 'warning', name: Names<string>): Finding[] => [
    finding(severity, 'bft-timeout-short', PATH, {
      option: optionOf(name),
      value: options[name],
      isOrdered: severity === 'warning',
    }),
  ];
  if (short('requestAutoRemoveTimeout', SHORTEST_REQUEST)) return of('danger', 'requestAutoRemoveTimeout');
  return SHORT.filter((name) => short(name, SHORT_REQUEST)).flatMap((name) => of('warning', name));
}

/** Timeouts after which a busy leader is replaced. */
const SHORT = [
  'requestComplainTimeout',
  'viewChangeTimeout',
  'leaderHeartbeatTimeout',
] as const satisfies readonly Names<string>[];

function durationFindings(options: BftOptions): Finding[] {
  const lengths = new Map<string, bigint>();
  const findings = DURATIONS.flatMap((name) => {
    const duration = parseDuration(options[name]);
    if ('nanoseconds' in duration && duration.nanoseconds > 0n) {
      lengths.set(name, duration.nanoseconds);
      if (duration.nanoseconds > LONGEST) return [longFinding(name, options[name])];
      return name === 'requestBatchMaxInterval'
        ? batchIntervalFindings(optionOf(name), options[name], PATH)
        : [];
    }
    return [finding('danger', 'bft-duration', PATH, { option: optionOf(name), value: options[name] })];
  });
  findings.push(...shortFindings(options, lengths));
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
