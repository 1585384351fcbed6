// The graphite sink with a real carbon-cache and a real VictoriaMetrics, which are restarted: no point is lost.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram, urlOf, type RunningProgram } from '../helpers/program.js';
import { metricValue } from '../helpers/agent-endpoints.js';
import { check, eventually, type Daemon } from './daemon.js';
import { prepareCarbon, type Point } from './graphite.js';
import { prepareVictoriaMetrics } from './victoria-metrics.js';

/** A checker that counts its checks, with a hostile label too. */
const WORK = `export default {
  apiVersion: 1, kind: 'checker', name: 'work', options: {},
  create({ metrics }) {
    const count = metrics.counter({ namespace: 'shop', name: 'count', help: 'Of the test.', labelNames: ['kind'] });
    const duration = metrics.histogram({ namespace: 'shop', name: 'duration', help: 'Of the test.', buckets: [0.1, 1] });
    return { check() { count.with({ kind: 'a/../b*;c' }).inc(); count.with({ kind: 'big' }).inc(); duration.observe(0.5); } };
  },
};
`;

/** An agent that pushes every second, and its address. */
async function startAgent(
  t: ExecutionContext,
  port: number,
  tags: string,
): Promise<{ program: RunningProgram; url: string }> {
  const options = { address: `127.0.0.1:${port}`, writeInterval: '1s', prefix: 'org1', tags };
  const directory = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'work.js': WORK,
    'agent.yaml': JSON.stringify({
      operations: { listenAddress: '127.0.0.1:0' },
      health: { interval: '1h', cacheFor: '0s' },
      plugins: [{ plugin: 'prometheus' }, { plugin: 'graphite', options }, { plugin: './work.js' }],
    }),
  });
  const program = startProgram(t, ['start', '--config', join(directory, 'agent.yaml')], { cwd: directory });
  return { program, url: await urlOf(program) };
}

/** A receiver under test. */
interface Receiver {
  readonly port: number;
  readonly start: () => Promise<Daemon>;
  /** The points of the counter of the checker. */
  readonly points: () => Promise<readonly Point[]>;
}

/** Counts, restarts the receiver while the agent pushes, counts again, and returns the points. */
async function overRestart(
  t: ExecutionContext,
  { port, start, points }: Receiver,
  tags: string,
): Promise<readonly Point[]> {
  const first = await start();
  const { program, url } = await startAgent(t, port, tags);
  const work = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await fetch(`${url}/healthz`);
      await sleep(20);
    }
  };
  await work(50);
  await eventually(async () => check((await points()).length > 0, 'no points yet'));
  await first.stop('SIGTERM');
  await program.line(/graphite 127\.0\.0\.1:\d+ is unreachable, values are queued: /);
  await work(150);
  await start();
  await program.line(/graphite 127\.0\.0\.1:\d+ is reachable again/);
  await work(50);
  const total = (await metricValue(url, 'fabric_ops_agent_shop_count{kind="big"}')) ?? NaN;
  t.true(total >= 250);
  await eventually(async () =>
    check((await points()).at(-1)?.[1] === total, `the last value is not ${total} yet`),
  );
  t.is(
    await metricValue(url, 'fabric_ops_agent_graphite_dropped_total{reason="queue",sink="graphite"}'),
    undefined,
  );
  return points();
}

/** The agent pushes every second: a longer gap is a lost point. A second without a push is one between two late ones. */
function assertComplete(t: ExecutionContext, points: readonly Point[]): void {
  const gaps = points.slice(1).map(([time], index) => time - (points[index]?.[0] ?? 0));
  t.true(points.length >= 6, `${points.length} points`);
  t.true(Math.max(...gaps) <= 2, `gaps of ${gaps.join()} s`);
  const values = points.map(([, value]) => value);
  t.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  );
}

test.serial('carbon-cache has every point over its restart', async (t) => {
  const carbon = await prepareCarbon(t, '.*');
  const name = 'org1.fabric_ops_agent.shop';
  const points = await overRestart(
    t,
    { port: carbon.receiver, start: carbon.start, points: () => carbon.points(`${name}.count.big`) },
    'none',
  );
  assertComplete(t, points);
  const total = points.at(-1)?.[1];
  const last = async (series: string): Promise<unknown> =>
    (await carbon.points(`${name}.${series}`)).at(-1)?.[1];
  t.is(await last('count.a____b__c'), total);
  t.is(await last('duration.count'), total);
  t.is(await last('duration.sum'), Number(total) / 2);
  t.is(await last('duration.bucket.0_1'), 0);
  t.is(await last('duration.bucket.1'), total);
  t.is(await last('duration.bucket.inf'), total);
});

test.serial('VictoriaMetrics has every point over its restart, with labels', async (t) => {
  const { port, start, series } = await prepareVictoriaMetrics(t);
  const points = async (match: string): Promise<readonly Point[]> => (await series(match))[0]?.points ?? [];
  const name = 'org1.fabric_ops_agent.shop';
  const found = await overRestart(
    t,
    {
      port,
      start,
      points: () => points(`{__name__="${name}.count",kind="big"}`),
    },
    'graphite',
  );
  assertComplete(t, found);
  const total = found.at(-1)?.[1];
  const last = async (match: string): Promise<unknown> => (await points(match)).at(-1)?.[1];
  t.is(await last(`{__name__="${name}.duration.count"}`), total);
  t.is(await last(`{__name__="${name}.duration.bucket",le="0.1"}`), 0);
  t.is(await last(`{__name__="${name}.duration.bucket",le="inf"}`), total);
});
