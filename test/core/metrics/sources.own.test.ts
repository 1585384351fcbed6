// The time of readings, and sources that fail.

import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { AgentError, SourceError } from '../../../core/contract/index.js';
import { Sources } from '../../../core/metrics/index.js';
import { channelReading } from '../../helpers/checker.js';
import { counters, FAKE_NODE, FakeSource, family, histogram } from '../../helpers/fake-source.js';
import { valuesOf } from '../../helpers/snapshot.js';
import { until } from '../../helpers/until.js';
import { createRelay, relayed, type Relay } from './relay.js';
import { passTime, stopClock, stopTimeouts } from '../../helpers/clock.js';

/** The value of a family of the relay; its name may have the prefix of the agent. */
async function valueOf({ store }: Relay, name: string): Promise<unknown> {
  const found = [...(await valuesOf(store, name)), ...(await valuesOf(store, `fabric_ops_agent_${name}`))];
  return found.map(({ labels, value }) => ({ ...labels, value }));
}

test('concurrent callers share one reading, and a young reading is used again', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source, 'peer0', { maxAge: 60_000 });
  await Promise.all([relay.sources.live(), relay.sources.live(), relay.cursor().take()]);
  await relay.sources.live();
  t.is(source.reads, 1);
});

test('a reading that is too old is replaced', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source, 'peer0', { maxAge: 1 });
  await relay.sources.live();
  await until(async () => (await relay.sources.live()).length === 1 && source.reads === 2);
  t.is(source.reads, 2);
});

test('a source that fails is not read again at once', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  source.reading = undefined;
  relay.add(source, 'peer0', { maxAge: 60_000 });
  for (let call = 0; call < 3; call += 1) t.deepEqual(await relay.sources.live(), []);
  t.is(source.reads, 1);
});

test('the state of a source comes from its last reading', async (t) => {
  const relay = createRelay();
  const source = new FakeSource(FAKE_NODE);
  relay.add(source);
  t.deepEqual(relay.sources.latest(), [{ name: 'peer0', isUp: false }]);
  const reading = counters(undefined, 1);
  source.reading = reading;
  const before = Date.now();
  await relay.sources.live();
  const [up] = relay.sources.latest();
  t.like(up, { name: 'peer0', isUp: true, reading });
  t.true((up?.readAt ?? 0) >= before);
  source.reading = undefined;
  await relay.sources.live();
  t.deepEqual(relay.sources.latest(), [
    {
      name: 'peer0',
      isUp: false,
      readAt: up?.readAt as number,
      reason: 'connection refused',
      failure: 'other',
    },
  ]);
});

test('a source is logged once when it cannot be read, and once when it can be read again', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  await relay.sources.live();
  source.reading = undefined;
  await relay.sources.live();
  source.failure = new Error('no route to host');
  await relay.sources.live();
  source.reading = { families: [] };
  await relay.sources.live();
  await relay.sources.live();
  t.deepEqual(relay.log, [
    'warn source peer0 cannot be read: connection refused',
    'info source peer0 can be read again',
  ]);
});

test('the metrics of the relay say whether, when and how long a source was read', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  source.reading = counters(undefined, 1, 2, 3);
  await relay.sources.live();
  const [success] = (await valueOf(relay, 'source_last_success_timestamp_seconds')) as { value: number }[];
  t.true(Math.abs((success?.value ?? 0) - Date.now() / 1000) < 60);
  t.deepEqual(await valueOf(relay, 'source_up'), [{ node: 'peer0', value: 1 }]);
  t.deepEqual(await valueOf(relay, 'source_scrape_samples'), [{ node: 'peer0', value: 3 }]);
  source.reading = undefined;
  await relay.sources.live();
  t.deepEqual(await valueOf(relay, 'source_up'), [{ node: 'peer0', value: 0 }]);
  t.deepEqual(await valueOf(relay, 'source_scrape_samples'), [{ node: 'peer0', value: 0 }]);
  t.like(await valueOf(relay, 'source_last_success_timestamp_seconds'), [success]);
  const [duration] = (await valueOf(relay, 'source_scrape_duration_seconds')) as { value: number }[];
  t.true(duration !== undefined && duration.value >= 0 && duration.value < 60);
});

const FAILURES: readonly (readonly [reason: string, failure: unknown])[] = [
  ['unreachable', new SourceError('unreachable', 'connection refused')],
  ['tls', new SourceError('tls', 'certificate has expired')],
  ['status', new SourceError('status', 'HTTP status 404')],
  ['too_large', new SourceError('too_large', 'more than 8 MiB')],
  ['unreachable', new AgentError('NODE_UNREACHABLE', 'no response')],
  ['other', new SourceError('unheard of' as 'other', 'unknown failure')],
  ['other', new Error('a fault of the plugin')],
  ['other', undefined],
];
for (const [reason, failure] of FAILURES) {
  test(`a reading that fails with ${String(failure)} counts as ${reason}`, async (t) => {
    const relay = createRelay();
    const source = new FakeSource();
    relay.add(source);
    source.reading = undefined;
    source.failure = failure;
    await relay.sources.live();
    t.deepEqual(await valueOf(relay, 'source_failures_total'), [{ node: 'peer0', reason, value: 1 }]);
  });
}

for (const [code, isRefused] of [
  ['ECONNREFUSED', true],
  ['EHOSTUNREACH', undefined],
] as const)
  test(`a reading that fails with ${code} ${isRefused === true ? 'was' : 'was not'} refused`, async (t) => {
    const relay = createRelay();
    const source = new FakeSource();
    relay.add(source);
    source.reading = undefined;
    source.failure = new SourceError('unreachable', 'no connection', {
      cause: Object.assign(new Error('connect'), { code }),
    });
    await relay.sources.live();
    t.is(relay.sources.latest()[0]?.isRefused, isRefused);
  });

test('a reading that takes too long is aborted and has failed', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  let reason: unknown;
  source.onRead = (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        reject(new Error('aborted'));
      });
    });
  relay.add(source, 'peer0', { timeout: 20 });
  t.deepEqual(await relay.sources.live(), []);
  t.is((reason as Error).message, 'the reading took longer than 0.02s');
  t.deepEqual(await valueOf(relay, 'source_failures_total'), [
    { node: 'peer0', reason: 'timeout', value: 1 },
  ]);
});

test.serial('a source that ignores its signal is not read while two readings are unfinished', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  const clock = stopTimeouts(t);
  const ends: (() => void)[] = [];
  source.onRead = () => new Promise((resolve) => ends.push(resolve));
  relay.add(source, 'peer0', { timeout: 5 });
  for (let call = 0; call < 5; call += 1) {
    await passTime(clock, 5, relay.sources.live());
  }
  t.is(source.reads, 2);
  t.is(relay.sources.latest()[0]?.reason, 'not read: 2 earlier readings are still running');
  ends.forEach((end) => end());
  source.onRead = () => undefined;
  await nextTurn();
  t.is((await relay.sources.live()).length, 1);
});

test.serial('a source with unfinished readings is read again after a while', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  const clock = stopTimeouts(t);
  source.onRead = () => new Promise(() => undefined);
  relay.add(source, 'peer0', { timeout: 5, unfinishedRetry: { first: 30, longest: 60 } });
  for (let call = 0; call < 3; call += 1) {
    await passTime(clock, 5, relay.sources.live());
  }
  t.is(source.reads, 2);
  source.onRead = () => undefined;
  await until(async () => {
    clock.tick(30);
    return (await relay.sources.live()).length > 0;
  });
  t.is(source.reads, 3);
});

test.serial(
  'a source that is still being read is not waited for longer than the caller allows',
  async (t) => {
    const clock = stopTimeouts(t);
    const relay = createRelay();
    const [slow, fast] = [new FakeSource(), new FakeSource()];
    relay.add(slow, 'slow');
    relay.add(fast, 'fast');
    slow.reading = counters(undefined, 1);
    fast.reading = counters(undefined, 1);
    await relay.sources.live();
    let end = (): void => undefined;
    slow.onRead = () => new Promise((resolve) => (end = resolve));
    const { reads } = fast;
    const live = relay.sources.live(20);
    await until(() => fast.reads > reads);
    // The reading ends in the turn in which it begins.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    clock.tick(20);
    t.deepEqual(
      (await live).map(({ name }) => name),
      ['fast'],
    );
    end();
  },
);

test.serial(
  'a reading that takes long is not waited for, and the source is down until it ends',
  async (t) => {
    const clock = stopTimeouts(t);
    const relay = createRelay([], 2000);
    const [slow, fast] = [new FakeSource(), new FakeSource()];
    relay.add(slow, 'slow');
    relay.add(fast, 'fast');
    slow.reading = counters(undefined, 1);
    fast.reading = counters(undefined, 1);
    let end = (): void => undefined;
    slow.onRead = () => new Promise((resolve) => (end = resolve));
    const isUp = async (): Promise<unknown> =>
      (await valuesOf(relay.store, 'fabric_ops_agent_source_up')).map(({ labels, value }) => [
        labels['node'],
        value,
      ]);
    const live = relay.sources.live();
    await until(() => relay.sources.latest().some(({ isUp: isRead }) => isRead));
    clock.tick(2000);
    t.deepEqual(
      (await live).map(({ name }) => name),
      ['fast'],
    );
    t.deepEqual(await isUp(), [
      ['fast', 1],
      ['slow', 0],
    ]);
    end();
    await until(async () => (await relay.sources.live()).length === 2);
    t.deepEqual(await isUp(), [
      ['fast', 1],
      ['slow', 1],
    ]);
  },
);

test('restarts are counted, remembered for an hour, and reported, as is the first reading', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  const starts: boolean[] = [];
  relay.add(source, 'peer0', { maxAge: 1, onStart: (isRestart) => void starts.push(isRestart) });
  for (const startTime of [100, 101, 200, 200, 300]) {
    source.reading = { ...counters(undefined, 1), startTime };
    const { reads } = source;
    await until(async () => (await relay.sources.live()).length === 1 && source.reads > reads);
  }
  t.is(relay.sources.latest()[0]!.restarts?.length, 2);
  const [restarts] = await valuesOf(relay.store, 'fabric_ops_agent_node_restarts_total');
  t.is(restarts!.value, 2);
  t.deepEqual(starts, [false, true, true]);
});

test.serial('a wall clock that jumps ends no restart of the last hour, and keeps none', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source, 'peer0', { maxAge: 1 });
  const clock = stopClock(t);
  const read = async (startTime: number): Promise<void> => {
    source.reading = { ...counters(undefined, 1), startTime };
    clock.tick(2);
    await relay.sources.live();
  };
  await read(100);
  await read(200);
  const restarts = (): number => relay.sources.latest()[0]!.restarts?.length ?? 0;
  for (const jump of [-7_200_000, 14_400_000]) {
    clock.setSystemTime(Date.now() + jump);
    t.is(restarts(), 1);
  }
  clock.tick(3_600_000);
  t.is(restarts(), 0);
});

test('of 40 sources that do not respond, 32 are read at the same time', async (t) => {
  const relay = createRelay();
  let running = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const reading = counters(undefined, 1);
  const read = async (): Promise<typeof reading> => {
    running += 1;
    await released;
    return reading;
  };
  for (let index = 0; index < 40; index += 1) relay.add({ read }, `peer${index}`);
  const live = relay.sources.live();
  await until(() => running >= 32);
  await nextTurn();
  t.is(running, 32);
  release();
  t.is((await live).length, 40);
});

test('an invalid reading is refused as a whole', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  const cursor = relay.cursor();
  source.reading = counters(undefined, 1);
  (await cursor.take()).accept();
  const { families } = counters(undefined, 5);
  source.reading = { families: [...families, ...families] };
  t.deepEqual(relayed((await cursor.take()).batch), []);
  t.is(relay.sources.latest()[0]?.reason, 'invalid reading: duplicate family calls');
  t.deepEqual(await valueOf(relay, 'source_failures_total'), [
    { node: 'peer0', reason: 'invalid', value: 1 },
  ]);
});

test('a reading that its source has checked is not checked again', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source, 'peer0', { isChecked: true });
  const { families } = counters(undefined, 1);
  source.reading = { families: [...families, ...families] };
  t.is((await relay.sources.live()).length, 1);
});

test('with one node its samples have no node, with several they do', async (t) => {
  const relay = createRelay();
  const node = new FakeSource(FAKE_NODE);
  const other = new FakeSource();
  relay.add(node, 'peer0');
  relay.add(other, 'database');
  const nodes = async (): Promise<unknown[]> => (await relay.sources.live()).map((source) => source.node);
  t.deepEqual(await nodes(), [undefined, undefined]);
  relay.add(new FakeSource(FAKE_NODE), 'peer1');
  t.deepEqual(await nodes(), ['peer0', undefined, 'peer1']);
});

test.serial('a checker that asks for new readings gets them, without a scrape', async (t) => {
  stopTimeouts(t);
  const relay = createRelay();
  const source = new FakeSource(FAKE_NODE);
  relay.add(source);
  const reading = counters(undefined, 1);
  source.reading = reading;
  const [state] = await relay.sources.read({ signal: new AbortController().signal });
  t.like(state, { name: 'peer0', isUp: true, reading });
});

test('an aborted wait for new readings returns the former states', async (t) => {
  const relay = createRelay();
  relay.add(new FakeSource(FAKE_NODE));
  const aborted = AbortSignal.abort(new Error('the check is late'));
  t.deepEqual(await relay.sources.read({ signal: aborted }), [{ name: 'peer0', isUp: false }]);
});

test('the state of a source names its removed channels, and its readings do not have them', async (t) => {
  const relay = createRelay();
  const source = new FakeSource(FAKE_NODE);
  source.reading = channelReading({ ledger_blockchain_height: { ch1: 1, ch2: 2 } });
  relay.add(source, 'orderer');
  await relay.sources.live();
  relay.sources.keepChannels('orderer', { names: ['ch1'], requestedAt: performance.now() + 1 });
  relay.sources.keepChannels('nosuch', { names: ['ch1'], requestedAt: performance.now() + 1 });
  const isLeftOut = (): void => {
    const [state] = relay.sources.latest();
    t.deepEqual(state?.removedChannels, ['ch2']);
    const series = state?.reading?.families[0]?.series ?? [];
    t.deepEqual(
      series.map(({ labels }) => labels),
      [{ channel: 'ch1' }],
    );
  };
  isLeftOut();
  await relay.sources.live();
  isLeftOut();
  relay.sources.keepChannels('orderer', {
    names: ['ch1', 'ch2'],
    requestedAt: performance.now() + 1,
  });
  t.is(relay.sources.latest()[0]?.removedChannels, undefined);
  t.deepEqual(relay.log, ['info orderer: removed channels: ch2', 'info orderer: no channels are removed']);
});

test('the nodes of one kind are read alone, and all states are returned', async (t) => {
  const relay = createRelay();
  const [peer, orderer] = [new FakeSource(FAKE_NODE), new FakeSource({ ...FAKE_NODE, kind: 'orderer' })];
  relay.add(peer, 'peer0');
  relay.add(orderer, 'orderer');
  const states = await relay.sources.read({ kind: 'orderer', signal: new AbortController().signal });
  t.deepEqual(
    states.map(({ name, isUp }) => [name, isUp]),
    [
      ['peer0', false],
      ['orderer', true],
    ],
  );
  t.is(peer.reads, 0);
});

test('a reading that took too long, and a refused connection, are no longer in the state after a success', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  for (const [failure, state] of [
    [
      new AgentError('PLUGIN_TIMED_OUT', 'the reading took longer than 5s'),
      { failure: 'timeout', isLate: true },
    ],
    [
      new SourceError('unreachable', 'x', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }),
      { failure: 'unreachable', isRefused: true },
    ],
  ] as const) {
    source.reading = undefined;
    source.failure = failure;
    await relay.sources.live();
    const { readAt: _readAt, ...down } = relay.sources.latest()[0]!;
    t.deepEqual(down, { name: 'peer0', isUp: false, reason: failure.message, ...state });
    source.reading = { families: [] };
    await relay.sources.live();
    const { readAt, ...up } = relay.sources.latest()[0]!;
    t.deepEqual(up, { name: 'peer0', isUp: true, reading: source.reading });
    t.is(typeof readAt, 'number');
  }
});

test('a reading that fails because the agent stops is not logged', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  const runner = relay.add(source);
  source.onRead = (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const reading = runner.update();
  await until(() => source.reads === 1);
  runner.stop();
  await reading;
  t.is(relay.sources.latest()[0]?.reason, 'the agent is stopping');
  t.deepEqual(relay.log, []);
});

test('a caller that stops waiting does not make a source late', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  await relay.sources.live();
  source.onRead = () => new Promise(() => undefined);
  const abort = new AbortController();
  const refreshed = relay.sources.read({ signal: abort.signal });
  await until(() => source.reads === 2);
  abort.abort(new Error('the check is late'));
  await refreshed;
  t.deepEqual(await valueOf(relay, 'source_up'), [{ node: 'peer0', value: 1 }]);
});

test('of a source a hundred skipped parts are logged and counted', async (t) => {
  const relay = createRelay();
  const runner = relay.add(new FakeSource());
  for (let part = 0; part < 150; part += 1) runner.skip(`family f${part}`, 'why');
  t.is(relay.log.length, 100);
  t.is(relay.log.at(-1), 'warn family f99 of source peer0 is not relayed: why');
  t.deepEqual(await valueOf(relay, 'source_skipped_families_total'), [{ node: 'peer0', value: 100 }]);
});

test('the last hundred restarts are remembered, and all are counted', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  for (let start = 1; start <= 152; start += 1) {
    source.reading = { families: [], startTime: 10 * start };
    await relay.sources.live();
  }
  t.is(relay.sources.latest()[0]?.restarts?.length, 100);
  const [restarts] = await valuesOf(relay.store, 'fabric_ops_agent_node_restarts_total');
  t.is(restarts!.value, 151);
});

test.serial(
  'after a failure a source that hangs is waited for no longer than a refused connection takes',
  async (t) => {
    const clock = stopTimeouts(t);
    const sources = new Sources();
    const source = new FakeSource();
    source.reading = undefined;
    sources.add(createRelay().add(source));
    const wait = async (time: number): Promise<void> => {
      let isOver = false;
      const { reads } = source;
      const live = sources.live().then(() => (isOver = true));
      await until(() => source.reads > reads && clock.countTimers() > 0);
      clock.tick(time - 1);
      await nextTurn();
      t.false(isOver, `${time} ms`);
      clock.tick(1);
      await live;
    };
    source.onRead = () => new Promise(() => undefined);
    await wait(2000);
    clock.tick(5000);
    await nextTurn();
    t.is(sources.latest()[0]?.reason, 'the reading took longer than 5s');
    await wait(250);
    t.deepEqual(await sources.logLines('peer0'), []);
  },
);

test('a value that is not a number of a source counts as one, a histogram as its buckets with sum and count', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  source.reading = {
    families: [
      family('gauge', 'level', [[{}, NaN]]),
      family('histogram', 'took', [[{}, histogram([1, 1, 1], 1)]]),
    ],
  };
  await relay.sources.live();
  t.deepEqual(await valueOf(relay, 'source_scrape_samples'), [{ node: 'peer0', value: 6 }]);
});
