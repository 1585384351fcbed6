import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { TranslateError, type TranslateErrorCode } from '../../../proto/errors.js';
import { readConfigFile } from '../../../translator/channel/index.js';
import { blockBytes, Ledger } from '../../../translator/ledger/index.js';
import { onFile } from '../../../translator/ledger/ledger.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { storedBlocks, writeLedger, type StoredLedgerOptions } from '../../helpers/stored-ledger.js';

const TEN: StoredLedgerOptions = { blocks: 10, configs: [3, 7] };

const numbersOf = (ledger: Ledger): number[] => [...ledger.configs()].map(({ number }) => Number(number));

/** The message of the error of a ledger, with the folder as `DIR`. */
function failure(
  t: ExecutionContext,
  directory: string,
  call: () => unknown,
  expected: TranslateErrorCode = 'BAD_LEDGER',
): string {
  const { code, message } = t.throws(call, { instanceOf: TranslateError });
  t.is(code, expected);
  return message.replaceAll(directory, 'DIR');
}

for (const [name, options] of [
  ['one file', TEN],
  ['several files', { ...TEN, files: [2, 3, 8] }],
  ['the metadata of Fabric 1.4', { ...TEN, form: 'v1' }],
  ['blocks larger than a read', { ...TEN, size: 200_000, files: [5] }],
] as const)
  test(`a ledger with ${name}: blocks, the newest config block and all config blocks`, (t) => {
    const ledger = Ledger.open(writeLedger(t, options));
    t.deepEqual([ledger.first, ledger.newest], [0n, 9n]);
    for (let number = 0n; number < 10n; number += 1n) t.is(ledger.read(number).number, number);
    t.deepEqual(numbersOf(ledger), [7, 3, 0]);
    const config = readConfigFile(blockBytes(ledger.newestConfig()));
    t.deepEqual([config.channel, config.number], ['mychannel', 7n]);
  });

test('the newest block may be the config block', (t) => {
  t.deepEqual(numbersOf(Ledger.open(writeLedger(t, { blocks: 4, configs: [3] }))), [3, 0]);
});

test('a file that is truncated at any byte of the last block has the blocks before it', (t) => {
  const directory = writeLedger(t, { blocks: 3, configs: [1] });
  const file = join(directory, 'blockfile_000000');
  const size = readFileSync(file).length;
  const last = storedBlocks({ blocks: 3, configs: [1] })[2]!.length;
  for (let cut = 1; cut <= last; cut += 1) {
    truncateSync(file, size - cut);
    const ledger = Ledger.open(directory);
    t.deepEqual([ledger.newest, ledger.newestConfig().number], [1n, 1n], `cut ${cut}`);
  }
});

test('a new file without a complete block: the newest block is in the file before', (t) => {
  const directory = writeLedger(t, TEN);
  writeFileSync(join(directory, 'blockfile_000001'), Buffer.from([200]));
  t.is(Ledger.open(directory).newest, 9n);
});

test('blocks that the node writes after the ledger was opened are not found', (t) => {
  const directory = writeLedger(t, { blocks: 2, configs: [] });
  const ledger = Ledger.open(directory);
  appendFileSync(join(directory, 'blockfile_000000'), storedBlocks({ blocks: 3, configs: [] })[2]!);
  t.is(ledger.newest, 1n);
  t.is(Ledger.open(directory).newest, 2n);
});

test('after a snapshot: the config block is found, or the error says where to get it', (t) => {
  t.deepEqual(numbersOf(Ledger.open(writeLedger(t, { ...TEN, first: 2 }))), [7, 3]);
  const directory = writeLedger(t, { ...TEN, first: 8 });
  const ledger = Ledger.open(directory);
  t.is(ledger.first, 8n);
  t.is(
    failure(t, directory, () => ledger.newestConfig()),
    'DIR begins with block 8, because the peer joined with a snapshot; the newest config block is 7: fetch it from an orderer',
  );
  t.is(
    failure(t, directory, () => ledger.read(7n)),
    'DIR has the blocks 8 to 9, not block 7: the peer joined with a snapshot',
  );
});

test('a folder without blocks: the error says why', (t) => {
  const directory = temporaryFolder(t, { blockfile_000000: '' });
  t.is(
    failure(t, directory, () => Ledger.open(directory)),
    'DIR has no block: no block is complete',
  );
  writeFileSync(join(directory, 'bootstrappingSnapshot.info'), '');
  t.is(
    failure(t, directory, () => Ledger.open(directory)),
    'DIR has no block: the peer joined with a snapshot and has received no block since',
  );
});

test('another folder: the error names the channels below it', (t) => {
  const root = temporaryFolder(t);
  t.is(
    failure(t, root, () => Ledger.open(root)),
    'DIR is not the ledger of a channel; the folder of a channel has the file blockfile_000000',
  );
  const addChannel = (path: string): void => {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, 'blockfile_000000'), '');
  };
  addChannel('chains/ch1');
  t.is(
    failure(t, root, () => Ledger.open(root)),
    'DIR is not the ledger of a channel; name one channel: DIR/chains/ch1',
  );
  addChannel('ledgersData/chains/chains/ch2');
  t.is(
    failure(t, root, () => Ledger.open(root)),
    'DIR is not the ledger of a channel; name one channel: DIR/chains/ch1, DIR/ledgersData/chains/chains/ch2',
  );
  const chains = join(root, 'chains');
  t.is(
    failure(t, chains, () => Ledger.open(chains)),
    'DIR is not the ledger of a channel; name one channel: DIR/ch1',
  );
  const missing = join(root, 'missing');
  t.is(
    failure(t, missing, () => Ledger.open(missing)),
    'open DIR: no such file',
  );
});

for (const [count, more] of [
  [20, ''],
  [21, ' and 1 more'],
] as const)
  test(`a folder with ${count} channels: the error names 20 of them${more === '' ? '' : ', and how many more there are'}`, (t) => {
    const root = temporaryFolder(t);
    const names = Array.from({ length: count }, (_, index) => `ch${10 + index}`);
    for (const name of names) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'blockfile_000000'), '');
    }
    const shown = names.slice(0, 20).map((name) => `DIR/${name}`);
    t.is(
      failure(t, root, () => Ledger.open(root)),
      `DIR is not the ledger of a channel; name one channel: ${shown.join(', ')}${more}`,
    );
  });

test('a block of more than 256 MiB is not read', (t) => {
  const directory = temporaryFolder(t);
  const file = join(directory, 'blockfile_000000');
  const size = 256 * 1024 * 1024 + 1;
  // The length as a varint of five bytes; the file has no content, so it takes no space.
  const length = [0, 7, 14, 21, 28].map((shift, index) => ((size >>> shift) & 127) | (index < 4 ? 128 : 0));
  writeFileSync(file, Buffer.from(length));
  truncateSync(file, length.length + size);
  const ledger = Ledger.open(directory);
  t.is(
    failure(t, directory, () => ledger.newestConfig(), 'TOO_LARGE'),
    'DIR/blockfile_000000: there is a block of 268435457 bytes, at most 268435456 are read',
  );
});

test('a block is read by its number, or as the newest or the oldest one', (t) => {
  const ledger = Ledger.open(writeLedger(t, { ...TEN, first: 2 }));
  t.deepEqual(
    ([5n, 'newest', 'oldest'] as const).map((position) => ledger.block(position).number),
    [5n, 9n, 2n],
  );
});

test('a first block whose number does not end is refused', (t) => {
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, 'blockfile_000000'), Buffer.of(1, 0x80));
  t.is(
    failure(t, directory, () => Ledger.open(directory)),
    'DIR/blockfile_000000: there is no block at byte 0',
  );
});

test('a block that does not exist: the error names the existing ones', (t) => {
  const directory = writeLedger(t, TEN);
  const ledger = Ledger.open(directory);
  t.is(
    failure(t, directory, () => ledger.read(10n)),
    'DIR has the blocks 0 to 9, not block 10',
  );
});

for (const [name, change, message, code] of [
  [
    'another byte in the data',
    (bytes: Buffer) => bytes.fill(8, bytes.length - 40, bytes.length - 38),
    'block 1 of channel mychannel does not match its hash: DIR/blockfile_000000 is damaged',
    'BAD_BLOCK',
  ],
  [
    'another number',
    (bytes: Buffer) =>
      bytes.fill(
        2,
        storedBlocks({ blocks: 2, configs: [] })[0]!.length + 2,
        storedBlocks({ blocks: 2, configs: [] })[0]!.length + 3,
      ),
    'DIR/blockfile_000000 has block 2 in place of block 1',
    'BAD_LEDGER',
  ],
] as const)
  test(`a damaged block is refused: ${name}`, (t) => {
    const directory = writeLedger(t, { blocks: 2, configs: [], size: 100 });
    const file = join(directory, 'blockfile_000000');
    const bytes = readFileSync(file);
    change(bytes);
    writeFileSync(file, bytes);
    const ledger = Ledger.open(directory);
    t.is(
      failure(t, directory, () => ledger.read(1n), code),
      message,
    );
  });

for (const [what, changed] of [
  ['the block before a config block', 2],
  ['a config block', 3],
] as const)
  test(`the config blocks of a ledger are a chain: the header of ${what} was changed`, (t) => {
    const directory = writeLedger(t, TEN);
    const file = join(directory, 'blockfile_000000');
    const bytes = readFileSync(file);
    const { previousHash } = Ledger.open(directory).read(BigInt(changed));
    const at = bytes.indexOf(previousHash);
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(file, bytes);
    t.is(
      failure(t, directory, () => [...Ledger.open(directory).configs()], 'BAD_BLOCK'),
      'block 3 of channel mychannel does not have the hash of block 2; one of the two was changed: DIR/blockfile_000000 is damaged',
    );
  });

for (const [name, bytes, message, code] of [
  ['a length of 0', [0], 'DIR/blockfile_000000: there is no block at byte 0', 'BAD_LEDGER'],
  [
    'no fields',
    [3, 1, 1, 1],
    'DIR/blockfile_000000: there is no block at byte 1: proto: cannot parse invalid wire-format data',
    'BAD_BLOCK',
  ],
  [
    'a length that never ends',
    Array.from({ length: 30 }, () => 255),
    'DIR/blockfile_000000: there is no block at byte 0',
    'BAD_LEDGER',
  ],
] as const)
  test(`a file with other content is refused: ${name}`, (t) => {
    const directory = temporaryFolder(t);
    writeFileSync(join(directory, 'blockfile_000000'), Buffer.from(bytes));
    t.is(
      failure(t, directory, () => Ledger.open(directory).newestConfig(), code),
      message,
    );
  });

test('a damaged file does not affect blocks in other files', (t) => {
  const directory = writeLedger(t, { ...TEN, files: [5] });
  const file = join(directory, 'blockfile_000000');
  truncateSync(file, readFileSync(file).length - 1);
  const ledger = Ledger.open(directory);
  t.is(ledger.newestConfig().number, 7n);
  t.is(
    failure(t, directory, () => ledger.read(4n)),
    'DIR/blockfile_000000 does not have all blocks before the first one of DIR/blockfile_000001',
  );
});

test('an empty file before another one is refused', (t) => {
  const directory = writeLedger(t, { ...TEN, files: [5] });
  writeFileSync(join(directory, 'blockfile_000000'), '');
  t.is(
    failure(t, directory, () => Ledger.open(directory)),
    'DIR/blockfile_000000 has no complete block, although another file follows',
  );
});

test('a block that claims billions of entries takes no memory', (t) => {
  const huge = [0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f];
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, 'blockfile_000000'), Buffer.from([huge.length, ...huge]));
  t.throws(() => Ledger.open(directory).newestConfig(), {
    message: 'the block has 4294967295 entries, at most 1000000 are read',
  });
});

test('the error for a file that may not be read names its owner, and whom to run the program as', (t) => {
  const file = join(temporaryFolder(t, { blockfile_000000: '' }), 'blockfile_000000');
  chmodSync(file, 0o640);
  const { uid, gid } = statSync(file);
  const failing = (code: string) => (): never => {
    throw Object.assign(new Error(code), { code });
  };
  for (const [path, code, message] of [
    [
      file,
      'EACCES',
      `open ${file}: permission denied; it belongs to user ${uid} and group ${gid}, and its mode is 0640: run this as that user, or in its group`,
    ],
    [
      '/missing/file',
      'EACCES',
      'open /missing/file: permission denied; run this as the user of the node, or in its group',
    ],
    [file, 'ENOENT', `open ${file}: no such file`],
  ] as const)
    t.throws(() => onFile(path, failing(code)), { instanceOf: TranslateError, code: 'BAD_LEDGER', message });
  const known = new TranslateError('BAD_BLOCK', 'a fault');
  t.is(
    t.throws(() =>
      onFile(file, () => {
        throw known;
      }),
    ),
    known,
  );
});
