// Values at their bounds and beyond them: BatchSize, BatchTimeout, the options of Raft and BFT, capabilities, hashing.

import type { Random } from '../../fuzz/random.js';
import type { NetName, Update } from '../case.js';
import { application, orderer, valueOf } from './parts.js';

const SIZES = {
  max_message_count: [1, 2, 77, 5000, 6_000_000, 103_809_025, 2 ** 32 - 1],
  absolute_max_bytes: [
    1,
    1000,
    20_000,
    45_000,
    100_000,
    5_242_880,
    52_428_800,
    104_857_600,
    104_857_601,
    2 ** 32 - 1,
  ],
  preferred_max_bytes: [0, 1, 1000, 5_242_880, 103_809_025, 2 ** 32 - 1],
} as const;

const TIMEOUTS = ['1ns', '1ms', '100ms', '2s', '59s', '61s', '8760h', '0s', '-1s', '', 'x'];

const RAFT_OPTIONS = {
  tick_interval: ['1ns', '1us', '10us', '100us', '1ms', '10ms', '500ms', '5s', '10s', '1h', '0s', '-1s', 'x'],
  election_tick: [0, 1, 2, 5, 100, 600, 2 ** 31, 2 ** 32 - 1],
  heartbeat_tick: [0, 2, 9, 10, 11, 2 ** 31],
  max_inflight_blocks: [0, 1, 100_000, 100_001, 2 ** 32 - 1],
  snapshot_interval_size: [0, 1, 65_536, 2 ** 31, 2 ** 32 - 1],
} as const;

const BFT_OPTIONS = {
  request_batch_max_count: ['0', '1', '4294967295'],
  request_batch_max_bytes: ['0', '1', '5000', '10240'],
  request_batch_max_interval: ['1ns', '1ms', '59s', '61s', '1h', '0s', 'x'],
  incoming_message_buffer_size: ['0', '1', '100000', '9223372036854775807'],
  request_pool_size: ['0', '1', '2', '9223372036854775807', '9223372036854775808'],
  request_forward_timeout: ['1ms', '19s', '21s', '1h', '0s', 'x'],
  request_complain_timeout: ['1ms', '1s', '2s', '3m', '4m', '2h', '0s'],
  request_auto_remove_timeout: ['1ms', '19s', '20s', '1h', '2h', '0s'],
  view_change_resend_interval: ['1ms', '19s', '21s', '1h', '0s'],
  view_change_timeout: ['1ms', '4s', '5s', '2h', '0s'],
  leader_heartbeat_timeout: ['1ms', '1s', '2h', '0s'],
  leader_heartbeat_count: ['0', '1', '9223372036854775807', '18446744073709551615'],
  collect_timeout: ['1ns', '1ms', '1h', '2h', '0s', ''],
  sync_on_start: [false],
  speed_up_view_change: [true],
  leader_rotation: ['ROTATION_OFF', 'ROTATION_ON'],
  decisions_per_leader: ['0', '1', '18446744073709551615'],
  request_max_bytes: ['1', '500', '20000', '60000', '10485760', '103809024', '103809025', '200000000'],
} as const;

const show = (value: unknown): string => JSON.stringify(value);

function batchSize(random: Random): Update {
  const field = random.pick(Object.keys(SIZES) as (keyof typeof SIZES)[]);
  const value = random.pick<number>(SIZES[field]);
  const preferred =
    field === 'absolute_max_bytes' && random.below(3) > 0 ? Math.min(value, 524_288) : undefined;
  return {
    text: `Orderer BatchSize.${field} = ${value}${preferred === undefined ? '' : `, preferred_max_bytes = ${preferred}`}`,
    edit: (channel) =>
      Object.assign(
        orderer(channel).values.BatchSize.value,
        { [field]: value },
        preferred === undefined ? {} : { preferred_max_bytes: preferred },
      ),
  };
}

function batchTimeout(random: Random): Update {
  const timeout = random.pick(TIMEOUTS);
  return {
    text: `Orderer BatchTimeout.timeout = ${show(timeout)}`,
    edit: (channel) => (orderer(channel).values.BatchTimeout.value.timeout = timeout),
  };
}

function raftOption(random: Random): Update {
  const field = random.pick(Object.keys(RAFT_OPTIONS) as (keyof typeof RAFT_OPTIONS)[]);
  const value = random.pick<string | number>(RAFT_OPTIONS[field]);
  return {
    text: `Orderer ConsensusType.metadata.options.${field} = ${show(value)}`,
    edit: (channel) => (orderer(channel).values.ConsensusType.value.metadata.options[field] = value),
  };
}

function bftOption(random: Random): Update {
  const field = random.pick(Object.keys(BFT_OPTIONS) as (keyof typeof BFT_OPTIONS)[]);
  const value = random.pick<string | boolean>(BFT_OPTIONS[field]);
  return {
    text: `Orderer ConsensusType.metadata.${field} = ${show(value)}`,
    edit: (channel) => (orderer(channel).values.ConsensusType.value.metadata[field] = value),
  };
}

const CAPABILITIES = {
  Channel: [[], ['V1_1'], ['V1_3'], ['V1_4_2'], ['V1_4_3'], ['V2_0', 'V3_0'], ['V9_9']],
  Orderer: [[], ['V1_1'], ['V1_4_2'], ['V3_0']],
  Application: [[], ['V1_1'], ['V1_3'], ['V1_4_2'], ['V2_0'], ['V2_0', 'V2_5'], ['V9_9']],
} as const;

function capabilities(random: Random): Update {
  const level = random.pick(['Channel', 'Orderer', 'Application'] as const);
  const names = random.pick<readonly string[]>(CAPABILITIES[level]);
  return {
    text: `${level} Capabilities = {${names.join(', ')}}`,
    edit: (channel) => {
      const group = { Channel: channel, Orderer: orderer(channel), Application: application(channel) }[level];
      valueOf(group, 'Capabilities').capabilities = Object.fromEntries(names.map((name) => [name, {}]));
    },
  };
}

const maintenance = (): Update => ({
  text: 'Orderer ConsensusType.state = STATE_MAINTENANCE',
  edit: (channel) => (orderer(channel).values.ConsensusType.value.state = 'STATE_MAINTENANCE'),
});

const hashing = (random: Random): Update => {
  const name = random.pick(['SHA3_256', 'SHA512']);
  return {
    text: `Channel HashingAlgorithm.name = ${name}`,
    edit: (channel) => (valueOf(channel, 'HashingAlgorithm').name = name),
  };
};

/** A change of a value. */
export const changeValue = (random: Random, net: NetName): Update => {
  const consensus = net === 'bft4' ? bftOption : raftOption;
  return random.pick([
    batchSize,
    batchSize,
    batchTimeout,
    consensus,
    consensus,
    consensus,
    capabilities,
    maintenance,
    hashing,
  ])(random);
};
