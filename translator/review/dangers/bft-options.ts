// The options of a BFT channel. Orderers accept options that consensus does not: SmartBFT checks them when a node starts and when it applies
// the update (`smartBftFaults`). What it does not check is here too: memory that cannot be had, requests that are too large or removed
// before they are ordered.

import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import type { ChannelState } from '../../state/index.js';
import {
  BFT_DURATIONS,
  type BftOptions,
  bftOptionName,
  type SmartBftFault,
  smartBftFaults,
  smartBftOptions,
} from '../../channel/index.js';
import { attempt } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import { requestLimit } from '../stages/submission.js';
import { BATCH_SIZE, batchIntervalFindings, bytesOfNextUpdate } from './orderer-values.js';

const PATH = '/Channel/Orderer/ConsensusType';

/** They become numbers with a sign: memory of this size, or for this many messages, cannot be had. */
const SIGNED = ['incomingMessageBufferSize', 'requestPoolSize', 'leaderHeartbeatCount'] as const;

/** A timeout beyond this never elapses while people look at it. */
const LONGEST = 3_600_000_000_000n;

export function bftOptionFindings(state: ChannelState): Finding[] {
  const { orderer } = state.channel;
  const options = attempt(
    () => smartBftOptions(orderer),
    () => undefined,
  );
  if (options === undefined) return [];
  return [
    ...smartBftFaults(options, state.program.bft).map(faultFinding),
    ...signFindings(options),
    ...memoryFindings(options),
    ...requestFindings(state),
    ...durationFindings(options),
  ];
}

function faultFinding(fault: SmartBftFault): Finding {
  if (fault.problem === 'duration') {
    const { option, value } = fault;
    return finding('danger', 'bft-duration', PATH, { option, value });
  }
  const isAboutBatch = fault.problem === 'batch' || (fault.problem === 'request' && fault.isDefault);
  return finding('danger', 'bft-option', isAboutBatch ? BATCH_SIZE : PATH, fault);
}

const signFindings = (options: BftOptions): Finding[] =>
  SIGNED.filter((name) => BigInt.asIntN(64, options[name]) < 0n).map((name) =>
    finding('danger', 'bft-option', PATH, {
      problem: 'zero',
      option: bftOptionName(name),
      value: String(options[name]),
    }),
  );

/** SmartBFT makes queues for this many messages (internal/bft/view.go); from about 2^45 on, Go panics: `makechan: size out of range`. */
const MAX_BUFFER = 100_000_000n;

function memoryFindings({ incomingMessageBufferSize: buffer }: BftOptions): Finding[] {
  if (buffer <= MAX_BUFFER || BigInt.asIntN(64, buffer) <= 0n) return [];
  return [finding('danger', 'bft-buffer', PATH, { value: String(buffer), limit: String(MAX_BUFFER) })];
}

/** A request above this is refused (SmartBFT's internal/bft/requestpool.go, `Submit`). A config update is a request with the complete config. */
function requestFindings(state: ChannelState): Finding[] {
  const needed = bytesOfNextUpdate(state);
  const limit = requestLimit(state.channel, state.program.bft);
  if (limit === undefined || limit >= BigInt(needed)) return [];
  return [finding('danger', 'bft-request-bytes', PATH, { value: String(limit), needed })];
}

const MILLISECOND = 1_000_000n;
/** A request is removed again before it is in a block. */
const SHORTEST_REQUEST = 10n * MILLISECOND;
/** Orderers complain about a leader that needs longer for a block. */
const SHORT_REQUEST = 1000n * MILLISECOND;

function shortFindings(options: BftOptions, lengths: ReadonlyMap<string, bigint>): Finding[] {
  const short = (name: (typeof BFT_DURATIONS)[number], bound: bigint): boolean =>
    (lengths.get(name) ?? bound) < bound;
  const of = (severity: 'danger' | 'warning', name: (typeof BFT_DURATIONS)[number]): Finding[] => [
    finding(severity, 'bft-timeout-short', PATH, {
      option: bftOptionName(name),
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
] as const satisfies readonly (typeof BFT_DURATIONS)[number][];

function durationFindings(options: BftOptions): Finding[] {
  const lengths = new Map<string, bigint>();
  const findings = BFT_DURATIONS.flatMap((name) => {
    const duration = parseDuration(options[name]);
    if ('error' in duration || duration.nanoseconds <= 0n) return [];
    lengths.set(name, duration.nanoseconds);
    if (duration.nanoseconds > LONGEST) return [longFinding(name, options[name])];
    return name === 'requestBatchMaxInterval'
      ? batchIntervalFindings(bftOptionName(name), options[name], PATH)
      : [];
  });
  return [...findings, ...shortFindings(options, lengths)];
}

const longFinding = (name: string, value: string): Finding =>
  finding('danger', 'bft-duration-long', PATH, { option: bftOptionName(name), value });
