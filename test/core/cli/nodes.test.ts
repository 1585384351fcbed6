import test from 'ava';
import { loadSettings } from '../../../config/index.js';
import { describeNode } from '../../../core/cli/config.js';
import { checkNodeAddresses } from '../../../core/cli/start-checks.js';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { temporaryFolder } from '../../helpers/folder.js';

const ADDRESSES: readonly (readonly [node: string, own: string, isShared: boolean])[] = [
  ['127.0.0.1:9443', '127.0.0.1:9443', true],
  ['127.0.0.1:9443', '127.0.0.1:9543', false],
  ['0.0.0.0:9443', '127.0.0.1:9443', true],
  ['[::]:9443', '127.0.0.1:9443', true],
  [':9443', ':9443', true],
  ['127.0.0.1:9443', ':9443', true],
  ['127.0.0.2:9443', '127.0.0.1:9443', false],
  ['localhost:9443', '127.0.0.1:9443', true],
  ['127.0.0.1:9443', 'localhost:9443', true],
  ['192.0.2.1:9443', ':9443', false],
  ['no-such-host.invalid:9443', ':9443', false],
];
for (const [node, own, isShared] of ADDRESSES) {
  test(`a node on ${node} and the agent on ${own} ${isShared ? 'have the same address' : 'have different addresses'}`, async (t) => {
    const cwd = temporaryFolder(t, {
      'core.yaml': `peer: {id: peer0}\noperations:\n  listenAddress: "${node}"\nmetrics: {provider: prometheus}\n`,
    });
    const arguments_ = ['--node', 'core.yaml', '--set', `operations.listenAddress=${own}`];
    const loaded = loadSettings({
      files: [],
      nodes: ['core.yaml'],
      flags: [`operations.listenAddress=${own}`],
      environment: {},
      cwd,
    });
    if (!isShared) {
      await t.notThrowsAsync(checkNodeAddresses(loaded));
      return;
    }
    const problem = `fabric-ops-agent: error: flag --set operations.listenAddress: operations.listenAddress: ${own} is the address of the node peer0, which listens on ${node} (core.yaml:3: operations.listenAddress); set another port for this agent\n`;
    for (const command of [['start'], ['config', 'check']])
      t.deepEqual(await runAgentCommand([...command, ...arguments_], { cwd }), {
        status: 2,
        stdout: '',
        stderr: problem,
      });
  });
}

test('with node.address the listen address in the file of the node does not matter', async (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml': 'peer: {}\noperations: {listenAddress: "0.0.0.0:9543"}\nmetrics: {provider: prometheus}\n',
  });
  const flags = ['node.address=192.0.2.1:9543'];
  const loaded = loadSettings({ files: [], nodes: ['core.yaml'], flags, environment: {}, cwd });
  await t.notThrowsAsync(checkNodeAddresses(loaded));
});

test('warnings about a node reach standard error before the errors', async (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml': 'peer: {id: peer0}\noperations: {listenAddress: ":9543"}\n',
  });
  const { stderr } = await runAgentCommand(['config', 'check', '--node', 'core.yaml'], { cwd });
  t.deepEqual(stderr.split('\n'), [
    'fabric-ops-agent: warning: core.yaml: metrics.provider: is disabled: the metrics of peer0 are not relayed, and /metrics has only the metrics of this agent; set prometheus in the file of the node, or node.metrics: true if the node serves /metrics nevertheless',
    'fabric-ops-agent: error: default: operations.listenAddress: 127.0.0.1:9543 is the address of the node peer0, which listens on :9543 (core.yaml:2: operations.listenAddress); set another port for this agent',
    '',
  ]);
});

test('config check beside a peer with the id of the sample file asks for its variables, and counts the warnings', async (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml': 'peer:\n  id: jdoe\noperations: {listenAddress: "127.0.0.1:9443"}\n',
    env: 'CORE_PEER_ID=peer0.org1.example.com\nCORE_METRICS_PROVIDER=prometheus\n',
  });
  const check = ['config', 'check', '--node', 'core.yaml'];
  t.deepEqual(await runAgentCommand(check, { cwd }), {
    status: 0,
    stdout: 'core.yaml: valid, 2 warnings\n',
    stderr:
      'fabric-ops-agent: warning: core.yaml:2: peer.id: is the sample value jdoe: is the peer configured with variables? name them with --node-env\n' +
      'fabric-ops-agent: warning: core.yaml: metrics.provider: is disabled: the metrics of peer-9443 are not relayed, and /metrics has only the metrics of this agent; set prometheus in the file of the node, or node.metrics: true if the node serves /metrics nevertheless\n',
  });
  const valid = { status: 0, stdout: 'core.yaml: no problem found\n', stderr: '' };
  t.deepEqual(await runAgentCommand([...check, '--node-env', 'env'], { cwd }), valid);
  const environment = { CORE_PEER_ID: 'peer0', CORE_METRICS_PROVIDER: 'prometheus' };
  t.deepEqual(await runAgentCommand(check, { cwd, environment }), valid);
  t.deepEqual(
    await runAgentCommand([...check, '--set', 'node.name=p', '--set', 'node.metrics=true'], { cwd }),
    valid,
  );
});

test('config print describes a node with the origin of each value', (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml': 'peer: {id: peer0}\noperations: {listenAddress: ":9443"}\nmetrics: {provider: prometheus}\n',
  });
  const flags = ['node.logging=false'];
  const { nodes } = loadSettings({ files: [], nodes: ['core.yaml'], flags, environment: {}, cwd });
  t.deepEqual(
    nodes.flatMap(describeNode).map(({ value, origin }) => `${value} # ${origin}`),
    [
      'node peer0 (peer) # flag --node core.yaml',
      '    address: "127.0.0.1:9443" # core.yaml:2: operations.listenAddress',
      '    tls: false # core.yaml: operations.tls.enabled',
      '    metrics: true # core.yaml:3: metrics.provider',
      '    health: true # default',
      '    logging: false # flag --set node.logging: node.logging',
    ],
  );
});

test('config print shows the state database of a peer, and its password neither from the file nor from a variable', async (t) => {
  const core = `peer: {id: peer0}
operations: {listenAddress: '127.0.0.1:9443'}
ledger:
  state:
    stateDatabase: CouchDB
    couchDBConfig: {couchDBAddress: 'couchdb0:5984', username: admin, password: hunter2}
`;
  const cwd = temporaryFolder(t, { 'core.yaml': core });
  for (const environment of [{}, { CORE_LEDGER_STATE_COUCHDBCONFIG_PASSWORD: 'hunter3' }]) {
    const { status, stdout, stderr } = await runAgentCommand(['config', 'print', '--node', 'core.yaml'], {
      cwd,
      environment,
    });
    t.is(status, 0, stderr);
    t.regex(stdout, /^plugin peer0\/state-database \(checker\), .*\n {4}address: "couchdb0:5984"\n/m);
    t.true(stdout.includes('    username: "admin"\n    password: ********\n'), stdout);
    t.notRegex(stdout + stderr, /hunter/);
  }
});

for (const [what, files] of [
  ['', {}],
  ['/signcerts', { 'msp/cacerts/ca.pem': '' }],
] as const)
  test(`config check beside a peer names a missing MSP: its directory msp${what}`, async (t) => {
    const cwd = temporaryFolder(t, {
      'core.yaml':
        'peer: {id: peer0, mspConfigPath: msp}\noperations: {listenAddress: "127.0.0.1:9443"}\nmetrics: {provider: prometheus}\n',
      ...files,
    });
    t.deepEqual(await runAgentCommand(['config', 'check', '--node', 'core.yaml'], { cwd }), {
      status: 1,
      stdout: '',
      stderr: `fabric-ops-agent: error: node peer0: core.yaml:1: peer.mspConfigPath: ${cwd}/msp${what}: no such directory\n`,
    });
  });

test('config check names each host once that cannot be resolved', async (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml': `peer: {id: peer0}
operations: {listenAddress: 'peer0.invalid:9443'}
metrics: {provider: prometheus}
ledger: {state: {stateDatabase: CouchDB, couchDBConfig: {couchDBAddress: 'couchdb0.invalid:5984'}}}
`,
  });
  const { status, stderr } = await runAgentCommand(['config', 'check', '--node', 'core.yaml'], { cwd });
  const rest = 'cannot be resolved: correct it, or the name resolution of this host';
  t.deepEqual(
    [status, stderr.trimEnd().split('\n')],
    [
      1,
      [
        `fabric-ops-agent: error: plugin peer0: options.address: the name peer0.invalid ${rest}`,
        `fabric-ops-agent: error: plugin peer0/state-database: options.address: the name couchdb0.invalid ${rest}`,
      ],
    ],
  );
});

test('preflight refuses a node in a container, whose paths this host does not have', async (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml': 'peer: {id: peer0}\n',
    'peer0.json': JSON.stringify([
      {
        Name: '/peer0.example.com',
        Mounts: [],
        HostConfig: {},
        Config: { Env: ['CORE_PEER_LOCALMSPID=Org1MSP'] },
      },
    ]),
  });
  const args = ['preflight', '--node', 'core.yaml', '--node-env', 'peer0.json', '--program', 'none'];
  const { status, stdout, stderr } = await runAgentCommand(args, { cwd });
  t.deepEqual([status, stdout], [2, '']);
  t.true(stderr.includes('peer0.json: describes the container peer0.example.com'), stderr);
});
