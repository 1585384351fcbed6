import test, { type ExecutionContext } from 'ava';
import type { SourceReading } from '../../../../core/contract/index.js';
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
