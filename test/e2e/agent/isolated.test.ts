// Plugins in processes of their own: the contract suites, the context across the boundary, and faults that stay in the process.

import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import {
  LeveledLoggers,
  type HealthChecker,
  type PluginContext,
  type PluginDefinition,
  type PushSink,
  type SourceState,
} from '../../../core/contract/index.js';
import { healthCheckerCases, pushSinkCases } from '../../../core/contract/testing/index.js';
import { loadPlugins } from '../../../core/host/index.js';
import { describeIsolated } from '../../../core/host/isolated/describe.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { BUILT_IN } from '../../../core/built-in.js';
import { declaration } from '../../helpers/agent.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { valuesOf } from '../../helpers/snapshot.js';
import { until } from '../../helpers/until.js';
import { startStopwatch } from '../../helpers/stopwatch.js';

const pluginSource = (kind: string, create: string, options = '{}'): string =>
  `export default { apiVersion: 1, kind: '${kind}', name: 'own', options: ${options}, create(context) { ${create} } };`;

/** Loads a module in a process. */
async function load(
  t: ExecutionContext,
  source: string,
  options: Readonly<Record<string, unknown>> = {},
  maxMemory = 256,
): ReturnType<typeof describeIsolated> {
  const folder = temporaryFolder(t, { 'own.mjs': source });
  return describeIsolated(
    pathToFileURL(`${folder}/own.mjs`).href,
    declaration({ plugin: './own.mjs', options, isolate: { maxMemory } }),
    maxMemory,
  );
}

interface Subject {
  readonly plugin: HealthChecker & PushSink & { readonly pid?: number };
  readonly store: MetricStore;
  readonly logged: string[];
  readonly readings: SourceState[];
}

/** Creates and starts an isolated plugin. */
async function subject(t: ExecutionContext, source: string, maxMemory?: number): Promise<Subject> {
  const loaded = await load(t, source, {}, maxMemory);
  if ('problem' in loaded) throw new Error(loaded.problem);
  const store = new MetricStore(100);
  const logged: string[] = [];
  const loggers = new LeveledLoggers({
    write: ({ level, message }) => void logged.push(`${level}: ${message}`),
  });
  const readings: SourceState[] = [];
  const plugin = loaded.definition.create({
    name: 'own',
    options: loaded.options,
    log: loggers.logger('plugins.own'),
    metrics: store,
    readings: { latest: () => readings },
  } as unknown as PluginContext<'metrics'>) as unknown as Subject['plugin'];
  t.teardown(async () => plugin.stop?.());
  await plugin.init?.();
  await plugin.start?.(new AbortController().signal);
  return { plugin, store, logged, readings };
}

const check = async ({ plugin }: Subject, signal = new AbortController().signal): Promise<string> =>
  Promise.resolve(plugin.check(signal)).then(
    () => 'healthy',
    (error: Error) => error.message,
  );

const CHECKER = pluginSource(
  'health',
  "return { check(signal) { if (context.options.fails) throw new Error('on purpose'); } };",
  "{ fails: { format: Boolean, default: false, doc: 'whether it fails' } }",
);
const SINK = pluginSource('metrics', 'return { push: { interval: 1000, async flush() {} } };');

const fixture = (fails: boolean) => () => ({ options: { fails } as never });

test.serial('an isolated checker passes the contract suite', async (t) => {
  const loaded = await load(t, CHECKER);
  if ('problem' in loaded) throw new Error(loaded.problem);
  const cases = healthCheckerCases(loaded.definition as PluginDefinition<'health'>, {
    healthy: fixture(false),
    unhealthy: fixture(true),
  });
  for (const { title, run } of cases) await t.notThrowsAsync(run(), title);
});

test.serial('an isolated sink passes the contract suite', async (t) => {
  const loaded = await load(t, SINK);
  if ('problem' in loaded) throw new Error(loaded.problem);
  const cases = pushSinkCases(loaded.definition as PluginDefinition<'metrics'>, fixture(false));
  for (const { title, run } of cases) await t.notThrowsAsync(run(), title);
});

test.serial('log, metrics, readings and failed parts pass between the agent and the process', async (t) => {
  const own = await subject(
    t,
    `const pid = process.pid;
    ${pluginSource(
      'health',
      `const { log, metrics, readings } = context;
      const checks = metrics.counter({ name: 'own_checks', help: 'Checks.', labelNames: ['kind'] });
      const level = metrics.gauge({ name: 'own_level', help: 'Level.' });
      const took = metrics.histogram({ name: 'own_took', help: 'Duration.', buckets: [1] });
      return { check() {
        log.debug('hidden'); log.info('checking', { pid });
        for (let n = 0; n < 1000; n += 1) checks.with({ kind: 'a' }).inc();
        level.set(5); level.add(2); took.observe(0.5);
        const [state] = readings.latest();
        if (state) throw Object.assign(new Error('parts'), { code: 'CHECKS_FAILED', parts: [{ component: state.name, reason: state.reason }] });
      } };`,
    )}`,
  );
  t.is(await check(own), 'healthy');
  t.deepEqual(own.logged, ['info: checking']);
  t.deepEqual(
    (await valuesOf(own.store, 'fabric_ops_agent_own_checks')).map(({ value }) => value),
    [1000],
  );
  t.deepEqual(
    (await valuesOf(own.store, 'fabric_ops_agent_own_level')).map(({ value }) => value),
    [7],
  );
  t.is((await valuesOf(own.store, 'fabric_ops_agent_own_took')).at(-1)?.value, 1);
  own.readings.push({ name: 'peer0', isUp: false, reason: 'no response' });
  await t.throwsAsync(async () => own.plugin.check(new AbortController().signal), {
    code: 'CHECKS_FAILED',
    message: 'peer0: no response',
  });
});

test.serial('a push sink gets the batch as it is', async (t) => {
  const own = await subject(
    t,
    pluginSource(
      'metrics',
      "return { push: { interval: 50, values: 'totals', maxTimings: 7, async flush(batch) { throw new Error(String(batch.gauges[0].value) + batch.histograms[0].bounds.join()); } } };",
    ),
  );
  const { interval, values, maxTimings } = own.plugin.push;
  t.deepEqual([interval, values, maxTimings], [50, 'totals', 7]);
  const parts = { namespace: '', subsystem: '', name: 'a', labels: {} };
  await t.throwsAsync(
    own.plugin.push.flush(
      {
        counters: [],
        gauges: [{ ...parts, value: -Infinity }],
        timings: [],
        droppedTimings: 0,
        histograms: [{ ...parts, bounds: [1, Infinity], counts: [0, 0], sum: 0, count: 0 }],
      },
      new AbortController().signal,
    ),
    { message: '-Infinity1,Infinity' },
  );
});

/** Faults that would end or block the agent, and the reason of the check. */
const FAULTS: readonly (readonly [what: string, code: string, reason: RegExp])[] = [
  ['calls process.exit', 'process.exit(3)', /^its process ended with status 3$/],
  ['crashes', 'process.abort()', /^its process ended by SIGABRT; its memory limit is 128 MiB$/],
  [
    'uses too much memory',
    'globalThis.kept = []; for (;;) { kept.push(Buffer.alloc(1e6, 1)); await new Promise((r) => setImmediate(r)); }',
    /^its process ended by SIGKILL; its memory limit is 128 MiB$/,
  ],
  ['blocks its event loop', 'for (;;);', /^its process was killed: check did not end when it was aborted$/],
  [
    'hangs in eight file operations',
    "const { readFile } = await import('node:fs/promises'); await Promise.all(Array.from({ length: 8 }, () => readFile('/dev/tty').catch(() => new Promise(() => {}))));",
    /^its process was killed: check did not end when it was aborted$/,
  ],
];

for (const [what, code, reason] of FAULTS) {
  test.serial(`a checker that ${what} fails in its own process, which is restarted`, async (t) => {
    const own = await subject(
      t,
      `import { existsSync, writeFileSync } from 'node:fs';
      const marker = new URL('./marker', import.meta.url);
      ${pluginSource('health', `return { async check() { if (existsSync(marker)) return; writeFileSync(marker, ''); ${code} } };`)}`,
      128,
    );
    const isAborted = reason.source.includes('aborted');
    const elapsed = startStopwatch(t);
    t.regex(await check(own, isAborted ? AbortSignal.timeout(300) : undefined), reason);
    t.true(elapsed() < 15_000);
    t.regex(await check(own), reason);
    await until(async () => (await check(own)) === 'healthy');
    const [warning = '', again] = own.logged;
    t.regex(warning, new RegExp(`^warn: plugin own: ${reason.source.slice(1, -1)}; restarting it in 0.5s$`));
    t.is(again, 'info: plugin own: its process runs again');
    const faults = await valuesOf(own.store, 'fabric_ops_agent_plugin_faults_total');
    t.deepEqual(
      faults.map(({ labels, value }) => [labels['phase'], value]),
      [['process', 1]],
    );
  });
}

test.serial('uncaught errors in the process are logged and counted, and the process continues', async (t) => {
  const own = await subject(
    t,
    pluginSource('health', "return { check() { setTimeout(() => { throw new Error('stray'); }, 1); } };"),
  );
  t.is(await check(own), 'healthy');
  await until(() => own.logged.length > 0);
  t.deepEqual(own.logged, ['error: uncaught error in plugin own: stray']);
  t.is(await check(own), 'healthy');
});

test.serial('a plugin that logs and measures without end does not fill the agent', async (t) => {
  const own = await subject(
    t,
    pluginSource(
      'health',
      "return { check() { for (let n = 0; n < 50_000; n += 1) context.log.info('line ' + n); } };",
    ),
  );
  t.is(await check(own), 'healthy');
  t.is(own.logged.length, 1001);
  t.is(
    own.logged.at(-1),
    'warn: plugin own logs and measures too much: 49000 log entries and values were dropped',
  );
});

test.serial('stop ends the process', async (t) => {
  const own = await subject(t, CHECKER);
  const { pid = 0 } = own.plugin;
  t.true(process.kill(pid, 0));
  await own.plugin.stop?.();
  await until(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
  await sleep(0);
});

const REFUSED = 'isolate: only health checkers and push sinks can run in a process of their own; this is';

const PROBLEMS: readonly (readonly [what: string, source: string, problem: string])[] = [
  ['a source', pluginSource('source', 'return { read() {} };'), `${REFUSED} a metric source`],
  ['a logging backend', pluginSource('logging', 'return {};'), `${REFUSED} a logging backend`],
  [
    'a pull sink',
    pluginSource('metrics', "return { route: { path: '/own', handle() {} } };"),
    `${REFUSED} a sink that serves a route`,
  ],
  ['a module that throws', "throw new Error('broken')", 'the module cannot be loaded: broken'],
  [
    'a module that ends its process',
    'process.exit(0)',
    'the module cannot be loaded: its process ended with status 0',
  ],
];

for (const [what, source, problem] of PROBLEMS) {
  test.serial(`${what} cannot be isolated: ${problem}`, async (t) => {
    t.deepEqual(await load(t, source), { problem });
  });
}

test.serial(
  'the options of an isolated plugin are checked as those of others, and its module is not loaded in the agent',
  async (t) => {
    const options = `{
    port: { format: 'host-port', default: ':1', doc: 'where' },
    even: { format: (value) => { if (value % 2) throw new Error('must be even'); }, default: 2, doc: 'a number' },
    mode: { format: ['a', 'b'], default: 'a', doc: 'a mode' },
  }`;
    const source = `globalThis.loadedHere = true;\n${pluginSource('health', 'return { check() {} };', options)}`;
    const good = await load(t, source, { EVEN: 4, port: 'peer:7' });
    t.deepEqual('options' in good && good.options, { port: { host: 'peer', port: 7 }, even: 4, mode: 'a' });
    const bad = await load(t, source, { even: 3, mode: 'c', other: 1 });
    t.deepEqual('problems' in bad && bad.problems, [
      'test.yaml:1: plugins[0]: plugin own: options.other: unknown option; expected one of even, mode, port',
      'test.yaml:1: plugins[0]: plugin own: options.even: must be even: value was 3',
      'test.yaml:1: plugins[0]: plugin own: options.mode: must be one of a, b: value was "c"',
    ]);
    t.false('loadedHere' in globalThis);
  },
);

test.serial('a built-in checker can be isolated', async (t) => {
  const [, docker] = await loadPlugins(
    [declaration({ plugin: 'console' }), declaration({ plugin: 'docker', isolate: { maxMemory: 256 } })],
    BUILT_IN,
  );
  t.is(docker?.definition.kind, 'health');
});
