// Values of the orderers that are accepted although nodes cannot work with them: both sides of each bound.

import test from 'ava';
import {
  harmOf,
  inBft,
  inRaft,
  inValue,
  orderer,
  reviewOf,
  type Group,
} from '../../helpers/changed-config.js';

/** Makes sure that each value of a table is the last one without a finding, or the first one with it. */
function table(
  config: string,
  set: (channel: Group, values: Readonly<Record<string, unknown>>) => void,
  cases: readonly (readonly [values: Readonly<Record<string, unknown>>, ...found: readonly string[]])[],
): void {
  for (const [values, ...found] of cases) {
    const what = found.length === 0 ? 'nothing' : found.map((each) => each.split(':')[0]).join(', ');
    test(`values ${JSON.stringify(values)} in ${config}: ${what}`, async (t) => {
      t.deepEqual(await harmOf(config, (channel) => set(channel, values)), found);
    });
  }
}

const raft = (channel: Group, values: Readonly<Record<string, unknown>>): void =>
  inRaft(channel, ({ options }) => void Object.assign(options, values));

const NO_LEADER =
  'after the next restart, the orderers do not agree on a leader, and the channel takes no updates for good';
const OFTEN =
  'after the next restart, each pause of the network or of a process is enough for another leader';
const long = (tick: string, election: number, limit: string): string =>
  `election_tick ${election} × tick_interval ${tick} is more than ${limit}: after the next restart, the channel has no leader for that long and takes no updates`;
const short = (tick: string, election: number): string =>
  `election_tick ${election} × tick_interval ${tick} is too short: `;

table('app3', raft, [
  [{ tick_interval: '1ns' }, `danger raft-election-short: ${short('1ns', 10)}${NO_LEADER}`],
  [
    { tick_interval: '1µs', election_tick: 1_000_000 },
    `danger raft-election-short: ${short('1µs', 1_000_000)}${NO_LEADER}`,
  ],
  [
    { tick_interval: '99µs', election_tick: 20_000 },
    `warning raft-election-short: ${short('99µs', 20_000)}${OFTEN}`,
  ],
  [{ tick_interval: '100µs', election_tick: 10_000 }],
  [{ tick_interval: '9ms' }, `danger raft-election-short: ${short('9ms', 10)}${NO_LEADER}`],
  [{ tick_interval: '10ms' }, `warning raft-election-short: ${short('10ms', 10)}${OFTEN}`],
  [{ tick_interval: '100ms', election_tick: 9 }, `warning raft-election-short: ${short('100ms', 9)}${OFTEN}`],
  [{ tick_interval: '100ms', election_tick: 10 }],
  [{ tick_interval: '1s', election_tick: 10 }],
  [
    { tick_interval: '1001ms', election_tick: 10 },
    `warning raft-election-timeout: ${long('1001ms', 10, '10 seconds')}`,
  ],
  [
    { tick_interval: '6s', election_tick: 10 },
    `warning raft-election-timeout: ${long('6s', 10, '10 seconds')}`,
  ],
  [{ tick_interval: '6s', election_tick: 11 }, `danger raft-election-timeout: ${long('6s', 11, 'a minute')}`],
  [{ max_inflight_blocks: 100_000 }],
  [
    { max_inflight_blocks: 100_001 },
    'warning raft-inflight-blocks: max_inflight_blocks 100001: the leader keeps so many blocks in memory if the others are slow',
  ],
  [
    { max_inflight_blocks: 100_000_001 },
    'danger raft-inflight-blocks: max_inflight_blocks 100000001: an orderer that becomes the leader reserves gigabytes of memory, or ends',
  ],
  [{ snapshot_interval_size: 0 }],
  [
    { snapshot_interval_size: 1 },
    'warning raft-snapshot-interval: snapshot_interval_size 1: the orderers write a snapshot after nearly every block',
  ],
  [{ snapshot_interval_size: 65_536 }],
  [{ snapshot_interval_size: 1_073_741_824 }],
  [
    { snapshot_interval_size: 1_073_741_825 },
    'warning raft-snapshot-interval: snapshot_interval_size 1073741825: the orderers keep that many bytes of blocks in memory and read them again at each start',
  ],
]);

// A lone consenter elects itself.
table('raft1', raft, [
  [{ tick_interval: '1ns' }, `warning raft-election-short: ${short('1ns', 10)}${OFTEN}`],
]);

const bft = (channel: Group, values: Readonly<Record<string, unknown>>): void => inBft(channel, values);

const removed = (value: string): string =>
  `danger bft-timeout-short: request_auto_remove_timeout ${value} is too short: orderers accept transactions and updates and remove them before they are in a block`;
const busy = (option: string, value: string): string =>
  `warning bft-timeout-short: ${option} ${value} is shorter than a second: a busy leader is replaced again and again`;
const timeouts = (value: string): Readonly<Record<string, unknown>> => ({
  request_forward_timeout: value,
  request_complain_timeout: value,
  request_auto_remove_timeout: value,
});

table('bft4', bft, [
  [{ request_pool_size: 1 }],
  [{ request_pool_size: '9223372036854775807' }],
  [
    { request_pool_size: '9223372036854775808' },
    'danger bft-option: request_pool_size is 9223372036854775808: the orderers stop when they apply it, and do not start again',
  ],
  [{ incoming_message_buffer_size: 1 }],
  [{ incoming_message_buffer_size: 100_000_000 }],
  [
    { incoming_message_buffer_size: '9223372036854775807' },
    'danger bft-buffer: incoming_message_buffer_size 9223372036854775807 is more than 100000000: the orderers cannot get that much memory and panic when they apply it, and again at each start',
  ],
  [{ request_max_bytes: 50_000 }],
  // SmartBFT gets the batch size instead.
  [{ request_batch_max_count: 0, request_batch_max_bytes: 0 }],
  [{ request_batch_max_count: 11, request_batch_max_bytes: 10 }],
  [{ request_batch_max_interval: '10s' }],
  [
    { request_batch_max_interval: '1m' },
    'warning batch-timeout-long: request_batch_max_interval 1m: a transaction waits that long until others fill the block',
  ],
  [
    { request_batch_max_interval: '61s' },
    'danger batch-timeout-long: request_batch_max_interval 61s: a transaction waits that long until others fill the block',
  ],
  [
    { request_batch_max_interval: '1h1s' },
    'danger bft-duration-long: request_batch_max_interval 1h1s is longer than an hour: the orderers wait that long before they go on',
  ],
  [timeouts('1ms'), removed('1ms')],
  [timeouts('9ms'), removed('9ms')],
  [timeouts('10ms'), busy('request_complain_timeout', '10ms')],
  [timeouts('1s')],
  [{ view_change_resend_interval: '1ms', view_change_timeout: '1ms' }, busy('view_change_timeout', '1ms')],
  [{ leader_heartbeat_timeout: '1ms' }, busy('leader_heartbeat_timeout', '1ms')],
]);

test('a BFT request is smaller than a further config update: danger with the size that it needs', async (t) => {
  const found = await harmOf('bft4', (channel) => bft(channel, { request_max_bytes: 500 }));
  t.is(found.length, 1);
  t.regex(
    found[0]!,
    /^danger bft-request-bytes: request_max_bytes 500 is less than the 3\d{4} bytes that a further config update needs: nobody can ever correct it$/,
  );
});

/** What is said about the size of the request of a small update. @param options the options of the channel before it */
async function requestFindings(config: string, options: Readonly<Record<string, unknown>>) {
  const { findings } = await reviewOf(
    config,
    (channel) => batchSize(channel, { max_message_count: 77 }),
    (channel) => config === 'bft4' && bft(channel, options),
  );
  return findings.filter(({ id }) => id.startsWith('request-'));
}

test('orderers refuse any update of a BFT channel: request_max_bytes allows 500', async (t) => {
  const [found, ...others] = await requestFindings('bft4', { request_max_bytes: 500 });
  t.deepEqual(others, []);
  t.is(found?.severity, 'refused');
  t.is(found?.orderer, 'failed to submit request: submitted request (…');
  t.regex(
    found?.text ?? '',
    /^with the resulting config the BFT request has at least 3\d{4} bytes, and request_max_bytes allows 500$/,
  );
});

test('an update of a BFT channel may be too large for a request: a warning with both bounds', async (t) => {
  const refusals = await requestFindings('bft4', { request_max_bytes: 500 });
  const { bytes } = refusals[0]!.data as { bytes: number };
  // The identity of the orderer, of which only the least size is known.
  const [found] = await requestFindings('bft4', { request_max_bytes: bytes + 1000 });
  t.is(found?.severity, 'warning');
  t.regex(
    found?.text ?? '',
    /^with the resulting config the BFT request has about 3\d{4} to 3\d{4} bytes, and request_max_bytes allows 3\d{4}: the orderer may refuse it$/,
  );
});

for (const options of [
  { request_max_bytes: 0, request_batch_max_bytes: 5000 },
  { request_max_bytes: 500, request_pool_size: 0 },
])
  test(`BFT options ${JSON.stringify(options)} set no limit of requests`, async (t) => {
    t.deepEqual(await requestFindings('bft4', options), []);
  });

test('the size of a request has no limit on a Raft channel', async (t) => {
  t.deepEqual(await requestFindings('raft5', {}), []);
});

const batchSize = (channel: Group, values: Readonly<Record<string, unknown>>): void =>
  inValue(
    orderer(channel),
    'BatchSize',
    'orderer.BatchSize',
    (message) => void Object.assign(message, values),
  );
const batchTimeout = (channel: Group, values: Readonly<Record<string, unknown>>): void =>
  inValue(
    orderer(channel),
    'BatchTimeout',
    'orderer.BatchTimeout',
    (message) => void Object.assign(message, values),
  );

table('app3', batchSize, [
  [{ absolute_max_bytes: 524_288, preferred_max_bytes: 1000 }],
  [
    { absolute_max_bytes: 524_287, preferred_max_bytes: 1000 },
    'warning absolute-max-bytes-low: absolute_max_bytes is 524287: orderers refuse larger transactions',
  ],
  [{ max_message_count: 1 }],
  [{ max_message_count: 4_294_967_295 }],
  [{ absolute_max_bytes: 104_857_600 }],
  [
    { absolute_max_bytes: 104_857_601 },
    'danger batch-bytes-large: absolute_max_bytes 104857601 is more than 104857600, the largest message that orderers and peers receive: a block above that reaches nobody, and the channel stops',
  ],
]);

const STOP = 'the orderers stop when they apply it, and do not start again';

// SmartBFT compares the numbers of the batch size, in every version; 3.1 also the largest request.
table('bft4', batchSize, [
  [{ max_message_count: 104_857_600, absolute_max_bytes: 104_857_600 }],
  [
    { max_message_count: 104_857_600, absolute_max_bytes: 104_857_599 },
    `danger bft-option: max_message_count of the batch size 104857600 is more than absolute_max_bytes of the batch size 104857599: ${STOP}`,
  ],
]);

const MORE = `danger bft-option: request_max_bytes 104857600 is more than absolute_max_bytes of the batch size 10485760: ${STOP}`;
for (const [version, ...expected] of [['3.1.0'], ['3.1.1', MORE]] as const)
  test(`request_max_bytes above absolute_max_bytes, orderers of ${version}: ${expected.length === 0 ? 'nothing' : 'danger bft-option'}`, async (t) => {
    const change = (channel: Group): void => bft(channel, { request_max_bytes: 104_857_600 });
    t.deepEqual(await harmOf('bft4', change, undefined, { fabric: [version] }), expected);
  });

const waits = (value: string): string =>
  `batch-timeout-long: BatchTimeout ${value}: a transaction waits that long until others fill the block`;

table('app3', batchTimeout, [
  [{ timeout: '1ns' }],
  [{ timeout: '10s' }],
  [{ timeout: '10s1ns' }, `warning ${waits('10s1ns')}`],
  [{ timeout: '1m' }, `warning ${waits('1m')}`],
  [{ timeout: '1m1ns' }, `danger ${waits('1m1ns')}`],
  [{ timeout: '1h' }, `danger ${waits('1h')}`],
]);

// BFT orderers have an interval of their own.
table('bft4', batchTimeout, [[{ timeout: '8760h' }]]);

for (const [config, id] of [
  ['app3', 'raft-metadata'],
  ['bft4', 'bft-options'],
] as const)
  test(`the metadata of the consensus type in ${config} do not parse: the update is refused, and the config is not blamed`, async (t) => {
    const { findings } = await reviewOf(config, (channel) =>
      inValue(orderer(channel), 'ConsensusType', 'orderer.ConsensusType', (message) => {
        message.metadata = Buffer.from([0xff]);
      }),
    );
    t.deepEqual(
      findings.filter(({ severity }) => severity === 'refused').map((finding) => finding.id),
      [id],
    );
  });
