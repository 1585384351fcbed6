// The plugins that a node implies, and the switches for them.

import { symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { loadSettings, SettingsError } from '../../config/index.js';
import { createAgent } from '../../core/index.js';
import { BUILT_IN } from '../../core/built-in.js';
import { loadPlugins, type LoadedPlugin } from '../../core/host/index.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startStandInNode } from '../helpers/stand-in-node.js';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

const PEER = `peer: { id: ID, fileSystemPath: /data/ID }
operations: { listenAddress: '127.0.0.1:PORT' }
metrics: { provider: prometheus }
`;
const peer = (id: string, port: number): string => PEER.replaceAll('ID', id).replace('PORT', String(port));

/** A third-party plugin. */
const LEDGER = `import { defineHealthChecker } from 'fabric-ops-agent/plugin';
export default defineHealthChecker({
  name: 'ledger-owner',
  options: {
    path: { format: 'path', doc: 'directory' },
    owner: { format: String, default: 'nobody', doc: 'user' },
  },
  forNode: (node) => (node.name === 'peer1' ? undefined : { path: node.get('ledger'), owner: node.kind }),
  check() {},
});
`;

interface Loaded {
  readonly cwd: string;
  readonly plugins: readonly LoadedPlugin[];
  readonly warnings: readonly string[];
}

/** Loads an agent with three peers. */
async function load(
  t: ExecutionContext,
  { plugins = '[]', checks = '{}', code = LEDGER, flags = [] as readonly string[] },
): Promise<Loaded> {
  const nodes = ['peer0', 'peer1', 'peer2'];
  const cwd = temporaryFolder(t, {
    'node_modules/.keep': '',
    'package.json': '{"type":"module"}',
    'own.js': code,
    ...Object.fromEntries(nodes.map((id, index) => [`${id}/core.yaml`, peer(id, 9500 + index)])),
    'agent.yaml': `nodes: [{ config: peer0, checks: ${checks} }, { config: peer1 }, { config: peer2 }]\nplugins: ${plugins}\n`,
  });
  symlinkSync(REPOSITORY, `${cwd}/node_modules/fabric-ops-agent`);
  const { settings, warnings } = loadSettings({ files: ['agent.yaml'], flags, environment: {}, cwd });
  return { cwd, plugins: await loadPlugins(settings, BUILT_IN), warnings };
}

async function problemsOf(
  t: ExecutionContext,
  given: Parameters<typeof load>[1],
): Promise<readonly string[]> {
  const { problems } = await t.throwsAsync(load(t, given), { instanceOf: SettingsError });
  return problems;
}

const named = ({ plugins }: Loaded, end: string): LoadedPlugin[] =>
  plugins.filter(({ name }) => name.endsWith(end));

test('a listed plugin with forNode and without options has an instance for each node that it is for', async (t) => {
  const loaded = await load(t, { plugins: '[{ plugin: ./own.js, onStartError: ignore }]' });
  t.deepEqual(
    named(loaded, 'ledger-owner').map(({ name, options }) => ({ name, ...options })),
    [
      { name: 'peer0/ledger-owner', path: '/data/peer0', owner: 'peer' },
      { name: 'peer2/ledger-owner', path: '/data/peer2', owner: 'peer' },
    ],
  );
  const [{ declaration }] = named(loaded, 'ledger-owner') as [LoadedPlugin];
  t.is(declaration.origin, 'agent.yaml:2: plugins[0]');
  t.is(declaration.onStartError, 'ignore');
  t.deepEqual(declaration.optionOrigins, {
    path: 'peer0/core.yaml:1: peer.fileSystemPath',
    owner: 'agent.yaml:1: nodes[0]',
  });
});

test('the name of the declaration is the component of each node', async (t) => {
  const loaded = await load(t, {
    plugins: '[{ plugin: ./own.js, name: owner }]',
    checks: '{ owner: false }',
  });
  t.deepEqual(
    named(loaded, 'owner').map(({ name }) => name),
    ['peer2/owner'],
  );
});

test('a plugin with forNode that is listed with options has one instance with these options', async (t) => {
  const loaded = await load(t, { plugins: '[{ plugin: ./own.js, options: { path: /srv } }]' });
  t.deepEqual(
    named(loaded, 'ledger-owner').map(({ name, options }) => ({ name, ...options })),
    [{ name: 'ledger-owner', path: '/srv', owner: 'nobody' }],
  );
});

test('node.checks switches a plugin of others off for a node', async (t) => {
  const loaded = await load(t, { plugins: '[{ plugin: ./own.js }]', checks: '{ ledger-owner: false }' });
  t.deepEqual(
    named(loaded, 'ledger-owner').map(({ name }) => name),
    ['peer2/ledger-owner'],
  );
});

test('a third-party plugin with a forNode that throws is a problem that names the plugin and the node', async (t) => {
  const code = LEDGER.replace(/forNode: .*\n/, "forNode() { throw new Error('no luck'); },\n");
  t.deepEqual(await problemsOf(t, { plugins: '[{ plugin: ./own.js }]', code }), [
    'agent.yaml:2: plugins[0]: plugin ./own.js: forNode failed for the node peer0: no luck',
  ]);
});

for (const [what, from, to, problem] of [
  ['forNode that is not a function', /forNode: .*\n/, "forNode: 'disk',\n", 'forNode is not a function'],
  ['forAgent that is not a function', /forNode: .*\n/, 'forAgent: {},\n', 'forAgent is not a function'],
  [
    'fromEnvironment that is not a function',
    /forNode: .*\n/,
    'fromEnvironment: 1,\n',
    'fromEnvironment is not a function',
  ],
  [
    'an invalid nodeComponent',
    "name: 'ledger-owner',",
    "name: 'ledger-owner', nodeComponent: 'a b',",
    "invalid nodeComponent \"a b\"; allowed are letters, digits, '_' and '-', in parts joined by '.' or '/'",
  ],
] as const) {
  test(`a plugin with ${what} is refused`, async (t) => {
    const code = LEDGER.replace(from, to);
    t.deepEqual(await problemsOf(t, { plugins: '[{ plugin: ./own.js }]', code }), [
      `agent.yaml:2: plugins[0]: plugin ./own.js: ${problem}`,
    ]);
  });
}

for (const plugins of ['[]', '[{ plugin: ./own.js }]']) {
  test(`an unknown name in node.checks is a problem, with the plugins ${plugins}`, async (t) => {
    t.deepEqual(await problemsOf(t, { plugins, checks: '{ dsik: false }' }), [
      "agent.yaml:1: nodes[0].checks: unknown check 'dsik'; did you mean disk?",
    ]);
  });
}

test('the name of a plugin without forNode in node.checks is a problem', async (t) => {
  const given = {
    plugins: '[{ plugin: ./own.js, options: { path: /srv } }]',
    checks: '{ ledger-owner: false }',
    code: LEDGER.replace(/forNode: .*\n/, ''),
  };
  const [problem] = await problemsOf(t, given);
  t.regex(problem ?? '', /^agent\.yaml:1: nodes\[0\]\.checks: unknown check 'ledger-owner'; /);
});

/** A third-party plugin that takes options from the settings of the agent, or from variables. */
const APPENDER = `import { defineMetricSink } from 'fabric-ops-agent/plugin';
export default defineMetricSink({
  name: 'appender',
  options: { to: { format: String, default: 'nowhere', doc: 'target' } },
  forAgent: (agent) => ({ key: 'operations.name', options: { to: agent.get('operations.name') } }),
  create: () => ({ push: { interval: 1000, async flush() {} } }),
});
`;

for (const [what, code, plugin, expected, origin] of [
  [
    'without options',
    APPENDER,
    '{ plugin: ./own.js }',
    'host1',
    'flag --set operations.name: operations.name',
  ],
  ['with options', APPENDER, '{ plugin: ./own.js, options: { to: there } }', 'there', undefined],
  [
    'without options, while forAgent returns none',
    APPENDER.replace(/forAgent: .*\n/, 'forAgent: () => undefined,\n'),
    '{ plugin: ./own.js }',
    'nowhere',
    undefined,
  ],
] as const)
  test(`a plugin of others with forAgent that is listed ${what} has one instance, whose option is ${expected}`, async (t) => {
    const flags = ['operations.name=host1'];
    const loaded = await load(t, { plugins: `[${plugin}]`, code, flags });
    t.deepEqual(
      named(loaded, 'appender').map(({ name, options, declaration }) => [
        name,
        options,
        declaration.optionOrigins?.['to'],
      ]),
      [['appender', { to: expected }, origin]],
    );
  });

for (const [member, code] of [
  ['forAgent', APPENDER.replace(/forAgent: .*\n/, "forAgent() { throw new Error('no luck'); },\n")],
  [
    'fromEnvironment',
    APPENDER.replace(/forAgent: .*\n/, "fromEnvironment() { throw new Error('no luck'); },\n"),
  ],
] as const)
  test(`a plugin of others with a ${member} that throws is a problem`, async (t) => {
    t.deepEqual(await problemsOf(t, { plugins: '[{ plugin: ./own.js }]', code }), [
      `agent.yaml:2: plugins[0]: plugin ./own.js: ${member} failed: no luck`,
    ]);
  });

for (const checks of ['disk', '{ disk: maybe }', '[disk]']) {
  test(`node.checks: ${checks} is refused`, async (t) => {
    const [problem] = await problemsOf(t, { checks });
    t.regex(
      problem ?? '',
      /^agent\.yaml:1: nodes\[0\]\.checks: must be a mapping of names to true or false, such as \{disk: false\}: value was /,
    );
  });
}

for (const key of ['certificates', 'disk', 'consensus', 'participation', 'height', 'couchdb', 'ccaas'])
  test(`a check is switched off in node.checks only: node.${key} is unknown`, async (t) => {
    const cwd = temporaryFolder(t, { 'core.yaml': peer('peer0', 9500) });
    const sources = { files: [], nodes: ['core.yaml'], flags: [`node.${key}=false`], environment: {}, cwd };
    t.throws(() => loadSettings(sources), {
      message: new RegExp(`^flag --set: node\\.${key}: unknown key;`),
    });
  });

test('the settings are plain data, without functions', (t) => {
  const cwd = temporaryFolder(t, {
    'peer0/core.yaml': peer('peer0', 9500),
    'agent.yaml': 'nodes: [{ config: peer0 }]\nplugins: [{ plugin: ./own.js }, { plugin: tcp }]\n',
  });
  const loaded = loadSettings({ files: ['agent.yaml'], flags: [], environment: {}, cwd });
  t.is(loaded.settings.configured.nodes.length, 1);
  // A function cannot be cloned.
  t.notThrows(() => structuredClone(loaded));
});

const SILENT = 'operations: { listenAddress: "127.0.0.1:0" }\nlogging: { spec: fatal }\n';
const OTHER_SINK = 'plugins: [{ plugin: otlp, options: { endpoint: "http://127.0.0.1:1/v1/metrics" } }]\n';

for (const [provider, settings, expected] of [
  ['prometheus', '', ['a', 'fabric_ops_agent_version']],
  ['disabled', '', ['fabric_ops_agent_version']],
  ['disabled', 'node: { metrics: true }\n', ['a', 'fabric_ops_agent_version']],
  ['prometheus', 'node: { metrics: false }\n', ['fabric_ops_agent_version']],
  ['prometheus', 'metrics: { provider: disabled }\n', undefined],
  ['prometheus', OTHER_SINK, undefined],
  ['prometheus', `${OTHER_SINK}metrics: { provider: prometheus }\n`, ['a', 'fabric_ops_agent_version']],
] as const)
  test(`beside a node with the provider ${provider}, and with the settings ${JSON.stringify(settings)}, /metrics ${expected === undefined ? 'does not exist' : `has ${expected.join(' and ')}`}`, async (t) => {
    const node = await startStandInNode(t);
    const port = Number(new URL(node.url).port);
    const cwd = temporaryFolder(t, {
      'core.yaml': peer('peer0', port).replace('prometheus', provider),
      'agent.yaml': `${SILENT}${settings}`,
    });
    const loaded = loadSettings({
      files: ['agent.yaml'],
      nodes: ['core.yaml'],
      flags: [],
      environment: {},
      cwd,
    });
    const agent = await createAgent(loaded.settings);
    t.teardown(() => agent.stop());
    await agent.start();
    const response = await fetch(`http://${agent.address}/metrics`);
    const text = await response.text();
    const names = ['a', 'fabric_ops_agent_version'].filter((name) =>
      new RegExp(`^${name}\\b.* 1$`, 'm').test(text),
    );
    t.is(response.status, expected === undefined ? 404 : 200);
    t.deepEqual(names, expected ?? []);
  });
