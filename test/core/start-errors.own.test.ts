// Plugins that do not start, by kind and `onStartError`.

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings } from '../../core/index.js';
import { startAgent } from '../helpers/agent.js';
import { temporaryFolder } from '../helpers/folder.js';
import { until } from '../helpers/until.js';

const FAILING = "start() { throw new Error('no such disk'); }";

/** The setting `plugins` with one plugin, which has the name of its kind. */
function declared(
  t: ExecutionContext,
  kind: string,
  onStartError: 'retry' | 'ignore',
  members: string,
): { plugins: readonly Readonly<Record<string, unknown>>[] } {
  const source = `export default { apiVersion: 1, kind: '${kind}', name: '${kind}', options: {}, create: () => ({ ${members} }) };`;
  const folder = temporaryFolder(t, { 'package.json': '{"type":"module"}', 'plugin.js': source });
  return { plugins: [{ plugin: `${folder}/plugin.js`, onStartError }] };
}

test('a disabled checker is not a component', async (t) => {
  const { url } = await startAgent(t, declared(t, 'checker', 'ignore', `${FAILING}, check() {}`));
  t.is((await fetch(`${url}/healthz`)).status, 200);
});

test('a checker is a component that fails with the reason while its start is retried', async (t) => {
  const { url } = await startAgent(t, declared(t, 'checker', 'retry', `${FAILING}, check() {}`));
  const response = await fetch(`${url}/healthz`);
  t.is(response.status, 503);
  t.like(await response.json(), {
    failed_checks: [{ component: 'checker', reason: 'not started: no such disk' }],
  });
});

for (const policy of ['retry', 'ignore'] as const) {
  test(`a pull sink that did not start responds with 503 with onStartError: ${policy}`, async (t) => {
    const route = "route: { path: '/own', handle: async () => ({ headers: {}, body: 'x' }) }";
    const { url } = await startAgent(t, declared(t, 'sink', policy, `${FAILING}, ${route}`));
    const response = await fetch(`${url}/own`);
    t.is(response.status, 503);
    t.is(await response.text(), '{"error":"metric sink sink is not running: its state is failed"}\n');
  });
}

for (const policy of ['retry', 'ignore'] as const) {
  test(`a push sink that did not start gets no batch with onStartError: ${policy}`, async (t) => {
    let flushes = 0;
    const key = `flush under ${policy}`;
    Object.assign(globalThis, { [key]: () => (flushes += 1) });
    const push = `push: { interval: 20, flush: async () => globalThis['${key}']() }`;
    const values = declared(t, 'sink', policy, `${FAILING}, ${push}`);
    const { agent, url } = await startAgent(t, { ...values, 'metrics.provider': 'prometheus' });
    const hasFlushError = async (): Promise<boolean> =>
      (await (await fetch(`${url}/metrics`)).text()).includes('phase="flush"');
    // A disabled sink is not flushed; while a start is retried, flushes fail and their content is kept.
    if (policy === 'retry') await until(hasFlushError);
    else {
      await sleep(100);
      t.false(await hasFlushError());
    }
    await agent.stop();
    t.is(flushes, 0);
  });
}

test('an agent that is stopped while a plugin starts does not listen afterwards', async (t) => {
  const slow = 'start: () => new Promise((resolve) => setTimeout(resolve, 100)), check() {}';
  const values = { ...declared(t, 'checker', 'ignore', slow), 'logging.spec': 'fatal' };
  const agent = await createAgent(
    defineSettings({ 'operations.listenAddress': '127.0.0.1:0', ...values }, '/'),
  );
  const started = agent.start().catch(() => undefined);
  await sleep(10);
  await agent.stop();
  await started;
  t.is(agent.address, undefined);
});

test('a push sink gets the failures with their reasons', async (t) => {
  const batches: { checks: { component: string; state: string; reason: string }[] }[] = [];
  Object.assign(globalThis, { 'batches of checks': batches });
  const push = `push: { interval: 20, flush: async (batch) => globalThis['batches of checks'].push(batch) }`;
  const { agent } = await startAgent(t, declared(t, 'sink', 'retry', push));
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  await until(async () => {
    // The run of the start may have begun before the check was registered.
    await agent.health.run();
    return batches.at(-1)?.checks.length === 1;
  });
  t.like(batches.at(-1)?.checks[0], { component: 'disk', state: 'failed', reason: 'full' });
});

for (const policy of ['retry', 'ignore'] as const) {
  test(`a notifier that did not start gets no event with onStartError: ${policy}`, async (t) => {
    const key = `notify under ${policy}`;
    let calls = 0;
    Object.assign(globalThis, { [key]: () => (calls += 1) });
    const notify = `schedule: { groupFor: 0 }, notify() { globalThis['${key}'](); }`;
    const values = declared(t, 'notifier', policy, `${FAILING}, ${notify}`);
    const { agent, url } = await startAgent(t, { ...values, 'metrics.provider': 'prometheus' });
    agent.health.register('disk', () => Promise.reject(new Error('full')));
    const series = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
    const failed = 'fabric_ops_agent_notifier_notifications_total{notifier="notifier",outcome="failed"}';
    if (policy === 'retry')
      await until(async () => {
        await agent.health.run();
        return (await series()).includes(failed);
      });
    else {
      // The first one may join the run of the start, which does not have the check.
      for (let count = 0; count < 2; count += 1) await agent.health.run();
      await sleep(50);
      t.regex(await series(), /fabric_ops_agent_notifier_queued_events\{notifier="notifier"\} 0\n/);
    }
    t.is(calls, 0);
  });
}

test('a push sink that delivers nothing is a warning in /healthz, /nodes and the metrics, and is reported to notifiers', async (t) => {
  const reported: { component: string; state: string; runbook: string }[] = [];
  Object.assign(globalThis, { 'reported of the sink': reported });
  const sink = declared(
    t,
    'sink',
    'retry',
    "push: { interval: 20, flush: async () => { throw new Error('no such host'); } }",
  );
  const notifier = declared(
    t,
    'notifier',
    'retry',
    "schedule: { groupFor: 0 }, notify: ({ events }) => void globalThis['reported of the sink'].push(...events)",
  );
  const { url } = await startAgent(t, {
    plugins: [...sink.plugins, ...notifier.plugins],
    'metrics.provider': 'prometheus',
    'health.interval': '20ms',
  });
  const text = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
  const warning = /^\[\+\]sink \(sink\) warning: no metrics delivered for \d+s: no such host$/m;
  await until(async () => warning.test(await text('/healthz?verbose')));
  t.is((await fetch(`${url}/healthz`)).status, 200);
  const { warnings } = JSON.parse(await text('/nodes')) as {
    warnings: { component: string; reason: string }[];
  };
  t.deepEqual(
    warnings.map(({ component }) => component),
    ['sink (sink)'],
  );
  t.regex(await text('/metrics'), /^fabric_ops_agent_health_check_warning\{component="sink \(sink\)"\} 1$/m);
  await until(() => reported.length > 0);
  t.like(reported[0], {
    component: 'sink (sink)',
    state: 'warning',
    runbook: 'FabricOpsAgentSinkDeliversNothing',
  });
});

test('a notifier with refused calls is a warning that the other notifiers report', async (t) => {
  const reported: { component: string; state: string; reason: string; runbook: string }[] = [];
  Object.assign(globalThis, { 'reported of the notifier': reported });
  const refusing = declared(
    t,
    'notifier',
    'retry',
    "schedule: { groupFor: 0 }, notify() { throw Object.assign(new Error('HTTP status 400'), { code: 'NOTIFICATION_REFUSED' }); }",
  );
  const working = declared(
    t,
    'notifier',
    'retry',
    "schedule: { groupFor: 0 }, notify: ({ events }) => void globalThis['reported of the notifier'].push(...events)",
  );
  const { agent, url } = await startAgent(t, {
    plugins: [
      ...refusing.plugins.map((plugin) => ({ ...plugin, name: 'refusing' })),
      ...working.plugins.map((plugin) => ({ ...plugin, name: 'working' })),
    ],
    'health.interval': '20ms',
  });
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  await until(() => reported.some(({ component }) => component === 'refusing (notifier)'));
  const event = reported.find(({ component }) => component === 'refusing (notifier)');
  t.is(event?.state, 'warning');
  t.regex(event?.reason ?? '', /^refused since \S+Z, 1 event dropped: HTTP status 400$/);
  t.is(event?.runbook, 'FabricOpsAgentNotifierNotDelivered');
  const { warnings } = (await (await fetch(`${url}/nodes`)).json()) as { warnings: { component: string }[] };
  t.deepEqual(
    warnings.map(({ component }) => component),
    ['refusing (notifier)'],
  );
});
