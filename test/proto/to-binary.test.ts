// Message -> bytes: values, order and lengths.

import test from 'ava';
import { Message, type Value } from '../../proto/message.js';
import { descriptorOf } from '../../proto/descriptor.js';
import { toBinary } from '../../proto/to-binary.js';
import { bytesField, numberField, varint } from '../helpers/codec.js';

function message(type: string, values: Readonly<Record<string, Value>>): Message {
  const made = new Message(descriptorOf(type));
  for (const [name, value] of Object.entries(values))
    made.slots[made.descriptor.byName.get(name)!.slot] = value;
  return made;
}

const hexOf = (root: Message): string => Buffer.from(toBinary(root)).toString('hex');

const CASES: readonly (readonly [
  title: string,
  type: string,
  values: Record<string, Value>,
  digits: string,
])[] = [
  ['an empty message', 'common.BlockHeader', {}, ''],
  ['default values are omitted', 'common.BlockHeader', { number: '0', previous_hash: Buffer.alloc(0) }, ''],
  ['an empty string', 'common.HashingAlgorithm', { name: '' }, ''],
  ['a string', 'common.HashingAlgorithm', { name: 'é\u{1f600}' }, '0a06c3a9f09f9880'],
  ['bytes', 'common.BlockHeader', { data_hash: Buffer.from([0, 255]) }, '1a0200ff'],
  [
    'fields in number order',
    'common.BlockHeader',
    { data_hash: Buffer.from([3]), previous_hash: Buffer.from([2]), number: '1' },
    '08011201021a0103',
  ],
  ['the largest uint64', 'common.BlockHeader', { number: '18446744073709551615' }, '08ffffffffffffffffff01'],
  [
    'the smallest int64',
    'google.protobuf.Timestamp',
    { seconds: '-9223372036854775808' },
    '0880808080808080808001',
  ],
  ['a negative int32 takes ten bytes', 'common.ChannelHeader', { type: -1 }, '08ffffffffffffffffff01'],
  ['the largest uint32', 'orderer.BatchSize', { max_message_count: 4_294_967_295 }, '08ffffffff0f'],
  [
    'a negative enum value takes ten bytes',
    'orderer.BroadcastResponse',
    { status: -2 },
    '08feffffffffffffffff01',
  ],
  ['bool', 'msp.FabricNodeOUs', { enable: true }, '0801'],
  ['bool, false', 'msp.FabricNodeOUs', { enable: false }, ''],
  ['the default value of a oneof member is written', 'common.SignaturePolicy', { signed_by: 0 }, '0800'],
  ['numbers are packed', 'etcdraft.BlockMetadata', { consenter_ids: ['1', '300', '0'] }, '0a0401ac0200'],
  ['no numbers', 'etcdraft.BlockMetadata', { consenter_ids: [] }, ''],
  ['strings, empty ones too', 'common.OrdererAddresses', { addresses: ['a', ''] }, '0a01610a00'],
  [
    'map entries always have key and value',
    'protos.ChaincodeInput',
    { decorations: new Map([['', Buffer.alloc(0)]]) },
    '12040a001200',
  ],
  [
    'map entries are sorted by UTF-8 bytes',
    'protos.ChaincodeInput',
    { decorations: new Map(['\u{1f600}', '\uffff', '9', '10'].map((key) => [key, Buffer.alloc(0)])) },
    '12060a023130120012050a0139120012070a03efbfbf120012080a04f09f98801200',
  ],
];
for (const [title, type, values, digits] of CASES) {
  test(`${title}: ${digits === '' ? 'no bytes' : digits}`, (t) => {
    t.is(hexOf(message(type, values)), digits);
  });
}

test('messages in fields, lists and maps, empty ones too', (t) => {
  const header = message('common.BlockHeader', { number: '7' });
  const data = message('common.BlockData', {});
  t.is(hexOf(message('common.Block', { header, data })), '0a0208071200');
  const empty = message('common.SignaturePolicy', {});
  const rule = message('common.SignaturePolicy', { signed_by: 1 });
  t.is(hexOf(message('common.SignaturePolicy.NOutOf', { rules: [empty, rule] })), '120012020801');
  const value = message('common.ConfigValue', { version: '1' });
  t.is(hexOf(message('common.ConfigGroup', { values: new Map([['k', value]]) })), '1a070a016b12020801');
});

test('opened bytes without content are omitted, except in lists', (t) => {
  const payload = message('common.Payload', {});
  t.is(hexOf(message('common.Envelope', { payload })), '');
  const envelope = message('common.Envelope', {});
  t.is(hexOf(message('common.BlockData', { data: [envelope] })), '0a00');
});

test('number keys of maps are sorted as numbers', (t) => {
  const keys = ['18446744073709551615', '10', '9', '0'];
  const entries = keys.map((key): [string, Message] => [key, message('rwset.TxPvtReadWriteSet', {})]);
  const root = message('protos.BlockAndPrivateData', { private_data_map: new Map(entries) });
  const expected = keys
    .toReversed()
    .map((key) => bytesField(2, numberField(1, BigInt(key)), bytesField(2)).toString('hex'));
  t.is(hexOf(root), expected.join(''));
});

for (const length of [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152]) {
  test(`a string of ${String(length)} characters`, (t) => {
    for (const letter of ['a', 'é']) {
      const name = letter.repeat(length);
      const bytes = toBinary(message('common.HashingAlgorithm', { name }));
      const content = Buffer.from(name);
      const expected = Buffer.concat([Buffer.from([0x0a]), varint(content.length), content]);
      t.true(length === 0 ? bytes.length === 0 : expected.equals(bytes));
    }
  });
}

test('unknown fields are written last, in the order in which they were added, at every level', (t) => {
  const header = message('common.BlockHeader', { number: '7' });
  header.addUnknown(Buffer.from('a00602', 'hex'));
  header.addUnknown(Buffer.from('980601', 'hex'));
  const block = message('common.Block', { header });
  block.addUnknown(Buffer.from('a00603', 'hex'));
  t.is(hexOf(block), '0a080807a00602980601a00603');
  const empty = message('common.Block', {});
  empty.addUnknown(Buffer.from('a00603', 'hex'));
  t.is(hexOf(empty), 'a00603');
});
