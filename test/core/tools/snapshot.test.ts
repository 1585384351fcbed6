// The command `snapshot verify`.

import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runAgentCommand, type CommandOutcome } from '../../helpers/agent-command.js';
import { temporaryFolder } from '../../helpers/folder.js';

const SIGNABLE = '_snapshot_signable_metadata.json';
const ADDITIONAL = '_snapshot_additional_metadata.json';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const FILES = { 'public_state.data': 'the state', 'txids.data': 'the ids' };
const HASHES = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name, hashOf(text)]));

/** The metadata of the files, as a peer writes them; the number of the block has more digits than a double. */
const signable = (hashes: unknown = HASHES): string =>
  JSON.stringify(
    {
      channel_name: 'mychannel',
      last_block_number: 0,
      last_block_hash: 'b1',
      previous_block_hash: 'b0',
      snapshot_files_raw_hashes: hashes,
      state_db_type: 'goleveldb',
    },
    undefined,
    '    ',
  ).replace('"last_block_number": 0', '"last_block_number": 18446744073709551615');

const additional = (hash: unknown): string =>
  JSON.stringify({ snapshot_hash: hash, last_block_commit_hash: 'c1' }, undefined, '    ');

/** Makes a snapshot, changes it, and verifies it. */
async function verify(
  t: ExecutionContext,
  change: (directory: string) => void,
  metadata = signable(),
): Promise<CommandOutcome> {
  const directory = temporaryFolder(t, {
    ...FILES,
    [SIGNABLE]: metadata,
    [ADDITIONAL]: additional(hashOf(metadata)),
  });
  change(directory);
  const { stdout, ...rest } = await runAgentCommand(['snapshot', 'verify', directory]);
  return { ...rest, stdout: stdout.replaceAll(directory, 'DIR') };
}

const TITLE = 'the snapshot of the channel mychannel at block 18446744073709551615';

test('a snapshot as the peer made it: exit status 0, and the hashes to compare', async (t) => {
  t.deepEqual(await verify(t, () => undefined), {
    status: 0,
    stdout: `DIR: ${TITLE} is complete and unchanged
  snapshot hash   ${hashOf(signable())}
  block hash      b1
  commit hash     c1 (not verified: stored nowhere else)
  state database  goleveldb
  files           2
`,
    stderr: '',
  });
});

for (const [title, change, faults] of [
  [
    'a changed file',
    (directory) => writeFileSync(join(directory, 'txids.data'), 'the ods'),
    [`txids.data: its SHA-256 is ${hashOf('the ods')}; the metadata have ${hashOf('the ids')}`],
  ],
  ['a missing file', (directory) => rmSync(join(directory, 'txids.data')), ['txids.data: is missing']],
  [
    'another file',
    (directory) => writeFileSync(join(directory, 'a\nb'), ''),
    [String.raw`a\nb: is not in ${SIGNABLE}; the peer did not make it`],
  ],
  [
    'a directory in the place of a file, and a symbolic link',
    (directory) => {
      for (const name of Object.keys(FILES)) rmSync(join(directory, name));
      mkdirSync(join(directory, 'txids.data'));
      symlinkSync('/dev/null', join(directory, 'public_state.data'));
    },
    ['public_state.data: it is a symbolic link', 'txids.data: it is a directory'],
  ],
  [
    'changed metadata',
    (directory) => writeFileSync(join(directory, SIGNABLE), `${signable()}\n`),
    [`${SIGNABLE}: its SHA-256 is ${hashOf(`${signable()}\n`)}; the metadata have ${hashOf(signable())}`],
  ],
  [
    'missing additional metadata',
    (directory) => rmSync(join(directory, ADDITIONAL)),
    [`${ADDITIONAL}: is missing`],
  ],
  [
    'additional metadata without a hash',
    (directory) => writeFileSync(join(directory, ADDITIONAL), additional(7)),
    [`${ADDITIONAL}: snapshot_hash is not a SHA-256 in hexadecimal: found 7`],
  ],
] as readonly (readonly [string, (directory: string) => void, readonly string[]])[])
  test(`a snapshot with ${title} is incomplete or changed`, async (t) => {
    const { status, stdout } = await verify(t, change);
    t.is(status, 1);
    t.is(
      stdout,
      [`DIR: ${TITLE} is incomplete or changed`, ...faults.map((each) => `  ${each}`), ''].join('\n'),
    );
  });

for (const [title, metadata, fault] of [
  ['is not JSON', 'x', 'is not JSON'],
  ['is a list', '[]', 'is not a JSON object'],
  ['is larger than 1 MiB', ' '.repeat(1024 * 1024 + 1), 'it is larger than 1048576 bytes'],
] as const)
  test(`a snapshot whose file of hashes ${title} is not verified further`, async (t) => {
    const { status, stdout } = await verify(t, () => undefined, metadata);
    t.deepEqual(
      [status, stdout],
      [1, `DIR: the snapshot is incomplete or changed\n  ${SIGNABLE}: ${fault}\n`],
    );
  });

for (const [hashes, fault] of [
  [{}, 'snapshot_files_raw_hashes has no hashes of files: found {}'],
  [{ ...HASHES, '../x': hashOf('') }, '../x is not the name of a file'],
  [{ ...HASHES, x: 'ab' }, 'the hash of x is not a SHA-256 in hexadecimal: found ab'],
  [{ ...HASHES, x: 7 }, 'the hash of x is not a SHA-256 in hexadecimal: found 7'],
  [
    { ...HASHES, x: 'z'.repeat(64) },
    `the hash of x is not a SHA-256 in hexadecimal: found ${'z'.repeat(64)}`,
  ],
  [
    { ...HASHES, x: '0'.repeat(101) },
    `the hash of x is not a SHA-256 in hexadecimal: found ${'0'.repeat(100)}`,
  ],
  [{ ...HASHES, '': hashOf('') }, ' is not the name of a file'],
  [{ ...HASHES, '.': hashOf('') }, '. is not the name of a file'],
  [{ ...HASHES, '..': hashOf('') }, '.. is not the name of a file'],
  [{ ...HASHES, 'a\0': hashOf('') }, String.raw`a\u0000 is not the name of a file`],
  [[hashOf('')], `snapshot_files_raw_hashes has no hashes of files: found ["${hashOf('')}"]`],
  ['ab', 'snapshot_files_raw_hashes has no hashes of files: found ab'],
  [null, 'snapshot_files_raw_hashes has no hashes of files: found null'],
] as const)
  test(`the hashes of files ${JSON.stringify(hashes)} are a fault: ${fault}`, async (t) => {
    const { status, stdout } = await verify(t, () => undefined, signable(hashes));
    t.is(status, 1);
    t.true(stdout.includes(`\n  ${SIGNABLE}: ${fault}\n`), stdout);
  });

test('a snapshot with hashes in capital letters, and metadata of 1 MiB, is unchanged', async (t) => {
  const capitals = Object.entries(HASHES).map(([name, hash]) => [name, hash.toUpperCase()]);
  const metadata = signable(Object.fromEntries(capitals)).padEnd(1024 * 1024);
  const { status, stdout } = await verify(
    t,
    (directory) => writeFileSync(join(directory, ADDITIONAL), additional(hashOf(metadata).toUpperCase())),
    metadata,
  );
  t.is(status, 0, stdout);
});

test('metadata without a channel and a block are shown as they are', async (t) => {
  const { stdout } = await verify(
    t,
    () => undefined,
    JSON.stringify({ snapshot_files_raw_hashes: HASHES, last_block_number: '7' }),
  );
  t.true(
    stdout.startsWith(
      'DIR: the snapshot of the channel nothing at block unknown is complete and unchanged\n',
    ),
    stdout,
  );
  t.true(stdout.includes('\n  state database  nothing\n'), stdout);
});

test('a snapshot hash that is none is a fault beside the changed metadata', async (t) => {
  const { stdout } = await verify(t, (directory) =>
    writeFileSync(join(directory, ADDITIONAL), additional('ab')),
  );
  t.true(
    stdout.endsWith(
      `\n  ${ADDITIONAL}: snapshot_hash is not a SHA-256 in hexadecimal: found ab\n  ${SIGNABLE}: its SHA-256 is ${hashOf(signable())}; the metadata have ab\n`,
    ),
    stdout,
  );
});

test('snapshot verify of a directory that does not exist', async (t) => {
  t.deepEqual(await runAgentCommand(['snapshot', 'verify', '/nowhere/at/all']), {
    status: 1,
    stdout: '/nowhere/at/all: the snapshot is incomplete or changed\n  /nowhere/at/all: is missing\n',
    stderr: '',
  });
});

for (const args of [[], ['check', 'x'], ['verify'], ['verify', 'a', 'b']])
  test(`snapshot ${args.join(' ')} is a wrong command line`, async (t) => {
    const { status, stderr } = await runAgentCommand(['snapshot', ...args]);
    t.deepEqual(
      [status, stderr],
      [2, `fabric-ops-agent: error: snapshot requires verify DIR: found '${args.join(' ')}'\n`],
    );
  });
