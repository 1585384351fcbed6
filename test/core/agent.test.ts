import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings, SettingsError } from '../../core/index.js';
import { startAgent } from '../helpers/agent.js';
import { temporaryFolder } from '../helpers/folder.js';

/** What plugins made by {@link recorder} did, by test. */
const records = new Map<string, string[]>();
Object.assign(globalThis, { recordOf: (key: string) => records.get(key) ?? [] });

/** The source of a plugin that notes each step of its life. */
function recorder(key: string, name: string, kind: string, members: string): string {
  return `const record = globalThis.recordOf('${key}');
export default { apiVersion: 1, kind: '${kind}', name: '${name}', options: {}, create: ({ metrics, log, reader }) => ({
  init() { record.push('${name} init'); },
  start() { record.push('${name} start'); },
  stop() { record.push('${name} stop'); },
  ${members}
}) };`;
}

function plugins(
  t: ExecutionContext,
  modules: Readonly<Record<string, string>>,
): { plugins: readonly { plugin: string }[] } {
  const folder = temporaryFolder(t, { 'package.json': '{"type":"module"}', ...modules });
  return { plugins: Object.keys(modules).map((name) => ({ plugin: `${folder}/${name}` })) };
}

const CHECK = 'check() {},';
const BACKEND =
  "spec: () => 'info', activate() {}, logger: (name) => new Proxy({ name }, { get: (o, k) => o[k] ?? (() => undefined) }),";

test('plugins start in the order declared, the logging backend first, and stop in reverse', async (t) => {
  const record: string[] = [];
  records.set('order', record);
  const declared = plugins(t, {
    'a.js': recorder('order', 'a', 'health', CHECK),
    'b.js': recorder(
      'order',
      'b',
      'metrics',
      "route: { path: '/b', handle: async () => ({ headers: {}, body: 'b' }) },",
    ),
    'c.js': recorder('order', 'c', 'logging', BACKEND),
  });
  const { agent, url } = await startAgent(t, declared);
  t.is(await (await fetch(`${url}/b`)).text(), 'b');
  await agent.stop();
  t.deepEqual(record, [
    'c init',
    'a init',
    'b init',
    'c start',
    'a start',
    'b start',
    'b stop',
    'a stop',
    'c stop',
  ]);
});

test('a push sink gets batches, and a last one before it is stopped', async (t) => {
  const record: string[] = [];
  records.set('push', record);
  const push = `push: { interval: 3_600_000, async flush({ counters }) {
    record.push(...counters.filter(({ name }) => name === 'sent').map(({ namespace, labels, value }) => \`\${namespace}.sent \${labels.channel} \${value}\`));
  } },`;
  const { agent } = await startAgent(t, plugins(t, { 'push.js': recorder('push', 'push', 'metrics', push) }));
  const sent = agent.metrics.counter({
    namespace: 'orders',
    name: 'sent',
    help: 'Orders sent.',
    labelNames: ['channel'],
  });
  sent.with({ channel: 'ch1' }).inc(3);
  sent.with({ channel: 'ch1' }).inc();
  await agent.stop();
  t.deepEqual(record, ['push init', 'push start', 'orders.sent ch1 4', 'push stop']);
});

test('an embedding program adds checks, metrics and loggers of its own', async (t) => {
  const { agent, url } = await startAgent(t, { 'metrics.provider': 'prometheus' });
  agent.health.register('own', () => {
    throw new Error('own reason');
  });
  agent.metrics.gauge({ namespace: 'own', name: 'level', help: 'A level.' }).set(7);
  const response = await fetch(`${url}/healthz`);
  t.is(response.status, 503);
  t.like(await response.json(), { failed_checks: [{ component: 'own', reason: 'own reason' }] });
  t.regex(await (await fetch(`${url}/metrics`)).text(), /^own_level 7$/m);

  const logger = agent.logging.logger('gossip.state');
  t.false(logger.enabled('error'));
  await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"gossip=debug:fatal"}' });
  t.true(logger.enabled('debug'));
});

test('a sink that fails is a 500 without details, is counted, and other resources are served', async (t) => {
  records.set('sink', []);
  const route = "route: { path: '/own', handle() { throw new Error('secret detail'); } },";
  const declared = plugins(t, { 'sink.js': recorder('sink', 'sink', 'metrics', route) });
  const { url } = await startAgent(t, { ...declared, 'metrics.provider': 'prometheus' });
  const response = await fetch(`${url}/own`);
  t.is(response.status, 500);
  t.is(await response.text(), '{"error":"internal error"}\n');
  t.regex(
    await (await fetch(`${url}/metrics`)).text(),
    /^plugin_faults_total\{kind="metrics",phase="scrape",plugin="sink"\} 1$/m,
  );
});

test('an address that is taken is one clear error, and what had started is stopped', async (t) => {
  const record: string[] = [];
  records.set('taken', record);
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const declared = plugins(t, { 'a.js': recorder('taken', 'a', 'health', CHECK) });
  await t.throwsAsync(startAgent(t, { ...declared, 'operations.listenAddress': address }), {
    code: 'LISTEN_FAILED',
    message: `cannot listen on ${address}: the address is already in use; set operations.listenAddress to another one`,
  });
  t.deepEqual(record, ['a init', 'a start', 'a stop']);
});

const bad: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  [
    'a log specification',
    { 'logging.spec': 'a=b' },
    "settings: logging.spec: invalid logging specification 'a=b': bad segment 'a=b'",
  ],
  [
    'an unknown setting',
    { 'health.timeouts': 1 },
    'settings: health.timeouts: is not known; did you mean health.timeout?',
  ],
  [
    'a log format',
    { 'logging.format': '%{color:red}' },
    'settings: logging.format: plugin console: options.format: invalid color option: red; allowed are bold and reset: value was "%{color:red}"',
  ],
  [
    'an option that only the plugin can judge',
    { plugins: [{ plugin: 'docker', options: { cert: 'a.pem' } }] },
    'settings: plugins[0]: plugin docker: options.cert and options.key: both or none of them must be given',
  ],
  [
    'two sinks on one path',
    { 'metrics.provider': 'prometheus', plugins: [{ plugin: 'prometheus', name: 'second' }] },
    'settings: plugins[0]: plugin second: the path /metrics is served already; give the sink another one',
  ],
  [
    'a sink on the path of the service',
    { plugins: [{ plugin: 'prometheus', options: { path: '/healthz' } }] },
    'settings: plugins[0]: plugin prometheus: the path /healthz is served already; give the sink another one',
  ],
  [
    'a sink path without a slash',
    { plugins: [{ plugin: 'prometheus', options: { path: 'metrics' } }] },
    'settings: plugins[0]: plugin prometheus: options.path: must be a path such as /metrics: value was "metrics"',
  ],
];

for (const [what, values, problem] of bad) {
  test(`${what} that cannot be used is refused before anything starts`, async (t) => {
    const error = await t.throwsAsync(
      async () => createAgent(defineSettings({ 'operations.listenAddress': '127.0.0.1:0', ...values }, '/')),
      {
        instanceOf: SettingsError,
      },
    );
    t.deepEqual(error.problems, [problem]);
  });
}

test('a bad log specification and bad plugins are reported at once', async (t) => {
  const values = {
    'logging.spec': 'loud',
    'logging.format': '%{color:red}',
    plugins: [{ plugin: './none.js' }],
  };
  const error = await t.throwsAsync(async () => createAgent(defineSettings(values, '/')), {
    instanceOf: SettingsError,
  });
  t.is(error.problems.length, 3);
});

test('what create returns must be a plugin of its kind; all that do not are named at once', async (t) => {
  const source = (kind: string, returned: string): string =>
    `export default { apiVersion: 1, kind: '${kind}', name: '${kind}', options: {}, create: () => (${returned}) };`;
  const declared = plugins(t, {
    'a.js': source('health', '{ init() {} }'),
    'b.js': source('metrics', 'undefined'),
  });
  const error = await t.throwsAsync(startAgent(t, declared), { instanceOf: SettingsError });
  t.deepEqual(error.problems, [
    'settings: plugins[0]: plugin health: create returned nothing that a plugin of kind health is',
    'settings: plugins[1]: plugin metrics: create returned nothing that a plugin of kind metrics is',
  ]);
});

test('an agent that never started can be stopped, and one that stopped has no address', async (t) => {
  const idle = await createAgent(defineSettings({}, '/'));
  await idle.stop();
  t.is(idle.address, undefined);
  const { agent } = await startAgent(t);
  t.regex(agent.address ?? '', /^127\.0\.0\.1:\d+$/);
  await Promise.all([agent.stop(), agent.stop()]);
  t.is(agent.address, undefined);
});

test('two agents in one process keep their metrics, checks and specifications apart', async (t) => {
  const [first, second] = await Promise.all([
    startAgent(t, { 'metrics.provider': 'prometheus' }),
    startAgent(t, { 'metrics.provider': 'prometheus' }),
  ]);
  first.agent.health.register('only-first', () => undefined);
  await fetch(`${first.url}/healthz`);
  await first.agent.logging.activate('debug', 'test');
  t.is(await second.agent.logging.spec(), 'fatal');
  t.false((await (await fetch(`${second.url}/metrics`)).text()).includes('only-first'));
});
