// The service listens before its plugins have started, and a slow start delays the other plugins only a little.

import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings, type Agent } from '../../core/index.js';
import { MAX_START_DELAY } from '../../core/plugin-run.js';
import { temporaryFolder } from '../helpers/folder.js';
import { until } from '../helpers/until.js';

const CHECKER = 'check() {},';
const SINK = "route: { path: '/own', handle: async () => ({ headers: {}, body: 'own' }) },";

/** Ends the starts of the plugins with {@link WAITS}, by the name of the test. */
const releases = new Map<string, (() => void)[]>();
Object.assign(globalThis, {
  startOf: (key: string) =>
    new Promise<void>((resolve) => releases.set(key, [...(releases.get(key) ?? []), resolve])),
});
const WAITS = (key: string): string => `start: () => globalThis.startOf('${key}'),`;

const HANGS = 'start: () => new Promise(() => {}),';
const source = (kind: string, name: string, members: string): string =>
  `export default { apiVersion: 1, kind: '${kind}', name: '${name}', options: {}, create: () => ({ ${members} }) };`;

interface Starting {
  readonly agent: Agent;
  readonly url: string;
  /** Settles as `agent.start()` does. */
  readonly started: Promise<void>;
}

/** Starts an agent and waits until it listens. */
async function startListening(
  t: ExecutionContext,
  modules: Readonly<Record<string, string>>,
  onStartError = 'fail',
): Promise<Starting> {
  const folder = temporaryFolder(t, { 'package.json': '{"type":"module"}', ...modules });
  const plugins = Object.keys(modules).map((file) => ({ plugin: `${folder}/${file}`, onStartError }));
  const agent = await createAgent(
    defineSettings({ 'operations.listenAddress': '127.0.0.1:0', 'logging.spec': 'fatal', plugins }, '/'),
  );
  t.teardown(() => agent.stop());
  const started = agent.start();
  started.catch(() => undefined);
  await until(() => agent.address !== undefined);
  return { agent, url: `http://${agent.address ?? ''}`, started };
}

const failedAt = async (url: string): Promise<unknown> => {
  const response = await fetch(url);
  const { failed_checks: failed = [] } = (await response.json()) as {
    failed_checks?: { component: string; reason: string }[];
  };
  return [response.status, ...failed.map(({ component, reason }) => `${component}: ${reason}`)];
};

const statusAt = async (url: string): Promise<object> =>
  (await (await fetch(`${url}/status`)).json()) as object;

for (const onStartError of ['fail', 'ignore', 'retry']) {
  test(`with onStartError: ${onStartError}, a start that hangs delays neither the service nor the other plugins`, async (t) => {
    const { url, agent } = await startListening(
      t,
      { 'hangs.js': source('checker', 'hangs', HANGS + CHECKER), 'own.js': source('sink', 'own', SINK) },
      onStartError,
    );
    t.deepEqual(await failedAt(`${url}/livez`), [200]);
    t.deepEqual(await failedAt(`${url}/healthz/hangs`), [503, 'hangs: not started yet']);
    await until(async () => (await fetch(`${url}/own`)).status === 200);
    for (const path of ['/healthz', '/readyz'])
      t.deepEqual(await failedAt(`${url}${path}`), [503, 'hangs: not started yet']);
    await agent.stop();
  });
}

test('a plugin with a long start is healthy as soon as it has started', async (t) => {
  const { url, started } = await startListening(t, {
    'slow.js': source('checker', 'slow', WAITS('slow') + CHECKER),
    'sink.js': source('sink', 'sink', WAITS('slow') + SINK),
  });
  await until(() => releases.get('slow')?.length === 2);
  for (const path of ['/healthz', '/readyz'])
    t.deepEqual(await failedAt(`${url}${path}`), [
      503,
      'sink (sink): not started yet',
      'slow: not started yet',
    ]);
  t.is((await fetch(`${url}/own`)).status, 503);
  t.like(await statusAt(url), {
    agent: { healthy: false },
    plugins: [
      { name: 'slow', kind: 'checker', state: 'starting' },
      { name: 'sink', kind: 'sink', state: 'starting' },
    ],
  });
  releases.get('slow')?.forEach((release) => release());
  await started;
  t.deepEqual(await failedAt(`${url}/healthz`), [200]);
  t.is((await fetch(`${url}/own`)).status, 200);
  t.like(await statusAt(url), { agent: { healthy: true }, plugins: [] });
});

test('with onStartError: fail, a start that fails after others began ends the agent', async (t) => {
  const { agent, started } = await startListening(t, {
    'slow.js': source(
      'checker',
      'slow',
      `start: () => new Promise((_, reject) => setTimeout(reject, ${MAX_START_DELAY + 300}, new Error('no disk'))), ${CHECKER}`,
    ),
    'hangs.js': source('checker', 'hangs', HANGS + CHECKER),
  });
  await t.throwsAsync(started, {
    code: 'PLUGIN_START_FAILED',
    message: 'plugin slow did not start: no disk (slow.js:1)',
  });
  t.is(agent.address, undefined);
});

test('the agent listens although the start of the logging backend hangs', async (t) => {
  const backend =
    "spec: () => 'info', activate() {}, logger: (name) => new Proxy({ name }, { get: (o, k) => o[k] ?? (() => undefined) }),";
  const { url } = await startListening(t, { 'log.js': source('logging', 'log', HANGS + backend) });
  t.deepEqual(await failedAt(`${url}/healthz`), [503, 'log (logging): not started yet']);
  t.like(await statusAt(url), { plugins: [{ name: 'log', kind: 'logging', state: 'starting' }] });
});
