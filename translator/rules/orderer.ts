// The group Orderer: refusals by Fabric (common/channelconfig/orderer.go), and harmful values: batches, the state of the consensus type,
// Kafka brokers.

import { parseDuration, printDuration } from '../../core/common/text/go-duration.js';
import {
  type ConfigGroup,
  type FabricVersion,
  MAX_PORT,
  type Names,
  STATE_MAINTENANCE,
  STATE_NORMAL,
  VALUES,
  allowsOrganizationEndpoints,
  requiresOrganizationEndpoints,
  valueOrEmpty,
} from '../channel/index.js';
import { quoted, words } from '../documents/index.js';
import { absoluteMaxBytes, bytesOfNextUpdate } from './facts/limits.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';
import { groupInOrganization, organizationRefusals, valueRefusals } from './values.js';

const endpointsNotAllowed = defineRule({
  id: 'endpoints-not-allowed',
  severity: 'refused',
  needsCapabilities: true,
  meaning: 'the channel capabilities do not allow endpoints of organisations',
  words: ({ organization }: { organization: string }) =>
    words(
      `the capabilities of the channel do not allow endpoints of the organisation ${organization}`,
      'set the channel capability V1_4_2 or later, or remove Endpoints',
    ),
});

const endpointsMissing = defineRule({
  id: 'endpoints-missing',
  severity: 'refused',
  needsCapabilities: true,
  meaning: 'an orderer organisation has no endpoints',
  words: ({ organizations }: { organizations: readonly string[] }) =>
    words(
      `the channel capability V3_0 needs endpoints of every orderer organisation; ${organizations.join(', ')} has none`,
      'set the endpoints of each orderer organisation',
    ),
});

/** A value of the batch size that is 0, or that is more than its limit. */
type BatchSize =
  | { readonly field: string; readonly value: number }
  | { readonly field: string; readonly value: number; readonly limit: number };

const batchSize = defineRule({
  id: 'batch-size',
  severity: 'refused',
  meaning: 'a value of the batch size is out of range',
  words: (data: BatchSize) =>
    'limit' in data
      ? words(
          `preferred_max_bytes ${data.value} is more than absolute_max_bytes ${data.limit}`,
          'lower preferred_max_bytes or raise absolute_max_bytes',
        )
      : words(`${data.field} of the batch size is 0`, 'set it to 1 or more'),
});

const batchTimeout = defineRule({
  id: 'batch-timeout',
  severity: 'refused',
  meaning: 'the batch timeout is not a positive duration',
  words: ({ timeout, duration }: { timeout: string; duration: string | null }) =>
    words(
      duration === null
        ? `the batch timeout ${quoted(timeout)} is not a duration`
        : `the batch timeout is ${duration}`,
      'set a duration with a unit, for example 2s or 500ms',
    ),
});

export const batchTimeoutLong = defineRule({
  id: 'batch-timeout-long',
  severity: ['danger', 'warning'],
  meaning: 'a transaction may wait long for others that fill its block',
  words: ({ option, value }: { option: string; value: string }) =>
    words(
      `${option} ${value}: a transaction waits that long until others fill the block`,
      'set it to about 2s',
    ),
});

const batchBytesLarge = defineRule({
  id: 'batch-bytes-large',
  severity: 'danger',
  meaning: 'a batch may be larger than the largest message that nodes receive',
  words: ({ value, limit }: { value: string; limit: number }) =>
    words(
      `absolute_max_bytes ${value} is more than ${limit}, the largest message that orderers and peers receive: a block above that reaches nobody, and the channel stops`,
      'set it to at most 49 MB: a block has more than its transactions',
    ),
});

const kafkaBroker = defineRule({
  id: 'kafka-broker',
  severity: 'refused',
  meaning: 'a Kafka broker is not host:port',
  words: ({ broker }: { broker: string }) =>
    words(`${quoted(broker)} is not the address of a Kafka broker`, 'write it as host:port'),
});

const kafkaBrokers = defineRule({
  id: 'kafka-brokers',
  severity: 'warning',
  meaning: 'KafkaBrokers has no effect with this consensus type',
  words: ({ type }: { type: string }) =>
    words(`KafkaBrokers has no effect with the consensus type ${quoted(type)}`, 'remove KafkaBrokers'),
});

const consensusStateUnknown = defineRule({
  id: 'consensus-state-unknown',
  severity: 'danger',
  meaning: 'the state of the consensus type is unknown',
  words: ({ state }: { state: number }) =>
    words(`${state} is no state of the consensus type`, 'set it to STATE_NORMAL or STATE_MAINTENANCE'),
});

const maintenanceEntered = defineRule({
  id: 'maintenance-entered',
  severity: 'warning',
  meaning: 'the channel is in maintenance mode',
  words: () =>
    words(
      'in maintenance the orderers accept only updates of orderer organisations, no transactions',
      'set the state back to STATE_NORMAL when the migration is done',
    ),
});

const absoluteMaxBytesLow = defineRule({
  id: 'absolute-max-bytes-low',
  severity: 'warning',
  meaning: 'orderers refuse transactions of a common size',
  words: ({ limit }: { limit: number }) =>
    words(
      `absolute_max_bytes is ${limit}: orderers refuse larger transactions`,
      'set it to some megabytes, for example 10485760',
    ),
});

const absoluteMaxBytesSmall = defineRule({
  id: 'absolute-max-bytes-small',
  severity: 'danger',
  meaning: 'AbsoluteMaxBytes is too small for a further config update',
  words: ({ limit, needed }: { limit: number; needed: number }) =>
    words(
      `AbsoluteMaxBytes ${limit} is less than a message with the whole config, about ${needed} bytes: no further config update fits, not even one that raises it`,
      'set AbsoluteMaxBytes to at least twice the size of the config; 10485760 is usual',
    ),
});

/** The rules for refusals of the group, besides `VALUE_RULES`. */
export const ORDERER_RULES = [
  batchSize,
  batchTimeout,
  kafkaBroker,
  endpointsNotAllowed,
  endpointsMissing,
] as const;

const PATH = '/Channel/Orderer';
export const BATCH_SIZE = `${PATH}/BatchSize`;
const BATCH_TIMEOUT = `${PATH}/BatchTimeout`;

/** @param channel the capabilities of the channel */
export function ordererRefusals(orderer: ConfigGroup, channel: Names, fabric: FabricVersion): RawFinding[] {
  const garbage = valueRefusals(orderer, 'orderer', PATH, knownValues(fabric));
  return [
    ...(garbage.length > 0
      ? garbage
      : [
          ...batchSizeRefusals(orderer),
          ...batchTimeoutRefusals(orderer),
          ...(fabric === '2.5' ? brokerRefusals(orderer) : []),
        ]),
    ...[...orderer.groups].flatMap(([name, group]) => memberRefusals(name, group, channel)),
    ...endpointRefusals(orderer, channel),
  ];
}

function knownValues(fabric: FabricVersion): ReadonlySet<string> {
  const names = Object.keys(VALUES.orderer);
  return new Set(fabric === '2.5' ? names.filter((name) => name !== 'Orderers') : names);
}

function batchSizeRefusals(orderer: ConfigGroup): RawFinding[] {
  const {
    maxMessageCount,
    absoluteMaxBytes: most,
    preferredMaxBytes,
  } = valueOrEmpty(orderer, 'orderer', 'BatchSize');
  const fields = [
    ['max message count', 'max_message_count', maxMessageCount],
    ['absolute max bytes', 'absolute_max_bytes', most],
    ['preferred max bytes', 'preferred_max_bytes', preferredMaxBytes],
  ] as const;
  const refusals: RawFinding[] = fields
    .filter(([, , value]) => value === 0)
    .map(([name, field]) =>
      batchSize.refused(`Attempted to set the batch size ${name} to an invalid value: 0`, BATCH_SIZE, {
        field,
        value: 0,
      }),
    );
  if (preferredMaxBytes > most)
    refusals.push(
      batchSize.refused(
        `Attempted to set the batch size preferred max bytes (${preferredMaxBytes}) greater than the absolute max bytes (${most}).`,
        BATCH_SIZE,
        { field: 'preferred_max_bytes', value: preferredMaxBytes, limit: most },
      ),
    );
  return refusals;
}

function batchTimeoutRefusals(orderer: ConfigGroup): RawFinding[] {
  const { timeout } = valueOrEmpty(orderer, 'orderer', 'BatchTimeout');
  const duration = parseDuration(timeout);
  if ('error' in duration)
    return [
      batchTimeout.refused(
        `Attempted to set the batch timeout to a invalid value: ${duration.error}`,
        BATCH_TIMEOUT,
        { timeout, duration: null },
      ),
    ];
  if (duration.nanoseconds > 0n) return [];
  const printed = printDuration(duration.nanoseconds);
  return [
    batchTimeout.refused(
      `Attempted to set the batch timeout to a non-positive value: ${printed}`,
      BATCH_TIMEOUT,
      { timeout, duration: printed },
    ),
  ];
}

/** Fabric 2.5 checks the addresses of Kafka brokers, 3.0 ignores them. */
function brokerRefusals(orderer: ConfigGroup): RawFinding[] {
  const isValid = (broker: string): boolean => {
    const [host = '', port = '', ...more] = broker.split(':');
    return (
      more.length === 0 &&
      /^[0-9]+$/.test(port) &&
      Number(port) <= MAX_PORT &&
      (host === '' || /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(host))
    );
  };
  return valueOrEmpty(orderer, 'orderer', 'KafkaBrokers')
    .brokers.filter((broker) => !isValid(broker))
    .map((broker) =>
      kafkaBroker.refused(`Invalid broker entry: ${broker}`, `${PATH}/KafkaBrokers`, { broker }),
    );
}

function memberRefusals(name: string, group: ConfigGroup, channel: Names): RawFinding[] {
  const path = `${PATH}/${name}`;
  if (group.groups.size > 0)
    return [
      groupInOrganization.refused('OrdererOrg config does not allow sub-groups', path, {
        organization: name,
      }),
    ];
  if (group.values.has('Endpoints') && !allowsOrganizationEndpoints(channel))
    return [
      endpointsNotAllowed.refused(
        `Orderer Org ${name} cannot contain endpoints value until V1_4_2+ capabilities have been enabled`,
        `${path}/Endpoints`,
        { organization: name },
      ),
    ];
  return organizationRefusals(name, group, 'ordererOrganization', path);
}

function endpointRefusals(orderer: ConfigGroup, channel: Names): RawFinding[] {
  if (!requiresOrganizationEndpoints(channel)) return [];
  const without = [...orderer.groups]
    .filter(([name, group]) => {
      const parses = valueRefusals(group, 'ordererOrganization', name).length === 0;
      return parses && valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses.length === 0;
    })
    .map(([name]) => name);
  if (without.length === 0) return [];
  return [
    endpointsMissing.refused(
      `some orderer organizations endpoints are empty: [${without.join(' ')}]`,
      `${PATH}/${without[0]!}/Endpoints`,
      { organizations: without },
    ),
  ];
}

/** The largest message that orderers and peers receive by default (Fabric's internal/pkg/comm/config.go, `DefaultMaxRecvMsgSize`). */
const MAX_MESSAGE = 100 * 1024 * 1024;

/** Larger transactions are common, for example with documents or many keys. */
const SMALL_MESSAGE = 512 * 1024;

/** AbsoluteMaxBytes is too small or too large: one value, one finding. */
export const batchBytes = defineCheck({
  needs: 'config',
  rules: [absoluteMaxBytesSmall, absoluteMaxBytesLow, batchBytesLarge],
  find({ config }) {
    const limit = absoluteMaxBytes(config);
    const needed = bytesOfNextUpdate(config);
    if (limit < needed) return [absoluteMaxBytesSmall.at(BATCH_SIZE, { limit, needed })];
    if (limit < SMALL_MESSAGE) return [absoluteMaxBytesLow.at(BATCH_SIZE, { limit })];
    if (limit <= MAX_MESSAGE) return [];
    return [batchBytesLarge.at(BATCH_SIZE, { value: String(limit), limit: MAX_MESSAGE })];
  },
});

const SECOND = 1_000_000_000n;
/** Clients stop waiting for a commit after this time, the deadline in the samples of fabric-gateway. */
const WAITED_FOR = 60n * SECOND;
/** Longer than any sample config and than users wait: the default is 2 s. */
const LONG = 10n * SECOND;

/** Finds intervals that make transactions wait too long for a full block. */
export function longInterval(option: string, value: string, path: string): RawFinding[] {
  const interval = parseDuration(value);
  if ('error' in interval || interval.nanoseconds <= LONG) return [];
  const severity = interval.nanoseconds > WAITED_FOR ? 'danger' : 'warning';
  return [batchTimeoutLong.at(path, { option, value }, severity)];
}

/** BFT orderers do not use BatchTimeout, but a separate option for the interval. */
export const batchInterval = defineCheck({
  needs: 'config',
  rules: [batchTimeoutLong],
  find: ({ channel: { orderer } }) =>
    // A block of one transaction waits for no other one.
    orderer.isBft || orderer.batchSize.maxMessageCount === 1
      ? []
      : longInterval('BatchTimeout', orderer.batchTimeout, BATCH_TIMEOUT),
});

const CONSENSUS_TYPE = '/Channel/Orderer/ConsensusType';

/** The state of the consensus type, and values without effect for the type. */
export const consensus = defineCheck({
  needs: 'config',
  rules: [maintenanceEntered, consensusStateUnknown, kafkaBrokers],
  find({ channel: { orderer } }) {
    const { type, state: mode } = orderer.consensus;
    const findings: RawFinding[] = [];
    if (mode === STATE_MAINTENANCE) findings.push(maintenanceEntered.at(CONSENSUS_TYPE, {}));
    else if (mode !== STATE_NORMAL) findings.push(consensusStateUnknown.at(CONSENSUS_TYPE, { state: mode }));
    if (orderer.group?.values.has('KafkaBrokers') === true && type !== 'kafka')
      findings.push(kafkaBrokers.at('/Channel/Orderer/KafkaBrokers', { type }));
    return findings;
  },
});
