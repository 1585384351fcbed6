import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { spy, stub, useFakeTimers } from 'sinon';
import { SettingsError } from '../../../config/index.js';
import { LeveledLoggers, type PluginDefinition } from '../../../core/contract/index.js';
import type { Lifecycle } from '../../../core/contract/lifecycle.js';
import { createPluginMetrics, PluginInstance } from '../../../core/host/index.js';
import { START_TIMEOUT, STOP_TIMEOUT } from '../../../core/host/instance.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { declaration } from '../../helpers/agent.js';
import { valuesOf } from '../../helpers/snapshot.js';

interface Subject {
  readonly instance: PluginInstance;
  readonly logged: string[];
  readonly loggers: LeveledLoggers;
  /** The value of a series, by family and part of its labels. */
  readonly metric: (family: string, label: string) => Promise<number | undefined>;
}

function subject(
  t: ExecutionContext,
  plugin: Lifecycle,
  onStartError: 'fail' | 'retry' | 'ignore' = 'fail',
  warnings: readonly string[] = [],
  kind = 'checker',
): Subject {
  const logged: string[] = [];
  const loggers = new LeveledLoggers({
    write: ({ level, message }) => void logged.push(`${level}: ${message}`),
  });
  const store = new MetricStore(100);
  const loaded = {
    declaration: declaration({ onStartError }),
    definition: { kind, name: 'disk' } as PluginDefinition,
    name: 'disk',
    options: {},
    warnings,
    file: '/plugins/disk/index.js',
    isBuiltIn: false,
    showsStacks: false,
  };
  const instance = new PluginInstance(
    loaded,
    plugin,
    loggers.logger('plugins.disk'),
    createPluginMetrics(store),
  );
  t.teardown(() => instance.stop());
  const metric = async (family: string, label: string): Promise<number | undefined> =>
    (await valuesOf(store, family)).find(({ labels }) => Object.values(labels).includes(label))?.value;
  return { instance, logged, loggers, metric };
}

function failing(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}

test('init, start and stop are called in order, and stop only once', async (t) => {
  const calls: string[] = [];
  const plugin = {
    init: () => void calls.push('init'),
    start: () => void calls.push('start'),
    stop: () => void calls.push('stop'),
  };
  const { instance, metric } = subject(t, plugin);
  t.is(instance.state, 'created');
  await instance.init();
  await instance.start();
  t.is(instance.state, 'running');
  t.is(await metric('fabric_ops_agent_plugin_state', 'running'), 1);
  t.is(await metric('fabric_ops_agent_plugin_state', 'created'), 0);
  await instance.stop();
  await instance.stop();
  t.deepEqual(calls, ['init', 'start', 'stop']);
  t.is(instance.state, 'stopped');
});

for (const [kind, component] of [
  ['checker', 'disk'],
  ['sink', 'disk (sink)'],
] as const)
  test(`the component of a plugin of the kind ${kind} is ${component}`, (t) => {
    t.is(subject(t, {}, 'fail', [], kind).instance.component, component);
  });

test('a plugin without lifecycle functions runs', async (t) => {
  const { instance } = subject(t, {});
  await instance.init();
  await instance.start();
  t.is(instance.state, 'running');
});

test('when init throws, the error names the declaration of the plugin', async (t) => {
  const { instance } = subject(t, { init: failing('path: must exist') });
  await t.throwsAsync(instance.init(), {
    instanceOf: SettingsError,
    message: 'test.yaml:1: plugins[0]: plugin disk: init failed: path: must exist',
  });
});

test('with onStartError: fail, a failed start rejects and the plugin is stopped', async (t) => {
  const stop = spy();
  const { instance, metric } = subject(t, { start: failing('no disk'), stop });
  await t.throwsAsync(instance.start(), {
    code: 'PLUGIN_START_FAILED',
    message: 'plugin disk did not start: no disk',
  });
  t.true(stop.calledOnce);
  t.is(instance.state, 'failed');
  t.is(await metric('fabric_ops_agent_plugin_faults_total', 'start'), 1);
  t.throws(() => instance.requireRunning(), { message: 'not started: no disk' });
});

test('with onStartError: ignore, a failed start is logged and the plugin is disabled', async (t) => {
  const { instance, logged } = subject(
    t,
    { start: async () => Promise.reject(new Error('no disk')) },
    'ignore',
  );
  await instance.start();
  t.true(instance.isDisabled);
  t.deepEqual(logged, ['warn: plugin disk did not start, it is disabled: no disk']);
});

test('the place of a failed start is in the log, and its stack at debug level, but not in responses', async (t) => {
  const error = new Error('no disk');
  error.stack =
    'Error: no disk\n    at work (/lib/other.js:1:2)\n    at start (file:///plugins/disk/lib/open.js:7:2)';
  const { instance, logged, loggers } = subject(t, { start: async () => Promise.reject(error) }, 'ignore');
  loggers.activate('debug');
  await instance.start();
  t.deepEqual(logged, [
    'debug: start failed',
    'warn: plugin disk did not start, it is disabled: no disk (lib/open.js:7)',
  ]);
  t.throws(() => instance.requireRunning(), { message: 'not started: no disk' });
});

test.serial(
  'with onStartError: retry, a failed start is retried with increasing delays until it succeeds',
  async (t) => {
    const clock = useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'performance'],
      shouldClearNativeTimers: true,
    });
    t.teardown(() => clock.restore());
    let attempts = 0;
    const start = (): void => {
      attempts += 1;
      if (attempts < 4) throw new Error('not yet');
    };
    const { instance, logged } = subject(t, { start }, 'retry');
    await instance.start();
    t.is(attempts, 1);
    t.false(instance.isDisabled);
    for (const [elapsed, expected] of [
      [499, 1],
      [1, 2],
      [999, 2],
      [1, 3],
      [2000, 4],
      [60_000, 4],
    ] as const) {
      await clock.tickAsync(elapsed);
      t.is(attempts, expected);
    }
    t.is(instance.state, 'running');
    t.deepEqual(logged, ['warn: plugin disk did not start, retrying: not yet', 'info: plugin disk started']);
  },
);

test.serial('warnings of options are logged once, also when the start is retried', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const start = stub().onFirstCall().throws(new Error('not yet'));
  const { instance, logged } = subject(t, { start }, 'retry', ['options.prefix: has a *']);
  await instance.start();
  await clock.tickAsync(60_000);
  t.deepEqual(logged, [
    'warn: options.prefix: has a *',
    'warn: plugin disk did not start, retrying: not yet',
    'info: plugin disk started',
  ]);
});

test.serial('a start that hangs fails at its deadline and its signal is aborted', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  let signal: AbortSignal | undefined;
  const { instance } = subject(t, {
    start: (given) => ((signal = given), new Promise<void>(() => undefined)),
  });
  const started = t.throwsAsync(instance.start(), {
    message: 'plugin disk did not start: start took longer than 30s',
  });
  await clock.tickAsync(START_TIMEOUT);
  await started;
  t.true(signal?.aborted);
});

test.serial('a stop that hangs ends at its deadline, and is logged and counted', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const { instance, logged, metric } = subject(t, { stop: () => new Promise<void>(() => undefined) });
  await instance.start();
  const stopped = instance.stop();
  await clock.tickAsync(STOP_TIMEOUT);
  await stopped;
  t.deepEqual(logged, ['warn: plugin disk did not stop cleanly: stop took longer than 5s']);
  t.is(await metric('fabric_ops_agent_plugin_faults_total', 'stop'), 1);
});

test('stop aborts a start in progress', async (t) => {
  const { instance } = subject(t, { start: (signal) => wait(60_000, undefined, { signal }) });
  const started = t.throwsAsync(instance.start(), {
    message: 'plugin disk did not start: the agent is stopping',
  });
  await instance.stop();
  await started;
});

test('before its first start has ended, a plugin has not started yet', async (t) => {
  const { instance } = subject(t, { start: () => new Promise<void>(() => undefined) }, 'ignore');
  const expected = { code: 'PLUGIN_NOT_STARTED', message: 'not started yet' };
  t.throws(() => instance.requireRunning(), expected);
  void instance.start();
  t.throws(() => instance.requireRunning(), expected);
  await instance.stop();
  t.throws(() => instance.requireRunning(), { message: 'not started: the agent is stopping' });
});

test.serial('start is not called again while two calls of it are still running', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const start = stub().returns(new Promise<void>(() => undefined));
  const { instance } = subject(t, { start }, 'retry');
  const started = instance.start();
  await clock.tickAsync(START_TIMEOUT);
  await started;
  await clock.tickAsync(10 * START_TIMEOUT);
  t.is(start.callCount, 2);
  t.throws(() => instance.requireRunning(), {
    message: 'not started: 2 earlier starts are still running',
  });
});

test('the start of a stopped plugin is not retried', async (t) => {
  let attempts = 0;
  const start = (): void => {
    attempts += 1;
    throw new Error('never');
  };
  const { instance } = subject(t, { start }, 'retry');
  await instance.start();
  await instance.stop();
  await wait(700);
  t.is(attempts, 1);
  t.is(instance.state, 'stopped');
});

test.serial('the delay between two start attempts is at most 30 seconds', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const start = spy(failing('no disk'));
  const { instance } = subject(t, { start }, 'retry');
  await instance.start();
  await clock.tickAsync(500 + 1000 + 2000 + 4000 + 8000 + 16_000);
  t.is(start.callCount, 7);
  await clock.tickAsync(10 * 30_000);
  t.is(start.callCount, 17);
});

test.serial('a plugin that is stopped during a retry is not started again', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const start = stub().returns(new Promise<void>(() => undefined));
  start.onFirstCall().throws(new Error('no disk'));
  const { instance } = subject(t, { start }, 'retry');
  await instance.start();
  await clock.tickAsync(500);
  t.is(start.callCount, 2);
  await instance.stop();
  await clock.tickAsync(60_000);
  t.is(start.callCount, 2);
});
