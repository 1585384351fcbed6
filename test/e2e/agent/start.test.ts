import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { PACKAGED_FILE } from '../../../config/index.js';
import { runAgentCommand, type CommandFixture } from '../../helpers/agent-command.js';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { startProgram, type ProgramOptions, type RunningProgram } from '../../helpers/program.js';
import { startStopwatch } from '../../helpers/stopwatch.js';

const FREE_PORT = ['--set', 'operations.listenAddress=127.0.0.1:0'];
const NO_ENGINE = ['--set', 'vm.endpoint=unix:///nonexistent/docker.sock'];
const sample = (name: string): string => PACKAGED_FILE.replace('agent.yaml', `${name}.yaml`);

/** Starts the agent and waits until it listens. */
async function serve(
  t: ExecutionContext,
  args: readonly string[],
  options?: ProgramOptions,
): Promise<RunningProgram & { url: string; loaded: string }> {
  const program = startProgram(t, ['start', ...args], options);
  const [, url = '', loaded = ''] = await program.line(/serving on (\S+) with (.*)/);
  return { ...program, url, loaded };
}

const get = async (url: string): Promise<{ status: number; body: string }> => {
  const response = await fetch(url);
  return { status: response.status, body: await response.text() };
};

test('start serves with the sample peer.yaml', async (t) => {
  const { url, loaded } = await serve(t, ['--config', sample('peer'), ...FREE_PORT, ...NO_ENGINE]);
  t.is(loaded, 'console (logging), docker (checker), prometheus (sink)');
  const health = await get(`${url}/healthz`);
  t.is(health.status, 503);
  t.like(JSON.parse(health.body), {
    status: 'Service Unavailable',
    failed_checks: [{ component: 'docker' }],
  });
  for (const path of ['/logspec', '/metrics', '/version']) t.is((await get(url + path)).status, 200);
});

test('start serves with the sample orderer.yaml', async (t) => {
  const { url, loaded } = await serve(t, ['--config', sample('orderer'), ...FREE_PORT]);
  t.is(loaded, 'console (logging), prometheus (sink)');
  for (const path of ['/healthz', '/logspec', '/metrics', '/version'])
    t.is((await get(url + path)).status, 200);
});

test('CORE_ variables override core.yaml', async (t) => {
  const environment = {
    CORE_OPERATIONS_LISTENADDRESS: '127.0.0.1:0',
    CORE_METRICS_PROVIDER: 'disabled',
    CORE_VM_ENDPOINT: '',
    ORDERER_OPERATIONS_LISTENADDRESS: 'nonsense',
  };
  const { url, loaded } = await serve(t, ['--config', sample('peer')], { environment });
  t.is(loaded, 'console (logging), docker (checker)');
  t.is((await get(`${url}/metrics`)).status, 404);
});

test('ORDERER_ variables override orderer.yaml and can enable TLS', async (t) => {
  const cwd = temporaryFolder(t);
  const ca = new TestCa(cwd, 'ca');
  const { cert, key } = ca.issue('server', 'serverAuth');
  const environment = {
    ORDERER_OPERATIONS_LISTENADDRESS: '127.0.0.1:0',
    ORDERER_OPERATIONS_TLS_ENABLED: 'true',
    ORDERER_OPERATIONS_TLS_CERTIFICATE: cert,
    ORDERER_OPERATIONS_TLS_PRIVATEKEY: key,
    ORDERER_OPERATIONS_TLS_CLIENTROOTCAS: '[ca.pem]',
  };
  const { url } = await serve(t, ['--config', sample('orderer')], { environment, cwd });
  t.regex(url, /^https:\/\/127\.0\.0\.1:\d+$/);
});

test('the file is found in FABRIC_CFG_PATH and its relative paths are resolved against it', async (t) => {
  const cwd = temporaryFolder(t, {
    'conf/orderer.yaml': 'Operations: {ListenAddress: "127.0.0.1:0"}\nPlugins: [{plugin: ./disk.mjs}]\n',
    'conf/disk.mjs': checker('disk', ''),
  });
  const { loaded } = await serve(t, [], { cwd, environment: { FABRIC_CFG_PATH: 'conf' } });
  t.is(loaded, 'console (logging), disk (checker)');
});

test('FABRIC_LOGGING_SPEC is the active log spec after start', async (t) => {
  const environment = { FABRIC_LOGGING_SPEC: 'gossip=debug:INFO' };
  const { url } = await serve(t, [...FREE_PORT], { environment });
  t.is((await get(`${url}/logspec`)).body.trim(), '{"spec":"gossip=debug:info"}');
});

test('start warns when FABRIC_CFG_PATH has the files of both nodes', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': 'peer: {}\n', 'orderer.yaml': 'General: {}\n' });
  const { stderr } = await serve(t, [...FREE_PORT], { cwd, environment: { FABRIC_CFG_PATH: '.' } });
  t.is(
    stderr().split('\n')[0],
    'fabric-ops-agent: warning: environment FABRIC_CFG_PATH: using core.yaml, ignoring orderer.yaml; name one of them with --config',
  );
});

test('later files override earlier ones', async (t) => {
  const cwd = temporaryFolder(t, {
    'a.yaml': 'operations: {listenAddress: nonsense}\nmetrics: {provider: prometheus}\n',
    'b.yaml': 'operations: {listenAddress: "127.0.0.1:0"}\n',
  });
  const { loaded } = await serve(t, ['-c', 'a.yaml', '-c', 'b.yaml'], { cwd });
  t.is(loaded, 'console (logging), prometheus (sink)');
});

/** The source of a checker whose check runs the given code, except in the run at the start. */
function checker(name: string, code: string): string {
  const contract = new URL('../../../core/contract/index.js', import.meta.url).href;
  return `import { defineHealthChecker } from '${contract}';
let runs = 0;
export default defineHealthChecker({ name: '${name}', options: {}, async check() { runs += 1; if (runs > 1) { ${code} } } });`;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal}: the request in flight is completed, then the program exits with 0`, async (t) => {
    const code = `console.error('checking'); await new Promise((done) => setTimeout(done, 500));`;
    const cwd = temporaryFolder(t, {
      'a.yaml': 'health: {cacheFor: 0s}\nplugins: [{plugin: ./slow.mjs}]\n',
      'slow.mjs': checker('slow', code),
    });
    const { url, child, line, ended } = await serve(t, ['-c', 'a.yaml', ...FREE_PORT], { cwd });
    const response = get(`${url}/healthz`);
    await line(/checking/);
    child.kill(signal);
    t.is((await response).status, 200);
    const { status, stderr } = await ended;
    t.is(status, 0);
    t.regex(stderr, /stopping\n[^]*stopped\n$/);
    await t.throwsAsync(get(`${url}/healthz`));
  });
}

test('a second signal ends the program immediately', async (t) => {
  const cwd = temporaryFolder(t, {
    'a.yaml': 'health: {cacheFor: 0s}\nplugins: [{plugin: ./hang.mjs}]\n',
    'hang.mjs': checker('hang', `console.error('checking'); await new Promise(() => {});`),
  });
  const { url, child, line, ended } = await serve(t, ['-c', 'a.yaml', ...FREE_PORT], { cwd });
  const request = t.throwsAsync(get(`${url}/healthz`));
  await line(/checking/);
  child.kill('SIGTERM');
  await line(/stopping/);
  const elapsed = startStopwatch(t);
  child.kill('SIGTERM');
  const { status, stderr } = await ended;
  t.is(status, 1);
  t.true(elapsed() < 3000, 'the shutdown timeout is 5 s');
  t.notRegex(stderr, /stopped/);
  await request;
});

const START_ERRORS: readonly (readonly [string, CommandFixture, readonly string[], number, string])[] = [
  [
    'an invalid FABRIC_LOGGING_SPEC',
    { environment: { FABRIC_LOGGING_SPEC: 'a=nope' } },
    FREE_PORT,
    2,
    "environment FABRIC_LOGGING_SPEC: logging.spec: invalid logging specification 'a=nope': bad segment 'a=nope'",
  ],
  [
    'an invalid FABRIC_LOGGING_FORMAT',
    { environment: { FABRIC_LOGGING_FORMAT: '%{color:blue}' } },
    FREE_PORT,
    2,
    'environment FABRIC_LOGGING_FORMAT: logging.format: plugin console: options.format: invalid color option: blue; must be bold or reset: value was "%{color:blue}"',
  ],
  [
    'a missing FABRIC_CFG_PATH directory',
    { environment: { FABRIC_CFG_PATH: '/nonexistent' } },
    [],
    2,
    'environment FABRIC_CFG_PATH: /nonexistent contains none of agent.yaml, core.yaml and orderer.yaml',
  ],
  ['a missing file', {}, ['--config', 'nope.yaml'], 2, 'nope.yaml: cannot be read: no such file'],
  [
    'an address of another machine',
    {},
    ['--set', 'operations.listenAddress=192.0.2.1:0'],
    1,
    'cannot listen on 192.0.2.1:0: this machine does not have the address',
  ],
];
for (const [what, options, args, status, message] of START_ERRORS) {
  test(`${what}: one error line and exit status ${status}`, async (t) => {
    const outcome = await runAgentCommand(['start', ...args], options);
    t.is(outcome.stderr, `fabric-ops-agent: error: ${message}\n`);
    t.is(outcome.status, status);
  });
}

test('the start line omits plugins that failed with onStartError: ignore and marks those that are retried', async (t) => {
  const options = 'options: {endpoint: "tcp://127.0.0.1:1", ca: none.pem}';
  const directory = temporaryFolder(t, {
    'agent.yaml': `operations: {listenAddress: '127.0.0.1:0'}
plugins:
  - {plugin: docker, name: later, onStartError: retry, ${options}}
  - {plugin: docker, name: never, onStartError: ignore, ${options}}
`,
  });
  const program = startProgram(t, ['start', '--config', `${directory}/agent.yaml`]);
  const [, loaded] = await program.line(/serving on \S+ with (.*)\n/);
  t.is(loaded, 'console (logging), later (checker, not started yet)');
});

test('the program exits with the status of a failed start', async (t) => {
  t.deepEqual(await startProgram(t, ['start', '--config', 'nope.yaml']).ended, {
    status: 2,
    signal: null,
    stdout: '',
    stderr: 'fabric-ops-agent: error: nope.yaml: cannot be read: no such file\n',
  });
});

test('a port in use: one error line and exit status 1', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  const args = ['start', '--set', `operations.listenAddress=127.0.0.1:${port}`];
  const { status, stderr } = await runAgentCommand(args);
  t.is(
    stderr,
    `fabric-ops-agent: error: cannot listen on 127.0.0.1:${port}: the address is already in use; set operations.listenAddress to another one\n`,
  );
  t.is(status, 1);
});

test('unusable TLS files: one error line and exit status 1', async (t) => {
  const cwd = temporaryFolder(t, { 'empty.pem': '' });
  const ca = new TestCa(cwd, 'ca');
  const one = ca.issue('one', 'serverAuth');
  const other = ca.issue('other', 'serverAuth');
  const start = (cert: string, key: string) =>
    runAgentCommand(
      [
        'start',
        ...FREE_PORT,
        '--set',
        'operations.tls.enabled=true',
        '--set',
        `operations.tls.cert.file=${cert}`,
        '--set',
        `operations.tls.key.file=${key}`,
        '--set',
        'operations.tls.clientRootCAs.files=ca.pem',
      ],
      { cwd },
    );
  const missing = join(cwd, 'missing.pem');
  const empty = join(cwd, 'empty.pem');
  for (const [cert, key, message] of [
    [missing, one.key, `server certificate ${missing} cannot be read: no such file`],
    [empty, one.key, `server certificate ${empty} contains no PEM certificate`],
    [one.cert, other.key, `private key ${other.key} does not belong to server certificate ${one.cert}`],
  ] as const) {
    const { status, stderr } = await start(cert, key);
    t.is(stderr, `fabric-ops-agent: error: ${message}\n`);
    t.is(status, 1);
  }
});

test('SIGHUP and SIGTERM while a plugin is loading: the program exits with 0', async (t) => {
  const directory = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'slow.js': `process.stderr.write('loading\\n');
await new Promise((resolve) => setTimeout(resolve, 60_000));
export default {};`,
    'agent.yaml': "operations: { listenAddress: '127.0.0.1:0' }\nplugins: [{ plugin: ./slow.js }]\n",
  });
  const program = startProgram(t, ['start', '--config', `${directory}/agent.yaml`]);
  await program.line(/^loading$/m);
  program.child.kill('SIGHUP');
  program.child.kill('SIGTERM');
  const { status, signal } = await program.ended;
  t.deepEqual([status, signal], [0, null]);
});
