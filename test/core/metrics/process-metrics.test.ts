// What is measured of the process is read once per scrape, and observed once however many agents there are. Each case has a
// process of its own where what the process did before would matter.

import { execFileSync } from 'node:child_process';
import test from 'ava';
import { createMetricReader, MetricStore } from '../../../core/metrics/index.js';

const CORE = new URL('../../../core/', import.meta.url).href;

/** Runs a module in a process of its own; the result is what it wrote, to both streams. */
function run(source: string): string {
  const program = source.replaceAll('CORE/', CORE);
  return execFileSync(process.execPath, ['--input-type=module', '-e', `${program}; process.exit()`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('the first reading has a value of every process family', (t) => {
  const body = run(`
    import { createMetricReader, MetricStore } from 'CORE/metrics/index.js';
    console.log((await createMetricReader(new MetricStore(10)).render('text')).body);
  `);
  const families = [...body.matchAll(/^# TYPE ((?:process|nodejs)_\w+) /gm)].map(([, name = '']) => name);
  const empty = families.filter((name) => !new RegExp(`^${name}(_count)?[ {]`, 'm').test(body));
  t.true(families.length >= 30);
  // Nothing of these may be there: no garbage was collected, the event loop was not looked at yet, nothing is open.
  t.deepEqual(
    empty.filter((name) => !/gc_duration|eventloop_lag|active/.test(name)),
    [],
  );
  t.notRegex(body, /^nodejs_external_memory_bytes 0$/m);
});

test('what was not measured is left out, also when readings follow each other closely', async (t) => {
  const reader = createMetricReader(new MetricStore(10));
  for (const format of ['text', 'openmetrics', 'text'] as const)
    t.notRegex((await reader.render(format)).body, / (NaN|9223372036.*)$/im);
});

test('many agents in one process observe garbage collection and the event loop once', (t) => {
  const output = run(`
    import { performance, PerformanceObserver } from 'node:perf_hooks';
    import { createAgent, defineSettings } from 'CORE/index.js';
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
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log('observers ' + observers);
  `);
  t.is(output, 'observers 1\n');
});
