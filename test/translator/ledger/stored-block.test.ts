// Blocks as nodes store them, their hashes, and the numbers of config blocks in them.

import { createHash } from 'node:crypto';
import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import {
  CommonChannelHeader,
  CommonEnvelope,
  CommonLastConfig,
  CommonMetadata,
  CommonOrdererBlockMetadata,
  CommonPayload,
} from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import {
  blockBytes,
  blockHash,
  channelNameOf,
  hasItsData,
  headerBytes,
  isConfigBlock,
  lastConfigOf,
  parseBlock,
  type StoredBlock,
} from '../../../translator/ledger/index.js';
import { parseStoredBlock } from '../../../translator/ledger/stored-block.js';

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const NO_BYTES = Buffer.of();
const BLOCK: StoredBlock = { number: 5n, dataHash: NO_BYTES, previousHash: NO_BYTES, data: [], metadata: [] };

test('a stored block has its number, two hashes, its transactions and its metadata', (t) => {
  const { number, dataHash, previousHash, data, metadata } = parseStoredBlock(
    hex('8101 01aa 02bbcc 02 01dd 00 01 01ee'),
  );
  t.is(number, 129n);
  t.deepEqual(
    [dataHash, previousHash, ...data, ...metadata].map((bytes) => Buffer.from(bytes).toString('hex')),
    ['aa', 'bbcc', 'dd', '', 'ee'],
  );
});

const WIRE = 'proto: cannot parse invalid wire-format data';
for (const [what, digits, code, message] of [
  ['nothing', '', 'BAD_BYTES', WIRE],
  ['no list of transactions', '01 00 00', 'BAD_BYTES', WIRE],
  ['a list that ends early', '01 00 00 02 00', 'BAD_BYTES', WIRE],
  ['no metadata', '01 00 00 00', 'BAD_BYTES', WIRE],
  ['a byte after its fields', '01 00 00 00 00 00', 'BAD_BYTES', 'the block has more bytes than its fields'],
  [
    'more than 1,000,000 transactions',
    '01 00 00 c1843d',
    'TOO_LARGE',
    'the block has 1000001 entries, at most 1000000 are read',
  ],
  ['1,000,000 transactions that are missing', '01 00 00 c0843d', 'BAD_BYTES', WIRE],
] as const)
  test(`a stored block with ${what} is refused: ${message}`, (t) => {
    const error = t.throws(() => parseStoredBlock(hex(digits)), { instanceOf: TranslateError, message });
    t.is(error.code, code);
  });

for (const [number, previousHash, dataHash, header] of [
  [0n, '', '', '30 07 020100 0400 0400'],
  [5n, 'aa', 'bbcc', '30 0a 020105 0401aa 0402bbcc'],
  [128n, 'aa', 'bbcc', '30 0b 02020080 0401aa 0402bbcc'],
] as const)
  test(`the hashed header of block ${number} is ${header}`, (t) => {
    const block = { ...BLOCK, number, previousHash: hex(previousHash), dataHash: hex(dataHash) };
    t.deepEqual(Buffer.from(headerBytes(block)), hex(header));
    t.deepEqual(Buffer.from(blockHash(block)), createHash('sha256').update(hex(header)).digest());
  });

test('a block is written as it was read, and a block without parts is read', (t) => {
  const block = {
    ...BLOCK,
    dataHash: hex('aa'),
    previousHash: hex('bb'),
    data: [hex('01'), hex('02')],
    metadata: [hex('03')],
  };
  t.deepEqual(parseBlock(blockBytes(block)), block);
  t.deepEqual(
    { ...parseBlock(NO_BYTES) },
    { number: 0n, dataHash: new Uint8Array(), previousHash: new Uint8Array(), data: [], metadata: [] },
  );
});

test('the hash of the data is SHA-256 of all transactions', (t) => {
  const data = [hex('01'), hex('0203')];
  const dataHash = createHash('sha256').update(hex('010203')).digest();
  t.true(hasItsData({ ...BLOCK, data, dataHash }));
  t.false(hasItsData({ ...BLOCK, data: data.toReversed(), dataHash }));
  t.false(hasItsData({ ...BLOCK, data, dataHash: dataHash.subarray(1) }));
});

const envelope = (type: number, channelId: string): Uint8Array =>
  writeMessage(CommonEnvelope, {
    payload: writeMessage(CommonPayload, {
      header: { channelHeader: writeMessage(CommonChannelHeader, { type, channelId }) },
    }),
  });

for (const [what, data, channel, isConfig] of [
  ['without transactions', [], '', false],
  ['with a transaction without a header', [NO_BYTES], '', false],
  ['with a config', [envelope(1, 'ch1')], 'ch1', true],
  ['with a config update', [envelope(2, 'ch1')], 'ch1', false],
  ['with a transaction before a config', [envelope(3, 'ch2'), envelope(1, 'ch1')], 'ch2', false],
] as const)
  test(`a block ${what} is ${isConfig ? 'a' : 'no'} config block of the channel "${channel}"`, (t) => {
    t.is(isConfigBlock({ ...BLOCK, data }), isConfig);
    t.is(channelNameOf({ ...BLOCK, data }), channel);
  });

const lastConfig = (index: bigint): Uint8Array => writeMessage(CommonLastConfig, { index });
const metadataOf = (value: Uint8Array): Uint8Array => writeMessage(CommonMetadata, { value });
/** The metadata of the signatures since Fabric 2.0. */
const signatures = (index: bigint): Uint8Array =>
  metadataOf(writeMessage(CommonOrdererBlockMetadata, { lastConfig: lastConfig(index) }));

for (const [what, block, number] of [
  ['of Fabric 2', { metadata: [signatures(3n)] }, 3n],
  [
    'of Fabric 2, which also has the older form',
    { metadata: [signatures(3n), metadataOf(lastConfig(2n))] },
    3n,
  ],
  ['of Fabric 1', { metadata: [metadataOf(NO_BYTES), metadataOf(lastConfig(2n))] }, 2n],
  ['without metadata', {}, 0n],
  ['with a config', { data: [envelope(1, 'ch1')], metadata: [signatures(3n)] }, 5n],
] as const)
  test(`block 5 ${what} names block ${number} as the newest config block`, (t) => {
    t.is(lastConfigOf({ ...BLOCK, ...block }), number);
  });
