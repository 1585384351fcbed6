import test, { type ExecutionContext } from 'ava';
import height from '../../../../plugins/health/height/index.js';
import { stopClock } from '../../../helpers/clock.js';
import { channelReading, fakeReadings, startChecker, type StartedChecker } from '../../../helpers/checker.js';
import type { FailedChecks, SourceReading } from '../../../../core/contract/index.js';
import type { DetailedPart } from '../../../../core/contract/internal/index.js';
import { FactStore } from '../../../../core/nodes/index.js';

const reading = (heights: Readonly<Record<string, number>>): SourceReading =>
  channelReading({ ledger_blockchain_height: heights });

async function start(
  t: ExecutionContext,
  readings: Map<string, SourceReading | undefined>,
  timeout: number,
): Promise<StartedChecker> {
  return startChecker(
    t,
    height,
    { maxLag: 10, timeout },
    {
      node: 'peer0',
      readings: fakeReadings(readings),
    },
  );
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

test('a ledger as high as the others is healthy, and so is one that no other node has', async (t) => {
  const readings = new Map([
    ['peer0', reading({ ch1: 7, own: 1 })],
    ['orderer1', reading({ ch1: 7, other: 9 })],
  ]);
  const { check } = await start(t, readings, 0);
  t.deepEqual(await check(), {});
});

test('a ledger that is behind and does not grow fails, with the node that has more blocks', async (t) => {
  const readings = new Map([
    ['peer0', reading({ ch1: 7, ch2: 3 })],
    ['orderer1', reading({ ch1: 9, ch2: 3 })],
    ['peer1', reading({ ch1: 8 })],
  ]);
  const patient = await start(t, readings, 60_000);
  t.deepEqual(await patient.check(), {});
  const { check } = await start(t, readings, 0);
  t.deepEqual(await check(), { ch1: 'the ledger does not grow: it has 7 blocks, orderer1 has 9' });
  readings.set('peer0', reading({ ch1: 9, ch2: 3 }));
  t.deepEqual(await check(), {});
});

test('a ledger that grows fails only while it is more than maxLag blocks behind', async (t) => {
  const readings = new Map([
    ['peer0', reading({ ch1: 1 })],
    ['orderer1', reading({ ch1: 12 })],
  ]);
  const { check } = await start(t, readings, 50);
  t.deepEqual(await check(), {});
  await pause(60);
  readings.set('peer0', reading({ ch1: 2 })).set('orderer1', reading({ ch1: 13 }));
  t.deepEqual(await check(), { ch1: 'the ledger is 11 blocks behind: it has 2 blocks, orderer1 has 13' });
  readings.set('peer0', reading({ ch1: 3 }));
  t.deepEqual(await check(), {}, '10 blocks behind');
});

test.serial(
  'a ledger fails once it has been behind for the timeout, with the first of the highest nodes',
  async (t) => {
    const clock = stopClock(t);
    const readings = new Map([
      ['peer0', reading({ ch1: 7 })],
      ['orderer1', reading({ ch1: 9 })],
      ['peer1', reading({ ch1: 9 })],
    ]);
    const { check } = await start(t, readings, 60_000);
    for (const [time, failed] of [
      [0, {}],
      [59_999, {}],
      [1, { ch1: 'the ledger does not grow: it has 7 blocks, orderer1 has 9' }],
    ] as const) {
      clock.tick(time);
      t.deepEqual(await check(), failed);
    }
  },
);

test('a maxLag of 0 is allowed', async (t) => {
  const readings = new Map([
    ['peer0', reading({ ch1: 1 })],
    ['orderer1', reading({ ch1: 2 })],
  ]);
  const parts = { node: 'peer0', readings: fakeReadings(readings) };
  const { check } = await startChecker(t, height, { maxLag: 0, timeout: 0 }, parts);
  t.deepEqual(Object.keys(await check()), ['ch1']);
  readings.set('peer0', reading({ ch1: 2 }));
  t.deepEqual(await check(), {});
});

test('a peer that orderer-link checks is behind for the reason in the failure of orderer-link', async (t) => {
  const both = [
    ['peer0', reading({ ch1: 7, ch2: 7 })],
    ['orderer1', reading({ ch1: 9, ch2: 9 })],
  ] as const;
  const facts = new FactStore();
  facts.of('peer0/orderer-link', 'peer0').publish('responses', [{ channel: 'ch1', responses: [] }]);
  facts.of('peer1/orderer-link', 'peer1').publish('responses', [{ channel: 'ch2', responses: [] }]);
  const parts = { node: 'peer0', readings: fakeReadings(new Map(both)), facts };
  const { checker } = await startChecker(t, height, { maxLag: 10, timeout: 0 }, parts);
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  t.deepEqual(
    ((error as FailedChecks).parts as readonly DetailedPart[]).map(({ component, follows }) => [
      component,
      follows,
    ]),
    [
      ['ch1', 'peer0/orderer-link/ch1'],
      ['ch2', undefined],
    ],
  );
});

for (const [node, kind, block, expected] of [
  ['peer0', 'peer', 9, {}],
  ['peer0', 'peer', 8, { ch1: 'the ledger does not grow: it has 7 blocks, orderer1 has 9' }],
  ['orderer2', 'orderer', 9, { ch1: 'the ledger does not grow: it has 7 blocks, orderer1 has 9' }],
] as const)
  test(`the ledger of the ${kind} ${node} is behind and block ${block} is in maintenance, block 8 is not: ${JSON.stringify(expected)}`, async (t) => {
    const members = kind === 'peer' ? { gossip_membership_total_peers_known: { ch1: 1 } } : {};
    const own = channelReading({ ledger_blockchain_height: { ch1: 7 }, ...members });
    const readings = fakeReadings(
      new Map([
        [node, own],
        ['orderer1', reading({ ch1: 9 })],
      ]),
    );
    const facts = new FactStore();
    const config = { channel: 'ch1', consensus: 'etcdraft', consenters: [] };
    facts.of('a/channel-config', 'a').publish('consenters', [{ ...config, block: 8 }]);
    facts
      .of('b/channel-config', 'b')
      .publish('consenters', [{ ...config, block: block === 8 ? 7 : block, maintenance: {} }]);
    const { check } = await startChecker(t, height, { maxLag: 10, timeout: 0 }, { node, readings, facts });
    t.deepEqual(await check(), expected);
  });

test('a node that cannot be read is not compared', async (t) => {
  const readings = new Map([
    ['peer0', reading({ ch1: 1 })],
    ['orderer1', undefined],
  ]);
  const { check } = await start(t, readings, 0);
  t.deepEqual(await check(), {});
});

test('a negative maxLag is refused', async (t) => {
  await t.throwsAsync(startChecker(t, height, { maxLag: -1, timeout: 0 }, { node: 'peer0' }), {
    message: 'options.maxLag: must not be negative',
  });
});

test('a checker that is not named after a node is refused', async (t) => {
  await t.throwsAsync(startChecker(t, height, { maxLag: 10, timeout: 0 }), {
    message: 'the checker must be named after a monitored node, <node>/<name>, such as peer0/height',
  });
});
