import { join } from 'node:path';
import test from 'ava';
import { PACKAGED_FILE } from '../../../config/index.js';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { runProgram } from '../../helpers/program.js';

const SAMPLES = PACKAGED_FILE.replace('agent.yaml', '');

for (const name of ['agent', 'peer', 'orderer']) {
  test(`config check finds no problem in the sample ${name}.yaml`, async (t) => {
    const file = join(SAMPLES, `${name}.yaml`);
    const { status, stdout, stderr } = await runAgentCommand(['config', 'check', '--config', file]);
    t.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${file}: no problem found\n`, stderr: '' });
  });
}

test('config check prints the name of every file', async (t) => {
  const cwd = temporaryFolder(t, { 'a.yaml': '', 'b.yaml': '' });
  const { stdout } = await runAgentCommand(['config', 'check', '-c', 'a.yaml', '-c', 'b.yaml'], { cwd });
  t.is(stdout, 'a.yaml, b.yaml: no problem found\n');
});

for (const [hosts, note] of [
  ['[a.example]', ''],
  [
    "['*']",
    "operations.hosts has '*': every Host is accepted, so a page of any site can use this agent under a name of the site (DNS rebinding)\n",
  ],
] as const)
  test(`config check with operations.hosts ${hosts} prints ${note === '' ? 'no note' : 'a note'}`, async (t) => {
    const cwd = temporaryFolder(t, { 'a.yaml': `operations: { hosts: ${hosts} }\n` });
    const { stdout } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], { cwd });
    t.is(stdout, `${note}a.yaml: no problem found\n`);
  });

test('config check prints one problem per line and exits with 2', async (t) => {
  const cwd = temporaryFolder(t, { 'a.yaml': 'operations:\n  listenAdress: x\nhealth: {timeout: 30}\n' });
  const { status, stdout, stderr } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], { cwd });
  t.deepEqual(
    { status, stdout, stderr },
    {
      status: 2,
      stdout: '',
      stderr:
        'fabric-ops-agent: error: a.yaml:2: operations.listenAdress: unknown key; did you mean listenAddress?\n' +
        'fabric-ops-agent: error: a.yaml:3: health.timeout: must have a unit: write 30s for seconds or 30ms for milliseconds: value was 30\n',
    },
  );
});

test('config check reports invalid plugin options', async (t) => {
  const cwd = temporaryFolder(t, {
    'a.yaml': 'plugins: [{plugin: docker, name: d, options: {timeuot: 1s, timeout: 5}}]\n',
  });
  const { status, stderr } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], { cwd });
  t.is(status, 2);
  t.is(
    stderr,
    'fabric-ops-agent: error: a.yaml:1: plugins[0]: plugin d: options.timeuot: unknown option; did you mean timeout?\n' +
      'fabric-ops-agent: error: a.yaml:1: plugins[0]: plugin d: options.timeout: must have a unit: write 5s for seconds or 5ms for milliseconds: value was 5\n',
  );
});

const NODES = 'nodes: [{config: peer0.yaml, name: peer0}]\n';
const RESERVED: readonly (readonly [yaml: string, problem: string])[] = [
  [
    'plugins: [{plugin: docker, name: channels}]\n',
    "a.yaml:1: plugins[0]: a checker cannot have the name 'channels', which the agent uses for the channels of all nodes; set another name",
  ],
  [
    'plugins: [{plugin: docker, name: channels/ch1}]\n',
    "a.yaml:1: plugins[0]: a checker cannot have the name 'channels/ch1', which the agent uses for the channels of all nodes; set another name",
  ],
  [
    'plugins: [{plugin: docker, name: agent}]\n',
    "a.yaml:1: plugins[0]: a checker cannot have the name 'agent', which the agent uses for the lag of the agent itself; set another name",
  ],
  [
    `${NODES}plugins: [{plugin: docker, name: peer0/level}]\n`,
    "a.yaml:2: plugins[0]: a checker cannot have the name 'peer0/level', which the agent uses for the logging specification of the node peer0; set another name",
  ],
  [
    'nodes: [{config: peer0.yaml, name: channels}]\n',
    "a.yaml:1: nodes[0]: a node cannot have the name 'channels', which the agent uses for the channels of all nodes; set another name",
  ],
  [
    'nodes: [{config: peer0.yaml, name: agent}]\n',
    "a.yaml:1: nodes[0]: a node cannot have the name 'agent', which the agent uses for the lag of the agent itself; set another name",
  ],
];
for (const [yaml, problem] of RESERVED)
  test(`config check and start refuse the name in ${yaml.trim().replace('\n', '; ')}`, async (t) => {
    const peer =
      'peer: {id: peer0}\noperations: {listenAddress: "127.0.0.1:1"}\nmetrics: {provider: prometheus}\n';
    const cwd = temporaryFolder(t, { 'a.yaml': yaml, 'peer0.yaml': peer });
    for (const command of [['config', 'check'], ['start']]) {
      const args = [...command, '-c', 'a.yaml', '--set', 'operations.listenAddress=127.0.0.1:0'];
      const outcome = await runAgentCommand(args, { cwd });
      t.deepEqual(outcome, { status: 2, stdout: '', stderr: `fabric-ops-agent: error: ${problem}\n` });
    }
  });

test('names near those that the agent needs are valid', async (t) => {
  const names = ['channel', 'channels2', 'agent/disk', 'agentsx', 'level', 'peer1/level', 'Channels'];
  const plugins = names.map((name) => `{plugin: docker, name: ${name}}`).join(', ');
  const sinks = ['channels', 'agent']
    .map((name) => `{plugin: prometheus, name: ${name}, options: {path: /${name}}}`)
    .join(', ');
  const cwd = temporaryFolder(t, { 'a.yaml': `plugins: [${plugins}, ${sinks}]\n` });
  const { status, stdout, stderr } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], { cwd });
  t.deepEqual({ status, stdout, stderr }, { status: 0, stdout: 'a.yaml: no problem found\n', stderr: '' });
});

test('config check reports the origin of a plugin option that a node setting declares', async (t) => {
  const text = 'peer: {}\nmetrics:\n  provider: statsd\n  statsd: {address: "h:1"}\n';
  const cwd = temporaryFolder(t, { 'core.yaml': text });
  const { status, stderr } = await runAgentCommand(['config', 'check', '-c', 'core.yaml'], {
    cwd,
    environment: { CORE_METRICS_STATSD_PREFIX: 'a b' },
  });
  t.is(status, 2);
  t.is(
    stderr,
    'fabric-ops-agent: error: environment CORE_METRICS_STATSD_PREFIX: metrics.statsd.prefix: plugin statsd: options.prefix: must be a string without whitespace, control characters, colons or vertical bars: value was "a b"\n',
  );
});

test('config check reports an unusable TLS file', async (t) => {
  const cwd = temporaryFolder(t);
  const ca = new TestCa(cwd, 'ca');
  const tls = [
    'operations.tls.enabled=true',
    `operations.tls.cert.file=${ca.issue('server', 'serverAuth').cert}`,
    'operations.tls.key.file=missing.key',
    `operations.tls.clientRootCAs.files=${ca.cert}`,
  ].flatMap((setting) => ['--set', setting]);
  const { status, stderr } = await runAgentCommand(['config', 'check', ...tls], { cwd });
  t.is(status, 1);
  t.is(
    stderr,
    `fabric-ops-agent: error: private key ${join(cwd, 'missing.key')} cannot be read: no such file\n`,
  );
});

for (const [what, validity, problem] of [
  ['that has expired', ['20200101000000Z', '20200201000000Z'], 'expired on Feb  1 00:00:00 2020 GMT'],
  [
    'that is not valid yet',
    ['20480101000000Z', '20490101000000Z'],
    'is not valid before Jan  1 00:00:00 2048 GMT',
  ],
] as const)
  test(`config check reports a server certificate ${what}`, async (t) => {
    const cwd = temporaryFolder(t);
    const ca = new TestCa(cwd, 'ca');
    const server = ca.issue('server', 'serverAuth', validity);
    const tls = [
      'operations.tls.enabled=true',
      `operations.tls.cert.file=${server.cert}`,
      `operations.tls.key.file=${server.key}`,
      `operations.tls.clientRootCAs.files=${ca.cert}`,
    ].flatMap((setting) => ['--set', setting]);
    const { status, stderr } = await runAgentCommand(['config', 'check', ...tls], { cwd });
    t.is(status, 1);
    t.is(stderr, `fabric-ops-agent: error: server certificate ${server.cert} ${problem}\n`);
  });

for (const [name, hint] of [
  ['OPERATIONS_LISTENADRESS', '; did you mean FABRIC_OPS_AGENT_OPERATIONS_LISTENADDRESS?'],
  ['operations_listenAddress', '; did you mean FABRIC_OPS_AGENT_OPERATIONS_LISTENADDRESS?'],
  ['LISTENADDRESS', '; did you mean FABRIC_OPS_AGENT_OPERATIONS_LISTENADDRESS?'],
  ['XYZ', ''],
] as const)
  test(`config check warns of the variable FABRIC_OPS_AGENT_${name}`, async (t) => {
    const cwd = temporaryFolder(t, { 'a.yaml': '' });
    const { status, stdout, stderr } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], {
      cwd,
      environment: { [`FABRIC_OPS_AGENT_${name}`]: 'x', FABRIC_OPS_AGENT_HEALTH_INTERVAL: '20s' },
    });
    t.is(
      stderr,
      `fabric-ops-agent: warning: environment FABRIC_OPS_AGENT_${name}: is not a variable of fabric-ops-agent${hint}\n`,
    );
    t.deepEqual({ status, stdout }, { status: 0, stdout: 'a.yaml: valid, 1 warning\n' });
  });

test('config check says which variables Kubernetes sets for a Service', async (t) => {
  const cwd = temporaryFolder(t, { 'a.yaml': '' });
  const ofServices = [
    'PEER0_SERVICE_HOST',
    'PORT',
    'PORT_9443_TCP',
    'PORT_9443_TCP_ADDR',
    'SERVICE_HOST',
    'SERVICE_PORT',
    'SERVICE_PORT_HTTPS',
  ].map((name) => `FABRIC_OPS_AGENT_${name}`);
  const { status, stderr } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], {
    cwd,
    environment: Object.fromEntries(ofServices.map((name) => [name, 'tcp://10.0.0.1:9443'])),
  });
  t.is(
    stderr,
    `fabric-ops-agent: warning: environment ${ofServices.join(', ')}: not variables of fabric-ops-agent; Kubernetes sets them for a Service with a name that begins with fabric-ops-agent, unless the pod has enableServiceLinks: false\n`,
  );
  t.is(status, 0);
});

for (const plugin of ['statsd', 'graphite'])
  for (const [prefix, found] of [
    ['org1*.peer0', '*'],
    ['peer;a=b', ';='],
    ['a,b#c[d]', ',#[]'],
    ['org1/peer@home', '/@'],
    ['zürich', 'ü'],
    ['Org-1_a.peer0.', ''],
  ] as const)
    test(`config check of the prefix "${prefix}" of ${plugin}`, async (t) => {
      const options = { address: '127.0.0.1:8125', prefix };
      const cwd = temporaryFolder(t, { 'a.yaml': JSON.stringify({ plugins: [{ plugin, options }] }) });
      const { status, stderr } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], { cwd });
      t.is(
        stderr,
        found === ''
          ? ''
          : `fabric-ops-agent: warning: a.yaml:1: plugins[0]: plugin ${plugin}: options.prefix: receivers remove or replace ${found}, or read it as the start of tags; use letters, digits, '_', '-' and '.': value was "${prefix}"\n`,
      );
      t.is(status, 0);
    });

test('config check does not print the value of a secret that it warns of, and contains a warn that throws', async (t) => {
  const option = (more: string): string => `{ format: String, default: 'x', doc: 'd', ${more} }`;
  const files = {
    'own.mjs': `export default { apiVersion: 1, kind: 'checker', name: 'own', create: () => ({ check() {} }), options: {
  token: ${option("sensitive: true, warn: () => 'is short'")},
  other: ${option("warn() { throw new Error('no luck'); }")},
} };`,
    'a.yaml': 'plugins: [{plugin: ./own.mjs, options: {token: hunter2}}]\n',
  };
  const cwd = temporaryFolder(t, files);
  const { status, stderr } = await runAgentCommand(['config', 'check', '-c', 'a.yaml'], { cwd });
  t.is(
    stderr,
    ['token: is short', 'other: its warn function failed: no luck']
      .map((text) => `fabric-ops-agent: warning: a.yaml:1: plugins[0]: plugin own: options.${text}\n`)
      .join(''),
  );
  t.is(status, 0);
});

test('config print prints every value with its origin', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': 'peer: {}\nmetrics:\n  provider: prometheus\n' });
  const { status, stdout } = await runAgentCommand(
    ['config', 'print', '-c', 'core.yaml', '--set', 'health.timeout=3s'],
    { cwd, environment: { CORE_OPERATIONS_LISTENADDRESS: ':7', FABRIC_LOGGING_SPEC: 'debug' } },
  );
  t.is(status, 0);
  const lines = new Set(stdout.split('\n').map((line) => line.replace(/ {2,}# /, '  # ')));
  for (const line of [
    'operations.listenAddress: ":7"  # environment CORE_OPERATIONS_LISTENADDRESS',
    'health.timeout: "3s"  # flag --set health.timeout',
    'health.cacheFor: "1s"  # default',
    'metrics.provider: "prometheus"  # core.yaml:3',
    'logging.spec: "debug"  # environment FABRIC_LOGGING_SPEC',
    'plugin prometheus (sink), on start error: fail  # core.yaml:3: metrics.provider',
    '    path: "/metrics"',
  ])
    t.true(lines.has(line), line);
  // The origins are in one column.
  t.true(stdout.includes(`\n${'health.timeout: "3s"'.padEnd(60)}  # flag --set health.timeout\n`));
});

test('config print masks the secrets of plugins and prints their other options', async (t) => {
  const contract = new URL('../../../core/contract/index.js', import.meta.url).href;
  const cwd = temporaryFolder(t, {
    'secret.mjs': `import { defineHealthChecker } from '${contract}';
export default defineHealthChecker({
  name: 'secret',
  options: {
    token: { format: String, default: '', sensitive: true, doc: 'a secret' },
    every: { format: 'duration', default: '1m30s', doc: 'a duration' },
    at: { format: 'host-port', default: '[::1]:80', doc: 'an address' },
  },
  async check() {},
});`,
    'a.yaml': 'plugins: [{plugin: ./secret.mjs, options: {token: hunter2}}]\n',
  });
  const { status, stdout, stderr } = await runAgentCommand(['config', 'print', '-c', 'a.yaml'], { cwd });
  t.is(status, 0, stderr);
  t.false(stdout.includes('hunter2'));
  t.true(stdout.endsWith('    token: ********\n    every: "1m30s"\n    at: "[::1]:80"\n'), stdout);
});

for (const [plugin, options, line] of [
  ['exec', '{command: [/bin/true, -a, s3cr3t]}', 'command: ["/bin/true","********","********"]'],
  ['http', '{url: "http://h:1/services/S3cr3t-T0?k=v"}', 'url: "http://h:1/services/********?k=********"'],
  ['http', '{url: "http://h:1/healthz/live"}', 'url: "http://h:1/healthz/live"'],
  ['otlp', '{endpoint: "http://h:1/v1/S3cr3t-T0/metrics"}', 'endpoint: "http://h:1/v1/********/metrics"'],
] as const)
  test(`config print shows the options ${options} of ${plugin} as ${line}`, async (t) => {
    const cwd = temporaryFolder(t, {
      'a.yaml': `plugins: [{plugin: ${plugin}, name: x, options: ${options}}]\n`,
    });
    const { status, stdout, stderr } = await runAgentCommand(['config', 'print', '-c', 'a.yaml'], { cwd });
    t.is(status, 0, stderr);
    t.true(stdout.includes(`\n    ${line}\n`), stdout);
  });

test('config print masks the path of the URL of a webhook', async (t) => {
  const cwd = temporaryFolder(t, {
    'a.yaml':
      'plugins: [{plugin: webhook, options: {url: "https://hooks.example.com/services/T0/s3cr3t?k=v"}}]\n',
  });
  const { status, stdout, stderr } = await runAgentCommand(['config', 'print', '-c', 'a.yaml'], { cwd });
  t.is(status, 0, stderr);
  t.regex(stdout, /^ {4}url: "https:\/\/hooks\.example\.com\/\*{8}"$/m);
  t.false(stdout.includes('s3cr3t'));
});

test('config check beside several nodes says that /readyz covers none of them, unless the settings name components', async (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml':
      'peer: {id: peer0}\noperations: {listenAddress: 127.0.0.1:1}\nmetrics: {provider: prometheus}\n',
    'orderer.yaml':
      'General: {}\nOperations: {ListenAddress: 127.0.0.1:2}\nMetrics: {Provider: prometheus}\n',
    'ready.yaml': 'health: {groups: {ready: {include: [peer0]}}}\n',
  });
  const args = ['config', 'check', '--node', 'core.yaml', '--node', 'orderer.yaml'];
  const { stdout } = await runAgentCommand(args, { cwd });
  t.is(
    stdout,
    'note: /readyz covers none of the nodes peer0, orderer, because there are several; name the nodes to cover in health.groups.ready.include\ncore.yaml, orderer.yaml: no problem found\n',
  );
  const named = await runAgentCommand([...args, '--config', 'ready.yaml'], { cwd });
  t.false(named.stdout.includes('/readyz'));
});

test('config check warns when FABRIC_CFG_PATH has the files of both nodes', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': 'peer: {}\n', 'orderer.yaml': 'General: {}\n' });
  const environment = { FABRIC_CFG_PATH: cwd };
  const { status, stdout, stderr } = await runAgentCommand(['config', 'check'], { environment });
  t.is(status, 0);
  t.is(stdout, `${cwd}/core.yaml: valid, 1 warning\n`);
  t.is(
    stderr,
    `fabric-ops-agent: warning: environment FABRIC_CFG_PATH: using ${cwd}/core.yaml, ignoring ${cwd}/orderer.yaml; name one of them with --config\n`,
  );
});

test('10,000 problems are written completely to a pipe', async (t) => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}:`);
  const cwd = temporaryFolder(t, { 'a.yaml': keys.join('\n') });
  const { status, stderr } = await runProgram(t, ['config', 'check', '-c', 'a.yaml'], { cwd });
  t.is(status, 2);
  t.is(stderr.split('\n').length, 10_001);
  t.true(stderr.includes(' a.yaml:10000: k9999: unknown key; '));
});
