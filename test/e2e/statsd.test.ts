// From an instrument in the built program to Graphite, through a real StatsD daemon.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { metricValue } from '../helpers/agent-endpoints.js';
import { temporaryFolder } from '../helpers/folder.js';
import { type RunningProgram, startProgram, urlOf } from '../helpers/program.js';
import { eventually } from './daemon.js';
import { configuration, startGraphite, type Graphite } from './graphite.js';

const NETWORKS = ['udp', 'tcp'] as const;
type Network = (typeof NETWORKS)[number];

/** A third-party checker: each check counts once for each label value in a file. */
const WORK = `import { readFileSync } from 'node:fs';
export default {
  apiVersion: 1, kind: 'checker', name: 'work', options: { file: { format: String, doc: 'what to do' } },
  create({ options, metrics }) {
    const family = { namespace: 'shop', subsystem: 'orders', help: 'Of the test.', labelNames: ['kind'] };
    const count = metrics.counter({ ...family, name: 'count' });
    const balance = metrics.gauge({ ...family, name: 'balance' });
    const duration = metrics.histogram({ ...family, name: 'duration' });
    return {
      check() {
        for (const [kind, level] of JSON.parse(readFileSync(options.file, 'utf8'))) {
          count.with({ kind }).inc();
          balance.with({ kind }).set(level);
          duration.with({ kind }).observe(0.25);
          // StatsD cannot represent a negative timing.
          if (level < 0) duration.with({ kind }).observe(level);
        }
      },
    };
  },
};
`;

/** The program with the checker, and access to its metrics. */
interface Worker {
  readonly program: RunningProgram;
  /** Runs checks, with a gauge value for each label value. */
  readonly work: (levels: Readonly<Record<string, number>>, times: number, interval: number) => Promise<void>;
  /** The value of a metric; undefined without it. */
  readonly metric: (series: string) => Promise<number | undefined>;
}

/** @param tags the label encoding; without it, the configuration of the README is used */
async function startWorker(
  t: ExecutionContext,
  network: Network,
  port: number,
  tags?: string,
): Promise<Worker> {
  const statsd = configuration('agent.yaml', {
    'network: udp': `network: ${network}`,
    8125: String(port),
    'writeInterval: 10s': 'writeInterval: 200ms',
  });
  const directory = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'work.js': WORK,
    'agent.yaml': [
      ...(tags === undefined ? [statsd] : []),
      "operations: { listenAddress: '127.0.0.1:0' }",
      // The run at the start fails, because the file does not exist yet.
      'health: { interval: 1h, cacheFor: 0s }',
      'plugins:',
      ...(tags === undefined ? [] : [declareWithTags(network, port, tags)]),
      '  - plugin: prometheus',
      '  - { plugin: ./work.js, options: { file: work.json } }',
    ].join('\n'),
  });
  const program = startProgram(t, ['start', '--config', join(directory, 'agent.yaml')], { cwd: directory });
  const url = await urlOf(program);
  return {
    program,
    async work(levels, times, interval) {
      writeFileSync(join(directory, 'work.json'), JSON.stringify(Object.entries(levels)));
      for (let time = 0; time < times; time += 1) {
        const reply = await fetch(`${url}/healthz`);
        if (!reply.ok) throw new Error(await reply.text());
        await sleep(interval);
      }
    },
    metric: (series) => metricValue(url, series),
  };
}

const declareWithTags = (network: Network, port: number, tags: string): string =>
  `  - { plugin: statsd, options: { network: ${network}, address: '127.0.0.1:${port}', writeInterval: 200ms, tags: ${tags} } }`;

const sum = async (graphite: Graphite, series: string): Promise<number> =>
  (await graphite.points(series)).reduce((total, [, value]) => total + value, 0);

/** Waits until the points of a series have this sum, and then for longer than a flush of the daemon: the sum must not change. */
async function addsUpTo(t: ExecutionContext, graphite: Graphite, series: string, expected: number) {
  await eventually(async () => {
    const total = await sum(graphite, series);
    if (total < expected) throw new Error(`${series} is ${total}, not ${expected} yet`);
  });
  await sleep(2_500);
  t.is(await sum(graphite, series), expected);
}

for (const network of NETWORKS) {
  test.serial(
    `over ${network} all counts, gauges and timings of 4 s arrive in Graphite, with a prefix`,
    async (t) => {
      const graphite = await startGraphite(t);
      await graphite.startStatsd();
      const { work, metric } = await startWorker(t, network, graphite.port);

      await work({ big: 1_234_567.5, debt: -4.25 }, 200, 20);

      const name = 'peer-0.fabric_ops_agent.shop_orders';
      await addsUpTo(t, graphite, `stats.counters.${name}.count.big.count`, 200);
      t.is(await sum(graphite, `stats.counters.${name}.count.debt.count`), 200);
      t.is(await metric('fabric_ops_agent_shop_orders_count{kind="big"}'), 200);
      const points = await graphite.points(`stats.counters.${name}.count.big.count`);
      t.true(points.filter(([, value]) => value > 0).length >= 3);

      const last = async (series: string): Promise<unknown> => (await graphite.points(series)).at(-1)?.[1];
      t.is(await last(`stats.gauges.${name}.balance.big`), 1_234_567.5);
      t.is(await last(`stats.gauges.${name}.balance.debt`), -4.25);
      t.is(await sum(graphite, `stats.timers.${name}.duration.big.count`), 200);
      t.is(await sum(graphite, `stats.timers.${name}.duration.debt.count`), 200);
      t.is(await last(`stats.timers.${name}.duration.debt.upper`), 250);
      t.is(await last(`stats.timers.${name}.duration.debt.lower`), 250);
      t.is(await metric('fabric_ops_agent_statsd_dropped_total{reason="value",sink="statsd"}'), 200);

      t.regex(await graphite.command('stats'), /^messages.bad_lines_seen: 0$/m);
      t.is(await sum(graphite, 'stats.statsd.bad_lines_seen'), 0);
    },
  );

  test.serial(
    `over ${network} hostile label values cause no bad line, no forged bucket and no wrong value`,
    async (t) => {
      const graphite = await startGraphite(t);
      await graphite.startStatsd();
      const { work } = await startWorker(t, network, graphite.port);

      const hostile = {
        'x:1|c\nforged:1|c': 'x_1_c_forged_1_c',
        'bar|@0.1': 'bar_0_1',
        'hash|#tag:x': 'hash__tag_x',
        'semi;colon=1': 'semi_colon_1',
        'tls (operations)': 'tls__operations_',
        '{a,b}[c]*?$': '_a_b__c____',
        'nul\u0000\u2028\u0085': 'nul_u0000_u2028_u0085',
        'a.b/../c': 'a_b____c',
        // Over tcp the daemon clears the highest bit of each byte: these would be a line feed and a colon.
        'line\u010aforged': network === 'tcp' ? 'line_forged' : 'lineforged',
        'colon\u00ba1': network === 'tcp' ? 'colon_1' : 'colon1',
        ['long'.repeat(2_500)]: undefined,
      };
      await work(Object.fromEntries(Object.keys(hostile).map((kind) => [kind, -1])), 10, 10);

      const counters = 'stats.counters.peer-0.fabric_ops_agent.shop_orders.count';
      const buckets = Object.values(hostile).filter((bucket) => bucket !== undefined);
      for (const bucket of buckets)
        await eventually(async () => check(await sum(graphite, `${counters}.${bucket}.count`), 10));
      await sleep(2_500);
      for (const bucket of buckets) t.is(await sum(graphite, `${counters}.${bucket}.count`), 10, bucket);
      // Graphite cannot store the long one: the directory name would be too long.
      t.deepEqual(
        readdirSync(join(graphite.storage, counters.replaceAll('.', '/'))).toSorted(),
        buckets.toSorted(),
      );
      t.deepEqual(readdirSync(join(graphite.storage, 'stats/counters')).toSorted(), ['peer-0', 'statsd']);
      t.deepEqual(readdirSync(join(graphite.storage, 'stats/gauges')).toSorted(), ['peer-0', 'statsd']);
      t.regex(await graphite.command('stats'), /^messages.bad_lines_seen: 0$/m);
    },
  );

  test.serial(
    `over ${network} counts are complete after the StatsD daemon was killed between pushes and restarted`,
    async (t) => {
      const graphite = await startGraphite(t);
      const first = await graphite.startStatsd();
      const { program, work, metric } = await startWorker(t, network, graphite.port);
      const counter = (phase: string): string =>
        `stats.counters.peer-0.fabric_ops_agent.shop_orders.count.${phase}.count`;

      await work({ before: 1 }, 20, 20);
      // Also waits until no counts are in transit: they would be sent again, since they may not have been read.
      await addsUpTo(t, graphite, counter('before'), 20);
      await first.stop('SIGKILL');
      await program.line(/pushing metrics failed, the values are kept for the next push: /);
      await work({ during: 2 }, 50, 20);

      await graphite.startStatsd();
      await program.line(/pushing metrics works again/);
      await work({ after: -3 }, 50, 20);

      await addsUpTo(t, graphite, counter('after'), 50);
      t.is(await sum(graphite, counter('before')), 20);
      t.is(await sum(graphite, counter('during')), 50);
      t.is(await metric('fabric_ops_agent_shop_orders_count{kind="during"}'), 50);
      t.is(
        (await graphite.points('stats.gauges.peer-0.fabric_ops_agent.shop_orders.balance.after')).at(-1)?.[1],
        -3,
      );
      t.is(program.stderr().match(/pushing metrics failed/g)?.length, 1);
      t.regex(await graphite.command('stats'), /^messages.bad_lines_seen: 0$/m);
    },
  );
}

for (const tags of ['dogstatsd', 'graphite']) {
  test.serial(
    `with tags: ${tags} labels are tags of the series in Graphite, also hostile ones`,
    async (t) => {
      const graphite = await startGraphite(t);
      await graphite.startStatsd();
      const { work } = await startWorker(t, 'udp', graphite.port, tags);

      await work({ big: 3, 'a,b|#c;d=e:1|c\nforged:1|c': -1 }, 10, 20);

      const series = 'stats.counters.fabric_ops_agent.shop_orders.count.count';
      await addsUpTo(t, graphite, `${series};kind=big`, 10);
      t.is(await sum(graphite, `${series};kind=a_b__c_d_e_1_c_forged_1_c`), 10);
      t.is(
        (await graphite.points('stats.gauges.fabric_ops_agent.shop_orders.balance;kind=big')).at(-1)?.[1],
        3,
      );
      t.regex(await graphite.command('stats'), /^messages.bad_lines_seen: 0$/m);
    },
  );
}

function check(found: number, expected: number): void {
  if (found < expected) throw new Error(`${found} is not ${expected} yet`);
}
