// What a real StatsD daemon receives when the daemon or the network fails.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { until } from '../helpers/until.js';
import { bucketOf, startBusyAgent } from './busy-agent.js';
import { eventually } from './daemon.js';
import { prepareStatsd, type Recording } from './recording-statsd.js';

const NETWORKS = ['udp', 'tcp'] as const;
/** Milliseconds. */
const INTERVAL = 200;
const FAILED = /pushing metrics failed, the values are kept for the next push: (\S+ \S+): (.*)/;
const WORKS = /pushing metrics works again/;

const sink = (network: string, port: number, host = '127.0.0.1'): Record<string, unknown> => ({
  network,
  address: `${host}:${port}`,
  writeInterval: `${INTERVAL}ms`,
  prefix: 'p',
});

/** The difference between what was received and what was counted, by counter. A negative number is missing. */
function excesses({ counters }: Recording, series: number, counted: number, prefix = 'p'): number[] {
  return Array.from({ length: series }, (_, n) => (counters.get(bucketOf(prefix, n)) ?? 0) - counted);
}

/** Waits until every counter was received completely, and then for some pushes, so that surplus values would be seen. */
async function isComplete(recorded: () => Recording, series: number, counted: number, prefix = 'p') {
  await eventually(async () => {
    const missing = excesses(recorded(), series, counted, prefix).filter((excess) => excess < 0);
    if (missing.length > 0) throw new Error(`${missing.length} counters lack up to ${-Math.min(...missing)}`);
  });
  await sleep(5 * INTERVAL);
}

/** How many bytes are in the receive buffers of a port. */
function unread(network: string, port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  const queues = readFileSync(`/proc/net/${network}`, 'utf8').matchAll(
    /^ *\d+: (\w+:\w+ )(?:\w+:\w+) \w+ \w+:(\w+) /gm,
  );
  return Math.max(
    0,
    ...[...queues].map(([, at = '', size]) => (at.endsWith(local) ? parseInt(size ?? '', 16) : 0)),
  );
}

for (const network of NETWORKS) {
  test.serial(`over ${network} a daemon that starts after the agent gets every count`, async (t) => {
    const statsd = await prepareStatsd(t);
    const { program, work } = await startBusyAgent(t, sink(network, statsd.port));
    for (let round = 0; round < 10; round += 1) {
      await work({ series: 50, by: 7, observations: 1, level: -round });
      await sleep(INTERVAL);
    }
    const [, where, reason] = await program.line(FAILED);
    t.is(where, `${network} 127.0.0.1:${statsd.port}`);
    t.regex(reason ?? '', /ECONNREFUSED/);

    await statsd.start();
    await program.line(WORKS);
    await isComplete(statsd.recorded, 50, 70);
    const excess = excesses(statsd.recorded(), 50, 70);
    // A push over udp during which the daemon started is sent again completely.
    if (network === 'tcp') t.deepEqual([...new Set(excess)], [0]);
    else t.true(excess.every((more) => more === 0 || more === 70));
    t.deepEqual(
      statsd.recorded().values('p.fabric_ops_agent.shop.took', 'ms').slice(-10),
      Array.from({ length: 10 }, (_, n) => n),
    );
    t.is(statsd.recorded().values('p.fabric_ops_agent.shop.level', 'g').at(-1), -9);
  });
}

test.serial(
  'over tcp with unacknowledged: resend, a daemon that is killed during a flush and restarted after 10 intervals misses no count, and gets only data in transit twice',
  async (t) => {
    const SERIES = 15_000;
    // Long lines, so that a push does not fit into the socket buffers.
    const prefix = 'p'.repeat(300);
    // The daemon reads slowly, so that it can be killed during a push.
    const statsd = await prepareStatsd(t, { rest: 10 });
    const daemon = await statsd.start();
    const { program, work, metric } = await startBusyAgent(t, {
      ...sink('tcp', statsd.port),
      prefix,
      unacknowledged: 'resend',
    });
    await work({ series: SERIES, by: 1 });
    await isComplete(statsd.recorded, SERIES, 1, prefix);

    let counted = 1;
    for (let isUnderWay = false; !isUnderWay;) {
      const before = statsd.size();
      await work({ series: SERIES, by: 10 });
      counted += 10;
      await until(() => statsd.size() > before + 100_000, 1);
      daemon.pause();
      await sleep(INTERVAL);
      if (unread('tcp', statsd.port) > 100_000) break;
      // The daemon has read everything already; try again.
      daemon.resume();
      await isComplete(statsd.recorded, SERIES, counted, prefix);
    }
    t.log(`${unread('tcp', statsd.port)} bytes in transit`);
    await daemon.stop('SIGKILL');
    const first = statsd.recorded();
    t.true(Math.min(...excesses(first, SERIES, counted, prefix)) < 0, 'the push has not arrived');

    await program.line(FAILED);
    for (let round = 0; round < 10; round += 1) {
      await work({ series: SERIES, by: 100 });
      await sleep(INTERVAL);
    }
    await statsd.start();
    await program.line(WORKS);
    await work({ series: SERIES, by: 10_000 });
    await isComplete(statsd.recordedByAll, SERIES, counted + 11_000, prefix);

    const all = excesses(statsd.recordedByAll(), SERIES, counted + 11_000, prefix);
    t.is(Math.min(...all), 0, 'nothing is lost');
    const duplicates = all.filter((excess) => excess > 0);
    t.log(`${duplicates.length} of ${SERIES} counters have values that were sent twice`);
    t.deepEqual(
      [...new Set(duplicates)].filter((excess) => excess !== 10),
      [],
    );
    t.is(await metric('fabric_ops_agent_statsd_dropped_total{reason="queue",sink="statsd"}'), undefined);
  },
);

test.serial(
  'over udp a daemon that is killed during a flush and restarted after 10 intervals gets every count since the kill',
  async (t) => {
    const SERIES = 500;
    const statsd = await prepareStatsd(t);
    const daemon = await statsd.start();
    const { program, work } = await startBusyAgent(t, sink('udp', statsd.port));
    await work({ series: SERIES, by: 1 });
    await isComplete(statsd.recorded, SERIES, 1);

    daemon.pause();
    await work({ series: SERIES, by: 10 });
    await until(() => unread('udp', statsd.port) > 20_000, 1);
    await daemon.stop('SIGKILL');
    await program.line(FAILED);
    for (let round = 0; round < 10; round += 1) {
      await work({ series: SERIES, by: 100 });
      await sleep(INTERVAL);
    }
    await statsd.start();
    await program.line(WORKS);
    await work({ series: SERIES, by: 10_000 });
    await isComplete(statsd.recorded, SERIES, 11_000);

    // Sent twice: data in transit at the kill when the operating system reported an error, and a push that arrived in part.
    const more = [...new Set(excesses(statsd.recorded(), SERIES, 11_000))];
    t.true(
      more.every((excess) => [0, 10, 1000, 1010].includes(excess)),
      more.join(),
    );
  },
);

for (const network of NETWORKS) {
  test.serial(
    `over ${network} the memory of the agent stays bounded while the daemon is stopped`,
    async (t) => {
      const SERIES = 4000;
      const prefix = 'p'.repeat(network === 'tcp' ? 300 : 1);
      const statsd = await prepareStatsd(t);
      const daemon = await statsd.start();
      const { program, work, metric, memory } = await startBusyAgent(t, {
        ...sink(network, statsd.port),
        prefix,
      });
      await work({ series: SERIES });
      await isComplete(statsd.recorded, SERIES, 1, prefix);

      const before = memory();
      let most = before;
      let rounds = 1;
      daemon.pause();
      const end = performance.now() + 5000;
      // Over tcp until the buffers of the system are full, too.
      while (performance.now() < end || (network === 'tcp' && !FAILED.test(program.stderr()))) {
        await work({ series: SERIES, observations: 500 });
        rounds += 1;
        most = Math.max(most, memory());
        await sleep(100);
      }
      daemon.resume();
      t.log(`${rounds} rounds of work, ${Math.round((most - before) / 1e6)} MB more at most`);
      t.true(most - before < 150e6);

      if (network === 'udp') {
        // Datagrams that did not fit into the receive buffer are lost; later ones arrive.
        await eventually(async () => {
          if (unread('udp', statsd.port) > 0)
            throw new Error('the daemon has not read its receive buffer yet');
        });
        await work({ level: rounds });
        await eventually(async () => {
          if (statsd.recorded().values(`${prefix}.fabric_ops_agent.shop.level`, 'g').at(-1) !== rounds)
            throw new Error('not received yet');
        });
        t.notRegex(program.stderr(), FAILED);
        return;
      }
      await program.line(WORKS);
      t.regex(program.stderr(), /pushing metrics failed, .*: the daemon does not read/);
      await isComplete(statsd.recorded, SERIES, rounds, prefix);
      t.deepEqual([...new Set(excesses(statsd.recorded(), SERIES, rounds, prefix))], [0]);
      t.deepEqual(
        statsd.recorded().values(`${prefix}.fabric_ops_agent.shop.took`, 'ms'),
        Array.from({ length: (rounds - 1) * 500 }, (_, n) => n),
      );
      t.is(await metric('fabric_ops_agent_statsd_reconnects_total{sink="statsd"}'), undefined);
    },
  );

  test.serial(`over ${network} the sink follows the name of the daemon to a new address`, async (t) => {
    // A mount namespace in which only this agent sees another /etc/hosts.
    const directory = temporaryFolder(t, { hosts: '127.0.0.1 metrics.test\n' });
    const hosts = join(directory, 'hosts');
    const mount = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', hosts];
    const here = await prepareStatsd(t);
    const there = await prepareStatsd(t, { host: '127.0.0.2', port: here.port });
    const daemon = await here.start();
    const { work } = await startBusyAgent(t, sink(network, here.port, 'metrics.test'), mount);
    await work({ series: 20, by: 1 });
    await isComplete(here.recorded, 20, 1);

    await there.start();
    writeFileSync(hosts, '127.0.0.2 metrics.test\n');
    await work({ series: 20, by: 10 });
    await isComplete(both, 20, 11);
    await daemon.stop('SIGKILL');
    await work({ series: 20, by: 100 });
    await isComplete(both, 20, 111);
    t.is(there.recorded().counters.get(bucketOf('p', 0)), 100);
    t.deepEqual([...new Set(excesses(both(), 20, 111))], [0]);

    function both(): Recording {
      const [one, other] = [here.recorded(), there.recorded()];
      const counters = new Map(one.counters);
      for (const [bucket, value] of other.counters) counters.set(bucket, (counters.get(bucket) ?? 0) + value);
      return { ...one, counters };
    }
  });

  test.serial(`over ${network} a daemon on ::1 gets every count`, async (t) => {
    const statsd = await prepareStatsd(t, { host: '::1' });
    await statsd.start();
    const { program, work } = await startBusyAgent(t, sink(network, statsd.port, '[::1]'));
    for (let round = 0; round < 10; round += 1) {
      await work({ series: 50 });
      await sleep(50);
    }
    await isComplete(statsd.recorded, 50, 10);
    t.deepEqual([...new Set(excesses(statsd.recorded(), 50, 10))], [0]);
    t.notRegex(program.stderr(), FAILED);
  });
}

test.serial(
  'of a million observations in one interval maxTimings are sent and the others counted as dropped, and /healthz responds meanwhile',
  async (t) => {
    const OBSERVATIONS = 1_000_000;
    const LIMIT = 50_000;
    const statsd = await prepareStatsd(t);
    await statsd.start();
    const { work, metric, memory } = await startBusyAgent(t, {
      ...sink('tcp', statsd.port),
      writeInterval: '10s',
      maxTimings: LIMIT,
    });
    const before = memory();
    for (let round = 0; round < 100; round += 1) await work({ observations: OBSERVATIONS / 100 });
    const sent = (): readonly number[] => statsd.recorded().values('p.fabric_ops_agent.shop.took', 'ms');
    let responses = 0;
    let most = 0;
    while (sent().at(-1) !== OBSERVATIONS - 1) {
      await work({ level: 1 });
      responses += 1;
      most = Math.max(most, memory());
      await sleep(10);
    }
    const newest = sent();
    t.deepEqual(
      newest,
      Array.from({ length: newest.length }, (_, n) => OBSERVATIONS - newest.length + n),
    );
    // The agent observes its own requests too: some per round of work.
    t.true(newest.length <= LIMIT && newest.length > LIMIT - 5000, `${newest.length} sent`);
    await eventually(async () => {
      const dropped =
        (await metric('fabric_ops_agent_statsd_dropped_total{reason="timings",sink="statsd"}')) ?? 0;
      const own = dropped + newest.length - OBSERVATIONS;
      if (own < 0 || own > 5000) throw new Error(`${dropped} dropped`);
    });
    t.log(
      `${newest.length} sent, ${responses} responses, ${Math.round((most - before) / 1e6)} MB more at most`,
    );
    t.true(responses > 0);
    t.true(most - before < 200e6);
  },
);
