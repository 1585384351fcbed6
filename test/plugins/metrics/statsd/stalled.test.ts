import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { Packet } from '../../../../plugins/metrics/statsd/packets.js';
import { TcpTransport } from '../../../../plugins/metrics/statsd/tcp.js';
import { ReceivedLines, startTcpDaemon, type TcpDaemon } from '../../../helpers/statsd-daemon.js';
import { createSink } from '../../../helpers/statsd-sink.js';
import { freePort } from '../../../helpers/free-port.js';
import { until } from '../../../helpers/until.js';

/** A packet of one long line. */
function packet(name: string, isTiming = false, size = 1000): Packet {
  const line = `${name}:1.000000|${isTiming ? 'ms' : 'c'}\n`;
  return { bytes: Buffer.from(line.padStart(size, 'x')), samples: 1, isTiming };
}

/** A transport and what it told. */
function createTransport(daemon: Pick<TcpDaemon, 'port'>, maxQueued: number) {
  const told = { dropped: 0, reconnects: 0, sent: 0 };
  const transport = new TcpTransport({ host: '127.0.0.1', port: daemon.port }, maxQueued, {
    sent: () => (told.sent += 1),
    reconnected: () => (told.reconnects += 1),
    dropped: (samples) => (told.dropped += samples),
    reachable: () => undefined,
  });
  return { transport, told };
}

const namesIn = ({ lines }: ReceivedLines): string[] =>
  lines.map((line) => line.replace(/^x*/, '').replace(/:.*/, ''));

test('a daemon that stops reading for 5 s costs nothing: memory stays bounded, and everything arrives', async (t) => {
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
  const bucket = (name: string): string => `p${'x'.repeat(400)}.${name}`;
  await until(() => received.of(bucket('took.1'), 'ms').length >= observed);
  await stop();
  const values = received.of(bucket('took.1'), 'ms').map(({ value }) => value);
  t.deepEqual(
    values,
    Array.from({ length: observed }, (_, n) => n),
  );
  t.is(received.total(bucket('calls')) * 200, observed);
  t.is(await counted('statsd_dropped_total', 'queue'), 0);
  t.is(await counted('statsd_dropped_total', 'timings'), 0);
  t.is(await counted('statsd_reconnects_total'), 0);
  t.log(`${observed} observations, ${Math.round(most / 1e6)} MB more at most`);
  t.true(most < 150e6);
});

test('over the bound of the queue the oldest observations go first, and every one is counted', async (t) => {
  const port = await freePort();
  const { transport, told } = createTransport({ port }, 10_000);
  t.teardown(() => transport.stop());
  transport.start();
  for (let n = 0; n < 4; n += 1) await transport.send(packet(`c${n}`));
  for (let n = 0; n < 10; n += 1) await transport.send(packet(`t${n}`, true));
  t.is(told.dropped, 4);
  for (let n = 4; n < 7; n += 1) await transport.send(packet(`c${n}`));
  t.is(told.dropped, 7);
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.lines.length === 10);
  t.deepEqual(namesIn(received), ['c0', 'c1', 'c2', 'c3', 't7', 't8', 't9', 'c4', 'c5', 'c6']);
});

test('without observations the oldest packets go, and are counted', async (t) => {
  const port = await freePort();
  const { transport, told } = createTransport({ port }, 3000);
  t.teardown(() => transport.stop());
  transport.start();
  for (let n = 0; n < 8; n += 1) await transport.send(packet(`c${n}`));
  t.is(told.dropped, 5);
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.lines.length === 3);
  t.deepEqual(namesIn(received), ['c5', 'c6', 'c7']);
});

test('a bound smaller than one packet drops nothing while the daemon reads', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { transport, told } = createTransport(daemon, 10);
  t.teardown(() => transport.stop());
  transport.start();
  await transport.begin();
  for (let n = 0; n < 100; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  await transport.end();
  await until(() => received.lines.length === 100);
  t.is(told.dropped, 0);
});

test('a flush is refused while the daemon has not read the last one', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), {
    onConnection: (connection) => connection.pause(),
  });
  const { transport, told } = createTransport(daemon, 64_000_000);
  t.teardown(() => transport.stop());
  transport.start();
  await transport.begin();
  // More than the buffers of the system hold.
  for (let n = 0; n < 900; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  await t.throwsAsync(async () => transport.begin(), { message: 'the daemon does not read' });
  t.true(told.sent < 900);
  t.is(told.dropped, 0);
});

test('what lay unread in the process when a stalled connection broke is sent over the next one', async (t) => {
  const received = new ReceivedLines();
  let isFirst = true;
  const daemon = await startTcpDaemon(t, received, {
    onConnection: (connection) => {
      if (isFirst) connection.pause();
      isFirst = false;
    },
  });
  const { transport, told } = createTransport(daemon, 16_000_000);
  t.teardown(() => transport.stop());
  transport.start();
  await transport.begin();
  for (let n = 0; n < 900; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  const { sent } = told;
  t.true(sent < 900, 'the daemon has stalled');
  // Long after the last packet was written.
  await sleep(1500);
  daemon.connections[0]?.destroy();
  await until(() => received.lines.some((line) => line.includes('c899:')));
  const names = namesIn(received);
  const firstAgain = Number(names[0]?.slice(1));
  t.true(firstAgain < sent, 'the last packet written was still in the process');
  t.deepEqual(
    names,
    Array.from({ length: 900 - firstAgain }, (_, n) => `c${firstAgain + n}`),
  );
  t.is(told.reconnects, 1);
});

test('a stop waits for a slow daemon to read what is left', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received, {
    onConnection: (connection) => connection.pause(),
  });
  const { transport } = createTransport(daemon, 64_000_000);
  transport.start();
  await transport.begin();
  for (let n = 0; n < 900; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  setTimeout(() => daemon.connections[0]?.resume(), 200);
  await transport.stop();
  await until(() => daemon.connections[0]?.readableEnded === true);
  t.is(received.lines.length, 900);
});

test('a stop does not wait for long for a daemon that never reads', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), {
    onConnection: (connection) => connection.pause(),
  });
  const { transport } = createTransport(daemon, 64_000_000);
  transport.start();
  await transport.begin();
  for (let n = 0; n < 900; n += 1) await transport.send(packet(`c${n}`, false, 16_000));
  const began = performance.now();
  await transport.stop();
  t.true(performance.now() - began < 4000);
});
