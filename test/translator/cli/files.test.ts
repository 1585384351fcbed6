// Outputs of the command line: paths of descriptors, files that are replaced, and files that cannot be replaced.

import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { checkOutput, descriptorOf, writeOutput } from '../../../translator/cli/files.js';
import type { Io } from '../../../translator/cli/io.js';
import { temporaryFolder } from '../../helpers/folder.js';

const PROCESS = { stdin: 10, stdout: 11 } as Io;

for (const [path, descriptor] of [
  ['/dev/stdin', 10],
  ['/dev/stdout', 11],
  ['/dev/stderr', 2],
  ['/dev/fd/7', 7],
  ['/proc/self/fd/0', 0],
  ['/dev/fd/', undefined],
  ['/dev/fd/7/x', undefined],
  ['x/dev/stdin', undefined],
  ['', undefined],
] as const)
  test(`the path "${path}" is ${descriptor === undefined ? 'no descriptor' : `the descriptor ${descriptor}`}`, (t) => {
    t.is(descriptorOf(path, PROCESS), descriptor);
  });

for (const [what, content] of [
  ['a longer content', 'a longer text'],
  ['a shorter content', 'x'],
  ['an empty content', ''],
] as const)
  test(`a file with two names keeps both with ${what}`, (t) => {
    const folder = temporaryFolder(t, { a: 'previous' });
    linkSync(join(folder, 'a'), join(folder, 'b'));
    writeOutput(join(folder, 'a'), Buffer.from(content), PROCESS);
    t.is(readFileSync(join(folder, 'b'), 'utf8'), content);
    t.deepEqual(readdirSync(folder), ['a', 'b']);
  });

test('a file that is replaced keeps its mode, and a new file is for its owner only', (t) => {
  const folder = temporaryFolder(t, { a: 'previous' });
  const [old, made] = [join(folder, 'a'), join(folder, 'new')];
  chmodSync(old, 0o4751);
  const { ino } = statSync(old);
  for (const file of [old, made]) writeOutput(file, Buffer.from('x'), PROCESS);
  t.not(statSync(old).ino, ino);
  t.is(statSync(old).mode & 0o7777, 0o4751);
  t.is(statSync(made).mode & 0o7777, 0o600);
  t.deepEqual(readdirSync(folder), ['a', 'new']);
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

for (const [uid, gid] of [
  [12_345, 0],
  [0, 12_345],
] as const)
  asRoot(`a file of the user ${uid} and the group ${gid} that root replaces keeps its owner`, (t) => {
    const file = join(temporaryFolder(t, { a: 'previous' }), 'a');
    chownSync(file, uid, gid);
    writeOutput(file, Buffer.from('x'), PROCESS);
    const found = statSync(file);
    t.deepEqual([found.uid, found.gid, readFileSync(file, 'utf8')], [uid, gid, 'x']);
  });

test('links are followed to a file that does not exist yet, in the folder of each link', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'deep'));
  symlinkSync('deep/link', join(folder, 'link'));
  symlinkSync('../file', join(folder, 'deep/link'));
  checkOutput(join(folder, 'link'), PROCESS);
  writeOutput(join(folder, 'link'), Buffer.from('x'), PROCESS);
  t.is(readFileSync(join(folder, 'file'), 'utf8'), 'x');
});

for (const [what, path, error] of [
  ['a folder', '.', 'it is a directory'],
  ['a new name with a slash', 'new/', 'it is a directory'],
  ['a loop of links', 'loop', 'a loop of symbolic links'],
  ['a name in a folder that does not exist', 'none/new', 'no such file'],
  ['no name', '', 'no such file'],
] as const)
  test(`an output that is ${what} is an error before anything is written: ${error}`, (t) => {
    const folder = temporaryFolder(t);
    symlinkSync('loop', join(folder, 'loop'));
    const output = path === '' ? '' : `${folder}/${path}`;
    t.throws(() => checkOutput(output, PROCESS), { message: `open ${output}: ${error}` });
    t.throws(() => writeOutput(output, Buffer.from('x'), PROCESS), { message: /^(?:open|write) / });
    t.deepEqual(readdirSync(folder), ['loop']);
  });
