// The config blocks in a file of a ledger.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { configBlocksIn } from '../../../translator/ledger/block-file.js';
import { readConfigFile } from '../../../translator/channel/index.js';
import { storedBlocks } from '../../helpers/stored-ledger.js';

const BLOCKS = storedBlocks({ blocks: 6, configs: [2, 4] });
const FILE = Buffer.concat(BLOCKS);
const numbersOf = (file: Uint8Array): readonly (bigint | undefined)[] =>
  configBlocksIn(file).map((block) => readConfigFile(block).number);

test('the config blocks of a file are found, and no others', (t) => {
  t.deepEqual(numbersOf(FILE), [0n, 2n, 4n]);
  t.deepEqual(numbersOf(new Uint8Array()), []);
});

test('a block that the node is still writing is not found', (t) => {
  const start = FILE.length - BLOCKS.at(-1)!.length - BLOCKS.at(-2)!.length;
  for (const length of [start + 1, start + 100, FILE.length - BLOCKS.at(-1)!.length - 1])
    t.deepEqual(numbersOf(FILE.subarray(0, length)), [0n, 2n], String(length));
});

test('a damaged file is refused', (t) => {
  const zeros = Buffer.concat([BLOCKS[0]!, Buffer.alloc(20)]);
  const error = t.throws(() => configBlocksIn(zeros), {
    instanceOf: TranslateError,
    code: 'BAD_LEDGER',
    message: `there is no block at byte ${BLOCKS[0]!.length}`,
  });
  t.is(error?.offset, BLOCKS[0]!.length);
  const changed = Buffer.from(BLOCKS[0]!);
  changed[changed.indexOf('etcdraft')]! ^= 1;
  t.throws(() => configBlocksIn(changed), {
    code: 'BAD_LEDGER',
    message: 'the data of block 0 do not match the hash in its header',
  });
});

test('the length before a block may have ten bytes, not more', (t) => {
  const block = BLOCKS[0]!;
  const last = block.findIndex((byte) => byte < 0x80);
  const withLength = (size: number): Buffer =>
    Buffer.concat([
      block.subarray(0, last),
      Buffer.of(block[last]! | 0x80),
      Buffer.alloc(size - last - 2, 0x80),
      Buffer.of(0),
      block.subarray(last + 1),
    ]);
  t.deepEqual(numbersOf(withLength(10)), [0n]);
  t.throws(() => numbersOf(withLength(11)), { message: 'there is no block at byte 0' });
});
