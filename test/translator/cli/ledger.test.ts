// The commands fetch, log and diff, and other commands with a ledger, in the test process.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { blockBytes, Ledger } from '../../../translator/ledger/index.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { networkBlock } from '../../helpers/network-block.js';
import { writeLedger } from '../../helpers/stored-ledger.js';

const HISTORY = { blocks: 10, configs: [3, 7], files: [5] };

test('log lists the config blocks, newest first', async (t) => {
  const { status, stdout, stderr } = await runCommand(t, ['log', writeLedger(t, HISTORY)]);
  t.deepEqual([status, stderr], [0, '']);
  const lines = stdout
    .replaceAll(/fingerprint [0-9a-f]{64}/g, 'fingerprint F')
    .replaceAll(/block (\d) {2}\d{4}-\S+Z/g, 'block $1  T');
  t.is(
    lines,
    `block 7  T
  fingerprint F
  signed by Org1MSP CN=Admin@org1.example.com
  submitted by Org1MSP CN=Admin@org1.example.com
  Application/ACLs  qscc/GetBlockByNumber needs Readers

block 3  T
  fingerprint F
  signed by Org1MSP CN=Admin@org1.example.com
  submitted by Org1MSP CN=Admin@org1.example.com
  Application  value ACLs added
  Application/ACLs  added: qscc/GetChainInfo needs Readers

block 0  T
  the first block of the channel
`,
  );
});

for (const [name, args, blocks] of [
  ['-n 2', ['-n', '2'], ['7', '3']],
  ['-p 3', ['-p', '3'], ['3']],
  ['-p 0', ['-p', '0'], ['0']],
  ['--since a later time', ['--since', '2100-01-01'], []],
  ['no flag', [], ['7', '3', '0']],
] as const)
  test(`log with ${name} has these blocks: ${blocks.join(' ')}`, async (t) => {
    const { stdout } = await runCommand(t, ['log', writeLedger(t, HISTORY), '--json', ...args]);
    t.deepEqual(
      (JSON.parse(stdout) as { block: string }[]).map(({ block }) => block),
      blocks,
    );
  });

for (const [args, message] of [
  [['-p', '4'], 'LEDGER: block 4 is not a config block of the channel'],
  [['-p', 'x'], `flag 'block' must be the number of a block, found "x", try --help`],
  [['-n', '0'], `flag 'number' must be a number from 1 to 999999999, found "0", try --help`],
  [
    ['--since', 'now'],
    `flag 'since' must be a time that exists, with its zone, such as 2026-11-22T12:00:00Z, or seconds since 1970, found "now", try --help`,
  ],
] as const)
  test(`log ${args.join(' ')} is an error`, async (t) => {
    const ledger = writeLedger(t, HISTORY);
    const { status, stdout, stderr } = await runCommand(t, ['log', ledger, ...args]);
    t.deepEqual(
      [status, stdout, stderr],
      [1, '', `configtxlator: error: ${message.replace('LEDGER', ledger)}\n`],
    );
  });

test('log and fetch of a file are errors', async (t) => {
  const file = join(temporaryFolder(t, { 'block.pb': '' }), 'block.pb');
  for (const command of ['log', 'fetch'])
    t.deepEqual(await runCommand(t, [command, file]), {
      status: 1,
      stdout: '',
      stderr: `configtxlator: error: ${file} is not a directory: the folder of a channel in a node's ledger, or grpcs://HOST:PORT/CHANNEL, is needed\n`,
    });
});

for (const [number, expected] of [
  [undefined, 7n],
  ['newest', 9n],
  ['oldest', 0n],
  ['3', 3n],
] as const)
  test(`fetch with --number ${number} writes block ${expected}`, async (t) => {
    const directory = writeLedger(t, HISTORY);
    const out = join(temporaryFolder(t), 'block.pb');
    const flags = number === undefined ? [] : ['--number', number];
    t.deepEqual(await runCommand(t, ['fetch', directory, ...flags, '-o', out]), {
      status: 0,
      stdout: '',
      stderr: '',
    });
    const ledger = Ledger.open(directory);
    t.deepEqual(new Uint8Array(readFileSync(out)), blockBytes(ledger.read(expected)));
  });

test('a ledger is read as its newest config block', async (t) => {
  const ledger = writeLedger(t, HISTORY);
  const shown = await runCommand(t, ['show', ledger]);
  t.regex(shown.stdout, /^channel mychannel, block 7, sequence 2\n/);
  const out = join(temporaryFolder(t), 'block.pb');
  await runCommand(t, ['fetch', ledger, '-o', out]);
  t.is(readConfigFile(readFileSync(out)).number, 7n);
});

test('diff prints the differences, and nothing for equal configs', async (t) => {
  const ledger = writeLedger(t, HISTORY);
  const block = join(temporaryFolder(t), 'block.pb');
  writeFileSync(block, networkBlock());
  const { stdout } = await runCommand(t, ['diff', block, ledger]);
  t.is(
    stdout,
    `Application  value ACLs added
Application/ACLs  added: qscc/GetBlockByNumber needs Readers; qscc/GetChainInfo needs Readers
`,
  );
  t.is((await runCommand(t, ['diff', ledger, ledger])).stdout, 'the configs are equal\n');
  t.is((await runCommand(t, ['diff', ledger, ledger, '--json'])).stdout, '[]\n');
});
