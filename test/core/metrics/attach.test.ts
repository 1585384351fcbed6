// What connects sources and push sinks to the agent, in each state of their plugins.

import test from 'ava';
import {
  AgentError,
  LeveledLoggers,
  type AgentEvent,
  type MetricBatch,
  type PushSink,
  type SourceState,
} from '../../../core/contract/index.js';
import type { PluginInstance } from '../../../core/host/index.js';
import { attachSink, attachSource, MetricStore, Sources } from '../../../core/metrics/index.js';
import { stopClock, stopTimeouts } from '../../helpers/clock.js';
import { counters, FAKE_NODE, FakeSource } from '../../helpers/fake-source.js';
import { PATIENCE } from '../../helpers/patience.js';
import { until } from '../../helpers/until.js';

/** An instance of a plugin; the test changes its state. */
function instanceOf(plugin: object) {
  const state = { isRunning: true, isDisabled: false };
  const faults: string[] = [];
  const instance = {
    name: 'plugin1',
    component: 'plugin1 (sink)',
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

/** The failed checks of the agent. */
const CHECKS = [{ component: 'disk' }] as unknown as readonly AgentEvent[];

/** A push sink that is attached to an agent with a counter `calls`. */
function attachedSink(rejected?: () => string | undefined, others: Partial<PushSink['push']> = {}) {
  const batches: MetricBatch[] = [];
  const push = {
    interval: 60_000,
    flush: async (batch: MetricBatch) => void batches.push(batch),
    rejected,
    ...others,
  };
  const { instance, state, faults } = instanceOf({ push });
  const store = new MetricStore(100);
  const sources = new Sources([], { usual: PATIENCE, afterFailure: PATIENCE });
  const registered = new Map<string, () => void>();
  const attachment = attachSink(instance, {
    store,
    sources,
    checks: () => CHECKS,
    health: {
      register(component, check) {
        registered.set(component, check);
        return () => void registered.delete(component);
      },
    },
  });
  store.counter({ name: 'calls', help: 'Calls.' }).inc(3);
  const calls = (): readonly (number | undefined)[] =>
    batches.map((batch) => batch.counters.find(({ name }) => name === 'calls')?.value);
  return { attachment, state, faults, registered, calls, store, batches, sources };
}

test('a push sink is checked from its start to its stop, which pushes the last values', async (t) => {
  const { attachment, registered, calls, faults } = attachedSink();
  t.is(attachment.route, undefined);
  t.deepEqual([...registered.keys()], []);
  attachment.onStarted?.();
  t.deepEqual([...registered.keys()], ['plugin1 (sink)']);
  await attachment.beforeStop?.();
  t.deepEqual([...registered.keys()], []);
  t.deepEqual([calls(), faults], [[3], []]);
  t.is(typeof attachment.delivery?.().deliveredAt, 'number');
  t.is(attachment.delivery?.().problem, undefined);
});

test('a push sink that is disabled is neither checked nor called', async (t) => {
  const { attachment, state, registered, calls } = attachedSink();
  state.isDisabled = true;
  attachment.onStarted?.();
  await attachment.beforeStop?.();
  t.deepEqual([[...registered.keys()], calls()], [[], []]);
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
    const states = await sources.read({ signal: new AbortController().signal });
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

test.serial(
  'a push sink is called after its interval, and its check fails when it has delivered nothing for two',
  async (t) => {
    const clock = stopTimeouts(t);
    const { attachment, registered, state, calls, faults } = attachedSink();
    attachment.onStarted?.();
    t.teardown(() => attachment.beforeStop?.());
    const check = registered.get('plugin1 (sink)')!;
    await clock.tickAsync(59_999);
    t.deepEqual(calls(), []);
    await clock.tickAsync(1);
    await until(() => calls().length > 0);
    t.deepEqual(calls(), [3]);
    state.isRunning = false;
    for (const count of [1, 2]) {
      t.notThrows(check);
      await clock.tickAsync(60_000);
      await until(() => faults.length === count);
    }
    t.throws(check, { message: 'no metrics delivered for 2m: plugin1 is not running' });
  },
);

test('a push sink gets the failed checks and the growth of the sources', async (t) => {
  const { attachment, batches, sources, store } = attachedSink();
  const source = new FakeSource();
  const { instance } = instanceOf(source);
  const ofSource = attachSource(instance, {
    sources,
    metrics: store,
    agentStart: 1000,
    onStart: () => undefined,
  });
  t.teardown(() => ofSource.beforeStop?.());
  // The process behind the source has started after the agent: all its counts are growth.
  source.reading = counters(2000, 5);
  attachment.onStarted?.();
  await attachment.beforeStop?.();
  const [batch] = batches;
  t.is(batch?.checks, CHECKS);
  t.is(batch?.counters.find(({ labels }) => labels['n'] === '0')?.value, 5);
});

/** Attaches a source to an agent that started 1,000 s after the epoch. */
function attachedSource(source: FakeSource, isBuiltIn: boolean) {
  const { instance } = instanceOf(source);
  const sources = new Sources([], { usual: PATIENCE, afterFailure: PATIENCE });
  const metrics = new MetricStore(100);
  const attachment = attachSource(
    { ...instance, isBuiltIn, requireRunning: () => undefined } as typeof instance,
    {
      sources,
      metrics,
      agentStart: 1000,
      onStart: () => undefined,
    },
  );
  const refresh = async (): Promise<SourceState> =>
    (await sources.read({ signal: new AbortController().signal }))[0]!;
  return { attachment, sources, metrics, refresh };
}

for (const [isBuiltIn, isUp, reason] of [
  [false, false, 'invalid reading: invalid family name "0"'],
  [true, true, undefined],
] as const)
  test(`the readings of a source that is ${isBuiltIn ? 'built in' : 'a plugin of another package'} are ${isBuiltIn ? 'used as they are' : 'checked'}`, async (t) => {
    const source = new FakeSource();
    source.reading = { families: [{ ...counters(1, 5).families[0]!, name: '0' }] };
    const { attachment, refresh } = attachedSource(source, isBuiltIn);
    t.teardown(() => attachment.beforeStop?.());
    const state = await refresh();
    t.deepEqual([state.isUp, state.reason], [isUp, reason]);
  });

test('a source that reads a node is read with the nodes of its kind, and its metrics have its name', async (t) => {
  const source = new FakeSource(FAKE_NODE);
  const { attachment, sources, metrics } = attachedSource(source, false);
  t.teardown(() => attachment.beforeStop?.());
  await sources.read({ kind: 'orderer', signal: new AbortController().signal });
  t.is(source.reads, 0);
  await sources.read({ kind: 'peer', signal: new AbortController().signal });
  t.is(source.reads, 1);
  const found: unknown[] = [];
  for await (const family of metrics.families())
    if (family.name === 'fabric_ops_agent_source_up')
      for (const { labels } of family.values()) found.push(labels);
  t.deepEqual(found, [{ node: 'plugin1' }]);
});

test('the stop of a source ends its reading', async (t) => {
  const source = new FakeSource();
  const { attachment, refresh } = attachedSource(source, false);
  source.onRead = async (signal) => {
    void attachment.beforeStop?.();
    signal.throwIfAborted();
  };
  const { isUp, reason } = await refresh();
  t.deepEqual([isUp, reason], [false, 'the agent is stopping']);
});
