// Inputs of the command line: regular files and descriptors, but no named pipes or devices, which could block it forever.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { networkBlock } from '../../helpers/network-block.js';
import { writeLedger } from '../../helpers/stored-ledger.js';

/** A folder with a config block, a named pipe, and a ledger with a named pipe as its file. */
function makeFiles(t: ExecutionContext): (name: string) => string {
  const folder = temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('block.pb'), networkBlock());
  mkdirSync(at('ledger'));
  symlinkSync('loop', at('loop'));
  execFileSync('mkfifo', [at('pipe'), at('ledger/blockfile_000000')]);
  return at;
}

for (const { args, error } of [
  { args: ['show', 'DIR/pipe'], error: 'open DIR/pipe: it is a named pipe, not a regular file' },
  { args: ['check', '/dev/zero'], error: 'open /dev/zero: it is a device, not a regular file' },
  {
    args: ['review', 'DIR/pipe', '--block', 'DIR/block.pb'],
    error: 'open DIR/pipe: it is a named pipe, not a regular file',
  },
  {
    args: ['edit', 'DIR/block.pb', '--with', 'DIR/pipe'],
    error: 'open DIR/pipe: it is a named pipe, not a regular file',
  },
  {
    args: ['fetch', 'grpcs://127.0.0.1:1/c', '--profile', 'DIR/pipe'],
    error: 'read DIR/pipe: it is a named pipe, not a regular file',
  },
  { args: ['@DIR/pipe'], error: 'open DIR/pipe: it is a named pipe, not a regular file, try --help' },
  ...['show', 'log', 'fetch', 'check'].map((command) => ({
    args: [command, 'DIR/ledger'],
    error: 'open DIR/ledger/blockfile_000000: it is a named pipe, not a regular file',
  })),
])
  test(`${args.join(' ')} is an error: no regular file`, async (t) => {
    const at = makeFiles(t);
    const inFolder = (text: string): string => text.replaceAll('DIR', at('.'));
    const outcome = await runCommand(t, args.map(inFolder));
    t.deepEqual([outcome.status, outcome.stderr], [1, `configtxlator: error: ${inFolder(error)}\n`]);
  });

for (const args of [['show'], ['log'], ['sign'], ['submit'], ['identity']])
  test(`${args.join(' ')} of a path that the system does not resolve is an error`, async (t) => {
    const path = makeFiles(t)('loop');
    const { status, stdout, stderr } = await runCommand(t, [...args, path]);
    t.deepEqual(
      [status, stdout + stderr],
      [1, `configtxlator: error: open ${path}: a loop of symbolic links\n`],
    );
  });

test('a descriptor of any kind is read', async (t) => {
  const at = makeFiles(t);
  const descriptor = openSync(at('block.pb'), 'r');
  t.teardown(() => closeSync(descriptor));
  const { status, stdout } = await runCommand(t, ['show', `/dev/fd/${descriptor}`]);
  t.is(status, 0);
  t.regex(stdout, /^channel mychannel, block 0, /);
});

test('a link to the file of a ledger is read', async (t) => {
  const ledger = writeLedger(t, { blocks: 2, configs: [] });
  const folder = temporaryFolder(t);
  execFileSync('ln', ['-s', join(ledger, 'blockfile_000000'), folder]);
  t.is((await runCommand(t, ['show', folder])).status, 0);
});
