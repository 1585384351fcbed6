// Tests of the documents that do not run their commands; test/e2e/documents.test.ts does.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { createAgent, loadSettings } from '../core/index.js';
import { NOT_RUN } from './helpers/documents/not-run.js';
import { REPOSITORY } from './helpers/documents/fixtures.js';
import { temporaryFolder } from './helpers/folder.js';
import { headingAnchors, relativeLinks } from './helpers/markdown.js';
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
          !['sh', 'console', 'yaml', 'json', 'ini', 'js', 'ts', '', 'text'].includes(language) ||
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

test('the first 60 lines of README.md have the commands that start and test a clone, in this order', (t) => {
  const lines = read('README.md').split('\n').slice(0, 60);
  const [start, tests, beside] = [
    lines.indexOf('npm ci && npm start'),
    lines.indexOf('npm ci && npm test'),
    lines.indexOf('## Beside a node'),
  ];
  t.true(start > 0 && start < tests && tests < beside, lines.join('\n'));
  t.regex(lines[beside + 2] ?? '', /`metrics\.provider: prometheus`/);
});

test('npm start says that it builds and which page to open', (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const { settings } = loadSettings({
    files: [join(REPOSITORY, 'config/agent.yaml')],
    flags: [],
    environment: {},
    cwd: REPOSITORY,
  });
  const { host, port } = settings.operations.listenAddress;
  t.regex(scripts['start'] ?? '', /^echo 'building, .*npm run --silent build/);
  t.true(scripts['start']?.includes(`open http://${host}:${port}/ in a browser`));
  t.true(read('README.md').includes(`<http://${host}:${port}/>`));
});

test('no document kills processes by name', (t) => {
  t.deepEqual(
    ALL.filter((document) => /\b(?:pkill|killall)\b/.test(read(document))),
    [],
  );
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
const MADE = /^(?:dist\/|npm-shrinkwrap\.json$)/;

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
