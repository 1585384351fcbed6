import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { Packet } from '../../../core/kit/lines/packets.js';
import { TcpTransport } from '../../../core/kit/lines/transport.js';
import { ReceivedLines, startTcpDaemon, type TcpDaemon } from '../../helpers/statsd-daemon.js';
import { createSink } from '../../helpers/statsd-sink.js';
import { freePort } from '../../helpers/free-port.js';
import { until } from '../../helpers/until.js';
import { startStopwatch } from '../../helpers/stopwatch.js';

/** A packet with one long line. */
function packet(name: string, isTiming = false, size = 1000): Packet {
  const line = `${name}:1.000000|${isTiming ? 'ms' : 'c'}\n`;
  return { bytes: Buffer.from(line.padStart(size, 'x')), samples: 1, kind: isTiming ? 'timing' : 'growth' };
}

/** A transport and the events it reported. */
function createTransport(daemon: Pick<TcpDaemon, 'port'>, maxQueued: number) {
  const reported = { dropped: 0, reconnects: 0, sent: 0 };
  const transport = new TcpTransport(
    { host: '127.0.0.1', port: daemon.port },
    { maxQueued, isQueuedOffline: false },
    {
      sent: () => (reported.sent += 1),
      reconnected: () => (reported.reconnects += 1),
      dropped: (samples) => (reported.dropped += samples),
      reachable: () => undefined,
    },
  );
  return { transport, reported };
}

const namesIn = ({ lines }: ReceivedLines): string[] =>
  lines.map((line) => line.replace(/^x*/, '').replace(/:.*/, ''));

test('when a daemon stops reading for 5 s, memory stays bounded and nothing is lost', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { start, stop, store, counted } = createSink(t, {
    network: 'tcp',
    address: `127.0.0.1:${daemon.port}`,
    writeInterval: 50,
    prefix: `p${'x'.repeat(400)}`,
  });
  const took = store.histogram({ name: 'took', help: 'Took.', labelNames: ['n'] }).with({ n: '1' });
  const calls = store.counter({ name: 'calls', help: 'Calls.' });
  await start();
  await until(() => received.lines.length > 0);
  const [connection] = daemon.connections;
  const heapBefore = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  connection?.pause();
  let observed = 0;
  let most = 0;
  const end = performance.now() + 5000;
  while (performance.now() < end) {
    for (let count = 0; count < 200; count += 1) took.observe(observed++ / 1000);
    calls.inc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    most = Math.max(most, heapUsed + arrayBuffers - heapBefore);
    await sleep(25);
  }
  connection?.resume();
  const bucket = (name: string): string => `p${'x'.repeat(400)}.fabric_ops_agent.${name}`;
  await until(() => received.of(bucket('took.1'), 'ms').length >= observed);
  await stop();
  const values = received.of(bucket('took.1'), 'ms').map(({ value }) => value);
  t.deepEqual(
    values,
    Array.from({ length: observed }, (_, n) => n),
  );
  t.is(received.total(bucket('calls')) * 200, observed);
  t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'queue'), 0);
  t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'timings'), 0);
  t.is(await counted('fabric_ops_agent_statsd_reconnects_total'), 0);
  t.log(`${observed} observations, ${Math.round(most / 1e6)} MB more at most`);
  t.true(most < 150e6);
});

test('a full queue drops the oldest observations first and counts them', async (t) => {
  const port = await freePort();
  const { transport, reported } = createTransport({ port }, 10_000);
  t.teardown(() => transport.stop());
  transport.start();
  for (let n = 0; n < 4; n += 1) await transport.send(packet(`c${n}`));
  for (let n = 0; n < 10; n += 1) await transport.send(packet(`t${n}`, true));
  t.is(reported.dropped, 4);
  for (let n = 4; n < 7; n += 1) await transport.send(packet(`c${n}`));
  t.is(reported.dropped, 7);
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.lines.length === 10);
  t.deepEqual(namesIn(received), ['c0', 'c1', 'c2', 'c3', 't7', 't8', 't9', 'c4', 'c5', 'c6']);
});

test('a full queue without observations drops the oldest packets and counts them', async (t) => {
  const port = await freePort();
  const { transport, reported } = createTransport({ port }, 3000);
  t.teardown(() => transport.stop());
  transport.start();
  for (let n = 0; n < 8; n += 1) await transport.send(packet(`c${n}`));
  t.is(reported.dropped, 5);
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.lines.length === 3);
  t.deepEqual(namesIn(received), ['c5', 'c6', 'c7']);
});

test('a limit smaller than one packet drops nothing while the daemon reads', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { transport, reported } = createTransport(daemon, 10);
  t.teardown(() => transport.stop());
  transport.start();
  await transport.begin();
  for (let n = 0; n < 100; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  await transport.end();
  await until(() => received.lines.length === 100);
  t.is(reported.dropped, 0);
});

test('a flush fails while the daemon has not read the previous one', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), {
    onConnection: (connection) => connection.pause(),
  });
  const { transport, reported } = createTransport(daemon, 64_000_000);
  t.teardown(() => transport.stop());
  transport.start();
  await transport.begin();
  // More than the socket buffers of the operating system.
  for (let n = 0; n < 900; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  await t.throwsAsync(async () => transport.begin(), { message: 'the daemon does not read' });
  t.true(reported.sent < 900);
  t.is(reported.dropped, 0);
});

test('packets that were not read when a stalled connection is lost are sent over the next one', async (t) => {
  const received = new ReceivedLines();
  let isFirst = true;
  const daemon = await startTcpDaemon(t, received, {
    onConnection: (connection) => {
      if (isFirst) connection.pause();
      isFirst = false;
    },
  });
  const { transport, reported } = createTransport(daemon, 16_000_000);
  t.teardown(() => transport.stop());
  transport.start();
  await transport.begin();
  for (let n = 0; n < 900; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  const { sent } = reported;
  t.true(sent < 900, 'the daemon has stalled');
  // Longer than a written packet counts as unconfirmed.
  await sleep(1500);
  daemon.connections[0]?.destroy();
  await until(() => received.lines.some((line) => line.includes('c899:')));
  const names = namesIn(received);
  const firstAgain = Number(names[0]?.slice(1));
  t.true(firstAgain < sent, 'the last written packet was still in the buffer of the socket');
  t.deepEqual(
    names,
    Array.from({ length: 900 - firstAgain }, (_, n) => `c${firstAgain + n}`),
  );
  t.is(reported.reconnects, 1);
});

// Serial, since other tests in this process would slow down the daemon.
test.serial('a stop waits for a slow daemon to read the queue', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received, {
    onConnection: (connection) => connection.pause(),
  });
  const { transport, reported } = createTransport(daemon, 64_000_000);
  transport.start();
  await transport.begin();
  for (let n = 0; n < 400; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  t.log(`${reported.sent} packets written before the stop`);
  t.true(reported.sent < 400, 'the queue has packets');
  setTimeout(() => daemon.connections[0]?.resume(), 50);
  await transport.stop();
  await until(() => daemon.connections[0]?.readableEnded === true);
  t.is(received.lines.length, 400);
});

test('a stop takes less than 4 s when the daemon never reads', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), {
    onConnection: (connection) => connection.pause(),
  });
  const { transport } = createTransport(daemon, 64_000_000);
  transport.start();
  await transport.begin();
  for (let n = 0; n < 900; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  const elapsed = startStopwatch(t);
  await transport.stop();
  t.true(elapsed() < 4000);
});
