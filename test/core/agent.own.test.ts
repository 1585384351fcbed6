import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings, SettingsError } from '../../core/index.js';
import { startAgent } from '../helpers/agent.js';
import { temporaryFolder } from '../helpers/folder.js';

/** The calls of plugins made by {@link recorder}, by test. */
const records = new Map<string, string[]>();
Object.assign(globalThis, { recordOf: (key: string) => records.get(key) ?? [] });

/** The source of a plugin that records its lifecycle. */
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

test('plugins start in declared order, the logging backend first, and stop in reverse order', async (t) => {
  const record: string[] = [];
  records.set('order', record);
  const declared = plugins(t, {
    'a.js': recorder('order', 'a', 'checker', CHECK),
    'b.js': recorder(
      'order',
      'b',
      'sink',
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

test('a push sink gets a last batch before it is stopped', async (t) => {
  const record: string[] = [];
  records.set('push', record);
  const push = `push: { interval: 3_600_000, async flush({ counters }) {
    record.push(...counters.filter(({ name }) => name === 'sent').map(({ subsystem, labels, value }) => \`\${subsystem}.sent \${labels.channel} \${value}\`));
  } },`;
  const { agent } = await startAgent(t, plugins(t, { 'push.js': recorder('push', 'push', 'sink', push) }));
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

test('an embedding program can add checks, metrics and loggers', async (t) => {
  const { agent, url } = await startAgent(t, { 'metrics.provider': 'prometheus' });
  agent.health.register('own', () => {
    throw new Error('own reason');
  });
  agent.metrics.gauge({ namespace: 'own', name: 'level', help: 'A level.' }).set(7);
  const response = await fetch(`${url}/healthz`);
  t.is(response.status, 503);
  t.like(await response.json(), { failed_checks: [{ component: 'own', reason: 'own reason' }] });
  t.regex(await (await fetch(`${url}/metrics`)).text(), /^fabric_ops_agent_own_level 7$/m);

  const logger = agent.logging.logger('gossip.state');
  t.false(logger.enabled('error'));
  await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"gossip=debug:fatal"}' });
  t.true(logger.enabled('debug'));
});

test('a failing pull sink responds with 500 without details, is counted, and does not affect other routes', async (t) => {
  records.set('sink', []);
  const route = "route: { path: '/own', handle() { throw new Error('secret detail'); } },";
  const declared = plugins(t, { 'sink.js': recorder('sink', 'sink', 'sink', route) });
  const { url } = await startAgent(t, { ...declared, 'metrics.provider': 'prometheus' });
  const response = await fetch(`${url}/own`);
  t.is(response.status, 500);
  t.is(await response.text(), '{"error":"internal error"}\n');
  t.regex(
    await (await fetch(`${url}/metrics`)).text(),
    /^fabric_ops_agent_plugin_faults_total\{kind="sink",phase="scrape",plugin="sink"\} 1$/m,
  );
});

test('when the address is in use, start fails and the plugins are stopped', async (t) => {
  const record: string[] = [];
  records.set('taken', record);
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const declared = plugins(t, { 'a.js': recorder('taken', 'a', 'checker', CHECK) });
  await t.throwsAsync(startAgent(t, { ...declared, 'operations.listenAddress': address }), {
    code: 'LISTEN_FAILED',
    message: `cannot listen on ${address}: the address is already in use; set operations.listenAddress to another one`,
  });
  t.deepEqual(record, ['a init', 'a stop']);
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
    'settings: health.timeouts: unknown key; did you mean health.timeout?',
  ],
  [
    'a log format',
    { 'logging.format': '%{color:red}' },
    'settings: logging.format: plugin console: options.format: invalid color option: red; must be bold or reset: value was "%{color:red}"',
  ],
  [
    'an option that only the plugin can check',
    { plugins: [{ plugin: 'docker', options: { cert: 'a.pem' } }] },
    'settings: plugins[0]: plugin docker: options.cert and options.key must be set together',
  ],
  [
    'two sinks with one path',
    { 'metrics.provider': 'prometheus', plugins: [{ plugin: 'prometheus', name: 'second' }] },
    'settings: plugins[0]: plugin second: the path /metrics is already in use; set another path',
  ],
  [
    'a sink with the path of a built-in route',
    { plugins: [{ plugin: 'prometheus', options: { path: '/healthz' } }] },
    'settings: plugins[0]: plugin prometheus: the path /healthz is already in use; set another path',
  ],
  [
    'a sink path that does not begin with /',
    { plugins: [{ plugin: 'prometheus', options: { path: 'metrics' } }] },
    'settings: plugins[0]: plugin prometheus: options.path: must be a path such as /metrics: value was "metrics"',
  ],
];

for (const [what, values, problem] of bad) {
  test(`invalid settings are rejected before anything starts: ${what}`, async (t) => {
    const error = await t.throwsAsync(
      async () => createAgent(defineSettings({ 'operations.listenAddress': '127.0.0.1:0', ...values }, '/')),
      {
        instanceOf: SettingsError,
      },
    );
    t.deepEqual(error.problems, [problem]);
  });
}

test('the path of a sink of others must begin with /, and no other sink may have it', async (t) => {
  const sink = (name: string, path: string): string =>
    `export default { apiVersion: 1, kind: 'sink', name: '${name}', options: {}, create: () => ({
      route: { path: '${path}', handle: () => undefined } }) };`;
  const declared = plugins(t, {
    'a.js': sink('a', 'own'),
    'b.js': sink('b', '/own'),
    'c.js': sink('c', '/own'),
    'd.js': sink('d', '/other'),
  });
  const error = await t.throwsAsync(startAgent(t, declared), { instanceOf: SettingsError });
  t.deepEqual(error.problems, [
    'settings: plugins[0]: plugin a: the path own does not begin with /',
    'settings: plugins[2]: plugin c: the path /own is already in use; set another path',
  ]);
});

test('an invalid log specification and invalid plugins are reported together', async (t) => {
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

test('all plugins whose create returns an invalid plugin are reported together', async (t) => {
  const source = (kind: string, returned: string): string =>
    `export default { apiVersion: 1, kind: '${kind}', name: '${kind}', options: {}, create: () => (${returned}) };`;
  const declared = plugins(t, {
    'a.js': source('checker', '{ init() {} }'),
    'b.js': source('sink', 'undefined'),
  });
  const error = await t.throwsAsync(startAgent(t, declared), { instanceOf: SettingsError });
  t.deepEqual(error.problems, [
    'settings: plugins[0]: plugin checker: create did not return a valid checker plugin: check is not a function',
    'settings: plugins[1]: plugin sink: create did not return a valid sink plugin: it returned undefined',
  ]);
});

test('an agent can be stopped before it is started, and has no address after it is stopped', async (t) => {
  const idle = await createAgent(defineSettings({}, '/'));
  await idle.stop();
  t.is(idle.address, undefined);
  const { agent } = await startAgent(t);
  t.regex(agent.address ?? '', /^127\.0\.0\.1:\d+$/);
  await Promise.all([agent.stop(), agent.stop()]);
  t.is(agent.address, undefined);
});

test('two agents in one process share no metrics, checks or log specifications', async (t) => {
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

const INVALID_REPLIES: Readonly<Record<string, string>> = {
  'no reply': 'undefined',
  'a status that is not a number': "{ status: 'fine', headers: {}, body: '' }",
  'an interim status': "{ status: 100, headers: {}, body: '' }",
  'a body that is an object': '{ headers: {}, body: { a: 1 } }',
  'no headers': "{ body: '' }",
  'a header with a line break': "{ headers: { 'X-Own': 'a\\r\\nSet-Cookie: b' }, body: '' }",
  'a getter that throws': "{ headers: {}, get body() { throw new Error('trap'); } }",
};

for (const [what, reply] of Object.entries(INVALID_REPLIES)) {
  test(`a pull sink that replies with ${what} is a counted fault and responds with 500 without details`, async (t) => {
    records.set('invalid', []);
    const route = `route: { path: '/own', handle: async () => (${reply}) },`;
    const declared = plugins(t, { 'sink.js': recorder('invalid', 'sink', 'sink', route) });
    const { url } = await startAgent(t, { ...declared, 'metrics.provider': 'prometheus' });
    const response = await fetch(`${url}/own`);
    t.is(response.status, 500);
    t.is(await response.text(), '{"error":"internal error"}\n');
    t.regex(
      await (await fetch(`${url}/metrics`)).text(),
      /^fabric_ops_agent_plugin_faults_total\{kind="sink",phase="scrape",plugin="sink"\} 1$/m,
    );
  });
}

const PUSH_INTERVAL = 'push.interval is not a number of milliseconds from 1 to 2147483647';

/** The result of `create` of an invalid plugin, by kind, and the problem. */
const INVALID_PLUGINS: readonly (readonly [kind: string, created: string, problem: string])[] = [
  ['checker', 'null', 'it returned null'],
  [
    'checker',
    'Promise.resolve({ check() {} })',
    'it returned a promise; create has no I/O: open files and connections in start',
  ],
  ['logging', "({ spec: () => 'info', activate() {} })", 'logger is not a function'],
  ['sink', '({ route: undefined, push: null })', 'it has neither route nor push'],
  ['sink', '({ route: { handle() {} } })', 'route.path is not a string'],
  ['sink', "({ route: { path: '/own' } })", 'route.handle is not a function'],
  ['sink', '({ push: { interval: 1000 } })', 'push.flush is not a function'],
  ['sink', '({ push: { interval: Infinity, flush() {} } })', PUSH_INTERVAL],
  ['sink', '({ push: { interval: 0, flush() {} } })', PUSH_INTERVAL],
  [
    'sink',
    "({ push: { interval: 1000, maxTimings: 'many', flush() {} } })",
    'push.maxTimings is not a non-negative integer',
  ],
];

for (const [kind, created, problem] of INVALID_PLUGINS) {
  test(`a ${kind} plugin whose create returns ${created} is rejected`, async (t) => {
    const declared = plugins(t, {
      'odd.js': `export default { apiVersion: 1, kind: '${kind}', name: 'odd', options: {}, create: () => ${created} };`,
    });
    const error = await t.throwsAsync(startAgent(t, declared), { instanceOf: SettingsError });
    t.deepEqual(error.problems, [
      `settings: plugins[0]: plugin odd: create did not return a valid ${kind} plugin: ${problem}`,
    ]);
  });
}

test('a push sink can be an instance of a class with a getter for its interval', async (t) => {
  const flushes: string[] = [];
  records.set('class', flushes);
  const { agent } = await startAgent(
    t,
    plugins(t, {
      'push.js': `class Push {
  get interval() { return 3_600_000; }
  async flush() { globalThis.recordOf('class').push('flush'); }
}
export default { apiVersion: 1, kind: 'sink', name: 'push', options: {}, create: () => ({ route: undefined, push: new Push() }) };`,
    }),
  );
  await setTimeout(50);
  t.deepEqual(flushes, [], 'the interval is used');
  await agent.stop();
  t.deepEqual(flushes, ['flush']);
});

const HOSTILE_BACKEND = `export default { apiVersion: 1, kind: 'logging', name: 'hostile', options: {}, create: () => ({
  spec: () => 'info',
  activate(spec) { if (spec === 'bad') throw Object.assign(new Error('refused'), { code: 'LOG_SPEC_INVALID' }); },
  logger: () => new Proxy({}, { get() { throw new Error('no log today'); } }),
}) };`;

test('a logging backend whose loggers throw does not affect the code that logs', async (t) => {
  const { agent, url } = await startAgent(t, {
    ...plugins(t, { 'log.js': HOSTILE_BACKEND }),
    'metrics.provider': 'prometheus',
  });
  agent.health.register('broken', () => {
    throw new Error('broken');
  });
  t.is((await fetch(`${url}/healthz`)).status, 503);
  t.is((await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"debug"}' })).status, 204);
  t.regex(
    await (await fetch(`${url}/metrics`)).text(),
    /^fabric_ops_agent_plugin_faults_total\{kind="logging",phase="log",plugin="hostile"\} [1-9]/m,
  );
  await agent.stop();
});

test('an invalid specification is recognized by the code of the error, whatever its class', async (t) => {
  const { url } = await startAgent(t, plugins(t, { 'log.js': HOSTILE_BACKEND }));
  const response = await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"bad"}' });
  t.is(response.status, 400);
  t.is(await response.text(), '{"error":"refused"}\n');
});

test('an agent starts once, and cannot be started after it was stopped', async (t) => {
  const { agent } = await startAgent(t);
  const { address } = agent;
  await agent.start();
  t.is(agent.address, address);
  await agent.stop();
  const stopped = await createAgent(defineSettings({ 'operations.listenAddress': '127.0.0.1:0' }, '/'));
  await stopped.stop();
  await t.throwsAsync(stopped.start(), {
    code: 'AGENT_STOPPED',
    message: 'a stopped agent cannot be started',
  });
  t.is(stopped.address, undefined);
});

test('an agent that is stopped at any point of its start does not listen afterwards', async (t) => {
  for (let turns = 0; turns < 12; turns += 1) {
    const agent = await createAgent(
      defineSettings({ 'operations.listenAddress': 'localhost:0', 'logging.spec': 'fatal' }, '/'),
    );
    const started = agent.start();
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    await agent.stop();
    await started.catch(() => undefined);
    await setImmediate();
    t.is(agent.address, undefined, `stopped after ${turns} turns`);
  }
});

test('a push sink does not flush when the agent is stopped while the sink starts', async (t) => {
  const record: string[] = [];
  records.set('late', record);
  const declared = plugins(t, {
    'push.js': recorder(
      'late',
      'push',
      'sink',
      "push: { interval: 5, async flush() { record.push('flush'); } },",
    ).replace('start() {', 'async start() { await new Promise((resolve) => setTimeout(resolve, 50));'),
  });
  const agent = await createAgent(
    defineSettings({ 'operations.listenAddress': '127.0.0.1:0', 'logging.spec': 'fatal', ...declared }, '/'),
  );
  const started = t.throwsAsync(agent.start(), { code: 'PLUGIN_START_FAILED' });
  await setImmediate();
  await agent.stop();
  await started;
  await setTimeout(100);
  t.false(record.includes('flush'));
});

test('an uncaught error can have a stack that is not a string or that throws', async (t) => {
  const { agent } = await startAgent(t);
  const trap = Object.defineProperty(new Error('trap'), 'stack', {
    get(): never {
      throw new Error('read');
    },
  });
  for (const error of [trap, Object.assign(new Error('odd'), { stack: 5 }), null, undefined, 'text'])
    t.true(agent.handleUncaughtError(error));
});

test('a logging backend and a pull sink that hang miss their deadlines', async (t) => {
  const declared = plugins(t, {
    'log.js': HOSTILE_BACKEND.replace(
      'activate(spec) {',
      "activate(spec) { if (spec === 'hang') return new Promise(() => {});",
    ),
    'sink.js': `export default { apiVersion: 1, kind: 'sink', name: 'sink', options: {}, create: () => ({
      route: { path: '/own', handle: () => new Promise(() => {}) } }) };`,
  });
  const { url } = await startAgent(t, declared);
  const [changed, scraped] = await Promise.all([
    fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"hang"}' }),
    fetch(`${url}/own`),
  ]);
  t.deepEqual([changed.status, scraped.status], [500, 500]);
  t.is((await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"info"}' })).status, 204);
});
