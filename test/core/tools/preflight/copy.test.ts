// The copy of a folder for a program that may write to it. program.test.ts copies links, and what cannot be copied.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { makeCopy, openCopy, planCopy } from '../../../../core/tools/preflight/copy.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('the plan of a folder that does not exist is empty', (t) => {
  t.like(planCopy(join(temporaryFolder(t), 'none')), { entries: [], size: 0, notes: [] });
});

test('a copy has the files and their permissions, also below a folder that may not be written to', (t) => {
  const from = temporaryFolder(t, { 'a/b/key.pem': 'key', 'a/log': 'log' });
  chmodSync(join(from, 'a/b/key.pem'), 0o440);
  chmodSync(join(from, 'a/b'), 0o500);
  const plan = planCopy(from);
  t.is(
    plan.size,
    ['', 'a', 'a/b', 'a/b/key.pem', 'a/log'].reduce((sum, path) => sum + statSync(join(from, path)).size, 0),
  );
  t.deepEqual(
    plan.entries.map(({ path, isFolder }) => [path, isFolder]),
    [
      ['', true],
      ['a', true],
      ['a/b', true],
      ['a/b/key.pem', false],
      ['a/log', false],
    ],
  );
  const to = join(temporaryFolder(t), 'copy');
  makeCopy(plan, to);
  t.is(readFileSync(join(to, 'a/b/key.pem'), 'utf8'), 'key');
  t.deepEqual(
    ['', 'a', 'a/b', 'a/b/key.pem', 'a/log'].map((path) => modeOf(join(to, path))),
    ['', 'a', 'a/b', 'a/b/key.pem', 'a/log'].map((path) => modeOf(join(from, path))),
  );
  openCopy(plan, to);
  t.deepEqual([modeOf(join(to, 'a/b')), modeOf(join(to, 'a/b/key.pem'))], [0o700, 0o440]);
});

for (const [more, notes] of [
  [0, []],
  [1, ['has more than 2 GiB and was not copied']],
] as const)
  test(`a folder with 2 GiB and ${more} bytes is ${more === 0 ? 'copied' : 'not copied'}`, (t) => {
    const folder = temporaryFolder(t, { file: '' });
    truncateSync(join(folder, 'file'), 2 * 1024 ** 3 - statSync(folder).size + more);
    const plan = planCopy(folder);
    t.deepEqual(
      plan.notes,
      notes.map((note) => `${folder} ${note}`),
    );
    t.is(plan.entries.length, more === 0 ? 2 : 0);
  });

for (const [depth, notes] of [
  [50, []],
  [51, ['has more than 50 folders in each other and was not copied']],
] as const)
  test(`a folder with ${depth} folders in each other is ${notes.length === 0 ? 'copied' : 'not copied'}`, (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, ...Array<string>(depth).fill('d')), { recursive: true });
    const plan = planCopy(folder);
    t.deepEqual(
      plan.notes,
      notes.map((note) => `${folder} ${note}`),
    );
    t.is(plan.entries.length, notes.length === 0 ? depth + 1 : 0);
  });

test('three files that are not copied are all named', (t) => {
  const folder = temporaryFolder(t);
  const paths = ['a', 'b', 'c'].map((name) => join(folder, name));
  execFileSync('mkfifo', paths);
  t.deepEqual(planCopy(folder).notes, [
    `${paths.join(', ')}: not copied, because only regular files are copied`,
  ]);
});

/** Examines folders as a user without rights, because root reads every file: whether each is complete, its paths and the notes. */
function planAsNobody(...folders: readonly string[]): readonly (readonly (string | boolean)[])[] {
  const module = pathToFileURL(join(import.meta.dirname, '../../../../core/tools/preflight/copy.js')).href;
  const script = `const { planCopy } = await import(${JSON.stringify(module)});
    console.log(JSON.stringify(process.argv.slice(1).map((folder) => {
      const { notes, entries, isComplete } = planCopy(folder);
      return [isComplete, ...entries.map(({ path }) => path), ...notes];
    })));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, ...folders], {
    encoding: 'utf8',
    ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }),
  });
  return JSON.parse(stdout) as (readonly (string | boolean)[])[];
}

test('a file and a folder that the user may not read are not copied, and a note names them', (t) => {
  const folder = temporaryFolder(t, { 'a/readable': 'x', 'a/secret': 'x', 'b/file': 'x' });
  for (const path of ['', 'a', 'a/readable']) chmodSync(join(folder, path), 0o755);
  chmodSync(join(folder, 'a/secret'), 0);
  chmodSync(join(folder, 'b'), 0);
  t.teardown(() => chmodSync(join(folder, 'b'), 0o755));
  const note = `${join(folder, 'a/secret')}, ${join(folder, 'b')}: not copied, because of missing read permissions`;
  t.deepEqual(planAsNobody(folder, join(folder, 'a/readable')), [
    [false, '', 'a', 'a/readable', 'b', note],
    [true, ''],
  ]);
});

test('a file that a running node removes before it is copied is left out, and a folder that the program removes stays away', (t) => {
  const from = temporaryFolder(t, { 'old.log': 'x', 'new.log': 'y', 'd/file': 'z' });
  const plan = planCopy(from);
  rmSync(join(from, 'old.log'));
  const to = join(temporaryFolder(t), 'copy');
  makeCopy(plan, to);
  t.false(existsSync(join(to, 'old.log')));
  t.is(readFileSync(join(to, 'new.log'), 'utf8'), 'y');
  rmSync(join(to, 'd'), { recursive: true });
  t.notThrows(() => openCopy(plan, to));
});

test('a folder whose copy cannot be made is an error with both paths', (t) => {
  const from = temporaryFolder(t, { file: 'x' });
  const to = temporaryFolder(t, { taken: '' });
  const plan = planCopy(from);
  t.throws(() => makeCopy(plan, join(to, 'none/copy')), {
    code: 'USAGE',
    message: `${from}: cannot be copied to ${join(to, 'none/copy')}: no such file or directory`,
  });
  t.throws(() => makeCopy(plan, join(to, 'taken')), {
    code: 'USAGE',
    message: `${from}: cannot be copied to ${join(to, 'taken')}: EEXIST`,
  });
});
