// `plugins new`: what it writes, and what it refuses. test/e2e/new-plugin.test.ts builds and runs the packages.

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { TEMPLATE_DEPENDENCIES, TEMPLATE_KINDS } from '../../../core/cli/plugin-template.js';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { temporaryFolder } from '../../helpers/folder.js';

const FILES = [
  '.gitignore',
  'README.md',
  'package.json',
  'src/index.test.ts',
  'src/index.ts',
  'tsconfig.json',
];

/** The files in a directory, as paths from it. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();

for (const kind of TEMPLATE_KINDS)
  test(`plugins new ${kind} writes a package with the name of its directory`, async (t) => {
    const cwd = temporaryFolder(t, {});
    const { status, stdout, stderr } = await runAgentCommand(['plugins', 'new', kind, 'deep/My Plugin'], {
      cwd,
    });
    t.deepEqual([status, stderr], [0, '']);
    t.is(
      stdout,
      `deep/My Plugin: 6 files of a new ${kind}, my-plugin; the next steps are in deep/My Plugin/README.md\n`,
    );
    const directory = join(cwd, 'deep/My Plugin');
    t.deepEqual(filesIn(directory), FILES);
    const texts = FILES.map((file) => readFileSync(join(directory, file), 'utf8'));
    t.deepEqual(
      texts.filter((text) => text.includes('NAME')),
      [],
    );
    t.is((JSON.parse(texts[2]!) as { name: string }).name, 'my-plugin');
    t.true(texts[4]!.includes("name: 'my-plugin'"));
  });

test('the new package needs the versions with which the agent is built', (t) => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  t.like(devDependencies, TEMPLATE_DEPENDENCIES);
});

test('plugins new writes into an empty directory, and not into its own package', async (t) => {
  const cwd = temporaryFolder(t, {});
  mkdirSync(join(cwd, 'own'));
  const statusOfNew = async (): Promise<number> =>
    (await runAgentCommand(['plugins', 'new', 'sink', 'own'], { cwd })).status;
  t.deepEqual([await statusOfNew(), await statusOfNew()], [0, 2]);
});

const KINDS = 'checker, sink, source, notifier, logging';
const RULE = 'the name of the directory becomes the name of the package';

for (const [args, problem] of [
  [[], `plugins new needs a kind (${KINDS}) and a directory`],
  [['checker'], `plugins new needs a kind (${KINDS}) and a directory`],
  [['checker', ''], `plugins new needs a kind (${KINDS}) and a directory`],
  [['checker', 'a', 'b'], "unexpected argument 'b'"],
  [['chekcer', 'a'], 'unknown kind "chekcer"; did you mean checker?'],
  [['__proto__', 'a'], `unknown kind "__proto__"; expected one of checker, logging, notifier, sink, source`],
  [['checker', 'full'], 'full is not empty; name a directory that is new or empty'],
  [['checker', 'file'], 'file: not a directory'],
  [['checker', 'file/own'], 'file/own: not a directory'],
  [['checker', '/proc/own'], '/proc/own: no such file'],
  [['checker', '_'], `${RULE}: it must have 1 to 100 letters, digits and '-'`],
  [['checker', 'a'.repeat(101)], `${RULE}: it must have 1 to 100 letters, digits and '-'`],
  [['checker', 'disk'], `${RULE}, and disk means something else there; choose another name, such as my-disk`],
  [['sink', 'fs'], `${RULE}, and fs means something else there; choose another name, such as my-fs`],
  [['sink', 'ava'], `${RULE}, and ava means something else there; choose another name, such as my-ava`],
] as const)
  test(`plugins new ${JSON.stringify(args)} is refused, and writes nothing`, async (t) => {
    const cwd = temporaryFolder(t, { 'full/own.txt': '', file: '' });
    const { status, stdout, stderr } = await runAgentCommand(['plugins', 'new', ...args], { cwd });
    t.deepEqual([status, stdout], [2, '']);
    t.is(stderr.split('\n')[0], `fabric-ops-agent: error: ${problem}`);
    t.deepEqual(filesIn(cwd), ['file', 'full/own.txt']);
  });
