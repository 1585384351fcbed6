// The ledger folders of an agent: one follower for each channel of a folder.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { LedgerFolders } from '../../../core/fabric/ledger.js';
import type { LedgerChannel } from '../../../core/contract/internal/index.js';
import { parseBlock, type StoredBlock } from '../../../translator/ledger/index.js';
import { networkBlock } from '../../helpers/network-block.js';
import { emptyBlock, peerLedgers } from '../../helpers/stored-ledger.js';

const parsed = parseBlock(networkBlock());
const BLOCK: StoredBlock = {
  ...parsed,
  dataHash: createHash('sha256').update(parsed.data[0]!).digest(),
};

const summary = (channels: readonly LedgerChannel[]): unknown[] =>
  channels.map(({ name, height, config, error }) => [
    name,
    height,
    config?.number,
    ...(error === undefined ? [] : [(error as Error).message.replace(/^.*\/(?=[^/]*$)/s, '')]),
  ]);

test('each reader of a ledger folder gets each config block once', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const folders = new LedgerFolders();
  const [one, other] = [folders.readerOf(directory), folders.readerOf(directory)];
  t.deepEqual(summary(await one.read()), [['ch1', 1n, 0n]]);
  append('ch1', emptyBlock(1n));
  t.deepEqual(summary(await one.read()), [['ch1', 2n, undefined]]);
  t.deepEqual(summary(await other.read()), [['ch1', 2n, 0n]]);
  t.deepEqual(summary(await other.read()), [['ch1', 2n, undefined]]);
  one.repeat('ch1');
  t.deepEqual(summary(await one.read()), [['ch1', 2n, 0n]]);
  t.deepEqual(summary(await other.read()), [['ch1', 2n, undefined]]);
});

test('a reader that was added later gets the newest config blocks', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const folders = new LedgerFolders();
  await folders.readerOf(directory).read();
  t.deepEqual(summary(await folders.readerOf(directory).read()), [['ch1', 1n, 0n]]);
});

test('a block that one reader has read is not read again for the others', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const folders = new LedgerFolders();
  const [one, other] = [folders.readerOf(directory), folders.readerOf(directory)];
  await one.read();
  const file = join(directory, 'ledgersData/chains/chains/ch1/blockfile_000000');
  // A follower that reads the file for the first time finds no block in it.
  writeFileSync(file, Buffer.alloc(statSync(file).size));
  t.deepEqual(summary(await other.read()), [['ch1', 1n, 0n]]);
});

test('a reader that was added later gets an error while the config block cannot be read, and the block afterwards', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const folders = new LedgerFolders();
  const one = folders.readerOf(directory);
  t.deepEqual(summary(await one.read()), [['ch1', 1n, 0n]]);
  const file = join(directory, 'ledgersData/chains/chains/ch1/blockfile_000000');
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.alloc(bytes.length));
  const other = folders.readerOf(directory);
  const [[name, height, number, ...errors]] = summary(await other.read()) as [unknown[]];
  t.deepEqual([name, height, number, errors.length], ['ch1', 1n, undefined, 1]);
  t.deepEqual(summary(await one.read()), [['ch1', 1n, undefined]]);
  writeFileSync(file, bytes);
  t.deepEqual(summary(await other.read()), [['ch1', 1n, 0n]]);
});

test('an error of one channel does not hide another one', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  append('ch2', BLOCK);
  const reader = new LedgerFolders().readerOf(directory);
  await reader.read();
  truncateSync(join(directory, 'ledgersData/chains/chains/ch1/blockfile_000000'), 10);
  append('ch2', emptyBlock(1n));
  const found = summary(await reader.read()) as unknown[][];
  t.deepEqual(
    found.map(([name, height, , ...errors]) => [name, height, errors.length]),
    [
      ['ch1', undefined, 1],
      ['ch2', 2n, 0],
    ],
  );
});

test('ledger folders of different nodes are apart', async (t) => {
  const [one, other] = [peerLedgers(t), peerLedgers(t)];
  one.append('ch1', BLOCK);
  const folders = new LedgerFolders();
  t.deepEqual(summary(await folders.readerOf(other.directory).read()), []);
  t.deepEqual(summary(await folders.readerOf(one.directory).read()), [['ch1', 1n, 0n]]);
});

test('readings at the same time give all readers the same channels', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  append('ch2', BLOCK);
  const folders = new LedgerFolders();
  const readers = [1, 2, 3].map(() => folders.readerOf(directory));
  const found = await Promise.all(readers.map((reader) => reader.read()));
  t.deepEqual(
    found.map(summary),
    readers.map(() => [
      ['ch1', 1n, 0n],
      ['ch2', 1n, 0n],
    ]),
  );
});

test('a channel that cannot be read has an error for all readers, and its config block again once it can be read', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const folders = new LedgerFolders();
  const [one, other] = [folders.readerOf(directory), folders.readerOf(directory)];
  await Promise.all([one.read(), other.read()]);
  const file = join(directory, 'ledgersData/chains/chains/ch1/blockfile_000000');
  truncateSync(file, 10);
  for (const reader of [one, other])
    t.deepEqual(summary(await reader.read()), [
      ['ch1', undefined, undefined, 'ch1 has no block: no block is complete'],
    ]);
  rmSync(file);
  append('ch1', BLOCK);
  for (const reader of [one, other]) t.deepEqual(summary(await reader.read()), [['ch1', 1n, 0n]]);
});

test('a channel that was removed and created again has its config block again', async (t) => {
  const { directory, append, remove } = peerLedgers(t);
  append('ch1', BLOCK);
  const reader = new LedgerFolders().readerOf(directory);
  await reader.read();
  remove('ch1');
  t.deepEqual(summary(await reader.read()), []);
  append('ch1', BLOCK);
  t.deepEqual(summary(await reader.read()), [['ch1', 1n, 0n]]);
});

test('a folder that is no ledger folder is an error, and its channels have their config blocks again afterwards', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const reader = new LedgerFolders().readerOf(directory);
  await reader.read();
  rmSync(join(directory, 'ledgersData'), { recursive: true });
  await t.throwsAsync(reader.read(), {
    code: 'BAD_LEDGER',
    message: `${directory} is not the ledger folder of a node: it has none of chains, ledgersData/chains/chains`,
  });
  append('ch1', BLOCK);
  t.deepEqual(summary(await reader.read()), [['ch1', 1n, 0n]]);
});
