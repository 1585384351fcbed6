import { basename, isAbsolute, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  defineSettings,
  loadSettings,
  SettingsError,
  type LoadedSettings,
  type PluginDeclaration,
  type Sources,
} from '../../config/index.js';
import { declaredBy } from '../helpers/declared.js';
import { temporaryFolder } from '../helpers/folder.js';
import { CORE_YAML, ORDERER_YAML } from './node/samples.js';

const PEER =
  'peer: {id: peer0}\noperations: {listenAddress: "127.0.0.1:9443"}\nmetrics: {provider: prometheus}\n';
const ORDERER =
  'General: {}\nOperations: {ListenAddress: "127.0.0.1:8443"}\nMetrics: {Provider: prometheus}\n';

type Files = Readonly<Record<string, string>>;

/** Loads the settings in a directory with files. */
function load(t: ExecutionContext, files: Files, sources: Partial<Sources>): LoadedSettings {
  const cwd = temporaryFolder(t, files);
  return loadSettings({ files: [], flags: [], environment: {}, cwd, ...sources });
}

/** Loads the settings with one monitored node; its file is core.yaml. */
const monitoringPeer = (t: ExecutionContext, core: string, sources: Partial<Sources> = {}): LoadedSettings =>
  load(t, { 'core.yaml': core }, { nodes: ['core.yaml'], ...sources });

function problemsOf(t: ExecutionContext, files: Files, sources: Partial<Sources>): readonly string[] {
  return t.throws(() => load(t, files, sources), { instanceOf: SettingsError }).problems;
}

const summary = async ({ settings }: LoadedSettings): Promise<string[]> =>
  (await declaredBy(settings)).map(({ plugin, name }) => (name === undefined ? plugin : `${plugin} ${name}`));

/** The settings of nodes without their files, and without their addresses, which the options of their sources have too. */
const withoutAddress = (nodes: LoadedSettings['settings']['nodes']): object[] =>
  nodes.map(({ address: _address, files: _files, ...node }) => node);

async function declared({ settings }: LoadedSettings, plugin: string, index = 0): Promise<PluginDeclaration> {
  const found = (await declaredBy(settings)).filter((each) => each.plugin === plugin)[index];
  if (found === undefined) throw new Error(`${plugin} is not declared`);
  return found;
}

const CLEAR = { tls: false, ca: '', certificate: '', cert: '', key: '', serverName: '' };

/** The checkers that the samples imply: their TLS is disabled, and they name few directories. */
const LOADED = 'loaded-channels peer0/loaded-channels';
const CHECKERS: Readonly<Record<string, readonly string[]>> = {
  '1.4': [LOADED],
  '2.5': ['disk peer0/disk', LOADED],
  '3.x': [LOADED],
};
const ORDERER_CHECKERS: Readonly<Record<string, readonly string[]>> = {
  '1.4': ['disk orderer/disk', 'channel-config orderer/channel-config', 'consensus orderer/consensus'],
  '2.5': [
    'disk orderer/disk',
    'channel-config orderer/channel-config',
    'consensus orderer/consensus',
    'participation orderer/participation',
  ],
  '3.x': ['disk orderer/disk', 'consensus orderer/consensus'],
};

for (const [version, text] of Object.entries(CORE_YAML)) {
  test(`with the core.yaml of a peer ${version}, its endpoint gets a source and a checker`, async (t) => {
    const loaded = monitoringPeer(t, text.replace('jdoe', 'peer0'));
    t.deepEqual(await summary(loaded), [
      'console',
      'node peer0',
      'node-health peer0',
      ...(CHECKERS[version] ?? []),
      'prometheus',
    ]);
    t.deepEqual(withoutAddress(loaded.settings.nodes), [{ name: 'peer0', kind: 'peer' }]);
    const endpoint = { address: '127.0.0.1:9443', ...CLEAR };
    t.deepEqual((await declared(loaded, 'node')).options, { kind: 'peer', ...endpoint, metrics: true });
    t.deepEqual((await declared(loaded, 'node-health')).options, endpoint);
    t.deepEqual(loaded.files, ['core.yaml']);
    t.deepEqual(loaded.warnings, []);
  });
}

for (const [version, text] of Object.entries(ORDERER_YAML)) {
  test(`with the orderer.yaml of an orderer ${version}, its endpoint gets a source and a checker`, async (t) => {
    const loaded = load(t, { 'orderer.yaml': text }, { nodes: ['orderer.yaml'] });
    t.deepEqual(await summary(loaded), [
      'console',
      'node orderer',
      'node-health orderer',
      ...(ORDERER_CHECKERS[version] ?? []),
      'prometheus',
    ]);
    const endpoint = { address: '127.0.0.1:8443', ...CLEAR };
    t.deepEqual((await declared(loaded, 'node')).options, { kind: 'orderer', ...endpoint, metrics: true });
    t.deepEqual((await declared(loaded, 'node-health')).options, endpoint);
  });
}

test('plugins and options of a node have their origins', async (t) => {
  const loaded = monitoringPeer(t, PEER, { environment: { CORE_METRICS_PROVIDER: 'prometheus' } });
  t.is((await declared(loaded, 'node')).origin, 'flag --node core.yaml');
  t.like((await declared(loaded, 'node')).optionOrigins, {
    kind: 'flag --node core.yaml',
    address: 'core.yaml:2: operations.listenAddress',
    metrics: 'environment CORE_METRICS_PROVIDER: metrics.provider',
    tls: 'core.yaml: operations.tls.enabled',
    ca: 'default',
  });
  t.is((await declared(loaded, 'node-health')).optionOrigins?.interval, undefined);
  t.is((await declared(loaded, 'prometheus')).origin, 'default when monitoring a node: metrics.provider');
});

test('when monitoring a node, the settings of the agent have separate variables, and its address is 127.0.0.1:9543', async (t) => {
  const environment = {
    CORE_OPERATIONS_LISTENADDRESS: 'peer0:9445',
    CORE_PEER_ID: 'peer0.org1.example.com',
    FABRIC_LOGGING_SPEC: 'debug',
    FABRIC_LOGGING_FORMAT: 'json',
    FABRIC_OPS_AGENT_LOGGING_SPEC: 'warning',
    FABRIC_OPS_AGENT_HEALTH_INTERVAL: '3s',
    CORE_HEALTH_TIMEOUT: '1s',
  };
  const loaded = monitoringPeer(t, PEER, { environment });
  t.deepEqual(loaded.settings.operations.listenAddress, { host: '127.0.0.1', port: 9543 });
  t.is(loaded.effective.get('operations.listenAddress')?.origin, 'default');
  t.is(loaded.settings.logging.spec, 'warning');
  t.is(loaded.settings.health.timeout, 10_000);
  t.is((await declared(loaded, 'console')).options.format, '');
  t.is((await declared(loaded, 'node-health')).options.interval, '3s');
  t.is((await declared(loaded, 'node')).options.address, 'peer0:9445');
  t.deepEqual(withoutAddress(loaded.settings.nodes), [{ name: 'peer0.org1.example.com', kind: 'peer' }]);
  const own = monitoringPeer(t, PEER, {
    environment: { ...environment, FABRIC_OPS_AGENT_OPERATIONS_LISTENADDRESS: ':1' },
  });
  t.deepEqual(own.settings.operations.listenAddress, { host: '', port: 1 });
});

const ADDRESSES: readonly (readonly [listen: string, address: string])[] = [
  ['0.0.0.0:9443', '127.0.0.1:9443'],
  [':9443', '127.0.0.1:9443'],
  ['[::]:9443', '127.0.0.1:9443'],
  ['[::1]:9443', '[::1]:9443'],
  ['10.0.0.7:9443', '10.0.0.7:9443'],
  ['peer0.org1.example.com:9443', 'peer0.org1.example.com:9443'],
];
for (const [listen, address] of ADDRESSES) {
  test(`a node that listens on ${listen} is reached at ${address}`, async (t) => {
    const loaded = monitoringPeer(t, PEER, { environment: { CORE_OPERATIONS_LISTENADDRESS: listen } });
    t.is((await declared(loaded, 'node')).options.address, address);
  });
}

const IDS: readonly (readonly [id: string, name: string])[] = [
  ['peer0.org1.example.com', 'peer0.org1.example.com'],
  ['7', '7'],
  ['peer 0/org1', 'peer-0-org1'],
  ['..peer0..', 'peer0'],
  ['"pé:er|0"', 'p-er-0'],
  ['', 'peer'],
  ['[a]', 'peer'],
];
for (const [id, name] of IDS) {
  test(`the peer with the id ${id === '' ? '(none)' : id} is named ${name}`, (t) => {
    t.is(monitoringPeer(t, PEER.replace('peer0', id)).settings.nodes[0]?.name, name);
  });
}

const NAMES: readonly (readonly [nodes: readonly string[], names: readonly string[]])[] = [
  [['b=core.yaml'], ['b']],
  [
    ['a', 'b'],
    ['orderer-7443', 'orderer-8443'],
  ],
  [
    ['one=a', 'b'],
    ['one', 'orderer'],
  ],
  [
    ['orderer=a', 'b'],
    ['orderer', 'orderer-8443'],
  ],
  [
    ['a', 'far'],
    ['orderer-7443', 'orderer2.example.com-9443'],
  ],
  [['./a=b.yaml'], ['peer0']],
  [['sample'], ['peer-9443']],
];
for (const [nodes, names] of NAMES) {
  test(`--node ${nodes.join(' --node ')}: the nodes are ${names.join(' and ')}`, (t) => {
    const orderer = (address: string): string =>
      ORDERER.replace(/listenAddress: \S+?(?=[,}\s])/i, `ListenAddress: '${address}'`);
    const files = {
      'core.yaml': PEER,
      'a/orderer.yaml': orderer('127.0.0.1:7443'),
      'b/orderer.yaml': orderer('127.0.0.1:8443'),
      'far/orderer.yaml': orderer('orderer2.example.com:9443'),
      'a=b.yaml': PEER,
      'sample/core.yaml': PEER.replace('peer0', 'jdoe'),
    };
    t.deepEqual(
      load(t, files, { nodes }).settings.nodes.map(({ name }) => name),
      names,
    );
  });
}

for (const [flag, problem] of [
  [
    'a b=core.yaml',
    "flag --node: node.name: must be letters, digits, '_' and '-', in parts joined by '.': value was \"a b\"",
  ],
  ['=core.yaml', '=core.yaml: cannot be read: no such file'],
] as const)
  test(`--node '${flag}' is refused`, (t) => {
    t.deepEqual(problemsOf(t, { 'core.yaml': PEER }, { nodes: [flag] }), [problem]);
  });

test('a directory stands for the one file of a node in it', (t) => {
  const files = {
    'p/core.yaml': PEER,
    'o/orderer.yaml': ORDERER,
    'both/core.yaml': PEER,
    'both/orderer.yaml': ORDERER,
    'e/a': '',
  };
  t.deepEqual(load(t, files, { nodes: ['p', 'o'] }).files, ['p/core.yaml', 'o/orderer.yaml']);
  t.deepEqual(problemsOf(t, files, { nodes: ['both', 'e', 'missing'] }), [
    'both: contains core.yaml and orderer.yaml; name one of them',
    'e: contains neither core.yaml nor orderer.yaml',
    'missing: cannot be read: no such file',
  ]);
});

test('a file that is not of a node is refused', (t) => {
  t.deepEqual(problemsOf(t, { 'agent.yaml': 'metrics: {}\n' }, { nodes: ['agent.yaml'] }), [
    "agent.yaml: is neither a peer's core.yaml nor an orderer's orderer.yaml: it has none of the sections peer, chaincode, ledger, General and Operations",
  ]);
});

test('when monitoring a node, --config takes no file of a node', (t) => {
  const files = { 'core.yaml': PEER, 'orderer.yaml': ORDERER };
  t.deepEqual(problemsOf(t, files, { nodes: ['core.yaml'], files: ['orderer.yaml', 'core.yaml'] }), [
    'orderer.yaml: is the configuration of an orderer; when monitoring a node, --config takes only settings of fabric-ops-agent: name this file with --node',
    'core.yaml: is the configuration of a peer; when monitoring a node, --config takes only settings of fabric-ops-agent: name this file with --node',
  ]);
});

test('when monitoring a node, only an agent.yaml in FABRIC_CFG_PATH is read, and not the packaged file', async (t) => {
  const files = { 'conf/core.yaml': PEER, 'mine/agent.yaml': 'health: {interval: 7s}\n' };
  const read = (path: string): LoadedSettings =>
    load(t, files, { nodes: ['conf/core.yaml'], environment: { FABRIC_CFG_PATH: path } });
  t.deepEqual(read('conf').files, ['conf/core.yaml']);
  t.deepEqual(read('').files, ['conf/core.yaml']);
  t.deepEqual(read('mine').files, ['mine/agent.yaml', 'conf/core.yaml']);
  t.is((await declared(read('mine'), 'node-health')).options.interval, '7s');
});

test('an operations endpoint without a fixed port is refused', async (t) => {
  const files = { 'core.yaml': 'peer: {}\nmetrics: {provider: prometheus}\n' };
  const problem = (origin: string, found: string): string =>
    `${origin}: operations.listenAddress: ${found}, so the operations endpoint of the node has no fixed port; set it there, or set node.address`;
  t.deepEqual(problemsOf(t, files, { nodes: ['core.yaml'] }), [problem('core.yaml', 'is empty')]);
  t.deepEqual(
    problemsOf(t, files, {
      nodes: ['core.yaml'],
      environment: { CORE_OPERATIONS_LISTENADDRESS: '127.0.0.1:0' },
    }),
    [problem('environment CORE_OPERATIONS_LISTENADDRESS', 'is 127.0.0.1:0')],
  );
  const loaded = load(t, files, { nodes: ['core.yaml'], flags: ['node.address=peer0:1'] });
  t.is((await declared(loaded, 'node')).options.address, 'peer0:1');
  t.is((await declared(loaded, 'node')).optionOrigins?.address, 'flag --set node.address: node.address');
});

test('an invalid value in the file of a node is reported with its key there', (t) => {
  const text = 'General: {}\nOperations:\n  ListenAddress: 8443\n  TLS: {Enabled: perhaps}\n';
  const problems = problemsOf(t, { 'orderer.yaml': text }, { nodes: ['orderer.yaml'] });
  t.deepEqual(problems, [
    'orderer.yaml:3: Operations.ListenAddress: must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443: value was 8443',
    'orderer.yaml:4: Operations.TLS.Enabled: must be true or false: value was "perhaps"',
  ]);
});

for (const [provider, shown] of [
  ['statsd', 'statsd'],
  ['disabled', 'disabled'],
  ['Prometheus', 'Prometheus'],
  ['', 'disabled'],
] as const) {
  test(`with the metrics provider '${provider}' of the node its metrics are not relayed, which is a warning`, async (t) => {
    const loaded = monitoringPeer(t, PEER.replace('provider: prometheus', `provider: ${provider}`));
    t.is((await declared(loaded, 'node')).options.metrics, false);
    t.deepEqual(loaded.warnings, [
      `core.yaml${provider === '' ? '' : ':3'}: metrics.provider: is ${shown}: the metrics of peer0 are not relayed, and /metrics has only the metrics of this agent; set prometheus in the file of the node, or node.metrics: true if the node serves /metrics nevertheless`,
    ]);
  });
}

test('node.metrics overrides the metrics provider of the node', async (t) => {
  const text = PEER.replace('prometheus', 'disabled');
  const loaded = monitoringPeer(t, text, { flags: ['node.metrics=true'] });
  t.is((await declared(loaded, 'node')).options.metrics, true);
  t.deepEqual(loaded.warnings, []);
  t.is(
    (await declared(monitoringPeer(t, PEER, { flags: ['node.metrics=false'] }), 'node')).options.metrics,
    false,
  );
});

test('health and log level of a node can be switched off', async (t) => {
  const loaded = monitoringPeer(t, PEER, { flags: ['node.health=false', 'node.logging=false'] });
  t.deepEqual(await summary(loaded), ['console', 'node peer0', LOADED, 'prometheus']);
  t.deepEqual(withoutAddress(loaded.settings.nodes), [{ name: 'peer0', kind: 'peer', logging: false }]);
});

test('the sink prometheus is only the default when monitoring a node', async (t) => {
  const sinks = async (agent: string): Promise<unknown[]> =>
    (
      await declaredBy(
        load(t, { 'core.yaml': PEER, 'a.yaml': agent }, { nodes: ['core.yaml'], files: ['a.yaml'] }).settings,
      )
    )
      .slice(4)
      .map(({ plugin, fallback }) => (fallback ? `${plugin} unless another sink is declared` : plugin));
  t.deepEqual(await sinks(''), ['prometheus unless another sink is declared']);
  t.deepEqual(await sinks('metrics: {provider: disabled}\n'), []);
  t.deepEqual(await sinks('metrics: {provider: prometheus}\n'), ['prometheus']);
  t.deepEqual(await sinks('metrics: {provider: statsd, statsd: {address: "h:1"}}\n'), ['statsd']);
  t.deepEqual(await sinks('plugins: [{plugin: ./sink.js}]\n'), [
    'prometheus unless another sink is declared',
    './sink.js',
  ]);
});

test('the section node in a file of ours declares a node', async (t) => {
  const agent = 'node:\n  config: conf/core.yaml\n  name: first\n  address: peer0:7\n  Health: false\n';
  const files = { 'conf/core.yaml': PEER, 'agent.yaml': agent };
  const loaded = load(t, files, { files: ['agent.yaml'] });
  t.deepEqual(await summary(loaded), [
    'console',
    'node first',
    'loaded-channels first/loaded-channels',
    'prometheus',
  ]);
  t.is((await declared(loaded, 'node')).options.address, 'peer0:7');
  t.is((await declared(loaded, 'node')).origin, 'agent.yaml:2: node');
  t.deepEqual(loaded.settings.operations.listenAddress, { host: '127.0.0.1', port: 9543 });
  const flag = load(t, { ...files, 'o.yaml': ORDERER }, { files: ['agent.yaml'], nodes: ['o.yaml'] });
  t.deepEqual(withoutAddress(flag.settings.nodes), [{ name: 'first', kind: 'orderer' }]);
  t.deepEqual(
    flag.settings.nodes.flatMap((node) => node.files?.map((file) => [isAbsolute(file), basename(file)])),
    [[true, 'o.yaml']],
  );
});

test('FABRIC_OPS_AGENT_NODE_CONFIG and --set node.config declare a node', (t) => {
  for (const sources of [
    { environment: { FABRIC_OPS_AGENT_NODE_CONFIG: 'core.yaml', FABRIC_CFG_PATH: '.' } },
    { flags: ['node.config=core.yaml'] },
  ])
    t.deepEqual(withoutAddress(load(t, { 'core.yaml': PEER }, sources).settings.nodes), [
      { name: 'peer0', kind: 'peer' },
    ]);
});

test('several nodes are listed under nodes, or --node is repeated', async (t) => {
  const agent =
    'nodes:\n  - {config: core.yaml, name: p1}\n  - {config: core.yaml, name: p2, address: "b:2"}\n  - config: orderer.yaml\n';
  const files = { 'core.yaml': PEER, 'orderer.yaml': ORDERER, 'agent.yaml': agent };
  const loaded = load(t, files, { files: ['agent.yaml'] });
  t.deepEqual(
    loaded.settings.nodes.map(({ name }) => name),
    ['p1', 'p2', 'orderer'],
  );
  t.is((await declared(loaded, 'node', 1)).origin, 'agent.yaml:3: nodes[1]');
  t.is((await declared(loaded, 'node', 1)).optionOrigins?.address, 'agent.yaml:3: nodes[1].address');
  const flags = load(t, files, { nodes: ['core.yaml', 'orderer.yaml'] });
  t.deepEqual(withoutAddress(flags.settings.nodes), [
    { name: 'peer0', kind: 'peer' },
    { name: 'orderer', kind: 'orderer' },
  ]);
});

test('variables describe the only node of their kind', async (t) => {
  const files = {
    'a/core.yaml': PEER,
    'b/core.yaml': PEER.replace('9443', '9445').replace('peer0', 'peer1'),
    'orderer.yaml': ORDERER,
  };
  const environment = {
    CORE_OPERATIONS_LISTENADDRESS: 'a:1',
    CORE_PEER_ID: 'x',
    CORE_LEDGER_STATE_STATEDATABASE: 'CouchDB',
    ORDERER_OPERATIONS_LISTENADDRESS: 'o:1',
  };
  const addresses = async (...nodes: string[]): Promise<unknown[]> =>
    (await declaredBy(load(t, files, { nodes, environment }).settings))
      .filter(({ plugin }) => plugin === 'node')
      .map(({ options }) => options.address);
  t.deepEqual(await addresses('a', 'orderer.yaml'), ['a:1', 'o:1']);
  t.deepEqual(await addresses('a', 'b', 'orderer.yaml'), ['127.0.0.1:9443', '127.0.0.1:9445', 'o:1']);
  t.deepEqual(load(t, files, { nodes: ['a', 'b'], environment }).warnings, [
    'environment CORE_PEER_ID, CORE_OPERATIONS_LISTENADDRESS, CORE_LEDGER_STATE_STATEDATABASE: ignored, because there are 2 nodes of the kind peer; give each of them a file with its variables (--node-env), or set name, address and certificates of each node under nodes',
  ]);
});

const INVALID: readonly (readonly [agent: string, ...problems: string[]])[] = [
  [
    'node: {name: a}',
    "agent.yaml:1: node: config is required: the node's core.yaml or orderer.yaml, or its directory",
  ],
  [
    'nodes: [{}]',
    "agent.yaml:1: nodes[0]: config is required: the node's core.yaml or orderer.yaml, or its directory",
  ],
  [
    'nodes: [core.yaml]',
    'agent.yaml:1: nodes[0]: must be a mapping such as {config: core.yaml}: value was "core.yaml"',
  ],
  ['nodes: core.yaml', 'agent.yaml:1: nodes: must be a list: value was "core.yaml"'],
  [
    'nodes: [{config: core.yaml, adress: x}]',
    'agent.yaml:1: nodes[0].adress: unknown key; did you mean address?',
  ],
  ['nodes: [{config: core.yaml, name: a, Name: b}]', 'agent.yaml:1: nodes[0].Name: duplicate key'],
  ['node: {config: core.yaml, adress: x}', 'agent.yaml:1: node.adress: unknown key; did you mean address?'],
  [
    'node: {config: core.yaml, name: a/b}',
    "agent.yaml:1: node.name: must be letters, digits, '_' and '-', in parts joined by '.': value was \"a/b\"",
  ],
  [
    'node: {config: core.yaml, health: maybe}',
    'agent.yaml:1: node.health: must be true or false: value was "maybe"',
  ],
  [
    'nodes: [{config: core.yaml, name: a}, {config: core.yaml, name: a, address: "a:1"}]',
    "agent.yaml:1: nodes[1]: duplicate node name 'a', already used by agent.yaml:1: nodes[0]; give one of them another name (--node NAME=FILE, or name under nodes)",
  ],
  [
    'nodes: [{config: core.yaml}, {config: core.yaml, name: b}]',
    'core.yaml:2: operations.listenAddress: peer0 and b have the same address, 127.0.0.1:9443; give each node its own file or its own variables (environment, --node-env)',
  ],
  [
    '{node: {config: core.yaml}, nodes: [{config: core.yaml}]}',
    'agent.yaml:1: nodes: cannot be combined with node, which is set by agent.yaml:1',
  ],
];
for (const [agent, ...problems] of INVALID) {
  test(`the file with ${agent} is refused`, (t) => {
    const found = problemsOf(t, { 'core.yaml': PEER, 'agent.yaml': agent }, { files: ['agent.yaml'] });
    t.deepEqual(
      found.map((problem) => problem.replace(/^\/.*\/core\.yaml/, 'core.yaml')),
      problems,
    );
  });
}

test('settings for one node and a list of nodes exclude each other and several --node; a file that is named three times is one problem', (t) => {
  const files = { 'core.yaml': PEER, 'orderer.yaml': ORDERER, 'a.yaml': 'nodes: [{config: core.yaml}]\n' };
  t.deepEqual(problemsOf(t, files, { nodes: ['core.yaml', 'orderer.yaml'], flags: ['node.name=x'] }), [
    'flag --set node.name: node: describes one node, but --node names 2; list them under nodes in a file',
  ]);
  t.deepEqual(problemsOf(t, files, { nodes: ['orderer.yaml'], files: ['a.yaml'] }), [
    'a.yaml:1: nodes: cannot be combined with --node; list every node under nodes',
  ]);
  t.deepEqual(
    problemsOf(t, files, { nodes: ['core.yaml', 'core.yaml', 'core.yaml'] }).map(
      (each) => each.split(';', 1)[0],
    ),
    ['core.yaml:2: operations.listenAddress: peer-9443 and peer-9443 have the same address, 127.0.0.1:9443'],
  );
});

test('without a node, the variables of the agent override the variables CORE_* and ORDERER_*', (t) => {
  const environment = {
    CORE_METRICS_PROVIDER: 'statsd',
    FABRIC_OPS_AGENT_METRICS_PROVIDER: 'prometheus',
    FABRIC_LOGGING_SPEC: 'debug',
    FABRIC_OPS_AGENT_LOGGING_SPEC: 'error',
    FABRIC_OPS_AGENT_OPERATIONS_TLS_CLIENTROOTCAS_FILES: '[a.pem,/b.pem]',
    FABRIC_OPS_AGENT_VM_ENDPOINT: '',
  };
  const files = { 'core.yaml': PEER };
  const { settings, effective, nodes } = load(t, files, { files: ['core.yaml'], environment });
  t.is(effective.get('metrics.provider')?.origin, 'environment FABRIC_OPS_AGENT_METRICS_PROVIDER');
  t.is(settings.logging.spec, 'error');
  t.deepEqual(
    settings.operations.tls.clientRootCAFiles.map((file) => file.split('/').at(-1)),
    ['a.pem', 'b.pem'],
  );
  t.deepEqual(settings.operations.listenAddress, { host: '127.0.0.1', port: 9443 });
  t.deepEqual(nodes, []);
  t.deepEqual(settings.nodes, []);
});

test('defineSettings takes nodes, and reads no variables for them', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': PEER });
  const settings = defineSettings({ 'node.config': 'core.yaml', 'health.interval': '1s' }, cwd);
  t.deepEqual(withoutAddress(settings.nodes), [{ name: 'peer0', kind: 'peer' }]);
  t.deepEqual(settings.nodes[0]?.address, { host: '127.0.0.1', port: 9443 });
  t.is(settings.operations.listenAddress.port, 9543);
  t.is((await declaredBy(settings))[1]?.directory, cwd);
  const listed = defineSettings({ nodes: [{ config: join(cwd, 'core.yaml'), name: 'x' }] }, '/');
  t.deepEqual(withoutAddress(listed.nodes), [{ name: 'x', kind: 'peer' }]);
});

test('two peers with one file have the variables of their own files', (t) => {
  const files = {
    'core.yaml': PEER,
    '0.env': 'CORE_PEER_ID=org1\nCORE_OPERATIONS_LISTENADDRESS=127.0.0.1:1\n',
    '1.json': JSON.stringify([
      { Config: { Env: ['CORE_PEER_ID=org2', 'CORE_OPERATIONS_LISTENADDRESS=127.0.0.1:2'] } },
    ]),
  };
  const { nodes, warnings } = load(t, files, {
    nodes: ['core.yaml', 'core.yaml'],
    nodeEnvironments: ['0.env', '1.json'],
    environment: { CORE_PEER_ID: 'other', CORE_OPERATIONS_TLS_ENABLED: 'true' },
  });
  t.deepEqual(warnings, []);
  t.deepEqual(
    nodes.map(({ name, address: { value, origin }, tls }) => [name, value.port, origin, tls.tls.value]),
    [
      ['org1', 1, '0.env: CORE_OPERATIONS_LISTENADDRESS: operations.listenAddress', false],
      ['org2', 2, '1.json: CORE_OPERATIONS_LISTENADDRESS: operations.listenAddress', false],
    ],
  );
});

test('the only other peer has the variables of the agent, and an entry of nodes can have a file too', (t) => {
  const files = {
    'core.yaml': PEER,
    '0.env': 'CORE_PEER_ID=org1',
    'agent.yaml':
      'nodes:\n  - { config: core.yaml, environment: 0.env, address: "127.0.0.1:1" }\n  - { config: core.yaml }\n',
  };
  const { nodes } = load(t, files, { files: ['agent.yaml'], environment: { CORE_PEER_ID: 'org2' } });
  t.deepEqual(
    nodes.map(({ name }) => name),
    ['org1', 'org2'],
  );
});

test('an invalid variable in a file is reported with the file', (t) => {
  const files = { 'core.yaml': PEER, '0.env': 'CORE_OPERATIONS_LISTENADDRESS=nowhere' };
  const [problem = ''] = problemsOf(t, files, { nodes: ['core.yaml'], nodeEnvironments: ['0.env'] });
  t.true(problem.startsWith('0.env: CORE_OPERATIONS_LISTENADDRESS: operations.listenAddress: '), problem);
  t.deepEqual(problemsOf(t, files, { nodes: ['core.yaml'], nodeEnvironments: ['1.env'] }), [
    '1.env: no such file',
  ]);
});

for (const [log, expected] of [
  ['peer.log', { file: 'peer.log' }],
  ['/var/log/peer.log', { file: '/var/log/peer.log' }],
  ['journal:peer@1.service', { unit: 'peer@1.service' }],
] as const)
  test(`node.log=${log} is a log of the node`, (t) => {
    const { settings } = monitoringPeer(t, PEER, {
      cwd: temporaryFolder(t, { 'core.yaml': PEER }),
      flags: [`node.log=${log}`],
    });
    const found = settings.nodes[0]?.log ?? {};
    const [name = ''] = Object.keys(expected);
    t.deepEqual(Object.keys(found), [name]);
    t.true(String(Object.values(found)[0]).endsWith(String(Object.values(expected)[0])));
  });

for (const unit of ['', '-x', 'a b'])
  test(`node.log=journal:${unit} is refused`, (t) => {
    t.deepEqual(
      problemsOf(t, { 'core.yaml': PEER }, { nodes: ['core.yaml'], flags: [`node.log=journal:${unit}`] }),
      [
        `flag --set node.log: node.log: must be a file, or journal: and the name of a unit: value was "journal:${unit}"`,
      ],
    );
  });

test('variables of an orderer for sections that its file does not have do not count, with a warning', (t) => {
  const file =
    'General: {}\nOperations: {ListenAddress: "127.0.0.1:8443"}\nMetrics: {Provider: prometheus}\n';
  const { nodes, warnings } = load(
    t,
    { 'orderer.yaml': file },
    {
      nodes: ['orderer.yaml'],
      environment: {
        ORDERER_OPERATIONS_TLS_ENABLED: 'true',
        ORDERER_ADMIN_LISTENADDRESS: '127.0.0.1:9443',
        ORDERER_GENERAL_LISTENPORT: '7051',
      },
    },
  );
  t.false(nodes[0]?.tls.tls.value);
  t.is(nodes[0]?.values.get('admin.listenAddress')?.value, null);
  t.is(nodes[0]?.values.get('listenPort')?.value, '7051');
  t.deepEqual(warnings, [
    'environment ORDERER_OPERATIONS_TLS_ENABLED: no effect: orderer.yaml does not have Operations.TLS, and an orderer reads variables for it only if its file has it',
    'environment ORDERER_ADMIN_LISTENADDRESS: no effect: orderer.yaml does not have Admin, and an orderer reads variables for it only if its file has it',
  ]);
});

test('variables of a peer are read like in the peer, and variables that depend on its version are warnings', (t) => {
  const { nodes, warnings } = load(
    t,
    { 'core.yaml': PEER },
    {
      nodes: ['core.yaml'],
      environment: {
        CORE_OPERATIONS_TLS_ENABLED: 'yes',
        CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES: '[/ca.pem]',
        CORE_METRICS_PROVIDER: '',
        CORE_PEER_TLS_CLIENTCERT_FILE: '',
      },
    },
  );
  t.false(nodes[0]?.tls.tls.value);
  t.deepEqual(
    nodes[0]?.clientRootCAFiles.map((path) => path.endsWith('/[/ca.pem]')),
    [true],
  );
  t.true(nodes[0]?.metrics.value);
  t.deepEqual(warnings, [
    'environment CORE_OPERATIONS_TLS_ENABLED: is neither true nor false: a peer takes it as false',
    'environment CORE_METRICS_PROVIDER: is empty: a peer of Fabric 3 takes it as the value; a peer of 2.5, like this agent, takes the value of core.yaml',
  ]);
});
