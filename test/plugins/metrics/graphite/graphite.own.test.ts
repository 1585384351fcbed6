import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { parseHostPort } from '../../../../core/common/text/host-port.js';
import type { OptionValues, PushSink } from '../../../../core/contract/index.js';
import graphite from '../../../../plugins/metrics/graphite/index.js';
import { freePort } from '../../../helpers/free-port.js';
import { startPushSink } from '../../../helpers/sink-under-test.js';
import { ReceivedLines, startTcpDaemon } from '../../../helpers/statsd-daemon.js';
import { batchOf, sample } from '../../../helpers/statsd-sink.js';
import { until } from '../../../helpers/until.js';

type Options = OptionValues<typeof graphite.options>;

const never = (): AbortSignal => new AbortController().signal;

const optionsFor = (port: number, options: Partial<Options> = {}): Options => ({
  address: parseHostPort(`127.0.0.1:${port}`),
  writeInterval: 10_000,
  prefix: '',
  tags: 'none',
  nodePrefix: 'escaped',
  maxQueuedBytes: 8_388_608,
  ...options,
});

const start = (t: ExecutionContext, port: number, options: Partial<Options> = {}) =>
  startPushSink(t, graphite, optionsFor(port, options));

const push = (sink: PushSink, name: string, value = 1): Promise<void> =>
  sink.push.flush(batchOf({ counters: [sample(name, value)] }), never());

/** The lines without their times. */
const untimed = ({ lines }: ReceivedLines): string[] => lines.map((line) => line.replace(/ \d+$/, ''));

test('a push sends every value with the present time in seconds', async (t) => {
  const received = new ReceivedLines();
  const { port, bytes } = await startTcpDaemon(t, received);
  const { sink, counted } = await start(t, port, { prefix: 'org1' });
  await sink.push.flush(
    batchOf({
      counters: [sample('calls', 3, { channel: 'ch1' })],
      gauges: [{ ...sample('height', -2), node: 'peer0' }, sample('infinite', Infinity)],
    }),
    never(),
  );
  await until(() => received.lines.length === 2);
  t.deepEqual(untimed(received), ['org1.calls.ch1 3', 'org1.peer0.height -2']);
  const time = Number(received.lines[0]?.split(' ')[2]);
  t.true(Math.abs(time - Date.now() / 1000) < 300);
  t.is(await counted('fabric_ops_agent_graphite_dropped_total', 'value'), 1);
  t.is(await counted('fabric_ops_agent_graphite_flushes_total', 'succeeded'), 1);
  t.is(await counted('fabric_ops_agent_graphite_sent_bytes_total'), bytes());
});

test('values pushed without a receiver are queued with their times, and sent when it starts', async (t) => {
  const port = await freePort();
  const { sink, counted, log } = await start(t, port);
  for (let value = 1; value <= 3; value += 1) {
    await push(sink, 'calls', value);
    await sleep(1_050);
  }
  t.is(await counted('fabric_ops_agent_graphite_flushes_total', 'queued'), 3);
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.lines.length >= 3);
  t.deepEqual(untimed(received), ['calls 1', 'calls 2', 'calls 3']);
  t.is(new Set(received.lines.map((line) => line.split(' ')[2])).size, 3);
  t.true((await counted('fabric_ops_agent_graphite_reconnects_total')) === 1);
  t.deepEqual(log, [
    `warn graphite 127.0.0.1:${port} is unreachable, values are queued: connect ECONNREFUSED 127.0.0.1:${port}`,
    `info graphite 127.0.0.1:${port} is reachable again`,
  ]);
});

test('over a restart of the receiver every value arrives', async (t) => {
  const received = new ReceivedLines();
  const first = await startTcpDaemon(t, received);
  const { sink } = await start(t, first.port);
  await push(sink, 'a');
  await until(() => received.lines.length === 1);
  await first.kill();
  await push(sink, 'b');
  await push(sink, 'c');
  await startTcpDaemon(t, received, { port: first.port });
  await push(sink, 'd');
  await until(() => untimed(received).includes('d 1'));
  // Values of the last second before the connection was lost are sent again.
  t.deepEqual([...new Set(untimed(received))], ['a 1', 'b 1', 'c 1', 'd 1']);
});

test('more than maxQueuedBytes drops the oldest values and counts them', async (t) => {
  const port = await freePort();
  const { sink, counted } = await start(t, port, { maxQueuedBytes: 60 });
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await push(sink, name);
  // Each line has 15 bytes.
  t.is(await counted('fabric_ops_agent_graphite_dropped_total', 'queue'), 2);
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.lines.length === 4);
  t.deepEqual(untimed(received), ['c 1', 'd 1', 'e 1', 'f 1']);
});

test('a receiver that reads nothing does not block a push, and the queue is bounded', async (t) => {
  const { port } = await startTcpDaemon(t, new ReceivedLines(), {
    onConnection: (connection) => connection.pause(),
  });
  const { sink, counted } = await start(t, port, { maxQueuedBytes: 100_000, prefix: 'p'.repeat(400) });
  const counters = Array.from({ length: 20_000 }, (_, index) => sample(`c${index}`, 1));
  await sink.push.flush(batchOf({ counters }), never());
  t.true((await counted('fabric_ops_agent_graphite_dropped_total', 'queue')) > 0);
  t.is(await counted('fabric_ops_agent_graphite_flushes_total', 'queued'), 1);
});

test('a stop without a receiver says how much was queued', async (t) => {
  const port = await freePort();
  const { sink, log } = await start(t, port);
  await push(sink, 'a');
  await sink.stop?.();
  t.is(log.at(-1), `warn graphite 127.0.0.1:${port}: 15 bytes were still queued and are lost`);
});

test('a stop sends the queue to a receiver that listens', async (t) => {
  const received = new ReceivedLines();
  const { port, connections } = await startTcpDaemon(t, received);
  const { sink, log } = await start(t, port);
  const counters = Array.from({ length: 5_000 }, (_, index) => sample(`c${index}`, 1));
  await sink.push.flush(batchOf({ counters }), never());
  await sink.stop?.();
  await until(() => received.lines.length === 5_000);
  await until(() => connections[0]?.readableEnded === true);
  t.deepEqual(log, []);
});

test('a push that is aborted fails with the receiver and the reason, and is counted', async (t) => {
  const { port } = await startTcpDaemon(t, new ReceivedLines());
  const { sink, counted } = await start(t, port);
  // More than one packet, after which the signal is read.
  const counters = Array.from({ length: 3_000 }, (_, index) => sample(`c${index}`, 1));
  const batch = batchOf({ counters });
  await t.throwsAsync(sink.push.flush(batch, AbortSignal.abort(new Error('the agent stops'))), {
    message: `graphite 127.0.0.1:${port}: the agent stops`,
  });
  t.is(await counted('fabric_ops_agent_graphite_flushes_total', 'failed'), 1);
});

for (const [option, value, message] of [
  ['writeInterval', 9, 'options.writeInterval: must be at least 10ms: value was 9ms'],
  ['address', parseHostPort('host:0'), 'options.address: the port must not be 0: value was "host:0"'],
] as const)
  test(`the option ${option} is checked: ${message}`, async (t) => {
    await t.throwsAsync(start(t, 1, { [option]: value }), { message });
  });

test('while values are only queued, the sink says that nothing is delivered', async (t) => {
  const port = await freePort();
  const { sink } = await start(t, port);
  await push(sink, 'a');
  const queued = `graphite 127.0.0.1:${port}: values are queued: the daemon is not connected: connect ECONNREFUSED 127.0.0.1:${port}`;
  await until(() => sink.push.rejected?.() === queued);
  const received = new ReceivedLines();
  await startTcpDaemon(t, received, { port });
  await until(() => received.lines.length === 1);
  await push(sink, 'b');
  await until(() => sink.push.rejected?.() === undefined);
  t.pass();
});
