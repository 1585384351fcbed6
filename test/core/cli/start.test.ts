import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { PACKAGED_FILE } from '../../../config/index.js';
import { runAgentCommand, type CommandFixture } from '../../helpers/agent-command.js';
import { Authority } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { startProgram, type ProgramOptions, type RunningProgram } from '../../helpers/program.js';

const FREE_PORT = ['--set', 'operations.listenAddress=127.0.0.1:0'];
const NO_ENGINE = ['--set', 'vm.endpoint=unix:///nonexistent/docker.sock'];
const sample = (name: string): string => PACKAGED_FILE.replace('agent.yaml', `${name}.yaml`);

/** Starts the service and waits until it serves. */
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
  const answer = await fetch(url);
  return { status: answer.status, body: await answer.text() };
};

test("the sample of a peer's file is served untouched but for the port", async (t) => {
  const { url, loaded } = await serve(t, ['--config', sample('peer'), ...FREE_PORT, ...NO_ENGINE]);
  t.is(loaded, 'console (logging), docker (health), prometheus (metrics)');
  const health = await get(`${url}/healthz`);
  t.is(health.status, 503);
  t.like(JSON.parse(health.body), {
    status: 'Service Unavailable',
    failed_checks: [{ component: 'docker' }],
  });
  for (const path of ['/logspec', '/metrics', '/version']) t.is((await get(url + path)).status, 200);
});

test("the sample of an orderer's file is served untouched but for the port", async (t) => {
  const { url, loaded } = await serve(t, ['--config', sample('orderer'), ...FREE_PORT]);
  t.is(loaded, 'console (logging), prometheus (metrics)');
  for (const path of ['/healthz', '/logspec', '/metrics', '/version'])
    t.is((await get(url + path)).status, 200);
});

test("a peer's variables override its file", async (t) => {
  const environment = {
    CORE_OPERATIONS_LISTENADDRESS: '127.0.0.1:0',
    CORE_METRICS_PROVIDER: 'disabled',
    CORE_VM_ENDPOINT: '',
    ORDERER_OPERATIONS_LISTENADDRESS: 'nonsense',
  };
  const { url, loaded } = await serve(t, ['--config', sample('peer')], { environment });
  t.is(loaded, 'console (logging), docker (health)');
  t.is((await get(`${url}/metrics`)).status, 404);
});

test("an orderer's variables override its file, and TLS can be switched on by them", async (t) => {
  const cwd = temporaryFolder(t);
  const authority = new Authority(cwd, 'ca');
  const { cert, key } = authority.issue('server', 'serverAuth');
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

test('FABRIC_CFG_PATH leads to the file, whose relative paths start there', async (t) => {
  const cwd = temporaryFolder(t, {
    'conf/orderer.yaml': 'Operations: {ListenAddress: "127.0.0.1:0"}\nPlugins: [{plugin: ./disk.mjs}]\n',
    'conf/disk.mjs': checker('disk', ''),
  });
  const { loaded } = await serve(t, [], { cwd, environment: { FABRIC_CFG_PATH: 'conf' } });
  t.is(loaded, 'console (logging), disk (health)');
});

test('FABRIC_LOGGING_SPEC is the specification at start', async (t) => {
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

test('of several files the later one wins', async (t) => {
  const cwd = temporaryFolder(t, {
    'a.yaml': 'operations: {listenAddress: nonsense}\nmetrics: {provider: prometheus}\n',
    'b.yaml': 'operations: {listenAddress: "127.0.0.1:0"}\n',
  });
  const { loaded } = await serve(t, ['-c', 'a.yaml', '-c', 'b.yaml'], { cwd });
  t.is(loaded, 'console (logging), prometheus (metrics)');
});

/** The source of a checker whose check runs some code. */
function checker(name: string, code: string): string {
  const contract = new URL('../../../core/contract/index.js', import.meta.url).href;
  return `import { defineHealthChecker } from '${contract}';
export default defineHealthChecker({ name: '${name}', options: {}, async check() { ${code} } });`;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`at ${signal} a request in flight is answered, then the program ends with status 0`, async (t) => {
    const code = `console.error('checking'); await new Promise((done) => setTimeout(done, 500));`;
    const cwd = temporaryFolder(t, {
      'a.yaml': 'plugins: [{plugin: ./slow.mjs}]\n',
      'slow.mjs': checker('slow', code),
    });
    const { url, child, line, ended } = await serve(t, ['-c', 'a.yaml', ...FREE_PORT], { cwd });
    const answer = get(`${url}/healthz`);
    await line(/checking/);
    child.kill(signal);
    t.is((await answer).status, 200);
    const { status, stderr } = await ended;
    t.is(status, 0);
    t.regex(stderr, /stopping\n[^]*stopped\n$/);
    await t.throwsAsync(get(`${url}/healthz`));
  });
}

test('a second signal ends the program at once', async (t) => {
  const cwd = temporaryFolder(t, {
    'a.yaml': 'plugins: [{plugin: ./hang.mjs}]\n',
    'hang.mjs': checker('hang', `console.error('checking'); await new Promise(() => {});`),
  });
  const { url, child, line, ended } = await serve(t, ['-c', 'a.yaml', ...FREE_PORT], { cwd });
  const answer = t.throwsAsync(get(`${url}/healthz`));
  await line(/checking/);
  child.kill('SIGTERM');
  await line(/stopping/);
  const start = performance.now();
  child.kill('SIGTERM');
  const { status, stderr } = await ended;
  t.is(status, 1);
  t.true(performance.now() - start < 3000, 'the grace for requests is 5 s');
  t.notRegex(stderr, /stopped/);
  await answer;
});

const START_ERRORS: readonly (readonly [string, CommandFixture, readonly string[], number, string])[] = [
  [
    'a bad FABRIC_LOGGING_SPEC',
    { environment: { FABRIC_LOGGING_SPEC: 'a=nope' } },
    FREE_PORT,
    2,
    "environment FABRIC_LOGGING_SPEC: logging.spec: invalid logging specification 'a=nope': bad segment 'a=nope'",
  ],
  [
    'a bad FABRIC_LOGGING_FORMAT',
    { environment: { FABRIC_LOGGING_FORMAT: '%{color:blue}' } },
    FREE_PORT,
    2,
    'environment FABRIC_LOGGING_FORMAT: logging.format: plugin console: options.format: invalid color option: blue; allowed are bold and reset: value was "%{color:blue}"',
  ],
  [
    'an empty FABRIC_CFG_PATH folder',
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
  test(`${what} is one line of error and status ${status}`, async (t) => {
    const outcome = await runAgentCommand(['start', ...args], options);
    t.is(outcome.stderr, `fabric-ops-agent: error: ${message}\n`);
    t.is(outcome.status, status);
  });
}

test('the line about what is loaded leaves out what was left out and marks what has not started', async (t) => {
  const options = 'options: {endpoint: "tcp://127.0.0.1:1", ca: none.pem}';
  const folder = temporaryFolder(t, {
    'agent.yaml': `operations: {listenAddress: '127.0.0.1:0'}
plugins:
  - {plugin: docker, name: later, onStartError: retry, ${options}}
  - {plugin: docker, name: never, onStartError: ignore, ${options}}
`,
  });
  const program = startProgram(t, ['start', '--config', `${folder}/agent.yaml`]);
  const [, loaded] = await program.line(/serving on \S+ with (.*)\n/);
  t.is(loaded, 'console (logging), later (health, not started yet)');
});

test('a start that fails ends the program with its status', async (t) => {
  t.deepEqual(await startProgram(t, ['start', '--config', 'nope.yaml']).ended, {
    status: 2,
    signal: null,
    stdout: '',
    stderr: 'fabric-ops-agent: error: nope.yaml: cannot be read: no such file\n',
  });
});

test('a port that is taken is one line of error and status 1', async (t) => {
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

test('TLS files that cannot be used are one line of error and status 1', async (t) => {
  const cwd = temporaryFolder(t, { 'empty.pem': '' });
  const authority = new Authority(cwd, 'ca');
  const one = authority.issue('one', 'serverAuth');
  const other = authority.issue('other', 'serverAuth');
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

test('a signal while a plugin is still being loaded ends the program, not the signal itself', async (t) => {
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'slow.js': `process.stderr.write('loading\\n');
await new Promise((resolve) => setTimeout(resolve, 60_000));
export default {};`,
    'agent.yaml': "operations: { listenAddress: '127.0.0.1:0' }\nplugins: [{ plugin: ./slow.js }]\n",
  });
  const program = startProgram(t, ['start', '--config', `${folder}/agent.yaml`]);
  await program.line(/^loading$/m);
  program.child.kill('SIGHUP');
  program.child.kill('SIGTERM');
  const { status, signal } = await program.ended;
  t.deepEqual([status, signal], [0, null]);
});
