// What connects sources and push sinks to the agent, in each state of their plugins.

import test from 'ava';
import { AgentError, LeveledLoggers, type MetricBatch, type PushSink } from '../../../core/contract/index.js';
import type { PluginInstance } from '../../../core/host/index.js';
import { attachSink, attachSource, MetricStore, Sources } from '../../../core/metrics/index.js';
import { stopClock } from '../../helpers/clock.js';
import { FakeSource } from '../../helpers/fake-source.js';
import { PATIENCE } from '../../helpers/patience.js';

/** An instance of a plugin; the test changes its state. */
function instanceOf(plugin: object) {
  const state = { isRunning: true, isDisabled: false };
  const faults: string[] = [];
  const instance = {
    name: 'plugin1',
    component: 'plugin1 (metrics)',
    log: new LeveledLoggers({ write: () => undefined }).logger('plugins.plugin1'),
    plugin,
    isBuiltIn: false,
    get isDisabled() {
      return state.isDisabled;
    },
    requireRunning() {
      if (!state.isRunning) throw new AgentError('PLUGIN_TIMED_OUT', 'plugin1 is not running');
    },
    countFault: (phase: string) => void faults.push(phase),
  };
  return { instance: instance as unknown as PluginInstance<never>, state, faults };
}

/** A push sink that is attached to an agent with a counter `calls`. */
function attachedSink(undelivered?: () => string | undefined, others: Partial<PushSink['push']> = {}) {
  const batches: MetricBatch[] = [];
  const push = {
    interval: 60_000,
    flush: async (batch: MetricBatch) => void batches.push(batch),
    undelivered,
    ...others,
  };
  const { instance, state, faults } = instanceOf({ push });
  const store = new MetricStore(100);
  const sources = new Sources([], { usual: PATIENCE, afterFailure: PATIENCE });
  const registered = new Set<string>();
  const attachment = attachSink(instance, {
    store,
    sources,
    checks: () => [],
    health: {
      register(component) {
        registered.add(component);
        return () => void registered.delete(component);
      },
    },
  });
  store.counter({ name: 'calls', help: 'Calls.' }).inc(3);
  const calls = (): readonly (number | undefined)[] =>
    batches.map(({ counters }) => counters.find(({ name }) => name === 'calls')?.value);
  return { attachment, state, faults, registered, calls, store, batches };
}

test('a push sink is checked from its start to its stop, which pushes the last values', async (t) => {
  const { attachment, registered, calls, faults } = attachedSink();
  t.is(attachment.route, undefined);
  t.deepEqual([...registered], []);
  attachment.onStarted?.();
  t.deepEqual([...registered], ['plugin1 (metrics)']);
  await attachment.beforeStop?.();
  t.deepEqual([...registered], []);
  t.deepEqual([calls(), faults], [[3], []]);
  t.is(typeof attachment.delivery?.().deliveredAt, 'number');
  t.is(attachment.delivery?.().problem, undefined);
});

test('a push sink that is disabled is neither checked nor called', async (t) => {
  const { attachment, state, registered, calls } = attachedSink();
  state.isDisabled = true;
  attachment.onStarted?.();
  await attachment.beforeStop?.();
  t.deepEqual([[...registered], calls()], [[], []]);
});

test('a push sink that is not running is not called, and the push fails', async (t) => {
  const { attachment, state, calls, faults } = attachedSink();
  attachment.onStarted?.();
  state.isRunning = false;
  await attachment.beforeStop?.();
  t.deepEqual([calls(), faults], [[], ['flush']]);
  t.is(attachment.delivery?.().problem, 'plugin1 is not running');
});

test('what a push sink did not deliver is its problem', async (t) => {
  const { attachment } = attachedSink(() => 'values are queued');
  attachment.onStarted?.();
  await attachment.beforeStop?.();
  t.deepEqual(attachment.delivery?.(), { deliveredAt: undefined, problem: 'values are queued' });
});

test.serial(
  'a source is read while its plugin runs, and each start of its process is reported',
  async (t) => {
    const clock = stopClock(t);
    const source = new FakeSource();
    const { instance, state } = instanceOf(source);
    const sources = new Sources([], { usual: PATIENCE, afterFailure: PATIENCE });
    const starts: unknown[] = [];
    const attachment = attachSource(instance, {
      sources,
      metrics: new MetricStore(100),
      agentStart: 1000,
      onStart: (name, isRestart) => starts.push([name, isRestart]),
    });
    t.teardown(() => attachment.beforeStop?.());
    source.reading = { families: [], startTime: 1 };
    t.deepEqual(
      (await sources.live()).map(({ name }) => name),
      ['plugin1'],
    );
    t.deepEqual(starts, [['plugin1', false]]);
    state.isRunning = false;
    clock.tick(60_000);
    const states = await sources.refresh(new AbortController().signal);
    t.deepEqual(
      states.map(({ name, isUp, reason }) => [name, isUp, reason]),
      [['plugin1', false, 'plugin1 is not running']],
    );
  },
);

test('a push sink gets totals or growth, and as many observations as it asks for', async (t) => {
  for (const [others, histograms, timings, dropped] of [
    [{}, 0, 3, 0],
    [{ maxTimings: 2 }, 0, 2, 1],
    [{ values: 'growth' }, 0, 3, 0],
    [{ values: 'totals' }, 1, 0, 0],
  ] as const) {
    const { attachment, store, batches } = attachedSink(undefined, others);
    const took = store.histogram({ name: 'took', help: 'Took.' });
    for (let count = 0; count < 3; count += 1) took.observe(1);
    attachment.onStarted?.();
    await attachment.beforeStop?.();
    const [batch] = batches;
    t.is(batch?.histograms.filter(({ name }) => name === 'took').length, histograms, JSON.stringify(others));
    t.deepEqual([batch?.timings.length, batch?.droppedTimings], [timings, dropped]);
  }
});

test('a pull sink has its route and nothing to do at its start and stop', async (t) => {
  const { instance, faults } = instanceOf({
    route: { path: '/page', handle: async () => ({ headers: {}, body: 'x' }) },
  });
  const attachment = attachSink(instance, {
    store: new MetricStore(100),
    sources: new Sources(),
    checks: () => [],
    health: { register: () => t.fail() },
  });
  t.is(attachment.route?.path, '/page');
  t.is(attachment.delivery, undefined);
  attachment.onStarted?.();
  await attachment.beforeStop?.();
  t.deepEqual(faults, []);
});
