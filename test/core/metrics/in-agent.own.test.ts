// Sources in a real agent, with its scrapes and its pushes to a StatsD daemon.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { SourceReading } from '../../../core/contract/index.js';
import { startAgent } from '../../helpers/agent.js';
import {
  counters,
  declareSource,
  FAKE_NODE,
  FakeSource,
  family,
  histogram,
} from '../../helpers/fake-source.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { until } from '../../helpers/until.js';

/** Longer than a reading is used. */
const NEXT_READING = 1_100;

/** A StatsD daemon that adds up what it gets, by bucket. */
async function startDaemon(t: ExecutionContext): Promise<{
  readonly address: string;
  readonly sums: Map<string, number>;
  readonly counts: Map<string, number>;
}> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  t.teardown(() => socket.close());
  await once(socket, 'listening');
  const [sums, counts] = [new Map<string, number>(), new Map<string, number>()];
  socket.on('message', (message) => {
    for (const line of message.toString().split('\n').filter(Boolean)) {
      const [bucket = '', value = ''] = line.split(/[:|]/);
      sums.set(bucket, (sums.get(bucket) ?? 0) + Number(value));
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    }
  });
  return { address: `127.0.0.1:${socket.address().port}`, sums, counts };
}

function reading(startTime: number, calls: number, observations: number, level: number): SourceReading {
  const took = histogram([0, observations, observations], observations * 0.25);
  return {
    startTime,
    families: [
      ...counters(undefined, calls).families,
      family('gauge', 'level', [[{}, level]]),
      family('histogram', 'took', [[{ channel: 'my.chan' }, took]]),
    ],
  };
}

test.serial(
  'a node that is killed disappears from scrapes and pushes, and returns with nothing lost',
  async (t) => {
    const source = new FakeSource(FAKE_NODE);
    source.reading = reading(1000, 10, 100, 7);
    const daemon = await startDaemon(t);
    const { agent, url } = await startAgent(t, {
      plugins: [
        { plugin: 'prometheus' },
        { plugin: 'statsd', options: { address: daemon.address, writeInterval: '20ms', prefix: 'p' } },
        declareSource(t, source),
      ],
    });
    const scrape = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();

    const up = await scrape();
    t.regex(up, /^calls\{n="0"\} 10$/m);
    t.regex(up, /^took_bucket\{channel="my\.chan",le="\+Inf"\} 100$/m);
    t.regex(up, /source_up\{node="peer0"\} 1$/m);
    await until(() => daemon.counts.has('p.level'));
    t.is(daemon.sums.get('p.calls.0'), undefined);

    source.reading = reading(1000, 12, 103, 7);
    await until(() => daemon.sums.get('p.took.my_chan') === 750);
    t.is(daemon.sums.get('p.calls.0'), 2);
    t.is(daemon.counts.get('p.took.my_chan'), 3);

    source.reading = undefined;
    await sleep(NEXT_READING);
    const down = await scrape();
    t.notRegex(down, /^(?:calls|level|took)/m);
    t.regex(down, /source_up\{node="peer0"\} 0$/m);
    t.regex(down, /source_failures_total\{node="peer0",reason="other"\} [1-9]/m);
    await sleep(100);
    const levels = daemon.counts.get('p.level');
    await sleep(100);
    t.is(daemon.counts.get('p.level'), levels);

    source.reading = reading(2000, 5, 1, 8);
    await until(() => daemon.sums.get('p.calls.0') === 7);
    await until(() => daemon.sums.get('p.took.my_chan') === 1000);
    // Scrapes of one second share a rendering.
    await until(async () => /^level 8$/m.test(await scrape()));

    source.reading = reading(2000, 6, 1, 8);
    await sleep(NEXT_READING);
    await agent.stop();
    await until(() => daemon.sums.get('p.calls.0') === 8);
  },
);

test.serial('several nodes have the label node and separate prefixes', async (t) => {
  const daemon = await startDaemon(t);
  const sources = ['peer0', 'orderer'].map((name, index) => {
    const source = new FakeSource(FAKE_NODE);
    source.reading = { families: [family('gauge', 'level', [[{ channel: 'ch1' }, index]])] };
    return declareSource(t, source, name);
  });
  const { url } = await startAgent(t, {
    plugins: [
      ...sources,
      { plugin: 'prometheus' },
      { plugin: 'statsd', options: { address: daemon.address, writeInterval: '20ms', prefix: 'p' } },
    ],
  });
  const text = await (await fetch(`${url}/metrics`)).text();
  t.regex(text, /^level\{channel="ch1",node="peer0"\} 0\nlevel\{channel="ch1",node="orderer"\} 1$/m);
  await until(() => daemon.counts.has('p.orderer.level.ch1'));
  t.true(daemon.counts.has('p.peer0.level.ch1'));
});

test.serial('relayed histograms can be pushed as counters of their count and sum', async (t) => {
  const daemon = await startDaemon(t);
  const source = new FakeSource(FAKE_NODE);
  source.reading = reading(Date.now() / 1000 + 3600, 1, 4, 0);
  const options = { address: daemon.address, writeInterval: '20ms', histograms: 'totals' };
  await startAgent(t, { plugins: [declareSource(t, source), { plugin: 'statsd', options }] });
  await until(() => daemon.sums.has('took.my_chan.sum'));
  t.is(daemon.sums.get('took.my_chan.count'), 4);
  t.is(daemon.sums.get('took.my_chan.sum'), 1000);
  t.false(daemon.counts.has('took.my_chan'));
});

test.serial('a checker sees the latest readings, and can have the name of a source', async (t) => {
  const source = new FakeSource();
  source.reading = { families: [family('gauge', 'height', [[{}, 4]])] };
  const check = `async check(signal) { const [{ name, reading }] = await readings.read({ maxAge: Infinity, signal });
    throw new Error(name + ' ' + (reading === undefined ? 'unread' : reading.families[0].series[0].value)); }`;
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'checker.js': `export default { apiVersion: 1, kind: 'checker', name: 'peer0', options: {}, create: ({ readings }) => ({ ${check} }) };`,
  });
  const { url } = await startAgent(t, {
    plugins: [{ plugin: `${folder}/checker.js` }, { plugin: 'prometheus' }, declareSource(t, source)],
  });
  const reasons = async (): Promise<unknown> =>
    ((await (await fetch(`${url}/healthz`)).json()) as { failed_checks: unknown }).failed_checks;
  t.deepEqual(await reasons(), [{ component: 'peer0', reason: 'peer0 unread' }]);
  await (await fetch(`${url}/metrics`)).text();
  t.deepEqual(await reasons(), [{ component: 'peer0', reason: 'peer0 4' }]);
});

test.serial('while a source cannot start, its readings fail with the reason', async (t) => {
  const source = Object.assign(new FakeSource(), {
    start: () => {
      throw new Error('no such node');
    },
  });
  const { url } = await startAgent(t, {
    plugins: [{ plugin: 'prometheus' }, { ...declareSource(t, source), onStartError: 'ignore' }],
  });
  t.regex(await (await fetch(`${url}/metrics`)).text(), /source_up\{node="peer0"\} 0$/m);
  t.is(source.reads, 0);
});

test.serial(
  'a source that hangs delays neither a scrape nor the end of the agent until it responds',
  async (t) => {
    const source = new FakeSource(FAKE_NODE);
    source.onRead = () => new Promise(() => undefined);
    const daemon = await startDaemon(t);
    const { agent, url } = await startAgent(t, {
      plugins: [
        declareSource(t, source),
        { plugin: 'prometheus' },
        { plugin: 'statsd', options: { address: daemon.address, writeInterval: '20ms' } },
      ],
    });
    const text = await (await fetch(`${url}/metrics`)).text();
    t.regex(text, /source_up\{node="peer0"\} 0$/m);
    await agent.stop();
  },
);

test.serial('the agent checks the readings of a third-party source', async (t) => {
  const source = new FakeSource(FAKE_NODE);
  source.reading = { families: [family('gauge', 'level', [[{ __name__: 'other' }, 1]])] };
  const { url } = await startAgent(t, { plugins: [declareSource(t, source), { plugin: 'prometheus' }] });
  const text = await (await fetch(`${url}/metrics`)).text();
  t.regex(text, /source_failures_total\{node="peer0",reason="invalid"\} 1$/m);
  t.notRegex(text, /^level/m);
});
