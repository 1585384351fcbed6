// The starts and stops of the plugins of an agent, with plugins and a clock of the test.

import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import type { Health } from '../../core/health/index.js';
import type { PluginInstance } from '../../core/host/index.js';
import { PluginRun } from '../../core/plugin-run.js';
import { stopTimeouts } from '../helpers/clock.js';

/** A plugin, whose start and stop take as long as the test wants. */
function plugin(
  name: string,
  kind: string,
  {
    start = async () => undefined,
    stop = async () => undefined,
  }: {
    start?: () => Promise<unknown>;
    stop?: () => Promise<unknown>;
  } = {},
) {
  const logged: string[] = [];
  const instance = {
    name,
    kind,
    component: kind === 'checker' ? name : `${name} (${kind})`,
    state: 'created',
    log: { info: (message: string) => logged.push(message) },
    start: async () => {
      await start();
      instance.state = 'running';
    },
    stop: async () => {
      await stop();
      instance.state = 'stopped';
    },
    requireRunning: () => {
      if (instance.state !== 'running') throw new Error('not started yet');
    },
  };
  return { instance: instance as unknown as PluginInstance, logged };
}

/** A run of plugins, with the warnings that it logs. */
function runOf(
  instances: readonly PluginInstance[],
  { isStopping = (): boolean => false, beforeStop = async (_name: string): Promise<void> => undefined } = {},
) {
  const warned: string[] = [];
  const run = new PluginRun(
    {
      backend: plugin('console', 'logging').instance,
      attachments: instances.map((instance) => ({
        instance,
        onStarted: () => undefined,
        beforeStop: () => beforeStop(instance.name),
      })),
      pluginMetrics: { recordState: () => undefined, countFault: () => undefined },
      log: { warn: (message: string) => warned.push(message) } as never,
    },
    isStopping,
  );
  return { run, warned };
}

/** A promise, and a function that resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test.serial('a start that takes long delays the next one for a second, and its end is logged', async (t) => {
  const clock = stopTimeouts(t);
  const { opened, open } = gate();
  const { instance, logged } = plugin('disk', 'checker', { start: () => opened });
  const { run } = runOf([instance]);
  const calls: string[] = [];
  void run.begin(instance, () => void calls.push('started')).then(() => calls.push('begun'));
  await clock.tickAsync(999);
  t.deepEqual(calls, []);
  await clock.tickAsync(1);
  t.deepEqual([calls, logged], [['begun'], []]);
  open();
  await run.ended();
  t.deepEqual([calls, logged], [['begun', 'started'], ['plugin disk started']]);
});

test.serial('a start that ends within a second is not logged, and leaves no timer', async (t) => {
  const clock = stopTimeouts(t);
  const { instance, logged } = plugin('disk', 'checker');
  const { run } = runOf([instance]);
  const calls: string[] = [];
  await run.begin(instance, () => void calls.push('started'));
  t.deepEqual([calls, logged, clock.countTimers()], [['started'], [], 0]);
});

test('each plugin is a failed component until its start has ended', async (t) => {
  const components = new Map<string, () => void>();
  const health = {
    register: (component: string, check: () => void) => {
      components.set(component, check);
      return () => void components.delete(component);
    },
  } as unknown as Health;
  const { instance } = plugin('statsd', 'sink');
  const { run } = runOf([instance]);
  run.register(health);
  t.deepEqual([...components.keys()], ['console (logging)', 'statsd (sink)']);
  t.throws(() => components.get('statsd (sink)')?.(), { message: 'not started yet' });
  await run.begin(instance, () => undefined);
  t.deepEqual([...components.keys()], ['console (logging)']);
});

test('a plugin that has started while the agent stops is not used', async (t) => {
  const { instance } = plugin('disk', 'checker');
  const { run } = runOf([instance], { isStopping: () => true });
  await run.begin(instance, () => t.fail());
  t.is(instance.state, 'running');
});

test('a start that fails after others began ends their start, and the start of the agent', async (t) => {
  const { opened, open } = gate();
  const failing = plugin('disk', 'checker', {
    start: async () => {
      await opened;
      throw new Error('no disk');
    },
  }).instance;
  const hanging = plugin('docker', 'checker', { start: () => new Promise(() => undefined) }).instance;
  const { run } = runOf([failing, hanging]);
  const begun = [failing, hanging].map((each) =>
    t.throwsAsync(
      run.begin(each, () => t.fail()),
      { message: 'no disk' },
    ),
  );
  open();
  await Promise.all(begun);
  await t.throwsAsync(run.ended(), { message: 'no disk' });
});

test('the plugins of a kind stop at the same time, the kinds in the reverse order of their starts', async (t) => {
  const calls: string[] = [];
  const { opened, open } = gate();
  const stopping = (name: string, kind: string, hangs = false): PluginInstance =>
    plugin(name, kind, {
      stop: async () => {
        calls.push(`stop ${name}`);
        if (hangs) await opened;
      },
    }).instance;
  const instances = [
    stopping('s1', 'source'),
    stopping('h1', 'checker'),
    stopping('n1', 'notifier'),
    stopping('h2', 'checker', true),
  ];
  const { run, warned } = runOf(instances, {
    beforeStop: async (name) => void calls.push(`before ${name}`),
  });
  const stopped = run.stop(new AbortController().signal);
  await nextTurn();
  const untilHealth = ['before n1', 'stop n1', 'before h2', 'before h1', 'stop h2', 'stop h1'];
  t.deepEqual(calls, untilHealth);
  open();
  await stopped;
  t.deepEqual(calls, [...untilHealth, 'before s1', 'stop s1']);
  t.deepEqual(
    run.instances.map(({ name, state }) => `${name} ${state}`),
    ['console created', 's1 stopped', 'h1 stopped', 'n1 stopped', 'h2 stopped'],
  );
  t.deepEqual(warned, []);
});

test('after the deadline plugins are stopped without waiting; those that hang then are named in the log', async (t) => {
  const calls: string[] = [];
  const hanging = (name: string, kind: string): PluginInstance =>
    plugin(name, kind, {
      stop: () => {
        calls.push(name);
        return new Promise(() => undefined);
      },
    }).instance;
  const instances = [
    hanging('s1', 'source'),
    hanging('h1', 'checker'),
    plugin('h2', 'checker').instance,
    hanging('h3', 'checker'),
  ];
  const { run, warned } = runOf(instances);
  const deadline = new AbortController();
  const stopped = run.stop(deadline.signal);
  await nextTurn();
  deadline.abort();
  await stopped;
  await nextTurn();
  t.deepEqual(calls, ['h3', 'h1', 's1']);
  t.deepEqual(warned, ['stopping without waiting for h3, h1']);
});

test('the error of a stop before the deadline is passed on', async (t) => {
  const { instance } = plugin('disk', 'checker');
  const { run } = runOf([instance], { beforeStop: () => Promise.reject(new Error('broken')) });
  await t.throwsAsync(run.stop(new AbortController().signal), { message: 'broken' });
});
