// What can be said of the documents without running their commands, which test/e2e/documents.test.ts does.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { createAgent, loadSettings } from '../core/index.js';
import { NOT_RUN } from './helpers/documents/not-run.js';
import { REPOSITORY } from './helpers/documents/fixtures.js';
import { temporaryFolder } from './helpers/folder.js';
import { headingAnchors, relativeLinks } from './helpers/markdown.js';
import { blocksOf, commandBlocks, documents, notRun } from './helpers/documents/story.js';

const ALL = documents();
const TOLD = ALL.filter((document) => commandBlocks(document).length > 0);

test('every block that is said not to be run is there, once', (t) => {
  const blocks = TOLD.flatMap((document) => commandBlocks(document).map((block) => notRun(document, block)));
  t.deepEqual(
    NOT_RUN.filter((entry) => blocks.filter((each) => each === entry).length !== 1),
    [],
  );
});

test('commands are in sh and console blocks, which are run', (t) => {
  const others = ALL.flatMap((document) =>
    blocksOf(document)
      .filter(
        ({ language, text }) =>
          !['sh', 'console', 'yaml', 'json', 'ini', 'js', 'ts', 'text', ''].includes(language) ||
          (language !== 'console' && /^\$ /m.test(text)),
      )
      .map(({ line }) => `${document}:${line}`),
  );
  t.deepEqual(others, []);
});

test('what the code in the documents imports of the project is exported there', async (t) => {
  const imports = ALL.flatMap((document) =>
    blocksOf(document)
      .filter(({ language }) => language === 'js' || language === 'ts')
      .flatMap(({ text }) => [...text.matchAll(OWN_IMPORT)])
      .map(([, names = '', from = '']) => ({
        document,
        names: names.split(',').map((name) => name.trim()),
        from,
      })),
  );
  t.true(imports.length > 8);
  for (const { document, names, from } of imports) {
    const place = from.startsWith('.')
      ? new URL(`../${dirname(document)}/${from}`, import.meta.url).href
      : from;
    const exported = Object.keys((await import(place)) as object);
    t.deepEqual(
      names.filter((name) => !exported.includes(name)),
      [],
      `${document}: ${from}`,
    );
  }
});

test('yaml blocks are YAML, and those that are no file are configurations that the program accepts', async (t) => {
  const blocks = ALL.flatMap((document) => blocksOf(document).map((block) => ({ document, ...block })));
  const samples = blocks.filter(({ language }) => language === 'yaml');
  t.true(samples.length > 10);
  for (const { document, line, text, file } of samples) {
    t.notThrows(() => parse(text) as unknown, `${document}:${line}`);
    if (file !== undefined) continue;
    const cwd = temporaryFolder(t, { 'agent.yaml': text });
    const options = { files: [join(cwd, 'agent.yaml')], flags: [], environment: {}, cwd };
    // As `config check` does.
    const check = async (): Promise<void> => (await createAgent(loadSettings(options).settings)).stop();
    await t.notThrowsAsync(check(), `${document}:${line}`);
  }
});

test('every link between documents leads to a file and a heading that are there', (t) => {
  const broken = ALL.flatMap((document) =>
    linksOf(document)
      .filter(({ path, heading }) => {
        const isThere = existsSync(join(REPOSITORY, path));
        return !isThere || (heading !== '' && !headingAnchors(read(path)).includes(heading));
      })
      .map(({ target }) => `${document}: ${target}`),
  );
  t.deepEqual(broken, []);
});

test('every document but that of the test data is found from the first one', (t) => {
  const found = new Set(['README.md']);
  for (const document of found)
    for (const { path } of linksOf(document)) if (ALL.includes(path)) found.add(path);
  t.deepEqual(
    ALL.filter((document) => !found.has(document)),
    ['test/vectors/translator/README.md'],
  );
});

test('every test that a document names is there', (t) => {
  const named = ALL.flatMap((document) => [...read(document).matchAll(/`(test\/[\w./-]+\.ts)`/g)]);
  t.true(named.length > 10);
  t.deepEqual(
    named.map(([, file = '']) => file).filter((file) => !existsSync(join(REPOSITORY, file))),
    [],
  );
});

/** An import of the package or of a file of the same folder, unless that is one of the reader's own (`.mjs`). */
const OWN_IMPORT = /^import \{ (.+) \} from '((?:fabric-ops-agent|\.).*(?<!\.mjs))';$/gm;

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

/** The links of a document to places in the repository, by their path from the root. */
function linksOf(document: string): { target: string; path: string; heading: string }[] {
  return relativeLinks(read(document)).map((target) => {
    const [path = '', heading = ''] = target.split('#');
    return { target, heading, path: path === '' ? document : join(dirname(document), path) };
  });
}
