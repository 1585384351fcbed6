// Blocks with which real orderers were asked to join a channel with `osnadmin channel join`, and the responses of those of 3.1.5 and 2.5.16.

import { createHash } from 'node:crypto';
import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { checkConfig } from '../../../translator/review/index.js';
import { application, inRaft, inValue, orderer, type Group } from '../../helpers/changed-config.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { parse, serialize } from '../../fuzz/review/messages.js';

const { now, configs } = readReviewCases();

/** How a block differs from one that orderers join the channel `ch1` with. */
interface Difference {
  readonly change?: (channel: Group) => void;
  readonly channel?: string;
  readonly dataHash?: Buffer;
  readonly metadata?: undefined;
  readonly number?: number;
  readonly copies?: number;
}

function blockOf(difference: Difference): Buffer {
  const tree = parse('common.Config', bytesIn(configs.app3!));
  difference.change?.(tree.channel_group as Group);
  const { channel = 'ch1', copies = 1, number = 0 } = difference;
  const payload = serialize('common.Payload', {
    header: { channel_header: serialize('common.ChannelHeader', { type: 1, channel_id: channel }) },
    data: serialize('common.ConfigEnvelope', { config: tree }),
  });
  const data = Array.from({ length: copies }, () => serialize('common.Envelope', { payload }));
  const { dataHash = createHash('sha256').update(Buffer.concat(data)).digest() } = difference;
  return serialize('common.Block', {
    header: { number, data_hash: dataHash },
    data: { data },
    ...('metadata' in difference ? {} : { metadata: { metadata: [Buffer.alloc(0), Buffer.alloc(0)] } }),
  });
}

/** The texts of orderers that refuse it. */
async function refusals(difference: Difference, version: string): Promise<readonly string[]> {
  const { findings } = await checkConfig(readConfigFile(blockOf(difference)), {
    now: new Date(now),
    fabric: [version],
  });
  return findings.flatMap(({ severity, orderer: text }) => (severity === 'refused' ? [text ?? ''] : []));
}

const consensusType =
  (type: string, metadata = Buffer.alloc(0)) =>
  (channel: Group): void =>
    inValue(orderer(channel), 'ConsensusType', 'orderer.ConsensusType', (message) =>
      Object.assign(message, { type, metadata }),
    );

function withConsortiums(channel: Group): void {
  channel.groups.Consortiums = {
    groups: {},
    values: {},
    policies: {},
    mod_policy: '/Channel/Orderer/Admins',
  };
}

const NO_CONSENTER = 'cannot join: failed to find a consenter for consensus type:';
const NO_CLUSTER = 'cannot join: failed cast: clusterConsenter is not a consensus.ClusterConsenter';
const NO_OPTIONS =
  'cannot join: failed to determine cluster membership from join-block: failed to validate config metadata of ordering config: nil Raft config metadata options';
const WRONG_HASH = 'invalid join block: invalid block: Header.DataHash is different from Hash(block.Data)';
const NOT_CONFIG = 'invalid join block: block is not a config block';
const NO_ORDERER =
  'cannot join: failed creating ledger resources: error checking bundle for channel: ch1: config does not contain orderer config';
const BAD_NAME = 'invalid join block: initializing configtx manager failed: bad channel ID:';
const LONG = 'c'.repeat(250);

const CASES: readonly (readonly [
  what: string,
  difference: Difference,
  v3: string | undefined,
  v2: string | undefined,
])[] = [
  ['a block without a fault', {}, undefined, undefined],
  ['a block of a later number', { number: 7 }, undefined, undefined],
  ['the consensus type kafka', { change: consensusType('kafka') }, `${NO_CONSENTER} kafka`, NO_CLUSTER],
  ['the consensus type solo', { change: consensusType('solo') }, `${NO_CONSENTER} solo`, NO_CLUSTER],
  [
    'the consensus type raft',
    { change: consensusType('raft') },
    `${NO_CONSENTER} raft`,
    `${NO_CONSENTER} raft`,
  ],
  [
    'the consensus type etcdraft2',
    { change: consensusType('etcdraft2') },
    `${NO_CONSENTER} etcdraft2`,
    `${NO_CONSENTER} etcdraft2`,
  ],
  ['Raft without metadata', { change: consensusType('etcdraft') }, NO_OPTIONS, NO_OPTIONS],
  ['BFT without the value Orderers', { change: consensusType('BFT') }, undefined, `${NO_CONSENTER} BFT`],
  ['another data hash', { dataHash: Buffer.alloc(32, 1) }, WRONG_HASH, undefined],
  ['no data hash', { dataHash: Buffer.alloc(0) }, WRONG_HASH, undefined],
  [
    'no metadata',
    { metadata: undefined },
    'invalid join block: invalid block: does not have metadata',
    'runtime error: invalid memory address or nil pointer dereference',
  ],
  ['two transactions', { copies: 2 }, NOT_CONFIG, NOT_CONFIG],
  [
    'the group Consortiums',
    { change: withConsortiums },
    'invalid join block: invalid config: contains consortiums: system channel not supported',
    undefined,
  ],
  [
    'no group Application',
    { change: (channel) => void delete channel.groups.Application },
    'invalid join block: invalid config: must contain application config',
    'invalid join block: invalid config: must have at least one of application or consortiums',
  ],
  ['no group Orderer', { change: (channel) => void delete channel.groups.Orderer }, NO_ORDERER, NO_ORDERER],
  [
    'no policy BlockValidation',
    { change: (channel) => void delete orderer(channel).policies.BlockValidation },
    'cannot join: failed creating ledger resources: no policies in config block',
    undefined,
  ],
  [
    'an empty channel name',
    { channel: '' },
    `${BAD_NAME} channel ID illegal, cannot be empty`,
    `${BAD_NAME} channel ID illegal, cannot be empty`,
  ],
  [
    'the channel name Upper',
    { channel: 'Upper' },
    `${BAD_NAME} 'Upper' contains illegal characters`,
    `${BAD_NAME} 'Upper' contains illegal characters`,
  ],
  [
    'a channel name of 250 characters',
    { channel: LONG },
    `${BAD_NAME} channel ID illegal, cannot be longer than 249`,
    `${BAD_NAME} channel ID illegal, cannot be longer than 249`,
  ],
];

for (const [what, difference, ...texts] of CASES)
  for (const [index, version] of ['3.1.5', '2.5.16'].entries()) {
    const text = texts[index];
    test(`join with ${what}: orderers of ${version} ${text === undefined ? 'accept it' : 'refuse it'}`, async (t) => {
      t.deepEqual(await refusals(difference, version), text === undefined ? [] : [text]);
    });
  }

const inRaftOf =
  (change: Parameters<typeof inRaft>[1]) =>
  (channel: Group): void =>
    inRaft(channel, change);
const capability =
  (group: (channel: Group) => Group) =>
  (channel: Group): void =>
    inValue(group(channel), 'Capabilities', 'common.Capabilities', (message) =>
      Object.assign(message, { capabilities: { V9_9: {} } }),
    );

/** Faults that orderers of both versions refuse in every config, with other first words in an update. */
const REFUSED: readonly (readonly [what: string, change: (channel: Group) => void])[] = [
  ['a heartbeat tick of 0', inRaftOf(({ options }) => void (options.heartbeat_tick = 0))],
  ['no consenters', inRaftOf((metadata) => void (metadata.consenters = []))],
  ['the tick interval soon', inRaftOf(({ options }) => void (options.tick_interval = 'soon'))],
  ['an unknown capability of the orderers', capability(orderer)],
  ['an unknown capability of the channel', capability((channel) => channel)],
  ['no capabilities of the channel', (channel) => void delete channel.values.Capabilities],
  ['a group Other', (channel) => void (channel.groups.Other = { groups: {}, values: {}, policies: {} })],
  [
    'a batch of 0 messages',
    (channel) =>
      inValue(
        orderer(channel),
        'BatchSize',
        'orderer.BatchSize',
        (size) => void (size.max_message_count = 0),
      ),
  ],
];

for (const [what, change] of REFUSED)
  for (const version of ['3.1.5', '2.5.16'])
    test(`join with ${what}: orderers of ${version} refuse it`, async (t) => {
      t.not((await refusals({ change }, version)).length, 0);
    });

test('join with an unknown capability of the application: orderers accept it', async (t) => {
  t.deepEqual(await refusals({ change: capability(application) }, '3.1.5'), []);
});

test('check of a BFT config without the value Orderers, which orderers join as followers: a danger', async (t) => {
  const file = readConfigFile(blockOf({ change: consensusType('BFT') }));
  const { findings } = await checkConfig(file, { now: new Date(now), fabric: ['3.1.5'] });
  const { severity } = findings.find(({ id }) => id === 'bft-consenters-missing')!;
  t.is(severity, 'danger');
});
