import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { ReceivedLines, startTcpDaemon, startUdpDaemon } from '../../helpers/statsd-daemon.js';
import { createSink } from '../../helpers/statsd-sink.js';
import { freePort } from '../../helpers/free-port.js';
import { until } from '../../helpers/until.js';
import { startStopwatch } from '../../helpers/stopwatch.js';

const run = promisify(execFile);
const HANDLES = fileURLToPath(new URL('../../helpers/handles-of-statsd-sink.js', import.meta.url));

const starters = { udp: startUdpDaemon, tcp: startTcpDaemon };

for (const network of ['udp', 'tcp'] as const) {
  test(`over ${network} a stop flushes the values since the last flush`, async (t) => {
    const received = new ReceivedLines();
    const daemon = await starters[network](t, received);
    const { agent } = await startAgent(t, {
      'metrics.provider': 'statsd',
      'metrics.statsd.network': network,
      'metrics.statsd.address': `127.0.0.1:${daemon.port}`,
      'metrics.statsd.writeInterval': '1h',
    });
    agent.metrics.counter({ name: 'calls', help: 'Calls.' }).inc(42);
    agent.metrics.gauge({ name: 'level', help: 'Level.' }).set(-3);
    agent.metrics.histogram({ name: 'took', help: 'Took.' }).observe(0.5);
    t.deepEqual(received.lines, []);
    await agent.stop();
    await until(() => received.of('fabric_ops_agent.took', 'ms').length > 0);
    t.is(received.total('fabric_ops_agent.calls'), 42);
    t.deepEqual(
      received.of('fabric_ops_agent.level', 'g').map(({ value }) => value),
      [0, -3],
    );
    t.is(received.of('fabric_ops_agent.took', 'ms')[0]?.line, 'fabric_ops_agent.took:500.000000|ms');
    const before = received.lines.length;
    await sleep(50);
    t.is(received.lines.length, before);
  });

  test(`over ${network} a stop without a daemon takes less than 3.5 s`, async (t) => {
    const port = await freePort();
    const { agent } = await startAgent(t, {
      'metrics.provider': 'statsd',
      'metrics.statsd.network': network,
      'metrics.statsd.address': `127.0.0.1:${port}`,
      'metrics.statsd.writeInterval': '20ms',
    });
    await sleep(100);
    const elapsed = startStopwatch(t);
    await agent.stop();
    t.true(elapsed() < 3500);
  });

  for (const isRunning of [true, false]) {
    test(`over ${network} the sink does not keep the process alive ${isRunning ? 'with a running daemon' : 'without a daemon'}`, async (t) => {
      const received = new ReceivedLines();
      const port = isRunning ? (await starters[network](t, received)).port : await freePort();
      const { stdout } = await run(process.execPath, [HANDLES, network, `127.0.0.1:${port}`], {
        timeout: 20_000,
      });
      t.is(stdout, 'done\n');
      if (isRunning) await until(() => received.total('fabric_ops_agent.calls') === 1);
    });
  }

  test(`over ${network} the daemon and Prometheus get the same totals`, async (t) => {
    const received = new ReceivedLines();
    const daemon = await starters[network](t, received);
    const { agent, url } = await startAgent(t, {
      'metrics.provider': 'prometheus',
      plugins: [
        {
          plugin: 'statsd',
          options: { network, address: `127.0.0.1:${daemon.port}`, writeInterval: '10ms', prefix: 'p' },
        },
      ],
    });
    const family = agent.metrics.counter({
      namespace: 'side',
      name: 'calls_total',
      help: 'Calls.',
      labelNames: ['channel'],
    });
    for (let round = 0; round < 100; round += 1) {
      family.with({ channel: 'ch1' }).inc();
      family.with({ channel: 'ch.2' }).inc(0.25);
      await sleep(2);
    }
    const scrape = await (await fetch(`${url}/metrics`)).text();
    t.regex(scrape, /^fabric_ops_agent_side_calls_total\{channel="ch1"\} 100$/m);
    t.regex(scrape, /^fabric_ops_agent_side_calls_total\{channel="ch\.2"\} 25$/m);
    await until(() => received.total('p.fabric_ops_agent.side.calls_total.ch_2') >= 25);
    t.is(received.total('p.fabric_ops_agent.side.calls_total.ch1'), 100);
    t.is(received.total('p.fabric_ops_agent.side.calls_total.ch_2'), 25);
    t.true(received.of('p.fabric_ops_agent.side.calls_total.ch1', 'c').length > 3, 'sent in several pushes');
    t.true(received.of('p.fabric_ops_agent.process_resident_memory_bytes', 'g').length > 0);
  });
}

test('maxTimings limits a million observations in one interval, drops are counted, and the process stays responsive', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { start, store, counted } = createSink(t, {
    network: 'tcp',
    address: `127.0.0.1:${daemon.port}`,
    writeInterval: 1000,
    maxTimings: 50_000,
  });
  const took = store.histogram({ name: 'took', help: 'Took.', labelNames: ['n'] }).with({ n: '1' });
  await start();
  const memory = (): number => process.memoryUsage().rss;
  const before = memory();
  for (let n = 0; n < 1_000_000; n += 1) took.observe(n);
  let longest = 0;
  let most = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    most = Math.max(most, memory() - before);
  }, 1);
  t.teardown(() => clearInterval(watch));
  await until(
    () =>
      received.lines
        .findLast((line) => line.startsWith('fabric_ops_agent.took.1:'))
        ?.startsWith('fabric_ops_agent.took.1:999999000.') === true,
  );
  const dropsCounted = async (): Promise<number> =>
    counted('fabric_ops_agent_statsd_dropped_total', 'timings');
  await until(async () => (await dropsCounted()) > 0);
  clearInterval(watch);
  const values = received.of('fabric_ops_agent.took.1', 'ms').map(({ value }) => value / 1000);
  // The sink observes the duration of its own flushes too, so some less than 50,000 may remain.
  t.true(values.length > 49_900 && values.length <= 50_000, `${values.length} are sent`);
  t.is(values.length + (await dropsCounted()), 1_000_000);
  t.is(values.at(-1), 999_999);
  t.true(values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0)));
  t.log(`longest stall ${Math.round(longest)} ms, ${Math.round(most / 1e6)} MB more`);
  t.true(longest < 3000);
  t.true(most < 600e6);
});
