import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { PushSink } from '../../../../core/contract/index.js';
import { createTestContext } from '../../../../core/testing/index.js';
import statsd from '../../../../plugins/metrics/statsd/index.js';
import { startAgent } from '../../../helpers/agent.js';
import { ReceivedLines, startTcpDaemon } from '../../../helpers/statsd-daemon.js';
import { batchOf, createSink, sample, statsdOptions } from '../../../helpers/statsd-sink.js';
import { freePort } from '../../../helpers/free-port.js';
import { until } from '../../../helpers/until.js';

const ABORT = new AbortController().signal;
const INTERVAL = 30;

test('a daemon that starts after the agent gets every counter, gauge and observation since the start', async (t) => {
  const port = await freePort();
  const { agent } = await startAgent(t, {
    'metrics.provider': 'statsd',
    'metrics.statsd.network': 'tcp',
    'metrics.statsd.address': `127.0.0.1:${port}`,
    'metrics.statsd.writeInterval': `${INTERVAL}ms`,
  });
  const counter = agent.metrics.counter({ name: 'calls', help: 'Calls.' });
  const gauge = agent.metrics.gauge({ name: 'level', help: 'Level.' });
  const histogram = agent.metrics.histogram({ name: 'took_seconds', help: 'Took.' });
  for (let round = 1; round <= 10; round += 1) {
    counter.inc(7);
    gauge.set(round);
    histogram.observe(round);
    await sleep(INTERVAL);
  }
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.total('fabric_ops_agent.calls') >= 70);
  await until(() => received.of('fabric_ops_agent.took_milliseconds', 'ms').length >= 10);
  await agent.stop();
  t.is(received.total('fabric_ops_agent.calls'), 70);
  t.deepEqual(
    received.of('fabric_ops_agent.took_milliseconds', 'ms').map(({ value }) => value),
    [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000],
  );
  t.is(received.of('fabric_ops_agent.level', 'g')[0]?.value, 10);
  t.true(
    received.lines.some((line) => line.startsWith('fabric_ops_agent.statsd.reconnects_total.statsd:1.')),
  );
});

// Serial: the daemon must be killed before the operating system has taken the whole flush.
test.serial(
  'with unacknowledged: resend, when a daemon is killed during a flush and restarted after 10 intervals, counters are complete and only the last writes are sent twice',
  async (t) => {
    const COUNTERS = 4000;
    const received = new ReceivedLines();
    // Killed during a flush of about 200 KB.
    const first = await startTcpDaemon(t, received, {
      onBytes: (bytes) => {
        if (bytes > 60_000) void first.kill();
      },
    });
    const { start, stop, store, counted } = createSink(t, {
      network: 'tcp',
      address: `127.0.0.1:${first.port}`,
      writeInterval: INTERVAL,
      unacknowledged: 'resend',
    });
    const family = store.counter({
      namespace: 'mid_flush',
      subsystem: 'counters',
      name: 'calls_total',
      help: 'Calls.',
      labelNames: ['n'],
    });
    const counters = Array.from({ length: COUNTERS }, (_, n) => family.with({ n: String(n) }));
    await start();
    for (const counter of counters) counter.inc(3);
    await until(() => first.connections.length > 0 && first.bytes() > 60_000);
    await first.kill();
    const readBefore = received.lines.length;
    for (let round = 0; round < 10; round += 1) {
      for (const counter of counters) counter.inc();
      await sleep(INTERVAL);
    }
    const second = await startTcpDaemon(t, received, { port: first.port });
    await until(async () => (await counted('fabric_ops_agent_statsd_reconnects_total')) === 1);
    for (const counter of counters) counter.inc();
    const N = 14;
    // The last counter of the last flush.
    await until(() => received.total(`fabric_ops_agent.mid_flush_counters.calls_total.${COUNTERS - 1}`) >= N);
    await stop();
    await second.kill();

    const totals = new Map<string, number>();
    for (const line of received.lines) {
      const [, bucket = '', value] = /^(fabric_ops_agent\.mid_flush[^:]*):(\d+\.\d{6})\|c$/.exec(line) ?? [];
      if (bucket !== '') totals.set(bucket, (totals.get(bucket) ?? 0) + Number(value));
    }
    t.is(totals.size, COUNTERS);
    const excesses = [...totals.values()].map((total) => total - N);
    t.true(Math.min(...excesses) >= 0, 'nothing is lost');
    const twice = excesses.filter((excess) => excess > 0);
    t.log(`${twice.length} of ${COUNTERS} counters have values that were sent twice`);
    t.true(twice.length <= readBefore, 'only lines that the first daemon read are sent twice');
    t.true(Math.max(...excesses) <= 3, 'only the last write before the kill is sent twice');
    t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'queue'), 0);
  },
);

test.serial(
  'with unacknowledged: resend, an interrupted push larger than the queue fails as a whole, and counters are complete after the next one',
  async (t) => {
    const COUNTERS = 20_000;
    const received = new ReceivedLines();
    const first = await startTcpDaemon(t, received, {
      onBytes: (bytes) => {
        if (bytes > 60_000) void first.kill();
      },
    });
    const { start, stop, store, log, counted } = createSink(t, {
      network: 'tcp',
      address: `127.0.0.1:${first.port}`,
      writeInterval: INTERVAL,
      maxQueuedBytes: 200_000,
      unacknowledged: 'resend',
    });
    const family = store.counter({ name: 'calls', help: 'Calls.', labelNames: ['n'] });
    for (let n = 0; n < COUNTERS; n += 1) family.with({ n }).inc(3);
    await start();
    await until(() => log.length > 0);
    t.regex(log[0] ?? '', /tcp 127\.0\.0\.1:\d+: the connection was lost: ./);
    await startTcpDaemon(t, received, { port: first.port });
    await until(() => log.length > 1);
    await stop();

    const totals = Array.from({ length: COUNTERS }, () => 0);
    for (const line of received.lines) {
      const [, n, value] = /^fabric_ops_agent\.calls\.(\d+):(\d+\.\d{6})\|c$/.exec(line) ?? [];
      if (n !== undefined) totals[Number(n)] = (totals[Number(n)] ?? 0) + Number(value);
    }
    t.is(Math.min(...totals), 3);
    t.is(Math.max(...totals), 6, 'lines that the first daemon read are sent again');
    t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'queue'), 0);
  },
);

// Serial: the daemon must be killed before the operating system has taken the whole flush.
test.serial(
  'when a daemon is killed during a flush, no counter and no timing is sent twice, gauges are sent twice, and samples that were not sent again are counted',
  async (t) => {
    const COUNTERS = 4000;
    const received = new ReceivedLines();
    const first = await startTcpDaemon(t, received, {
      onBytes: (bytes) => {
        if (bytes > 60_000) void first.kill();
      },
    });
    const { sink, start, counted } = createSink(t, {
      network: 'tcp',
      address: `127.0.0.1:${first.port}`,
      writeInterval: 60_000,
    });
    await start();
    const ofEach = (name: string, value: number) =>
      Array.from({ length: COUNTERS }, (_, n) => sample(name, value, { n: String(n) }));
    const batch = { counters: ofEach('calls', 3), gauges: [sample('level', 5)], timings: ofEach('took', 1) };
    await sink.push.flush(batchOf(batch), ABORT);
    await first.kill();
    await startTcpDaemon(t, received, { port: first.port });
    await until(async () => (await counted('fabric_ops_agent_statsd_reconnects_total')) === 1);
    // It connects after the queue: everything before it has arrived.
    await sink.push.flush(batchOf({ counters: [sample('last', 1)] }), ABORT);
    await until(() => received.total('last') === 1);
    for (const [bucket, type] of [
      ['calls', 'c'],
      ['took', 'ms'],
    ] as const) {
      const lines = received.lines.filter(
        (line) => line.startsWith(`${bucket}.`) && line.endsWith(`|${type}`),
      );
      t.is(new Set(lines).size, lines.length, `${bucket} is not sent twice`);
    }
    t.true(received.of('level', 'g').length >= 1);
    const dropped = await counted('fabric_ops_agent_statsd_dropped_total', 'unacknowledged');
    t.true(dropped > 0);
    t.true(received.lines.length + dropped >= 2 * COUNTERS, 'missing lines are counted');
  },
);

test('one warning is logged when the daemon becomes unreachable, and one info line when it is back', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { start, log, counted } = createSink(t, {
    network: 'tcp',
    address: `127.0.0.1:${daemon.port}`,
    writeInterval: INTERVAL,
  });
  await start();
  await until(() => received.lines.length > 0);
  await daemon.kill();
  await until(async () => (await counted('fabric_ops_agent_statsd_flushes_total', 'failed')) >= 5);
  await startTcpDaemon(t, received, { port: daemon.port });
  await until(() => log.length >= 2);
  await sleep(5 * INTERVAL);
  t.is(log.length, 2);
  t.regex(
    log[0] ?? '',
    new RegExp(
      `^warn pushing metrics failed, the values are kept for the next push: tcp 127\\.0\\.0\\.1:${daemon.port}: the daemon is not connected: (the daemon closed the connection|read ECONNRESET|write (?:EPIPE|ECONNRESET)|connect ECONNREFUSED 127\\.0\\.0\\.1:${daemon.port})$`,
    ),
  );
  t.is(log[1], 'info pushing metrics works again');
});

test('at debug level the daemon is logged once as unreachable and once as reachable again', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines());
  const address = `127.0.0.1:${daemon.port}`;
  const { context, logged } = createTestContext(statsd, statsdOptions({ network: 'tcp', address }));
  const sink = statsd.create(context) as PushSink;
  t.teardown(() => sink.stop?.());
  await sink.start?.(ABORT);
  await until(() => daemon.connections.length === 1);
  await daemon.kill();
  await sleep(500);
  await startTcpDaemon(t, new ReceivedLines(), { port: daemon.port });
  await until(() => logged.length >= 2);
  t.deepEqual(
    logged.map(({ level, message }) => `${level} ${message}`),
    [
      `debug StatsD daemon at tcp ${address} is unreachable: the daemon closed the connection`,
      `debug StatsD daemon at tcp ${address} is reachable again`,
    ],
  );
});

test('reconnects, bytes and flushes are counted', async (t) => {
  const received = new ReceivedLines();
  let daemon = await startTcpDaemon(t, received);
  const { port } = daemon;
  const { start, stop, counted } = createSink(t, {
    network: 'tcp',
    address: `127.0.0.1:${port}`,
    writeInterval: 10,
  });
  await start();
  for (let round = 1; round <= 3; round += 1) {
    await until(() => daemon.connections.length === 1 && daemon.bytes() > 0);
    await daemon.kill();
    daemon = await startTcpDaemon(t, received, { port });
    await until(async () => (await counted('fabric_ops_agent_statsd_reconnects_total')) === round);
  }
  await stop();
  await until(() => daemon.connections[0]?.readableEnded === true);
  t.is(await counted('fabric_ops_agent_statsd_reconnects_total'), 3);
  t.true((await counted('fabric_ops_agent_statsd_flushes_total', 'succeeded')) > 0);
  t.true((await counted('fabric_ops_agent_statsd_sent_bytes_total')) >= daemon.bytes());
});

test('flushes use one connection, and sent_bytes_total equals the bytes received', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { sink, start, counted } = createSink(t, {
    network: 'tcp',
    address: `127.0.0.1:${daemon.port}`,
    writeInterval: 60_000,
  });
  await start();
  for (let round = 0; round < 5; round += 1) {
    const counters = Array.from({ length: 3000 }, (_, n) => sample(`c${n}`, 1));
    await sink.push.flush(batchOf({ counters, gauges: [sample('g', -1)] }), ABORT);
  }
  const sent = await counted('fabric_ops_agent_statsd_sent_bytes_total');
  await until(() => daemon.bytes() === sent);
  t.is(received.lines.length, 5 * 3002);
  t.is(received.total('c2999'), 5);
  t.is(daemon.connections.length, 1);
});

test('over tcp a line of 10 KB arrives, one of 20 KB is dropped and counted', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { sink, start, counted } = createSink(t, {
    network: 'tcp',
    address: `127.0.0.1:${daemon.port}`,
    writeInterval: 60_000,
  });
  await start();
  const counters = [10_240, 20_480].map((length) => sample('x'.repeat(length), 1));
  await sink.push.flush(batchOf({ counters }), ABORT);
  await until(() => received.lines.length === 1);
  t.is(received.total('x'.repeat(10_240)), 1);
  t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'length'), 1);
});
