// A ledger that grows between two reads.

import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { CommonLastConfig, CommonMetadata, CommonOrdererBlockMetadata } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import { channelFoldersOf, LedgerFollower, type StoredBlock } from '../../../translator/ledger/index.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { blockNaming } from '../../helpers/first-block.js';
import { emptyBlock, peerLedgers, storedBlocks, writeStoredBlocks } from '../../helpers/stored-ledger.js';

const HISTORY = storedBlocks({ blocks: 8, configs: [3, 6] });

test('a follower returns each newest config block once', (t) => {
  const directory = temporaryFolder(t);
  const file = join(directory, 'blockfile_000000');
  const follower = new LedgerFollower(directory);
  t.is(follower.height, undefined);
  const add = (from: number, to: number): void =>
    appendFileSync(file, Buffer.concat(HISTORY.slice(from, to)));
  const read = (): readonly unknown[] => [follower.read()?.number, follower.height];
  add(0, 2);
  t.deepEqual(read(), [0n, 2n]);
  t.deepEqual(read(), [undefined, 2n]);
  add(2, 3);
  t.deepEqual(read(), [undefined, 3n], 'a block without a config');
  add(3, 5);
  t.deepEqual(read(), [3n, 5n], 'a config block before the newest block');
  appendFileSync(file, HISTORY[5]!.subarray(0, 20));
  t.deepEqual(read(), [undefined, 5n], 'the node still writes');
  appendFileSync(file, HISTORY[5]!.subarray(20));
  add(6, 7);
  t.deepEqual(read(), [6n, 7n], 'the newest block is a config block');
});

test('a follower continues in the next file of a ledger', (t) => {
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, 'blockfile_000000'), Buffer.concat(HISTORY.slice(0, 3)));
  const follower = new LedgerFollower(directory);
  t.is(follower.read()?.number, 0n);
  writeFileSync(join(directory, 'blockfile_000001'), Buffer.concat(HISTORY.slice(3, 5)));
  t.is(follower.read()?.number, 3n);
  appendFileSync(join(directory, 'blockfile_000001'), Buffer.concat(HISTORY.slice(5)));
  t.is(follower.read()?.number, 6n);
  t.is(follower.height, 8n);
});

test('a follower reads a ledger again after the node removed an incomplete block', (t) => {
  const directory = temporaryFolder(t);
  const file = join(directory, 'blockfile_000000');
  writeFileSync(file, Buffer.concat(HISTORY.slice(0, 5)));
  const follower = new LedgerFollower(directory);
  t.is(follower.read()?.number, 3n);
  const { size } = statSync(file);
  appendFileSync(file, HISTORY[5]!.subarray(0, 50));
  t.is(follower.read(), undefined);
  truncateSync(file, size);
  t.is(follower.read(), undefined);
  appendFileSync(file, HISTORY[5]!);
  t.is(follower.read(), undefined);
  t.is(follower.height, 6n);
});

test('a follower reads a ledger from its beginning if it begins again', (t) => {
  const directory = temporaryFolder(t);
  const file = join(directory, 'blockfile_000000');
  writeFileSync(file, Buffer.concat(HISTORY.slice(0, 5)));
  const follower = new LedgerFollower(directory);
  t.is(follower.read()?.number, 3n);
  writeFileSync(file, HISTORY[0]!);
  t.is(follower.read()?.number, 0n);
  t.is(follower.height, 1n);
});

/** A block without data that names a config block. */
const naming = (number: bigint, config: bigint): StoredBlock => {
  const value = writeMessage(CommonOrdererBlockMetadata, {
    lastConfig: writeMessage(CommonLastConfig, { index: config }),
  });
  return { ...emptyBlock(number), metadata: [writeMessage(CommonMetadata, { value })] };
};

for (const [what, added, config, height] of [
  ['the known config block', [naming(5n, 3n)], undefined, 6n],
  ['an older config block, as after a reset', [naming(5n, 0n)], 0n, 6n],
  ['the known config block, in the last of two blocks', [naming(5n, 0n), naming(6n, 3n)], undefined, 7n],
] as const)
  test(`a follower reads added blocks that name ${what}`, (t) => {
    const directory = temporaryFolder(t);
    writeFileSync(join(directory, 'blockfile_000000'), Buffer.concat(HISTORY.slice(0, 5)));
    const follower = new LedgerFollower(directory);
    t.is(follower.read()?.number, 3n);
    writeStoredBlocks(directory, added);
    t.is(follower.read()?.number, config);
    t.is(follower.height, height);
    t.is(follower.read(), undefined);
  });

test('a follower refuses added blocks that do not fit, and reads the ledger once it is repaired', (t) => {
  const directory = temporaryFolder(t);
  const file = join(directory, 'blockfile_000000');
  const good = Buffer.concat(HISTORY.slice(0, 5));
  const changed = Buffer.from(HISTORY[6]!);
  changed[changed.indexOf('etcdraft')]! ^= 1;
  for (const [added, code, message] of [
    [[HISTORY[6]!], 'BAD_LEDGER', `${file} has block 6 in place of block 5`],
    [
      [...HISTORY.slice(5, 6), changed, HISTORY[7]!],
      'BAD_BLOCK',
      `${file}: block 6, which block 7 names as its config block, is damaged`,
    ],
    [
      [HISTORY[5]!, HISTORY[4]!, HISTORY[7]!],
      'BAD_BLOCK',
      `${file}: block 6, which block 7 names as its config block, is damaged`,
    ],
  ] as const) {
    writeFileSync(file, good);
    const follower = new LedgerFollower(directory);
    follower.read();
    appendFileSync(file, Buffer.concat(added));
    t.throws(() => follower.read(), { code, message });
    writeFileSync(file, Buffer.concat(HISTORY.slice(0, 7)));
    t.is(follower.read()?.number, 6n);
    t.is(follower.height, 7n);
  }
  writeFileSync(file, good);
  const follower = new LedgerFollower(directory);
  follower.read();
  writeStoredBlocks(directory, [naming(5n, 6n)]);
  t.throws(() => follower.read(), {
    code: 'BAD_LEDGER',
    message: `${directory}: block 5 names block 6 as the config block before it`,
  });
});

test('a follower of a folder that is damaged throws, and reads it once it is repaired', (t) => {
  const directory = temporaryFolder(t);
  const file = join(directory, 'blockfile_000000');
  writeFileSync(file, Buffer.concat(HISTORY.slice(0, 5)));
  const follower = new LedgerFollower(directory);
  follower.read();
  const good = readFileSync(file);
  appendFileSync(file, Buffer.alloc(100));
  t.throws(() => follower.read(), { code: 'BAD_LEDGER', message: /: there is no block at byte \d+$/ });
  writeFileSync(file, good);
  t.is(follower.read(), undefined);
  t.is(follower.height, 5n);
});

test('the channels of a node are found by their folders', (t) => {
  const { directory, append } = peerLedgers(t);
  t.deepEqual(channelFoldersOf(directory), []);
  append('ch2', blockNaming([]));
  append('ch1', blockNaming([]), emptyBlock(1n));
  const chains = join(directory, 'ledgersData/chains/chains');
  t.deepEqual(channelFoldersOf(directory), [join(chains, 'ch1'), join(chains, 'ch2')]);
  t.throws(() => channelFoldersOf(chains), {
    code: 'BAD_LEDGER',
    message: `${chains} is not the ledger folder of a node: it has none of chains, ledgersData/chains/chains`,
  });
});
