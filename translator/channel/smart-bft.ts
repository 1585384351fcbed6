// The configuration of SmartBFT, and its validation. Orderers take most options from the metadata of the consensus type, and the
// size of a batch from the value BatchSize (Fabric's orderer/consensus/smartbft/util.go, `createSmartBftConfig`).

import { parseDuration } from '../../core/common/text/go-duration.js';
import { ROTATION_ON, type BftOptions } from './values.js';
import type { OrdererGroup } from './channel.js';

/**
 * The releases in which the rules of BFT orderers change; texts can be compared with `>=`. From 3.1.1, `request_max_bytes` is compared
 * with a batch; from 3.1.2, identities are compared by their public keys.
 */
export type BftVersion = '3.0' | '3.1.1' | '3.1.2';

/** A fault for which SmartBFT refuses a configuration. Options have the names of the metadata, such as `request_pool_size`. */
export type SmartBftFault =
  | { readonly problem: 'duration' | 'zero'; readonly option: string; readonly value: string }
  /** More requests in a batch than bytes. */
  | { readonly problem: 'batch'; readonly count: string; readonly bytes: string }
  /** `request_max_bytes`, or its default if `isDefault`, exceeds the bytes of a batch. */
  | {
      readonly problem: 'request';
      readonly value: string;
      readonly bytes: string;
      readonly isDefault: boolean;
    }
  /** One duration is longer than another. */
  | {
      readonly problem: 'order';
      readonly option: string;
      readonly value: string;
      readonly limit: string;
      readonly limitValue: string;
    }
  | { readonly problem: 'rotation' };

type Names<T> = { [K in keyof BftOptions]: BftOptions[K] extends T ? K : never }[keyof BftOptions];

/** The options that must not be 0, besides the two options of a batch. */
const COUNTS = [
  'incomingMessageBufferSize',
  'requestPoolSize',
  'leaderHeartbeatCount',
] as const satisfies readonly Names<bigint>[];

/** The options that are durations. */
export const BFT_DURATIONS = [
  'requestBatchMaxInterval',
  'requestForwardTimeout',
  'requestComplainTimeout',
  'requestAutoRemoveTimeout',
  'viewChangeResendInterval',
  'viewChangeTimeout',
  'leaderHeartbeatTimeout',
  'collectTimeout',
] as const satisfies readonly Names<string>[];

/** Pairs of durations: the first must not be longer than the second. */
const ORDER = [
  ['requestForwardTimeout', 'requestComplainTimeout'],
  ['requestComplainTimeout', 'requestAutoRemoveTimeout'],
  ['viewChangeResendInterval', 'viewChangeTimeout'],
] as const satisfies readonly (readonly [Names<string>, Names<string>])[];

/** `RequestMaxBytes` in SmartBFT's `DefaultConfig`: Fabric validates with it before it sets the option. */
const DEFAULT_REQUEST_BYTES = 10n * 1024n;

/** The name of an option in the metadata: `request_pool_size`. */
export const bftOptionName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The options as passed to SmartBFT; undefined on a channel that is not BFT.
 *
 * @throws TranslateError BAD_BYTES if they do not parse
 */
export function smartBftOptions(
  orderer: Pick<OrdererGroup, 'bftOptions' | 'batchSize'>,
): BftOptions | undefined {
  const { bftOptions } = orderer;
  if (bftOptions === undefined) return undefined;
  const { maxMessageCount, absoluteMaxBytes } = orderer.batchSize;
  return {
    ...bftOptions,
    requestBatchMaxCount: BigInt(maxMessageCount),
    requestBatchMaxBytes: BigInt(absoluteMaxBytes),
  };
}

/**
 * The faults that SmartBFT finds, in the order of its checks (orderer/consensus/smartbft/util/util.go, `ConfigFromMetadataOptions`;
 * SmartBFT's pkg/types/config.go, `Configuration.Validate`).
 *
 * @param options the result of `smartBftOptions`; in maintenance mode only the options of the metadata
 * @param limitsRequest whether `request_max_bytes` is compared with a batch: at a start, but not in maintenance mode
 */
export function smartBftFaults(
  options: BftOptions,
  version: BftVersion,
  { limitsRequest = true }: { readonly limitsRequest?: boolean } = {},
): SmartBftFault[] {
  return [
    ...durationFaults(options),
    ...countFaults(options),
    ...(version < '3.1.1' ? [] : requestFaults(options, limitsRequest)),
    ...orderFaults(options),
    ...(options.leaderRotation === ROTATION_ON && options.decisionsPerLeader === 0n
      ? [{ problem: 'rotation' } as const]
      : []),
  ];
}

function durationFaults(options: BftOptions): SmartBftFault[] {
  return BFT_DURATIONS.filter((name) => {
    const duration = parseDuration(options[name]);
    return 'error' in duration || duration.nanoseconds <= 0n;
  }).map((name) => ({ problem: 'duration', option: bftOptionName(name), value: options[name] }));
}

function countFaults(options: BftOptions): SmartBftFault[] {
  const { requestBatchMaxCount: count, requestBatchMaxBytes: bytes } = options;
  const names = ['requestBatchMaxCount', 'requestBatchMaxBytes', ...COUNTS] as const;
  const zero = names
    .filter((name) => options[name] === 0n)
    .map((name) => ({ problem: 'zero', option: bftOptionName(name), value: '0' }) as const);
  return count > bytes ? [...zero, { problem: 'batch', count: String(count), bytes: String(bytes) }] : zero;
}

function requestFaults(options: BftOptions, limitsRequest: boolean): SmartBftFault[] {
  const { requestBatchMaxBytes: bytes, requestMaxBytes } = options;
  if (bytes === 0n) return [];
  const fault = (value: bigint, isDefault: boolean): SmartBftFault[] =>
    value > bytes ? [{ problem: 'request', value: String(value), bytes: String(bytes), isDefault }] : [];
  const byDefault = fault(DEFAULT_REQUEST_BYTES, true);
  return limitsRequest && byDefault.length === 0 ? fault(requestMaxBytes, false) : byDefault;
}

function orderFaults(options: BftOptions): SmartBftFault[] {
  return ORDER.flatMap(([short, long]) => {
    const [one, other] = [parseDuration(options[short]), parseDuration(options[long])];
    if ('error' in one || 'error' in other || one.nanoseconds <= other.nanoseconds) return [];
    return [
      {
        problem: 'order',
        option: bftOptionName(short),
        value: options[short],
        limit: bftOptionName(long),
        limitValue: options[long],
      },
    ];
  });
}
