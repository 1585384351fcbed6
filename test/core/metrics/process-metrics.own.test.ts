// Process metrics are read once per scrape and observed once per process. Tests that depend on the history of the process run in
// a new process.

import { execFileSync } from 'node:child_process';
import test from 'ava';
import { MetricStore } from '../../../core/metrics/index.js';
import { processMetrics } from '../../../core/metrics/process-metrics.js';
import { render } from '../../../plugins/metrics/prometheus/exposition.js';
import { stopClock } from '../../helpers/clock.js';

const ROOT = new URL('../../../', import.meta.url).href;

/** Runs a module in a new process and returns its standard output. */
function run(source: string): string {
  const program = source.replaceAll('ROOT/', ROOT);
  return execFileSync(process.execPath, ['--input-type=module', '-e', `${program}; process.exit()`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('the first reading has a value for every process family', (t) => {
  const body = run(`
    import { MetricStore } from 'ROOT/core/metrics/index.js';
    import { render } from 'ROOT/plugins/metrics/prometheus/exposition.js';
    console.log(String((await render(new MetricStore(10), 'text')).body));
  `);
  const families = [...body.matchAll(/^# TYPE (fabric_ops_agent_(?:process|nodejs)_\w+) /gm)].map(
    ([, name = '']) => name,
  );
  const empty = families.filter((name) => !new RegExp(`^${name}(_count)?[ {]`, 'm').test(body));
  t.true(families.length >= 30);
  // These may be empty: no garbage collection, no measurement of the event loop yet, no open handles.
  t.deepEqual(
    empty.filter((name) => !/gc_duration|eventloop_lag|active/.test(name)),
    [],
  );
  t.notRegex(body, /^fabric_ops_agent_nodejs_external_memory_bytes 0$/m);
});

test('values that were not measured are omitted, also in readings in quick succession', async (t) => {
  const store = new MetricStore(10);
  for (const format of ['text', 'openmetrics', 'text'] as const)
    t.notRegex(String((await render(store, format)).body), / (NaN|9223372036.*)$/im);
});

test('many agents in one process register one observer of garbage collection and event loop', (t) => {
  const output = run(`
    import { performance, PerformanceObserver } from 'node:perf_hooks';
    import { createAgent, defineSettings } from 'ROOT/core/index.js';
    let observers = 0;
    const observe = PerformanceObserver.prototype.observe;
    PerformanceObserver.prototype.observe = function (...args) { observers += 1; return observe.apply(this, args); };
    process.on('warning', (warning) => console.log(String(warning)));
    const values = { 'operations.listenAddress': '127.0.0.1:0', 'logging.spec': 'fatal', 'metrics.provider': 'prometheus' };
    for (let count = 0; count < 30; count += 1) {
      const agent = await createAgent(defineSettings(values, process.cwd()));
      await agent.start();
      await (await fetch('http://' + agent.address + '/metrics')).text();
      await agent.stop();
    }
    await new Promise((resolve) => setImmediate(resolve));
    console.log('observers ' + observers);
  `);
  t.is(output, 'observers 1\n');
});

test.serial(
  'a reading is shared for half a second, because each one resets the statistics of the event loop',
  async (t) => {
    const clock = stopClock(t);
    // Other tests have read them at other times.
    clock.tick(1e9);
    const metrics = processMetrics();
    const first = metrics.families();
    clock.tick(500);
    t.is(metrics.families(), first);
    clock.tick(1);
    t.not(metrics.families(), first);
    await Promise.all([first, metrics.families()]);
  },
);

test('a family has the name, the type and the parts of the agent', async (t) => {
  const found = await processMetrics().families();
  const uptime = found.find(({ name }) => name === 'fabric_ops_agent_process_start_time_seconds');
  t.is(uptime?.type, 'gauge');
  t.deepEqual(uptime?.parts, {
    namespace: 'fabric_ops_agent',
    subsystem: '',
    name: 'process_start_time_seconds',
  });
  t.true(processMetrics().has('fabric_ops_agent_process_start_time_seconds'));
  t.false(processMetrics().has('process_start_time_seconds'));
});
