// `rehearse`: input with which nothing is rehearsed. Rehearsals with real nodes are in test/e2e/rehearse.test.ts.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';

const RAFT = 'test/vectors/powers/raft.block';
const [{ update }] = JSON.parse(readFileSync('test/vectors/powers/cases.json', 'utf8')) as [
  { update: string },
];

const PROGRAM = (name: string, version = 'v3.1.5'): string =>
  `#!/bin/sh\nprintf '${name}:\\n Version: ${version}\\n'\n`;

/** A directory with an update and programs that print their version and do nothing else. */
function workplace(t: ExecutionContext, programs: Readonly<Record<string, string>> = {}): string {
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, 'update.pb'), Buffer.from(update, 'base64'));
  const all = { orderer: PROGRAM('orderer'), peer: PROGRAM('peer'), ...programs };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(directory, name), text, { mode: 0o755 });
  return directory;
}

/** Runs the command in a directory; the last line of standard error, with `DIR` for the directory. */
async function errorOf(
  t: ExecutionContext,
  directory: string,
  ...args: readonly string[]
): Promise<readonly [status: number, line: string]> {
  const { status, stdout, stderr } = await runCommand(t, ['rehearse', join(directory, 'update.pb'), ...args]);
  t.is(stdout, '');
  return [status, stderr.trimEnd().split('\n').at(-1)!.replaceAll(directory, 'DIR')];
}

test('a directory without the programs is an error with the path', async (t) => {
  const directory = workplace(t);
  t.deepEqual(await errorOf(t, directory, '--block', RAFT, '--programs', join(directory, 'bin')), [
    1,
    'configtxlator: error: DIR/bin/orderer is not a program that can be run',
  ]);
});

test('a program that is no orderer is an error with the path', async (t) => {
  const directory = workplace(t, { orderer: PROGRAM('peer') });
  t.deepEqual(await errorOf(t, directory, '--block', RAFT, '--programs', directory), [
    1,
    'configtxlator: error: DIR/orderer is not the program orderer of Fabric: it prints no version',
  ]);
});

test('programs of another version than the wanted one are an error with both', async (t) => {
  const directory = workplace(t);
  t.deepEqual(await errorOf(t, directory, '--block', RAFT, '--programs', directory, '--fabric', '2.5.16'), [
    1,
    'configtxlator: error: DIR/orderer has the version 3.1.5, 2.5.16 is wanted',
  ]);
});

test('programs of two versions are an error with both', async (t) => {
  const directory = workplace(t, { peer: PROGRAM('peer', 'v2.5.16') });
  t.deepEqual(await errorOf(t, directory, '--block', RAFT, '--programs', directory), [
    1,
    'configtxlator: error: DIR/peer has the version 2.5.16, DIR/orderer has 3.1.5',
  ]);
});

test('without --programs and without an orderer in PATH, the flag is named', async (t) => {
  t.deepEqual(await errorOf(t, workplace(t), '--block', RAFT), [
    1,
    "configtxlator: error: --programs is missing, and no directory in PATH has Fabric's program orderer, try --help",
  ]);
});

test('a file without a config in place of the block is an error with its kind', async (t) => {
  const directory = workplace(t);
  const file = join(directory, 'update.pb');
  t.deepEqual(await errorOf(t, directory, '--block', file, '--programs', directory), [
    1,
    'configtxlator: error: DIR/update.pb: this is a config update; a config block is needed',
  ]);
});

test('an update of another channel than the block is an error with both names', async (t) => {
  const directory = workplace(t);
  const other = Buffer.from(update, 'base64').toString('latin1').replaceAll('\u0003ch1', '\u0003ch2');
  writeFileSync(join(directory, 'update.pb'), other, 'latin1');
  t.deepEqual(await errorOf(t, directory, '--block', RAFT, '--programs', directory), [
    1,
    'configtxlator: error: DIR/update.pb is an update of the channel "ch2", the block is of "ch1"',
  ]);
});

test('an address that is no consenter cannot be down, with exit status 3', async (t) => {
  const directory = workplace(t);
  const [status, line] = await errorOf(
    t,
    directory,
    '--block',
    RAFT,
    '--programs',
    directory,
    '--down',
    'orderer9:7050',
  );
  t.is(status, 3);
  t.regex(line, /^configtxlator: error: cannot be rehearsed: --down orderer9:7050: this is no consenter /);
});

test('a directory to keep that is not empty is an error', async (t) => {
  const directory = workplace(t);
  t.deepEqual(await errorOf(t, directory, '--block', RAFT, '--programs', directory, '--keep', directory), [
    1,
    'configtxlator: error: DIR is not empty',
  ]);
});
