import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { StatusDocument } from '../../../../core/status/document.js';
import { run } from '../../../../core/cli/run.js';
import { passTime, stopTimeouts } from '../../../helpers/clock.js';
import { startAgent } from '../../../helpers/agent.js';
import { runAgentCommand, withFlag, type CommandOutcome } from '../../../helpers/agent-command.js';
import { TestCa } from '../../../helpers/certificates.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { firstBlock } from '../../../helpers/first-block.js';
import { freePort } from '../../../helpers/free-port.js';
import { QUIET } from '../../../helpers/quiet-backend.js';
import { send, startStandInNode, type ReceivedRequest } from '../../../helpers/stand-in-node.js';
import { peerLedgers } from '../../../helpers/stored-ledger.js';
import { until } from '../../../helpers/until.js';

/** A manifest. */
interface Manifest {
  readonly made_at: string;
  readonly made_by: string;
  readonly files: readonly {
    name: string;
    size: number;
    sha256: string;
    complete_size?: number;
    masked: number;
  }[];
  readonly missing: readonly { name: string; reason: string }[];
}

const coreOf = (url: string, more = ''): string =>
  `peer: {id: peer0}\noperations: {listenAddress: "${new URL(url).host}"}\nmetrics: {provider: prometheus}\n${more}`;

const WITHOUT_CHANNELS =
  'no checker reads the channels of node peer0: channel-config reads them if the ledger directory of the node is known';

/** The file of a peer whose ledger folder has one channel. */
function withLedger(t: ExecutionContext, url: string): string {
  const { directory, append } = peerLedgers(t);
  append('ch1', firstBlock({}));
  return coreOf(url).replace('id: peer0', `id: peer0, fileSystemPath: ${directory}`);
}

/** Runs the command in a directory, without programs in PATH. */
const bundle = (cwd: string, ...args: readonly string[]): Promise<CommandOutcome> =>
  runAgentCommand(['bundle', ...withFlag('--timeout', '5m', args)], { cwd, environment: { PATH: cwd } });

/** The text of a file of a bundle that is a directory. */
const textIn = (cwd: string, name: string): string => readFileSync(join(cwd, 'out', name), 'utf8');

const channelsIn = (cwd: string): readonly object[] =>
  (JSON.parse(textIn(cwd, 'nodes/peer0/channels.json')) as { readonly channels: readonly object[] }).channels;

const manifestIn = (cwd: string): Manifest => JSON.parse(textIn(cwd, 'manifest.json')) as Manifest;

/** All files below a directory. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();

/** A port that nobody listens on, as URL. */
const nobody = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

/** The options of a bundle beside core.yaml, with the log of the node. */
const BESIDE = ['--node', 'core.yaml', '--set', 'node.log=peer.log', '-o', 'out'];

test.serial('a bundle of a running agent is complete, and the exit status is 0', async (t) => {
  const node = await startStandInNode(t);
  const cwd = temporaryFolder(t, { 'core.yaml': withLedger(t, node.url), 'peer.log': 'started\n' });
  const { url } = await startAgent(t, {
    'health.interval': '100ms',
    'metrics.provider': 'prometheus',
    'node.config': join(cwd, 'core.yaml'),
    plugins: QUIET,
  });
  const isIn = async (path: string): Promise<boolean> =>
    (await (await fetch(`${url}${path}`)).text()).includes('"ch1"');
  await until(async () => (await isIn('/nodes/peer0/channels')) && (await isIn('/status')));
  const { status, stdout, stderr } = await bundle(cwd, ...BESIDE, '--url', url);
  t.deepEqual({ status, stderr }, { status: 0, stderr: '' }, stdout);
  t.regex(
    stdout,
    /^out: 10 files, \d+ bytes\nread before sending: nodes\/peer0\/log\.txt: a log can have secrets in a form that is not recognized\n$/,
  );
  t.deepEqual(filesIn(join(cwd, 'out')), [
    'agent/metrics.txt',
    'config.txt',
    'manifest.json',
    'nodes/peer0/channels.json',
    'nodes/peer0/log.txt',
    'nodes/peer0/metrics.txt',
    'nodes/peer0/version.json',
    'status.json',
    'status.txt',
    'versions.txt',
  ]);
  t.true(textIn(cwd, 'status.txt').includes(`\n${url}/ at `));
  t.is(textIn(cwd, 'nodes/peer0/log.txt'), 'started\n');
  t.is(textIn(cwd, 'nodes/peer0/metrics.txt'), 'a 1\n');
  t.like(channelsIn(cwd), [{ name: 'ch1', height: 1, config: { block: 0, consensus: 'etcdraft' } }]);
  t.regex(textIn(cwd, 'agent/metrics.txt'), /^fabric_ops_agent_health_check_status/m);
  t.regex(textIn(cwd, 'config.txt'), /^node peer0 \(peer\)/m);
  const versions = textIn(cwd, 'versions.txt');
  t.regex(versions, /^this program: fabric-ops-agent \d+\.\d+\.\d+ /);
  t.regex(versions, /^running agent: \d+\.\d+\.\d+ \(.+\), since \S+, for \S+$/m);
  t.regex(versions, /^peer peer0: \{"CommitSHA":"abc","Version":"v3\.0\.0"\}$/m);
  t.regex(versions, /^peer version: peer: no such program in PATH$/m);
});

test('the manifest has the size and the SHA-256 of each file, which only this user can read', async (t) => {
  const cwd = temporaryFolder(t);
  const { status } = await bundle(cwd, '-o', 'out', '--url', await nobody(), '--set', 'vm.endpoint=');
  t.is(status, 3);
  const { made_at: at, made_by: by, files } = manifestIn(cwd);
  t.false(Number.isNaN(Date.parse(at)));
  t.regex(by, /^fabric-ops-agent \d+\.\d+\.\d+ \(.+\)$/);
  t.deepEqual(['manifest.json', ...files.map(({ name }) => name)].sort(), filesIn(join(cwd, 'out')));
  for (const { name, size, sha256 } of files) {
    const path = join(cwd, 'out', name);
    const bytes = readFileSync(path);
    t.is(bytes.length, size);
    t.is(createHash('sha256').update(bytes).digest('hex'), sha256);
    t.is(statSync(path).mode & 0o777, 0o600);
  }
});

test('the archive has the same files as the directory', async (t) => {
  const cwd = temporaryFolder(t);
  const own = ['--url', await nobody(), '--set', 'vm.endpoint='];
  t.is((await bundle(cwd, '-o', 'made.tar.gz', ...own)).status, 3);
  t.is((await bundle(cwd, '-o', 'out', ...own)).status, 3);
  execFileSync('tar', ['xzf', 'made.tar.gz'], { cwd });
  t.deepEqual(filesIn(join(cwd, 'made')), filesIn(join(cwd, 'out')));
  const { files } = JSON.parse(readFileSync(join(cwd, 'made', 'manifest.json'), 'utf8')) as Manifest;
  for (const { name, sha256 } of files) {
    const bytes = readFileSync(join(cwd, 'made', name));
    t.is(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
});

for (const [character, count] of [
  ['x', 60],
  ['ü', 30],
  ['😀', 15],
] as const)
  test(`the folder in an archive with a long name of ${character} has its first ${count} characters, however long the names of nodes are`, async (t) => {
    const node = 'n'.repeat(80);
    const cwd = temporaryFolder(t, {
      'core.yaml': coreOf(await nobody()),
      'agent.yaml': `nodes: [{config: core.yaml, name: ${node}, log: node.log}]\n`,
      'node.log': 'started\n',
    });
    const output = `${character.repeat(60)}.tar.gz`;
    await bundle(cwd, '--config', 'agent.yaml', '-o', output, '--url', await nobody());
    execFileSync('tar', ['xzf', output], { cwd });
    const log = join(cwd, character.repeat(count), 'nodes', node, 'log.txt');
    t.is(readFileSync(log, 'utf8'), 'started\n');
  });

test('without --output the archive has the time in its name', async (t) => {
  const cwd = temporaryFolder(t);
  const { stdout } = await bundle(cwd, '--url', await nobody(), '--set', 'vm.endpoint=');
  const [name = ''] = readdirSync(cwd);
  t.regex(name, /^fabric-ops-agent-\d{8}T\d{6}Z\.tar\.gz$/);
  t.true(stdout.startsWith(`${name}: `));
});

test.serial('nodes that only the running agent knows are read through it', async (t) => {
  const node = await startStandInNode(t);
  const cwd = temporaryFolder(t, { 'core.yaml': coreOf(node.url) });
  const { url } = await startAgent(t, { 'node.config': join(cwd, 'core.yaml'), plugins: QUIET });
  const { status } = await bundle(cwd, '-o', 'out', '--url', url, '--set', 'vm.endpoint=');
  t.is(status, 3);
  t.is(textIn(cwd, 'nodes/peer0/metrics.txt'), 'a 1\n');
  t.regex(textIn(cwd, 'versions.txt'), /^peer peer0: \{"CommitSHA":"abc","Version":"v3\.0\.0"\}$/m);
  t.deepEqual(manifestIn(cwd).missing, [
    { name: 'nodes/peer0/channels.json', reason: `HTTP status 404: ${WITHOUT_CHANNELS}` },
    { name: 'nodes/peer0/log.txt', reason: 'node.log is not set' },
  ]);
});

test('when agent and node are down, the channels are read from the ledger folder', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': withLedger(t, await nobody()) });
  await bundle(cwd, '--node', 'core.yaml', '-o', 'out', '--url', await nobody());
  t.like(channelsIn(cwd), [{ name: 'ch1', height: 1, config: { block: 0, consensus: 'etcdraft' } }]);
});

test('when agent and node are down, the bundle has the results of the checks, and lists the missing parts', async (t) => {
  const [node, agent] = [await nobody(), await nobody()];
  const cwd = temporaryFolder(t, { 'core.yaml': coreOf(node) });
  const { status, stdout } = await bundle(cwd, ...BESIDE, '--url', agent);
  t.is(status, 3);
  const refused = (path: string): string =>
    `node peer0 is unreachable: GET ${node}/${path}: connection refused`;
  t.deepEqual(
    manifestIn(cwd).missing.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'agent', reason: `${agent}/: connection refused` },
      { name: 'nodes/peer0/channels.json', reason: WITHOUT_CHANNELS },
      { name: 'nodes/peer0/log.txt', reason: `${join(cwd, 'peer.log')}: no such file` },
      { name: 'nodes/peer0/metrics.txt', reason: refused('metrics') },
      { name: 'nodes/peer0/version.json', reason: refused('version') },
    ],
  );
  t.true(stdout.includes(`\nmissing: nodes/peer0/version.json: ${refused('version')}\n`));
  t.regex(textIn(cwd, 'status.txt'), /^core\.yaml at \S+ UTC: not healthy .*\n\nPROBLEMS\npeer0 is down: /);
  t.regex(textIn(cwd, 'versions.txt'), /^peer peer0: does not respond$/m);
});

test.serial('a node at the address of the agent is named', async (t) => {
  const node = await startStandInNode(t);
  node.override = ({ url }, response) => {
    if (url === '/version') send(response, 200, {}, '{"CommitSHA":"a","Version":"v3.0.0"}');
    else if (url === '/metrics') send(response, 200, {}, '# TYPE endorser_x counter\n');
    else send(response, 404, {}, '');
  };
  const cwd = temporaryFolder(t);
  await bundle(cwd, '-o', 'out', '--url', node.url, '--set', 'vm.endpoint=');
  t.deepEqual(manifestIn(cwd).missing, [{ name: 'agent', reason: `${node.url}/: a peer` }]);
});

test('with invalid settings the bundle lists their problems', async (t) => {
  const cwd = temporaryFolder(t, { 'agent.yaml': 'helth: {}\n' });
  const { status } = await bundle(cwd, '--config', 'agent.yaml', '-o', 'out');
  t.is(status, 3);
  const problem = 'agent.yaml:1: helth: unknown key; did you mean health?';
  t.deepEqual(manifestIn(cwd).missing, [
    { name: 'config.txt', reason: problem },
    { name: 'agent', reason: problem },
    { name: 'status.txt', reason: 'there is no status from a running agent or from the checks' },
  ]);
  t.deepEqual(filesIn(join(cwd, 'out')), ['manifest.json', 'versions.txt']);
});

test('with a plugin that cannot be loaded the bundle says why the nodes were not read', async (t) => {
  const cwd = temporaryFolder(t, { 'agent.yaml': 'plugins: [{ plugin: ./missing.js }]\n' });
  t.is((await bundle(cwd, '--config', 'agent.yaml', '-o', 'out', '--url', await nobody())).status, 3);
  const { missing } = manifestIn(cwd);
  t.deepEqual(
    missing.map(({ name }) => name),
    ['config.txt', 'agent', 'nodes', 'status.txt'],
  );
  t.true(missing[0]!.reason.startsWith('agent.yaml:1: plugins[0]: '), missing[0]!.reason);
  t.is(missing[2]!.reason, missing[0]!.reason);
});

test.serial('a signal ends a bundle, and nothing is written', async (t) => {
  const node = await startStandInNode(t);
  // It does not respond.
  node.override = () => undefined;
  const cwd = temporaryFolder(t, { 'core.yaml': coreOf(node.url) });
  let errors = '';
  const status = await run(['bundle', '--node', 'core.yaml', '-o', 'out', '--url', await nobody()], {
    environment: { PATH: cwd },
    cwd,
    nodeVersion: process.version,
    terminal: undefined,
    out: () => true,
    error: (text) => void (errors += text),
    onStop: (listener) => setImmediate(listener),
    onReload: () => undefined,
    onUncaught: () => undefined,
  });
  t.deepEqual({ status, errors }, { status: 1, errors: 'fabric-ops-agent: error: stopped by a signal\n' });
  t.false(existsSync(join(cwd, 'out')));
});

test('of a long log the bundle has the end, with complete lines', async (t) => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index} of the log`);
  const cwd = temporaryFolder(t, {
    'core.yaml': coreOf(await nobody()),
    'peer.log': `${lines.join('\n')}\n`,
  });
  await bundle(cwd, ...BESIDE, '--url', await nobody());
  const log = textIn(cwd, 'nodes/peer0/log.txt');
  t.regex(log, /^line \d+ of the log\n/);
  t.true(log.endsWith('\nline 29999 of the log\n'));
  t.true(log.length <= 256 * 1024);
});

test.serial(
  'of metrics that are too long the bundle has the end, and the manifest the complete size',
  async (t) => {
    const node = await startStandInNode(t);
    const metrics = Array.from({ length: 300_000 }, (_, index) => `metric_number_${index} 1\n`).join('');
    node.override = ({ url }, response) => send(response, 200, {}, url === '/metrics' ? metrics : '{}');
    const cwd = temporaryFolder(t, { 'core.yaml': coreOf(node.url), 'peer.log': 'x' });
    await bundle(cwd, ...BESIDE, '--url', await nobody());
    const found = manifestIn(cwd).files.find(({ name }) => name === 'nodes/peer0/metrics.txt');
    t.is(found?.complete_size, metrics.length, JSON.stringify(manifestIn(cwd)));
    t.true((found?.size ?? Infinity) <= 4 * 1024 * 1024);
    t.true(textIn(cwd, 'nodes/peer0/metrics.txt').endsWith('metric_number_299999 1\n'));
  },
);

test.serial('a node must respond within --timeout', async (t) => {
  const node = await startStandInNode(t);
  const cwd = temporaryFolder(t, { 'core.yaml': coreOf(node.url), 'peer.log': 'x' });
  const url = await nobody();
  const clock = stopTimeouts(t);
  const respond = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === '/metrics') await clock.tickAsync(20_000);
    send(response, 200, {}, path === '/metrics' ? 'a 1\n' : '{}');
  };
  node.override = (request, response) => void respond(request.url, response);
  await bundle(cwd, ...BESIDE, '--url', url);
  t.is(textIn(cwd, 'nodes/peer0/metrics.txt'), 'a 1\n');
});

test('the versions have the output of the programs in PATH', async (t) => {
  const cwd = temporaryFolder(t, { peer: '#!/bin/sh\necho "peer:"; echo " Version: v3.0.0 $1"\n' });
  chmodSync(join(cwd, 'peer'), 0o700);
  await bundle(cwd, '-o', 'out', '--url', await nobody(), '--set', 'vm.endpoint=');
  t.regex(
    textIn(cwd, 'versions.txt'),
    /^peer version:\n {4}peer:\n {4} Version: v3\.0\.0 version\norderer version: orderer: no such program in PATH$/m,
  );
});

test.serial('a program in PATH that does not end has 5 s', async (t) => {
  const cwd = temporaryFolder(t, { peer: '#!/bin/sh\nexec /bin/sleep 1000\n' });
  chmodSync(join(cwd, 'peer'), 0o700);
  const url = await nobody();
  const clock = stopTimeouts(t);
  const args = ['-o', 'out', '--url', url, '--timeout', '1s', '--set', 'vm.endpoint='];
  await passTime(clock, 100, bundle(cwd, ...args));
  t.regex(textIn(cwd, 'versions.txt'), /^peer version: the program took longer than 5s$/m);
});

const EXISTING: readonly (readonly [output: string, message: string])[] = [
  ['made.tar.gz', 'made.tar.gz: the bundle cannot be written: file already exists'],
  ['full', 'full: the bundle cannot be written: the directory is not empty'],
  ['none/made.tar.gz', 'none/made.tar.gz: the bundle cannot be written: no such file'],
];
for (const [output, message] of EXISTING) {
  test(`a bundle replaces nothing: ${message}`, async (t) => {
    const cwd = temporaryFolder(t, { 'made.tar.gz': 'mine', 'full/file': 'mine' });
    const outcome = await bundle(cwd, '-o', output, '--url', await nobody(), '--set', 'vm.endpoint=');
    t.deepEqual(outcome, { status: 1, stdout: '', stderr: `fabric-ops-agent: error: ${message}\n` });
    t.is(readFileSync(join(cwd, 'made.tar.gz'), 'utf8'), 'mine');
    t.deepEqual(filesIn(join(cwd, 'full')), ['file']);
    t.false(existsSync(join(cwd, 'none')));
  });
}

test.serial(
  'no file of a bundle has a secret of the settings, of their files or of the environment',
  async (t) => {
    const node = await startStandInNode(t);
    const secrets = fixtureSecrets(t);
    const { cwd, all, leaked } = secrets;
    node.override = ({ url }, response) => {
      const isMetrics = url === '/metrics';
      send(
        response,
        isMetrics ? 200 : 503,
        {},
        isMetrics
          ? `# ${leaked.replaceAll('\n', ' ')}\n`
          : JSON.stringify({ failed_checks: [{ component: 'x', reason: leaked }] }),
      );
    };
    secrets.write(coreOf(node.url, secrets.state));
    const { status, stdout, stderr } = await runAgentCommand(
      ['bundle', '--config', 'agent.yaml', ...BESIDE, '--url', await nobody()],
      {
        cwd,
        environment: {
          PATH: cwd,
          OTEL_EXPORTER_OTLP_HEADERS: 'api-key=envsecret12',
          CHAIN_TOKEN: 'tokenvalue77',
        },
      },
    );
    t.is(status, 3, stderr);
    const texts = [stdout, ...filesIn(join(cwd, 'out')).map((name) => textIn(cwd, name))];
    t.true(textIn(cwd, 'nodes/peer0/log.txt').includes('********'));
    t.true(textIn(cwd, 'nodes/peer0/log.txt').includes('the end of the log'));
    for (const secret of [...all, 'envsecret12', 'tokenvalue77'])
      for (const [index, text] of texts.entries())
        t.false(text.includes(secret), `${secret} in text ${index}`);
  },
);

test.serial(
  'the manifest counts what was masked in each file, and the output says what to read before sending',
  async (t) => {
    const node = await startStandInNode(t);
    node.override = ({ url }, response) =>
      send(response, 200, {}, url === '/metrics' ? '# password: a\n' : '{}');
    const cwd = temporaryFolder(t, {
      'core.yaml': coreOf(node.url),
      'peer.log': '{"password":"a"}\nCookie: b\nINFO started\n',
    });
    const { stdout } = await bundle(cwd, ...BESIDE, '--url', await nobody());
    const masked = manifestIn(cwd).files.map((file) => [file.name, file.masked] as const);
    t.deepEqual(Object.fromEntries(masked.filter(([, count]) => count > 0)), {
      'nodes/peer0/log.txt': 2,
      'nodes/peer0/metrics.txt': 1,
    });
    t.true(
      stdout.endsWith(
        'read before sending: nodes/peer0/metrics.txt: 1 value was masked; the text beside it can be secret too\n' +
          'read before sending: nodes/peer0/log.txt: a log can have secrets in a form that is not recognized; 2 values were masked; the text beside them can be secret too\n',
      ),
      stdout,
    );
  },
);

test.serial(
  'a value that a YAML file has through an anchor or on several lines is known as a secret',
  async (t) => {
    const node = await startStandInNode(t);
    const more = 'a: {b: &s "shared-3x"}\nc: {secret: *s}\nd:\n  token: >-\n    folded-2a\n    folded-2b\n';
    const cwd = temporaryFolder(t, {
      'core.yaml': coreOf(node.url, more),
      'peer.log': 'tried shared-3x and folded-2a folded-2b\n',
    });
    await bundle(cwd, ...BESIDE, '--url', await nobody());
    t.is(textIn(cwd, 'nodes/peer0/log.txt'), 'tried ******** and ********\n');
  },
);

test('a directory that a variable has is not a secret, although the variable is PWD', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': coreOf(await nobody()) });
  writeFileSync(join(cwd, 'peer.log'), `started in ${cwd}\n`);
  const environment = { PATH: cwd, PWD: cwd };
  await runAgentCommand(['bundle', ...BESIDE, '--url', await nobody()], { cwd, environment });
  t.is(textIn(cwd, 'nodes/peer0/log.txt'), `started in ${cwd}\n`);
});

/** What ends a line, colours it or reverses its order. */
const CONTROL = '\u001b]0;x\u0007\u001b[31m\u202e\u009b2J\r\nFORGED';
/** A status with other names and texts of one node. */
async function startLyingAgent(
  t: ExecutionContext,
  change: (status: StatusDocument) => object,
): Promise<string> {
  const node = await startStandInNode(t);
  const cwd = temporaryFolder(t, { 'core.yaml': coreOf(node.url) });
  const { url } = await startAgent(t, { 'node.config': join(cwd, 'core.yaml'), plugins: QUIET });
  const status = change((await (await fetch(`${url}/status`)).json()) as StatusDocument);
  const liar = await startStandInNode(t);
  const relay = async (request: ReceivedRequest, response: ServerResponse): Promise<void> => {
    if (request.url === '/status')
      return send(response, 200, { 'content-type': 'application/json' }, JSON.stringify(status));
    const path = request.url?.replace(/^\/nodes\/[^/]*/, '/nodes/peer0') ?? '';
    const found = await fetch(`${url}${path}`);
    send(response, found.status, {}, await found.text());
  };
  liar.override = (request, response) =>
    void relay(request, response).catch((error: unknown) => send(response, 502, {}, String(error)));
  return liar.url;
}

const NAMES_OF_NODES: readonly (readonly [names: readonly string[], folders: readonly string[]])[] = [
  [
    ['a', 'a', 'A'],
    ['A-3', 'a', 'a-2'],
  ],
  [['\ud800'], ['%EF%BF%BD']],
  [
    ['../x', '', 'manifest.json'],
    ['..%2Fx', 'manifest.json', 'node2'],
  ],
];
for (const [names, folders] of NAMES_OF_NODES)
  test.serial(`nodes named ${JSON.stringify(names)} are in the folders ${folders.join(', ')}`, async (t) => {
    const url = await startLyingAgent(t, (status) => ({
      ...status,
      nodes: names.map((name) => ({ ...status.nodes[0], name })),
    }));
    const cwd = temporaryFolder(t);
    const { status, stderr } = await bundle(cwd, '-o', 'out', '--url', url, '--set', 'vm.endpoint=');
    t.deepEqual({ status, stderr }, { status: 3, stderr: '' });
    t.deepEqual(readdirSync(join(cwd, 'out', 'nodes')).toSorted(), folders);
  });

test.serial(
  'a node whose name cannot be in the path of a URL is missing, in a folder of its own',
  async (t) => {
    const url = await startLyingAgent(t, (status) => ({
      ...status,
      nodes: [{ ...status.nodes[0], name: '..' }],
    }));
    const cwd = temporaryFolder(t);
    await bundle(cwd, '-o', 'out', '--url', url, '--set', 'vm.endpoint=');
    t.false(existsSync(join(cwd, 'out', 'nodes')));
    t.deepEqual(manifestIn(cwd).missing[0], {
      name: 'nodes/%2E%2E/version.json',
      reason: "a path of a URL cannot have the name '..'",
    });
  },
);

test.serial('of an agent that names 300 nodes 250 are read, and the manifest says so', async (t) => {
  const url = await startLyingAgent(t, (status) => ({
    ...status,
    // No request is sent for this name.
    nodes: Array.from({ length: 300 }, () => ({ ...status.nodes[0], name: '..' })),
  }));
  const cwd = temporaryFolder(t);
  await bundle(cwd, '-o', 'out', '--url', url, '--set', 'vm.endpoint=');
  const [first, ...others] = manifestIn(cwd).missing;
  t.is(others.filter(({ name }) => name.endsWith('/version.json')).length, 250);
  t.deepEqual(first, {
    name: 'nodes',
    reason: 'the running agent names 300 nodes that the settings do not name; the first 250 were read',
  });
});

test.serial('no file of a bundle controls a terminal or reverses the order of a text', async (t) => {
  const hostile = (value: unknown): unknown => {
    if (typeof value === 'string')
      return /^\d{4}-|^(?:peer|healthy|started)$/.test(value) ? value : value + CONTROL;
    if (Array.isArray(value)) return value.map(hostile);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hostile(each)]));
  };
  const url = await startLyingAgent(t, (status) => hostile(status) as object);
  const node = await startStandInNode(t);
  node.override = (_, response) => send(response, 200, {}, `{"Version":"${CONTROL}"}\n`);
  const cwd = temporaryFolder(t, { 'core.yaml': coreOf(node.url), 'peer.log': `x ${CONTROL}\n` });
  const { stdout } = await bundle(cwd, ...BESIDE, '--url', url);
  const texts = filesIn(join(cwd, 'out')).map((name) => textIn(cwd, name));
  t.true(texts.length > 7);
  for (const text of [stdout, ...texts]) t.notRegex(text, /[^\P{C}\n\t]/u);
  t.notRegex(textIn(cwd, 'versions.txt'), /^FORGED/m);
});

/** Files with secrets: those that must not be in a bundle, and a text with all of them. */
function fixtureSecrets(t: ExecutionContext) {
  const cwd = temporaryFolder(t);
  const ca = new TestCa(cwd, 'ca');
  const [server, client] = [ca.issue('server', 'serverAuth'), ca.issue('client', 'clientAuth')];
  mkdirSync(join(cwd, 'msp', 'keystore'), { recursive: true });
  const signing = new TestCa(join(cwd, 'msp', 'keystore'), 'signing').issue('peer', undefined);
  const keys = [server, client, signing].map(({ key }) => readFileSync(key, 'utf8').trim());
  const values = {
    password: 'couch-pässw0rd/1',
    hook: 'T0SECRET/B0SECRET9',
    fileHook: 'hookinfile123456',
    routing: 'routingkey98765',
  };
  const leaked = [
    ...keys,
    `connected with ${values.password} to http://admin:${encodeURIComponent(values.password)}@couch:5984/`,
    `POST https://hooks.example.com/services/${values.hook}`,
    `POST ${values.fileHook} ${values.routing}`,
    'sent api-key=envsecret12, tokenvalue77',
  ].join('\n');
  const bodies = keys.flatMap((key) =>
    key
      .split('\n')
      .slice(1, -1)
      .filter((line) => line.length >= 60)
      .map((line) => line.slice(-16)),
  );
  const agent = {
    node: { cert: client.cert, key: client.key },
    plugins: [
      { plugin: 'webhook', name: 'a', options: { url: `https://hooks.example.com/services/${values.hook}` } },
      { plugin: 'webhook', name: 'b', options: { urlFile: 'url', preset: 'slack' } },
      { plugin: 'webhook', name: 'c', options: { preset: 'pagerduty', routingKeyFile: 'routing' } },
    ],
  };
  return {
    cwd,
    leaked,
    all: [...bodies, ...Object.values(values), encodeURIComponent(values.password), 'PRIVATE KEY'],
    state: `ledger: {state: {stateDatabase: CouchDB, couchDBConfig: {couchDBAddress: "127.0.0.1:1", username: admin, password: "${values.password}"}}}\n`,
    write(core: string): void {
      const files = {
        'core.yaml': core.replace(
          'peer: {id: peer0}',
          `peer: {id: peer0, mspConfigPath: msp, tls: {enabled: true, key: {file: ${server.key}}}}`,
        ),
        'agent.yaml': JSON.stringify(agent),
        url: `https://hooks.example.com/services/${values.fileHook}\n`,
        routing: `${values.routing}\n`,
        // The first lines of the first key are not in the log any more, and of the second one there is also a line alone.
        'peer.log': `${keys[0]?.split('\n').slice(2).join('\n')}\n${leaked}\n${keys[1]?.split('\n')[2]}\nthe end of the log\n`,
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    },
  };
}
