// Somebody else writes a health checker, a sink and a logging backend against the published package, tests them with the contract
// suites, publishes them, and an operator uses them.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { healthOf } from '../helpers/agent-answers.js';
import { temporaryFolder } from '../helpers/folder.js';
import { runProgram, startProgram, type RunningProgram } from '../helpers/program.js';
import { authorFiles, NAME } from './author-project.js';
import { eventually } from './daemon.js';
import { install, NODE_TYPES, pack, PACKAGE, run, TSC } from './npm.js';

const AGENT = `operations: { listenAddress: '127.0.0.1:0' }
metrics: { provider: prometheus }
plugins:
  - plugin: ${NAME}
    name: orders
    options: { folder: orders, most: 1, files: visible }
  - plugin: ${NAME}/lines
    options: { file: metrics.txt, interval: 100ms }
  - plugin: ${NAME}/journal
    options: { file: journal.txt }
`;

interface Project {
  readonly t: ExecutionContext;
  /** Of the operator; the author works in the folder `checker` in it. */
  readonly folder: string;
}

test('a package of plugins: written, tested, published, declared, mistyped, failing and recovering', async (t) => {
  t.timeout(170_000);
  const project = prepareProject(t);

  theAuthorCompiles(project);
  theSuitesPass(project);
  theSuiteSaysWhatIsWrongWithACarelessChecker(project);
  theOperatorInstalls(project);
  await thePluginsAreListed(project);
  await mistypedOptionsAreRefused(project);
  const agent = startAgent(project);
  const url = await addressOf(project);
  await theComponentFailsAndRecovers(project, url);
  await theBackendFollowsTheLogLevel(project, url);
  await theSinkHasTheLastBatchAtTheEnd(project, agent);
});

/** The agent is installed from a tarball into a folder that has nothing else. */
function prepareProject(t: ExecutionContext): Project {
  const sources = Object.entries(authorFiles(PACKAGE.version));
  const folder = temporaryFolder(t, {
    'package.json': '{ "name": "operator", "private": true }',
    'agent.yaml': AGENT,
    'orders/one': '',
    'orders/.hidden': '',
    ...Object.fromEntries(sources.map(([file, text]) => [`checker/${file}`, text])),
  });
  install(folder, `./${pack(folder).filename}`, NODE_TYPES);
  return { t, folder };
}

function theAuthorCompiles({ t, folder }: Project): void {
  const { status, stdout } = spawnSync(TSC, ['-p', 'checker'], { cwd: folder, encoding: 'utf8' });
  t.is(stdout, '');
  t.is(status, 0);
}

function theSuitesPass({ t, folder }: Project): void {
  const { status, failures, passed } = runTests(folder, 'contract');
  t.deepEqual(failures, []);
  t.is(status, 0);
  t.true(passed > 20);
}

function theSuiteSaysWhatIsWrongWithACarelessChecker({ t, folder }: Project): void {
  const { status, failures } = runTests(folder, 'careless');
  t.is(status, 1);
  t.deepEqual(failures, [
    ['stop can be called twice', 'cannot close what is closed'],
    ['stop can be called before start', 'cannot close what is closed'],
    ['stopping one instance does not affect another', 'cannot close what is closed'],
    ['a check of an unhealthy component fails with a one-line reason', 'the check must reject with an Error'],
  ]);
}

/** Runs one of the author's test files; failures are titles without the name of the plugin, and messages. */
function runTests(
  folder: string,
  file: string,
): { status: number | null; failures: unknown; passed: number } {
  const args = ['--test', '--test-reporter=tap', `dist/${file}.test.js`];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: join(folder, 'checker'),
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  const failures = [...stdout.matchAll(/^ *not ok \d+ - [^:\n]*: (.*)\n[^]*?^ *error: '(.*)'$/gm)];
  return {
    status,
    failures: failures.map(([, title, message]) => [title, message]),
    passed: stdout.match(/^ *ok \d+ - \w+ plugin /gm)?.length ?? 0,
  };
}

function theOperatorInstalls({ t, folder }: Project): void {
  const { filename, files } = pack(folder, join(folder, 'checker'));
  t.deepEqual(files.map(({ path }) => path).toSorted(), [
    'dist/index.js',
    'dist/journal.js',
    'dist/lines.js',
    'package.json',
  ]);
  // What is installed must do without what the author has.
  rmSync(join(folder, 'checker'), { recursive: true });
  install(folder, `./${filename}`);
  t.regex(run('npm', folder, 'ls', 'fabric-ops-agent'), /fabric-check-backlog@1\.0\.0[^]*deduped/);
}

const fromBin = (folder: string, cwd = folder): { program: string; cwd: string } => ({
  program: join(folder, 'node_modules/.bin/fabric-ops-agent'),
  cwd,
});

async function thePluginsAreListed({ t, folder }: Project): Promise<void> {
  const { stdout } = await runProgram(t, ['plugins', '--config', 'agent.yaml'], fromBin(folder));
  for (const declared of [
    `  orders, declared by agent.yaml:4: plugins[0] (health)
      folder: path, required: where files wait
      most: number, default 3: how many may wait
      files: one of all, visible, default "all": which files count
`,
    `  lines, declared by agent.yaml:7: plugins[1] (metrics)
      file: path, required: where the lines go
      interval: duration, default "10s": time between two flushes
`,
    `  journal, declared by agent.yaml:9: plugins[2] (logging)
      file: path, required: where the lines go
`,
  ])
    t.true(stdout.includes(declared), stdout);
}

async function mistypedOptionsAreRefused({ t, folder }: Project): Promise<void> {
  const mistyped = AGENT.replace('most: 1, files: visible', 'mots: 1, files: visble');
  writeFileSync(join(folder, 'mistyped.yaml'), mistyped);
  const outcome = await runProgram(t, ['start', '--config', 'mistyped.yaml'], fromBin(folder));
  t.is(
    outcome.stderr,
    [
      'mistyped.yaml:4: plugins[0]: plugin orders: options.mots: unknown option; did you mean most?',
      'mistyped.yaml:4: plugins[0]: plugin orders: options.files: must be one of all, visible: value was "visble"',
    ]
      .map((problem) => `fabric-ops-agent: error: ${problem}\n`)
      .join(''),
  );
  t.is(outcome.status, 2);
}

/** From another folder: relative paths are relative to the file that names them. */
const startAgent = ({ t, folder }: Project): RunningProgram =>
  startProgram(t, ['start', '--config', join(folder, 'agent.yaml')], fromBin(folder, '/'));

const journalOf = (folder: string): string => readFileSync(join(folder, 'journal.txt'), 'utf8');

/** The log is in the file of the author's backend. */
function addressOf({ folder }: Project): Promise<string> {
  return eventually(async () => {
    const [, url] = /serving on (http:\S+) with/.exec(journalOf(folder)) ?? [];
    if (url === undefined) throw new Error(journalOf(folder));
    return url;
  });
}

async function theComponentFailsAndRecovers({ t, folder }: Project, url: string): Promise<void> {
  const waiting = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  t.deepEqual(await healthOf(url), { status: 200, failed: {} });
  t.regex(await waiting(), /^backlog_files 1$/m);
  writeFileSync(join(folder, 'orders/two'), '');
  t.deepEqual(await healthOf(url), { status: 503, failed: { orders: '2 files wait, 1 may' } });
  t.regex(await waiting(), /^backlog_files 2$/m);
  t.regex(await waiting(), /^health_check_status\{component="orders"\} 0$/m);
  rmSync(join(folder, 'orders/two'));
  t.deepEqual(await healthOf(url), { status: 200, failed: {} });
}

async function theBackendFollowsTheLogLevel({ t, folder }: Project, url: string): Promise<void> {
  const put = await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"plugins.orders=debug:info"}' });
  t.is(put.status, 204);
  await fetch(`${url}/healthz`);
  const lines = journalOf(folder).split('\n');
  t.true(lines.includes('warn health: orders is not healthy: 2 files wait, 1 may '));
  t.true(lines.includes('info health: orders is healthy again '));
  t.is(lines.filter((line) => line === 'debug plugins.orders: looked count').length, 1);
}

async function theSinkHasTheLastBatchAtTheEnd({ t, folder }: Project, agent: RunningProgram): Promise<void> {
  agent.child.kill('SIGTERM');
  const { status, stdout, stderr } = await agent.ended;
  t.deepEqual([status, stdout, stderr], [0, '', '']);
  // What was counted is pushed once, however often there was a push.
  const pushed = readFileSync(join(folder, 'metrics.txt'), 'utf8');
  t.deepEqual(pushed.match(/^health\.failures_total .*$/gm), ['health.failures_total 1']);
  t.is(pushed.match(/^backlog\.files .*$/gm)?.at(-1), 'backlog.files 1');
  t.true(journalOf(folder).endsWith('info operations: stopping \ninfo operations: stopped \n'));
}
