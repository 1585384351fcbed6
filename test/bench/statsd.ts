// A flush of many metrics over UDP: the sink compared with unmodified node-statsd and with hot-shots and its buffer, in one run.

import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StatsD as HotShots } from 'hot-shots';
import { StatsD as NodeStatsd } from 'node-statsd';
import type { PushSink } from '../../core/contract/index.js';
import { MetricStore } from '../../core/metrics/index.js';
import { MetricCursor } from '../../core/metrics/cursor.js';
import { messageOf } from './message.js';
import { median, row, type Row } from './report.js';
import { MAX_DATAGRAM, startSink } from './statsd-sink.js';
import type { Received } from './statsd-receiver.js';

const ROUNDS = 5;

/** Sends this many gauges and waits until the operating system has taken all. */
type Sender = (count: number) => Promise<void>;

interface Measured {
  /** CPU time of this process per metric, in microseconds. */
  readonly cpu: number;
  readonly received: Received;
}

/** Rows for 10,000 and 100,000 metrics. */
export async function benchStatsd(): Promise<Row[]> {
  const child = fork(fileURLToPath(new URL('statsd-receiver.js', import.meta.url)));
  const port = await messageOf<number>(child);
  const senders = { sink: ownSink(await startSink(port)), node: nodeStatsd(port), hotShots: hotShots(port) };
  const rows = [];
  for (const count of [10_000, 100_000]) rows.push(...(await compare(child, senders, count)));
  rows.push(...(await benchStalls(port)));
  child.kill();
  return rows;
}

/**
 * Runs in a separate process with a single-threaded garbage collector. A parallel collector waits for its helper threads when other
 * programs keep the processors busy, and that is not a property of the sink.
 */
async function benchStalls(port: number): Promise<Row[]> {
  const child = fork(fileURLToPath(new URL('statsd-stalls.js', import.meta.url)), [String(port)], {
    execArgv: ['--single-threaded-gc', '--expose-gc'],
  });
  const rows = await messageOf<Row[]>(child);
  child.kill();
  return rows;
}

async function compare(
  child: ChildProcess,
  senders: Readonly<Record<'sink' | 'node' | 'hotShots', Sender>>,
  count: number,
): Promise<Row[]> {
  const results = { sink: [] as Measured[], node: [] as Measured[], hotShots: [] as Measured[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of ['sink', 'node', 'hotShots'] as const) {
      const measured = await measure(child, senders[name], count);
      // The first round is warm-up.
      if (round > 0) results[name].push(measured);
    }
  }
  const cpu = (name: keyof typeof results): number => median(results[name].map((each) => each.cpu));
  const { datagrams, bytes } = results.sink[0]?.received ?? { datagrams: 0, bytes: 0 };
  const label = `statsd flush of ${count.toLocaleString('en')} metrics over UDP:`;
  return [
    row(
      `${label} datagrams against one per metric`,
      datagrams / count,
      '<=',
      1 / 25,
      `${datagrams} datagrams, ${bytes} bytes`,
    ),
    row(
      `${label} CPU against node-statsd unbatched`,
      cpu('sink') / cpu('node'),
      '<=',
      1,
      `${cpu('sink').toFixed(1)} against ${cpu('node').toFixed(1)} us per metric`,
    ),
    row(
      `${label} CPU against hot-shots batched`,
      cpu('sink') / cpu('hotShots'),
      '<=',
      2,
      `hot-shots ${cpu('hotShots').toFixed(1)} us per metric`,
    ),
  ];
}

async function measure(child: ChildProcess, send: Sender, count: number): Promise<Measured> {
  await collect(child);
  const before = process.cpuUsage();
  await send(count);
  const { user, system } = process.cpuUsage(before);
  await wait(200);
  return { cpu: (user + system) / count, received: await collect(child) };
}

async function collect(child: ChildProcess): Promise<Received> {
  child.send('');
  const received = await messageOf<Received>(child);
  return received;
}

function ownSink(sink: PushSink['push']): Sender {
  const cursors = new Map<number, MetricCursor>();
  return async (count) => {
    const cursor = cursors.get(count) ?? new MetricCursor(storeOf(count));
    cursors.set(count, cursor);
    const taken = await cursor.take();
    await sink.flush(taken.batch, new AbortController().signal);
    taken.accept();
  };
}

/** A store with this many gauges, a thousand per family. */
function storeOf(count: number): MetricStore {
  const store = new MetricStore(count);
  for (let family = 0; family < count / 1000; family += 1) {
    const gauge = store.gauge({
      name: `height_${family}`,
      help: 'A gauge.',
      labelNames: ['channel'],
    });
    for (let series = 0; series < 1000; series += 1) gauge.with({ channel: `channel${series}` }).set(series);
  }
  return store;
}

function nodeStatsd(port: number): Sender {
  const client = new NodeStatsd({ host: '127.0.0.1', port, prefix: 'fabric_ops_agent.' });
  client.socket.unref();
  return (count) =>
    new Promise((resolve) => {
      let left = count;
      const done = (): void => {
        left -= 1;
        if (left === 0) resolve();
      };
      for (let index = 0; index < count; index += 1)
        client.gauge(`height_${Math.floor(index / 1000)}.channel${index % 1000}`, index, 1, [], done);
    });
}

function hotShots(port: number): Sender {
  return (count) =>
    new Promise((resolve) => {
      const client = new HotShots({
        host: '127.0.0.1',
        port,
        prefix: 'fabric_ops_agent.',
        maxBufferSize: MAX_DATAGRAM,
      });
      for (let index = 0; index < count; index += 1)
        client.gauge(`height_${Math.floor(index / 1000)}.channel${index % 1000}`, index);
      client.close(() => resolve());
    });
}
