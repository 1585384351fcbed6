// A plugin author writes a health checker, a sink and a logging backend against the published package, tests them with the contract
// suites and packs them. An operator installs and uses them.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { blocksOf } from '../helpers/documents/run-document.js';
import { healthOf } from '../helpers/agent-endpoints.js';
import { temporaryFolder } from '../helpers/folder.js';
import { relativeLinks } from '../helpers/markdown.js';
import { runProgram, startProgram, urlOf, type RunningProgram } from '../helpers/program.js';
import { authorFiles, NAME } from './author-project.js';
import { eventually } from './daemon.js';
import { install, NODE_TYPES, pack, PACKAGE, run, TSC } from './npm.js';

const AGENT = `operations: { listenAddress: '127.0.0.1:0' }
health: { interval: 1h, cacheFor: 0s }
metrics: { provider: prometheus }
plugins:
  - plugin: ${NAME}
    name: orders
    options: { directory: orders, most: 1, files: visible }
  - plugin: ${NAME}/lines
    options: { file: metrics.txt, interval: 100ms }
  - plugin: ${NAME}/journal
    options: { file: journal.txt }
`;

interface Project {
  readonly t: ExecutionContext;
  /** The directory of the operator. The author works in its subdirectory `checker`. */
  readonly directory: string;
}

test('a plugin package can be compiled, tested, packed, installed, configured and run', async (t) => {
  t.timeout(170_000);
  const project = prepareProject(t);

  await runExamples(project);
  compileProject(project);
  runContractSuites(project);
  runContractSuiteWithFaultyChecker(project);
  packAndInstall(project);
  await checkPluginsCommand(project);
  await checkMistypedOptions(project);
  const agent = startAgent(project);
  const url = await urlFromLog(project);
  await checkHealthAndMetrics(project, url);
  await checkLogLevel(project, url);
  await checkLastFlush(project, agent);
});

const BANNER = `import { defineHealthChecker } from 'fabric-ops-agent/plugin';
import { describeSystemError } from 'fabric-ops-agent/kit';

export default defineHealthChecker({
  name: 'banner',
  check() {
    throw new Error(describeSystemError(Object.assign(new Error('x'), { code: 'EACCES' })));
  },
});
`;

test('a plugin of another author is installed beside a global agent, in six commands', async (t) => {
  t.timeout(170_000);
  const home = temporaryFolder(t, {
    'clone/.keep': '',
    'global/.keep': '',
    'author/package.json': JSON.stringify(manifestOf('fabric-ops-banner')),
    'author/banner.js': BANNER,
    'etc/agent.yaml':
      "operations: { listenAddress: '127.0.0.1:0' }\nplugins: [{ plugin: fabric-ops-banner }]\n",
  });
  const at = (directory: string): string => join(home, directory);
  const banner = pack(at('etc'), at('author')).filename;
  // The six commands of core/contract/README.md, with temporary directories.
  const agent = pack(at('clone')).filename;
  install(home, '--global', '--prefix', at('global'), join(at('clone'), agent));
  install(at('etc'), `./${banner}`);
  t.deepEqual(
    readdirSync(join(home, 'etc/node_modules')).filter((name) => !name.startsWith('.')),
    ['fabric-ops-banner'],
  );
  const program = { program: join(at('global'), 'bin/fabric-ops-agent'), cwd: at('etc') };
  const { stdout, stderr } = await runProgram(t, ['config', 'check', '--config', 'agent.yaml'], program);
  t.deepEqual([stdout, stderr], ['agent.yaml: no problem found\n', '']);
  const url = await urlOf(startProgram(t, ['start', '--config', 'agent.yaml'], program));
  t.deepEqual(await healthOf(url), { status: 503, failed: { banner: 'permission denied' } });
});

/** The `package.json` that the document shows. */
function manifestOf(name: string): unknown {
  const shown = blocksOf(DOCUMENT).find(
    ({ language, text }) => language === 'json' && text.includes(`"name": "${name}"`),
  );
  return JSON.parse(shown?.text ?? '');
}

/** Installs the agent from a tarball into the project of the operator. */
function prepareProject(t: ExecutionContext): Project {
  const sources = Object.entries(authorFiles(PACKAGE.version));
  const directory = temporaryFolder(t, {
    'package.json': '{ "name": "operator", "private": true }',
    'agent.yaml': AGENT,
    'orders/one': '',
    'orders/.hidden': '',
    ...Object.fromEntries(sources.map(([file, text]) => [`checker/${file}`, text])),
  });
  install(directory, `./${pack(directory).filename}`, NODE_TYPES);
  return { t, directory };
}

const DOCUMENT = 'core/contract/README.md';
const CHECK_JS = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    types: ['node'],
  },
  include: ['*.mjs'],
};

/** Compiles the examples of the document for plugin authors, runs their tests, and checks their configurations. */
async function runExamples({ t, directory: parent }: Project): Promise<void> {
  const installed = join(parent, 'node_modules', PACKAGE.name, DOCUMENT);
  for (const link of relativeLinks(readFileSync(installed, 'utf8'))) {
    const [path = ''] = link.split('#');
    t.true(existsSync(join(dirname(installed), path)), `not in the tarball: ${link}`);
  }
  const directory = join(parent, 'examples');
  mkdirSync(directory);
  const write = (file: string, text: string): void => writeFileSync(join(directory, file), text);
  write('tsconfig.json', JSON.stringify(CHECK_JS));
  const examples = blocksOf(DOCUMENT).flatMap(({ file, text }) =>
    file === undefined ? [] : [{ file, text }],
  );
  const modules = examples.filter(({ file }) => file.endsWith('.mjs'));
  t.true(modules.length >= 10);
  for (const { file, text } of modules) write(file, text);
  t.is(spawnSync(TSC, ['-p', directory], { encoding: 'utf8' }).stdout, '');

  const tests = modules.map(({ file }) => file).filter((file) => file.endsWith('.test.mjs'));
  t.is(tests.length, 2);
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...tests], {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  t.is(status, 0, stdout);

  const configurations = examples.filter(({ file }) => file === 'agent.yaml');
  t.true(configurations.length >= 3);
  for (const { text } of configurations) {
    write('agent.yaml', text);
    const checked = await runProgram(
      t,
      ['config', 'check', '--config', 'agent.yaml'],
      fromBin(parent, directory),
    );
    t.is(checked.stderr, '');
    t.is(checked.stdout, 'agent.yaml: no problem found\n');
  }
}

function compileProject({ t, directory }: Project): void {
  const { status, stdout } = spawnSync(TSC, ['-p', 'checker'], { cwd: directory, encoding: 'utf8' });
  t.is(stdout, '');
  t.is(status, 0);
}

function runContractSuites({ t, directory }: Project): void {
  const { status, failures, passed } = runTests(directory, 'contract');
  t.deepEqual(failures, []);
  t.is(status, 0);
  t.true(passed > 20);
}

function runContractSuiteWithFaultyChecker({ t, directory }: Project): void {
  const { status, failures } = runTests(directory, 'careless');
  t.is(status, 1);
  t.deepEqual(failures, [
    ['stop can be called twice', 'cannot close what is closed'],
    ['stop can be called before start', 'cannot close what is closed'],
    ['stopping one instance does not affect another', 'cannot close what is closed'],
    ['a check of an unhealthy component fails with a one-line reason', 'the check must reject'],
  ]);
}

/** Runs a test file of the author. Returns failures as title (without the plugin name) and message. */
function runTests(
  directory: string,
  file: string,
): { status: number | null; failures: unknown; passed: number } {
  const args = ['--test', '--test-reporter=tap', `dist/${file}.test.js`];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: join(directory, 'checker'),
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

function packAndInstall({ t, directory }: Project): void {
  const { filename, files } = pack(directory, join(directory, 'checker'));
  t.deepEqual(files.map(({ path }) => path).toSorted(), [
    'dist/index.js',
    'dist/journal.js',
    'dist/lines.js',
    'package.json',
  ]);
  // The installed package must not need the sources.
  rmSync(join(directory, 'checker'), { recursive: true });
  install(directory, `./${filename}`);
  t.regex(run('npm', directory, 'ls', 'fabric-ops-agent'), /fabric-check-backlog@1\.0\.0[^]*deduped/);
}

const fromBin = (directory: string, cwd = directory): { program: string; cwd: string } => ({
  program: join(directory, 'node_modules/.bin/fabric-ops-agent'),
  cwd,
});

async function checkPluginsCommand({ t, directory }: Project): Promise<void> {
  const listPlugins = async (...names: string[]): Promise<string> =>
    (await runProgram(t, ['plugins', ...names, '--config', 'agent.yaml'], fromBin(directory))).stdout;
  const listed = (await listPlugins()).split('\n');
  for (const line of [
    `journal          logging   ${NAME}/journal, declared by agent.yaml:10: plugins[2]`,
    `lines            sink      ${NAME}/lines, declared by agent.yaml:8: plugins[1]`,
    `orders           checker   ${NAME}, declared by agent.yaml:5: plugins[0]`,
  ])
    t.true(listed.includes(line), listed.join('\n'));
  t.is(
    await listPlugins('orders'),
    `orders (checker): ${NAME}, declared by agent.yaml:5: plugins[0]
  directory: path, required: directory with waiting files
  most: number, default 3: maximum number of waiting files
  files: one of all, visible, default "all": which files are counted
`,
  );
}

async function checkMistypedOptions({ t, directory }: Project): Promise<void> {
  const mistyped = AGENT.replace('most: 1, files: visible', 'mots: 1, files: visble');
  writeFileSync(join(directory, 'mistyped.yaml'), mistyped);
  const outcome = await runProgram(t, ['start', '--config', 'mistyped.yaml'], fromBin(directory));
  t.is(
    outcome.stderr,
    [
      'mistyped.yaml:5: plugins[0]: plugin orders: options.mots: unknown option; did you mean most?',
      'mistyped.yaml:5: plugins[0]: plugin orders: options.files: must be one of all, visible: value was "visble"',
    ]
      .map((problem) => `fabric-ops-agent: error: ${problem}\n`)
      .join(''),
  );
  t.is(outcome.status, 2);
}

/** Starts the agent in another directory: relative paths are relative to the configuration file. */
const startAgent = ({ t, directory }: Project): RunningProgram =>
  startProgram(t, ['start', '--config', join(directory, 'agent.yaml')], fromBin(directory, '/'));

const journalOf = (directory: string): string => readFileSync(join(directory, 'journal.txt'), 'utf8');

/** Reads the URL from the log, which the backend of the author writes. */
function urlFromLog({ directory }: Project): Promise<string> {
  return eventually(async () => {
    const [, url] = /serving on (http:\S+) with/.exec(journalOf(directory)) ?? [];
    if (url === undefined) throw new Error(journalOf(directory));
    return url;
  });
}

async function checkHealthAndMetrics({ t, directory }: Project, url: string): Promise<void> {
  const waiting = async (): Promise<string> => {
    // Scrapes of the same second get the same text.
    await sleep(1_100);
    return (await fetch(`${url}/metrics`)).text();
  };
  t.deepEqual(await healthOf(url), { status: 200, failed: {} });
  t.regex(await waiting(), /^fabric_ops_agent_backlog_files 1$/m);
  writeFileSync(join(directory, 'orders/two'), '');
  t.deepEqual(await healthOf(url), { status: 503, failed: { orders: '2 waiting files, limit 1' } });
  const metrics = await waiting();
  t.regex(metrics, /^fabric_ops_agent_backlog_files 2$/m);
  t.regex(metrics, /^fabric_ops_agent_health_check_status\{component="orders"\} 0$/m);
  rmSync(join(directory, 'orders/two'));
  t.deepEqual(await healthOf(url), { status: 200, failed: {} });
}

async function checkLogLevel({ t, directory }: Project, url: string): Promise<void> {
  const put = await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"plugins.orders=debug:info"}' });
  t.is(put.status, 204);
  await fetch(`${url}/healthz`);
  const lines = journalOf(directory).split('\n');
  t.true(lines.includes('warn health: orders is not healthy: 2 waiting files, limit 1'));
  t.true(lines.includes('info health: orders is healthy again'));
  t.is(lines.filter((line) => line === 'debug plugins.orders: counted { count: 1 }').length, 1);
}

async function checkLastFlush({ t, directory }: Project, agent: RunningProgram): Promise<void> {
  agent.child.kill('SIGTERM');
  const { status, stdout, stderr } = await agent.ended;
  t.deepEqual([status, stdout, stderr], [0, '', '']);
  // Each counter increment is pushed exactly once.
  const pushed = readFileSync(join(directory, 'metrics.txt'), 'utf8');
  t.deepEqual(pushed.match(/^health_check\.failures_total .*$/gm), ['health_check.failures_total 1']);
  t.is(pushed.match(/^backlog\.files .*$/gm)?.at(-1), 'backlog.files 1');
  t.true(journalOf(directory).endsWith('info operations: stopping\ninfo operations: stopped\n'));
}
