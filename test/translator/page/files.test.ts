// The dropped files of the page: sizes and files of ledgers.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { readPageFile, readPageFiles, sourceOf } from '../../../translator/page/files.js';
import { networkBlock } from '../../helpers/network-block.js';
import { storedBlocks } from '../../helpers/stored-ledger.js';

const BLOCK = networkBlock();

test('a file of more than 100 MiB is not read', (t) => {
  const read = (size: number) => readPageFile({ path: 'a.pb', bytes: BLOCK, size });
  t.is(read(104_857_600).error, undefined);
  t.deepEqual(
    [read(104_857_601).error, read(104_857_601).config],
    ['it is larger than 104857600 bytes', undefined],
  );
});

test('a block file of a ledger is read as its config blocks', (t) => {
  const bytes = Buffer.concat(storedBlocks({ blocks: 4, configs: [2] }));
  const path = 'chains/ch1/blockfile_000000';
  const files = readPageFiles({ path, bytes, size: bytes.length });
  t.deepEqual(
    files.map(({ name, config, error }) => [name, config?.number, error]),
    [
      [`${path}, config block 1`, 0n, undefined],
      [`${path}, config block 2`, 2n, undefined],
    ],
  );
  const damaged = Buffer.of(3, 0xff, 0xff, 0xff);
  const [broken, ...others] = readPageFiles({ path, bytes: damaged, size: damaged.length });
  t.deepEqual([broken?.name, typeof broken?.error, others], [path, 'string', []]);
});

test('the message that a config was read from is kept, for the worker', (t) => {
  const { config } = readPageFile({ path: 'a.pb', bytes: BLOCK, size: BLOCK.length });
  t.is(sourceOf(config!), BLOCK);
  t.is(sourceOf(readConfigFile(BLOCK)), undefined);
});
