// Tests of the documents that do not run their commands; test/e2e/documents.test.ts does.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { createAgent, loadSettings } from '../core/index.js';
import { NOT_RUN } from './helpers/documents/not-run.js';
import { REPOSITORY } from './helpers/documents/fixtures.js';
import { temporaryFolder } from './helpers/folder.js';
import { headingAnchors, relativeLinks, tableRows } from './helpers/markdown.js';
import { blocksOf, commandBlocks, documents, notRun } from './helpers/documents/run-document.js';

const ALL = documents();
const WITH_COMMANDS = ALL.filter((document) => commandBlocks(document).length > 0);

test('every entry of not-run.ts has exactly one block', (t) => {
  const blocks = WITH_COMMANDS.flatMap((document) =>
    commandBlocks(document).map((block) => notRun(document, block)),
  );
  t.deepEqual(
    NOT_RUN.filter((entry) => blocks.filter((each) => each === entry).length !== 1),
    [],
  );
});

test('commands are in sh and console blocks', (t) => {
  const others = ALL.flatMap((document) =>
    blocksOf(document)
      .filter(
        ({ language, text }) =>
          !['sh', 'console', 'yaml', 'json', 'ini', 'js', 'ts', 'py', '', 'text'].includes(language) ||
          (language !== 'console' && /^\$ /m.test(text)),
      )
      .map(({ line }) => `${document}:${line}`),
  );
  t.deepEqual(others, []);
});

test('yaml blocks are YAML, and those without a file name are valid configurations', async (t) => {
  const blocks = ALL.flatMap((document) => blocksOf(document).map((block) => ({ document, ...block })));
  const samples = blocks.filter(({ language }) => language === 'yaml');
  t.true(samples.length > 10);
  for (const { document, line, text, file } of samples) {
    t.notThrows(() => parse(text) as unknown, `${document}:${line}`);
    if (file !== undefined) continue;
    const cwd = temporaryFolder(t, { 'agent.yaml': text });
    const options = { files: [join(cwd, 'agent.yaml')], flags: [], environment: {}, cwd };
    // Same as `config check`.
    const check = async (): Promise<void> => (await createAgent(loadSettings(options).settings)).stop();
    await t.notThrowsAsync(check(), `${document}:${line}`);
  }
});

test('every link between documents has an existing target file and heading', (t) => {
  const broken = ALL.flatMap((document) =>
    linksOf(document)
      .filter(({ path, heading }) => {
        const exists = existsSync(join(REPOSITORY, path));
        return !exists || (heading !== '' && !headingAnchors(read(path)).includes(heading));
      })
      .map(({ target }) => `${document}: ${target}`),
  );
  t.deepEqual(broken, []);
});

test('every document except that of the test data is linked from README.md, directly or indirectly', (t) => {
  const found = new Set(['README.md']);
  for (const document of found)
    for (const { path } of linksOf(document)) if (ALL.includes(path)) found.add(path);
  t.deepEqual(
    ALL.filter((document) => !found.has(document)),
    ['test/vectors/translator/README.md'],
  );
});

test('no document has a table of source files; each file begins with its sentence instead', (t) => {
  const rows = ALL.flatMap((document) =>
    read(document)
      .split('\n')
      .flatMap((line, index) => (/^\| `[\w-]+\.ts`/.test(line) ? [`${document}:${index + 1}`] : [])),
  );
  t.deepEqual(rows, []);
  const files = ['config', 'core', 'plugins', 'proto', 'translator'].flatMap((directory) =>
    readdirSync(join(REPOSITORY, directory), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(directory, file),
    ),
  );
  const silent = files
    .filter((file) => file.endsWith('.ts') && !/(?:\/index|\.d)\.ts$/.test(file))
    .filter((file) => !/^(?:#!.*\n)?(?:\/\/ |\/\*)/.test(read(file)));
  t.deepEqual(silent, []);
});

test('README.md has at most 120 lines: what it is for, pictures, the commands in the first 45 lines, the parts, three doors', (t) => {
  const text = read('README.md');
  const lines = text.trimEnd().split('\n');
  t.true(lines.length <= 120, `${lines.length} lines`);
  for (const command of ['npm ci && npm run demo', 'npm ci && npm start', 'npm ci && npm test'])
    t.true(lines.slice(0, 45).includes(command), command);
  const order = [
    '![The page of the agent',
    '## See it without a network',
    'npm ci && npm run demo',
    'npm ci && npm start',
    'npm ci && npm test',
    'config/monitor.md',
    'fabric-ops-agent nodes --write',
    'npm pack && npm install --global',
    '## How it works',
    '## Operate nodes',
    '## Decide about a channel',
    '## Write a plugin',
    'SECURITY.md',
  ];
  const places = order.map((part) => text.indexOf(part));
  t.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    order.join(', '),
  );
  t.true(!places.includes(-1), `missing: ${order.filter((part) => !text.includes(part)).join(', ')}`);
});

test('npm start builds and then starts the agent, and README.md names its page', (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const { settings } = loadSettings({
    files: [join(REPOSITORY, 'config/agent.yaml')],
    flags: [],
    environment: {},
    cwd: REPOSITORY,
  });
  const { host, port } = settings.operations.listenAddress;
  t.is(
    scripts['start'],
    'npm run --silent build && exec node dist/core/main.js start --config config/agent.yaml',
  );
  t.true(read('README.md').includes(`<http://${host}:${port}/>`));
});

/** Runs the script `prepare` with an `npm` that only says what it was asked to do. */
function prepare(t: ExecutionContext, command: string, isBuilt: boolean): string {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const cwd = temporaryFolder(t, {
    'bin/npm': '#!/bin/sh\necho "npm $*"\n',
    ...(isBuilt && { 'dist/commit.txt': '' }),
  });
  chmodSync(join(cwd, 'bin/npm'), 0o755);
  const env = { PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, npm_command: command };
  return execFileSync('sh', ['-c', scripts['prepare'] ?? ''], { cwd, env, encoding: 'utf8' });
}

for (const [command, isBuilt, builds] of [
  ['install', false, true],
  ['install', true, false],
  ['pack', true, false],
  ['ci', false, false],
  ['ci', true, false],
] as const)
  test(`npm ${command} ${isBuilt ? 'of a built clone' : 'of a clone, as npm does for a dependency from git,'} ${builds ? 'builds' : 'does not build'}`, (t) => {
    t.is(prepare(t, command, isBuilt), builds ? 'npm run build\n' : '');
  });

test('no document kills processes by name', (t) => {
  t.deepEqual(
    ALL.filter((document) => /\b(?:pkill|killall)\b/.test(read(document))),
    [],
  );
});

/** Words that documents do not use, and the words in their place; CONTRIBUTING.md has the glossary. */
const WORDS: readonly (readonly [string, RegExp, string])[] = [
  ['says', /\bsays\b/, 'prints, reports, names or has'],
  ['looks at', /\blook(?:s|ed|ing)? (?:at|for)\b/, 'checks, reads or searches'],
  ['people', /\bpeople\b/, 'users, or members of an organisation'],
  ['operations service', /\boperations (?:service|agent)\b/i, 'agent'],
  ['--beside', /--beside/, '--node'],
  ['dead man', /\bdead.?man/i, 'heartbeat'],
  ['works again', /\bworks again (?:after|;)/, 'recovered'],
];
for (const [title, pattern, instead] of WORDS)
  test(`no document has "${title}"; the word is ${instead}`, (t) => {
    const lines = ALL.flatMap((document) =>
      read(document)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${document}:${index + 1}: ${line}`] : [])),
    );
    t.deepEqual(lines, []);
  });

test('every test file that a document names exists', (t) => {
  const named = ALL.flatMap((document) => [...read(document).matchAll(/`(test\/[\w./-]+\.ts)`/g)]);
  t.true(named.length > 10);
  t.deepEqual(
    named.map(([, file = '']) => file).filter((file) => !existsSync(join(REPOSITORY, file))),
    [],
  );
});

/** What the build and `npm pack` make. */
const MADE = /^dist\//;

test('every file and directory that core/README.md, test/README.md and CONTRIBUTING.md name exists', (t) => {
  for (const document of ['core/README.md', 'test/README.md', 'CONTRIBUTING.md']) {
    const text = read(document).replaceAll(/^```.*?^```/gms, '');
    const named = [...text.matchAll(/`([\w./-]+(?:\/|\.(?:ts|json|yaml|md)))`/g)].map(
      ([, path = '']) => path,
    );
    t.true(named.length > 10, document);
    const isThere = (path: string): boolean =>
      ['', dirname(document)].some((directory) => existsSync(join(REPOSITORY, directory, path)));
    t.deepEqual(
      named.filter((path) => !isThere(path) && !MADE.test(path)),
      [],
      document,
    );
  }
});

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

/** Returns the relative links of a document; `path` is relative to the root of the repository. */
function linksOf(document: string): { target: string; path: string; heading: string }[] {
  return relativeLinks(read(document)).map((target) => {
    const [path = '', heading = ''] = target.split('#');
    return { target, heading, path: path === '' ? document : join(dirname(document), path) };
  });
}

test('the index of config/deploy/README.md has the words that operators search, each with a link', (t) => {
  const rows = tableRows(read('config/deploy/README.md'), 'Index');
  const places = new Map(
    rows.flatMap(([words = '', place = '']) => words.split(', ').map((word) => [word, place])),
  );
  for (const word of [
    'read-only',
    'rotate',
    'troubleshooting',
    'FAQ',
    'docker-compose',
    'Kubernetes',
    'systemd',
    'upgrade',
    'alerts',
    'expose',
    'Graphite',
    'silence',
  ])
    t.regex(places.get(word) ?? '', /\]\([^)]+\)/, word);
});
