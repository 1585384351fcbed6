import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { startAgent } from '../../../helpers/agent.js';
import { ReceivedLines, startUdpDaemon } from '../../../helpers/statsd-daemon.js';
import { batchOf, createSink, sample } from '../../../helpers/statsd-sink.js';
import { freePort } from '../../../helpers/free-port.js';
import { until } from '../../../helpers/until.js';

const ABORT = new AbortController().signal;
const INTERVAL = 50;

test('a closed port fails the flush, and the counters are complete once a daemon listens', async (t) => {
  const port = await freePort();
  const { start, stop, store, log, counted } = createSink(t, {
    address: `127.0.0.1:${port}`,
    writeInterval: INTERVAL,
  });
  const calls = store.counter({ name: 'calls', help: 'Calls.' });
  const took = store.histogram({ name: 'took', help: 'Took.' });
  await start();
  for (let round = 1; round <= 10; round += 1) {
    calls.inc(5);
    took.observe(round);
    await sleep(INTERVAL);
  }
  await until(async () => (await counted('fabric_ops_agent_statsd_flushes_total', 'failed')) >= 3);
  const received = new ReceivedLines();
  await startUdpDaemon(t, received, { port });
  await until(() => received.total('fabric_ops_agent.calls') >= 50);
  calls.inc();
  await until(() => log.length >= 2);
  await stop();
  await until(() => received.total('fabric_ops_agent.calls') >= 51);
  // A flush during which the port was opened is sent again, but no other one.
  t.true(received.total('fabric_ops_agent.calls') >= 51 && received.total('fabric_ops_agent.calls') <= 101);
  t.true(received.of('fabric_ops_agent.took', 'ms').length >= 10);
  t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'timings'), 0);
  t.is(log.length, 2);
  t.regex(
    log[0] ?? '',
    new RegExp(
      `^warn pushing metrics failed, the values are kept for the next push: udp 127\\.0\\.0\\.1:${port}: \\w+ ECONNREFUSED`,
    ),
  );
  t.is(log[1], 'info pushing metrics works again');
});

test('a daemon that is killed and restarted after 10 intervals gets every count since the kill', async (t) => {
  const before = new ReceivedLines();
  const daemon = await startUdpDaemon(t, before);
  const { agent } = await startAgent(t, {
    'metrics.provider': 'statsd',
    'metrics.statsd.address': `127.0.0.1:${daemon.port}`,
    'metrics.statsd.writeInterval': `${INTERVAL}ms`,
  });
  const calls = agent.metrics.counter({ name: 'calls', help: 'Calls.' });
  calls.inc(100);
  await until(() => before.total('fabric_ops_agent.calls') === 100);
  // The flush of the counter must have ended: one that is interrupted is sent again. Every flush contains this gauge.
  const flushes = (): number => before.of('fabric_ops_agent.nodejs_external_memory_bytes', 'g').length;
  const flushed = flushes();
  await until(() => flushes() >= flushed + 2);
  await daemon.kill();
  for (let round = 0; round < 10; round += 1) {
    calls.inc();
    await sleep(INTERVAL);
  }
  const after = new ReceivedLines();
  await startUdpDaemon(t, after, { port: daemon.port });
  await until(() => after.total('fabric_ops_agent.calls') >= 10);
  calls.inc(1000);
  await until(() => after.total('fabric_ops_agent.calls') >= 1010);
  await agent.stop();
  t.is(after.total('fabric_ops_agent.calls'), 1010);
});

for (const { host, address } of [
  { host: '127.0.0.1', address: '127.0.0.1' },
  { host: '127.0.0.1', address: 'localhost' },
  { host: '::1', address: '[::1]' },
]) {
  test(`the address ${address} reaches a daemon on ${host}`, async (t) => {
    const received = new ReceivedLines();
    const daemon = await startUdpDaemon(t, received, { host });
    const { start, store } = createSink(t, { address: `${address}:${daemon.port}` });
    await start();
    store.counter({ name: 'calls', help: 'Calls.' }).inc(2);
    await until(() => received.total('fabric_ops_agent.calls') === 2);
    t.is(received.total('fabric_ops_agent.calls'), 2);
  });
}

test('a closed IPv6 port fails the flush', async (t) => {
  const port = await freePort('::1');
  const { sink, start } = createSink(t, { address: `[::1]:${port}`, writeInterval: 60_000 });
  await start();
  const batch = batchOf({ counters: [sample('a', 1)] });
  await t.throwsAsync(async () => sink.push.flush(batch, ABORT), {
    message: new RegExp(`^udp \\[::1\\]:${port}: \\w+ ECONNREFUSED`),
  });
});

test('after a failed connect each flush creates a new socket', async (t) => {
  // The operating system rejects a broadcast address.
  const { sink, start } = createSink(t, { address: '255.255.255.255:9', writeInterval: 60_000 });
  await start();
  const batch = batchOf({ counters: [sample('a', 1)] });
  for (let flush = 0; flush < 3; flush += 1)
    await t.throwsAsync(async () => sink.push.flush(batch, ABORT), {
      message: 'udp 255.255.255.255:9: connect EACCES 255.255.255.255:9',
    });
});

test('the largest possible datagram arrives', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startUdpDaemon(t, received);
  const { sink, start } = createSink(t, {
    address: `127.0.0.1:${daemon.port}`,
    maxDatagram: 65_507,
    writeInterval: 60_000,
  });
  await start();
  const counters = [sample('x'.repeat(65_507 - ':1.000000|c\n'.length), 1)];
  await sink.push.flush(batchOf({ counters }), ABORT);
  await until(() => received.lines.length === 1);
  t.deepEqual(
    daemon.datagrams.map(({ length }) => length),
    [65_507],
  );
});

test('datagrams, bytes and flushes are counted', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startUdpDaemon(t, received);
  const { sink, start, counted } = createSink(t, {
    address: `127.0.0.1:${daemon.port}`,
    writeInterval: 60_000,
  });
  await start();
  const counters = Array.from({ length: 100 }, (_, n) => sample(`counter${n}`, 1));
  await sink.push.flush(batchOf({ counters }), ABORT);
  await until(() => received.lines.length === 100);
  const bytes = daemon.datagrams.reduce((sum, { length }) => sum + length, 0);
  t.is(await counted('fabric_ops_agent_statsd_sent_bytes_total'), bytes);
  t.is(await counted('fabric_ops_agent_statsd_flushes_total', 'succeeded'), 1);
  t.is(daemon.datagrams.length, Math.ceil(bytes / 1432));
});
