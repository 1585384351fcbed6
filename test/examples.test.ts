// The examples in JavaScript and TypeScript of all documents compile against the types of the package. test/e2e/documents.test.ts also runs those
// that are written to a file and named by a command; the others are only compiled.

import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'ava';
import { REPOSITORY } from './helpers/documents/fixtures.js';
import { blocksOf, documents } from './helpers/documents/run-document.js';
import { temporaryFolder } from './helpers/folder.js';

/** Blocks that are no modules, or of other programs, by their first line. */
const NOT_COMPILED = new Map([
  ['// statsd.js', 'The configuration file of StatsD, which is an expression.'],
  ['// util-log.cjs', 'It changes a module of Node.js, which the types forbid.'],
]);

/** Documents for people who change this code: their examples are in its directories and import its files. */
const OF_THIS_CODE = new Set([
  'CONTRIBUTING.md',
  'proto/README.md',
  'translator/cli/commands/README.md',
  'translator/edit/README.md',
  'translator/rules/README.md',
]);

/** What the reader of an example has already. */
const GIVEN = `
import type { Config, ConfigUpdate } from 'fabric-ops-agent/translator/channel';
import type { Identity } from 'fabric-ops-agent/translator/msp';
import type { Signer } from 'fabric-ops-agent/translator/policy';

declare global {
  /** Files: a message, a config block, configs, an envelope with an update. */
  const bytes: Uint8Array, block: Uint8Array, original: Uint8Array, modified: Uint8Array, envelope: Uint8Array, other: Uint8Array;
  /** PEM. */
  const certificate: Uint8Array, key: Uint8Array, cas: readonly Uint8Array[];
  const config: Config, update: ConfigUpdate;
  const signers: readonly Signer[], hasMsp: (mspId: string) => boolean;
  const serializedIdentity: Uint8Array, message: Uint8Array, signature: Uint8Array;
}
`;

interface Example {
  readonly document: string;
  /** Where the example would be in the repository. */
  readonly path: string;
  readonly text: string;
}

const EXAMPLES: readonly Example[] = documents().flatMap((document) =>
  blocksOf(document)
    .filter(({ language, text }) => /^[jt]s$/.test(language) && !NOT_COMPILED.has(firstLine(text)))
    .map(({ language, line, file = `${basename(document)}-${line}.${language}`, text }) => ({
      document,
      path: join(dirname(document), file),
      text,
    })),
);

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

test('examples import the package by its name', (t) => {
  const broken = EXAMPLES.filter(
    ({ document, text }) =>
      !OF_THIS_CODE.has(document) && /(?:from |import\()'(?:\.\.|\.\/.*\.js')/.test(text),
  );
  t.deepEqual(
    broken.map(({ path }) => path),
    [],
  );
});

test('examples that are not compiled exist', (t) => {
  const lines = new Set(
    documents().flatMap((document) => blocksOf(document).map(({ text }) => firstLine(text))),
  );
  t.deepEqual(
    [...NOT_COMPILED.keys()].filter((line) => !lines.has(line)),
    [],
  );
});

test('examples compile against the types of the package', (t) => {
  t.true(EXAMPLES.length > 30);
  const options = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'es2024.string'],
    types: ['node'],
    strict: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    // Relative imports of examples in the directories of this code mean its files.
    rootDirs: ['.', join(REPOSITORY, 'dist')],
  };
  const project = temporaryFolder(t, {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: options,
      files: ['given.d.ts', ...pathsOf(EXAMPLES)],
    }),
    'given.d.ts': GIVEN,
    ...Object.fromEntries(EXAMPLES.map(({ path, text }) => [path, text])),
  });
  t.is(new Set(pathsOf(EXAMPLES)).size, EXAMPLES.length);
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(REPOSITORY, join(project, 'node_modules/fabric-ops-agent'));
  symlinkSync(join(REPOSITORY, 'node_modules/@types'), join(project, 'node_modules/@types'));
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], {
    cwd: project,
    encoding: 'utf8',
  });
  t.is(`${stdout}${stderr}`, '');
  t.is(status, 0);
});

const pathsOf = (examples: readonly Example[]): string[] => examples.map(({ path }) => path);
