import test, { type ExecutionContext } from 'ava';
import type { FailedChecks, SourceReading } from '../../../../core/contract/index.js';
import consensus from '../../../../plugins/health/consensus/index.js';
import { stopClock } from '../../../helpers/clock.js';
import { channelReading, fakeReadings, startChecker, type StartedChecker } from '../../../helpers/checker.js';

const raft = (active: number, size: number, others = {}): SourceReading =>
  channelReading({
    consensus_etcdraft_cluster_size: { ch1: size },
    consensus_etcdraft_active_nodes: { ch1: active },
    ...others,
  });

const bft = (leader: number, current: number, next: number): SourceReading =>
  channelReading({
    consensus_smartbft_view_leader_id: { ch1: leader },
    consensus_smartbft_viewchange_current_view: { ch1: current },
    consensus_smartbft_viewchange_next_view: { ch1: next },
  });

async function start(
  t: ExecutionContext,
  readings: Map<string, SourceReading | undefined>,
  timeouts = { leaderTimeout: 0, viewChangeTimeout: 0 },
): Promise<StartedChecker> {
  return startChecker(t, consensus, timeouts, {
    node: 'orderer1',
    readings: fakeReadings(readings),
  });
}

const CASES: readonly (readonly [what: string, reading: SourceReading, failed: Record<string, string>])[] = [
  ['3 of 3 raft orderers active', raft(3, 3), {}],
  ['2 of 3 raft orderers active', raft(2, 3), {}],
  ['1 of 1 raft orderer active', raft(1, 1), {}],
  [
    '1 of 3 raft orderers active',
    raft(1, 3),
    { ch1: '1 of 3 orderers are active; the channel needs 2, for 0s' },
  ],
  [
    '2 of 4 raft orderers active',
    raft(2, 4),
    { ch1: '2 of 4 orderers are active; the channel needs 3, for 0s' },
  ],
  ['no raft leader', raft(0, 3), { ch1: 'the orderer knows no raft leader, for 0s' }],
  ['a channel that the orderer follows', raft(0, 3, { participation_consensus_relation: { ch1: 2 } }), {}],
  [
    'no raft leader for a consenter',
    raft(0, 3, { participation_consensus_relation: { ch1: 1 } }),
    { ch1: 'the orderer knows no raft leader, for 0s' },
  ],
  ['a BFT leader', bft(1, 0, 0), {}],
  ['no BFT leader', bft(0, 0, 0), { ch1: 'the orderer knows no BFT leader, for 0s' }],
  ['a BFT view change', bft(1, 3, 4), { ch1: 'the change from view 3 to view 4 does not end, for 0s' }],
  ['no families', channelReading({}), {}],
];
for (const [what, reading, failed] of CASES) {
  test(`${what}: ${Object.values(failed).join() || 'healthy'}`, async (t) => {
    const { check } = await start(t, new Map([['orderer1', reading]]));
    t.deepEqual(await check(), failed);
  });
}

test('a channel fails after its timeout, recovers at once, and other channels are not affected', async (t) => {
  const readings = new Map([
    [
      'orderer1',
      channelReading({
        consensus_etcdraft_cluster_size: { ch1: 3, ch2: 3 },
        consensus_etcdraft_active_nodes: { ch1: 1, ch2: 3 },
      }),
    ],
  ]);
  const patient = await start(t, readings, { leaderTimeout: 60_000, viewChangeTimeout: 0 });
  t.deepEqual(await patient.check(), {});
  const { check } = await start(t, readings);
  t.deepEqual(Object.keys(await check()), ['ch1']);
  readings.set('orderer1', raft(3, 3));
  t.deepEqual(await check(), {});
});

test.serial(
  'a missing leader and a view change fail after their own timeouts, which count the time that they last',
  async (t) => {
    const clock = stopClock(t);
    const timeouts = { leaderTimeout: 30_000, viewChangeTimeout: 60_000 };
    const { check } = await start(t, new Map([['orderer1', bft(0, 3, 4)]]), timeouts);
    const leader = 'the orderer knows no BFT leader, for';
    const view = 'the change from view 3 to view 4 does not end, for';
    for (const [time, failed] of [
      [0, {}],
      [29_999, {}],
      [1, { ch1: `${leader} 30s` }],
      [29_999, { ch1: `${leader} 59s` }],
      [1, { ch1: `${leader} 60s; ${view} 60s` }],
    ] as const) {
      clock.tick(time);
      t.deepEqual(await check(), failed);
    }
  },
);

test('an orderer that cannot be read fails as a whole', async (t) => {
  const { check } = await start(t, new Map([['orderer1', undefined]]));
  t.deepEqual(await check(), { '': 'the metrics of orderer1 cannot be read: connection refused' });
});

test('a checker that is not named after a node is refused', async (t) => {
  await t.throwsAsync(startChecker(t, consensus, { leaderTimeout: 0, viewChangeTimeout: 0 }), {
    message: /^the checker must be named after a monitored node/,
  });
});

const CHANGED =
  'the orderer gets no blocks: its Raft id is 4 now, because it was removed from the consenters and added again while it was down; remove the channel from it and let it join again';
const NONE = 'the orderer knows no raft leader, for 0s';
/** The time of the test is the epoch and 120 s. */
const MESSAGE = 'Received msg to 4, my ID is probably wrong due to out of date, cowardly halting';

for (const [what, lines, reading, expected] of [
  [
    'a line of the last minute',
    [
      'WARN other',
      `1970-01-01 00:01:00.000 UTC 06dd WARN [x] Consensus -> ${MESSAGE} channel=ch1 node=3 × 57`,
    ],
    raft(0, 3),
    CHANGED,
  ],
  [
    'a line of the last minute, while the orderer is a follower for a moment',
    [`1970-01-01 00:01:59.999 UTC 06dd WARN [x] Consensus -> ${MESSAGE} channel=ch1 node=3`],
    raft(0, 3, { participation_consensus_relation: { ch1: 2 } }),
    CHANGED,
  ],
  [
    'an older line',
    [`1970-01-01 00:00:59.999 UTC 06dd WARN [x] Consensus -> ${MESSAGE} channel=ch1 node=3`],
    raft(0, 3),
    NONE,
  ],
  [
    'a line in the format json',
    ['WARN other', `{"level":"warn","ts":90.5,"name":"x","msg":"${MESSAGE}","channel":"ch1","node":3}`],
    raft(0, 3),
    CHANGED,
  ],
  [
    'a line in the format logfmt',
    ['WARN other', `ts=90.5 level=warn name=x msg="${MESSAGE}" channel=ch1 node=3`],
    raft(0, 3),
    CHANGED,
  ],
  ['an old line in the format logfmt', [`ts=59 level=warn msg="${MESSAGE}" channel=ch1`], raft(0, 3), NONE],
  ['the newest line, without a time', [`WARN ${MESSAGE} channel=ch1`, 'WARN other'], raft(0, 3), CHANGED],
  ['not the newest line, without a time', ['WARN other', `WARN ${MESSAGE} channel=ch1`], raft(0, 3), NONE],
  ['a line about another channel', [`WARN ${MESSAGE} channel=ch10`], raft(0, 3), NONE],
  ['a line, and a leader', [`WARN ${MESSAGE} channel=ch1`], raft(3, 3), undefined],
] as const)
  test.serial(
    `an orderer that was removed and added again while it was down, ${what}: ${expected ?? 'healthy'}`,
    async (t) => {
      const clock = stopClock(t);
      clock.setSystemTime(120_000);
      const readings = { ...fakeReadings(new Map([['orderer1', reading]])), logLines: async () => lines };
      const timeouts = { leaderTimeout: 0, viewChangeTimeout: 0 };
      const { check } = await startChecker(t, consensus, timeouts, { node: 'orderer1', readings });
      t.deepEqual(await check(), expected === undefined ? {} : { ch1: expected });
    },
  );

test('a changed Raft id has the steps that repair it, and other channels keep their failures', async (t) => {
  const reading = channelReading({
    consensus_etcdraft_cluster_size: { ch1: 3, ch2: 3 },
    consensus_etcdraft_active_nodes: { ch1: 0, ch2: 1 },
  });
  const lines = [`WARN ${MESSAGE} channel=ch1`];
  const readings = { ...fakeReadings(new Map([['orderer1', reading]])), logLines: async () => lines };
  const timeouts = { leaderTimeout: 0, viewChangeTimeout: 0 };
  const { checker } = await startChecker(t, consensus, timeouts, { node: 'orderer1', readings });
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  const { parts } = error as FailedChecks;
  t.deepEqual(
    parts.map(({ component, steps }) => [component, steps]),
    [
      [
        'ch1',
        [
          {
            text: 'Remove ch1 from orderer1 at its Admin endpoint; the other orderers keep it:',
            command: 'osnadmin channel remove --channelID ch1 -o ADMIN_ADDRESS',
          },
          {
            text: 'Fetch the newest config block of ch1 from another orderer, and let orderer1 join with it:',
            command: 'osnadmin channel join --channelID ch1 --config-block FILE -o ADMIN_ADDRESS',
          },
        ],
      ],
      ['ch2', undefined],
    ],
  );
});
