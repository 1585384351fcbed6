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
    'plugin prometheus (metrics), on start error: fail  # core.yaml:3: metrics.provider',
    '    path: "/metrics"',
  ])
    t.true(lines.has(line), line);
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

test('config check warns when FABRIC_CFG_PATH has the files of both nodes', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': 'peer: {}\n', 'orderer.yaml': 'General: {}\n' });
  const environment = { FABRIC_CFG_PATH: cwd };
  const { status, stdout, stderr } = await runAgentCommand(['config', 'check'], { environment });
  t.is(status, 0);
  t.is(stdout, `${cwd}/core.yaml: no problem found\n`);
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
