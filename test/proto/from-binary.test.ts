// Bytes -> message: the leniency of Go's runtime, and errors.

import test from 'ava';
import { decode } from '../../proto/index.js';
import { Message } from '../../proto/message.js';
import { descriptorOf } from '../../proto/descriptor.js';
import { fromBinary } from '../../proto/from-binary.js';
import { readMessage } from '../../proto/open.js';
import { bytesField, hex, nested, numberField, errorOf } from '../helpers/codec.js';

/** The fields of a message as plain values. */
function read(type: string, data: Buffer): unknown {
  return plain(readMessage(descriptorOf(type), data));
}

function plain(value: unknown): unknown {
  if (value instanceof Message) {
    const { descriptor, slots }: Message = value;
    const entries = descriptor.fields.flatMap(({ name, slot }) =>
      slots[slot] === undefined ? [] : [[name, plain(slots[slot])] as const],
    );
    return Object.fromEntries(entries);
  }
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? [...value].map(([key, entry]) => [key, plain(entry)]) : value;
}

const CASES: readonly (readonly [title: string, type: string, digits: string, expected: unknown])[] = [
  ['an empty message', 'common.BlockHeader', '', {}],
  ['the last value of a number is used', 'common.BlockHeader', '0801 0802', { number: '2' }],
  ['the last value of bytes is used', 'common.BlockHeader', '120101 12020203', { previous_hash: '0203' }],
  [
    'duplicate messages are merged',
    'common.Block',
    '0a020801 0a0312010a',
    { header: { number: '1', previous_hash: '0a' } },
  ],
  ['list elements are appended', 'common.BlockData', '0a00 0a0101', { data: ['', '01'] }],
  ['a list of numbers, packed', 'etcdraft.BlockMetadata', '0a03 01ac02', { consenter_ids: ['1', '300'] }],
  ['a list of numbers, not packed', 'etcdraft.BlockMetadata', '0801 08ac02', { consenter_ids: ['1', '300'] }],
  [
    'a list of numbers, packed and not packed',
    'etcdraft.BlockMetadata',
    '0a0101 0802 0a0203 04',
    { consenter_ids: ['1', '2', '3', '4'] },
  ],
  ['an empty packed list', 'etcdraft.BlockMetadata', '0a00', {}],
  [
    'the last value of a duplicate map key is used, not merged',
    'common.ConfigGroup',
    '1a0a 0a0161 1205 1a03616263 1a05 0a0161 1200',
    { values: [['a', {}]] },
  ],
  ['a map entry without key', 'common.ConfigGroup', '1a021200', { values: [['', {}]] }],
  ['a map entry without value', 'common.ConfigGroup', '1a030a0161', { values: [['a', {}]] }],
  ['an empty map entry', 'common.ConfigGroup', '1a00', { values: [['', {}]] }],
  [
    'a map entry with the value before the key',
    'common.ConfigGroup',
    '1a07 1202 0801 0a0161',
    { values: [['a', { version: '1' }]] },
  ],
  [
    'a map entry with two keys and two values',
    'common.ConfigGroup',
    '1a0f 0a0161 0a0162 12020801 12031a0101',
    { values: [['b', { version: '1', mod_policy: '\u0001' }]] },
  ],
  [
    'a map entry with unknown fields',
    'common.ConfigGroup',
    '1a08 1a0101 0a0161 2001',
    { values: [['a', {}]] },
  ],
  [
    'a map of bytes without value',
    'protos.ChaincodeProposalPayload',
    '12030a0161',
    { TransientMap: [['a', '']] },
  ],
  [
    'a map with number keys',
    'protos.BlockAndPrivateData',
    '120d 08ffffffffffffffffff01 1200',
    { private_data_map: [['18446744073709551615', {}]] },
  ],
  [
    'a map with number keys, without key',
    'protos.BlockAndPrivateData',
    '12021200',
    { private_data_map: [['0', {}]] },
  ],
  [
    'a boolean of a map without a value is false',
    'lifecycle.CheckCommitReadinessResult',
    '0a060a044f726731',
    { approvals: [['Org1', false]] },
  ],
  [
    'a number of a map without a value is 0',
    'discovery.Layout',
    '0a030a0147',
    { quantities_by_group: [['G', 0]] },
  ],
  ['isolated data without a value is dropped', 'common.ConfigUpdate', '2a040a02706c', {}],
  ['int32 is truncated to 32 bits', 'common.ChannelHeader', '08 8580808010', { type: 5 }],
  ['a negative int32', 'common.ChannelHeader', '08 ffffffffffffffffff01', { type: -1 }],
  ['a negative int32 in five bytes', 'common.ChannelHeader', '08 ffffffff0f', { type: -1 }],
  ['uint32 is truncated to 32 bits', 'orderer.BatchSize', '08 8580808010', { max_message_count: 5 }],
  [
    'an enum is truncated to 32 bits',
    'common.MSPPrincipal',
    '08 8180808010',
    { principal_classification: 1 },
  ],
  [
    'a negative enum value',
    'common.MSPPrincipal',
    '08 ffffffffffffffffff01',
    { principal_classification: -1 },
  ],
  ['a bool with a long varint is true', 'msp.FabricNodeOUs', '08 8080808010', { enable: true }],
  ['uint64 above 2^53', 'common.BlockHeader', '08 81808080808080 10', { number: '9007199254740993' }],
  [
    'a negative int64',
    'google.protobuf.Timestamp',
    '08 80808080808080808001',
    { seconds: '-9223372036854775808' },
  ],
  ['a number for a bytes field is skipped', 'common.BlockHeader', '1001 0802', { number: '2' }],
  ['bytes for a number field are skipped', 'common.BlockHeader', '0a0101 0802', { number: '2' }],
  ['a group for a message field is skipped', 'common.Block', '0b 0801 0c 1200', { data: {} }],
  ['a number for a map field is skipped', 'common.ConfigGroup', '1801 0802', { version: '2' }],
  [
    'fixed-size values for varint fields are skipped',
    'common.BlockHeader',
    '0d01020304 090102030405060708',
    {},
  ],
  [
    'unknown fields of all wire types',
    'common.BlockHeader',
    'a00601 a20600 a10601020304 05060708 a50601020304 a306a406 0802',
    { number: '2' },
  ],
  ['overlong tags', 'common.BlockHeader', '8880 00 05', { number: '5' }],
  ['overlong lengths', 'common.BlockHeader', '12 818000 07', { previous_hash: '07' }],
  ['the last member of a oneof is used', 'common.SignaturePolicy', '0801 1200', { n_out_of: {} }],
  [
    'the first member of a oneof is used if it is the last again',
    'common.SignaturePolicy',
    '1200 0801',
    { signed_by: 1 },
  ],
  [
    'duplicate members that are messages are merged',
    'common.SignaturePolicy',
    '12020801 1204 12020800',
    { n_out_of: { n: 1, rules: [{ signed_by: 0 }] } },
  ],
  [
    'members are not merged across another member',
    'common.SignaturePolicy',
    '12020801 0801 1200',
    { n_out_of: {} },
  ],
  [
    'a string with characters of one to three bytes',
    'common.HashingAlgorithm',
    '0a06 00 c3a9 e282ac',
    { name: '\u0000é€' },
  ],
];
for (const [title, type, digits, expected] of CASES) {
  test(`${title}: ${type} ${digits}`, (t) => {
    t.deepEqual(read(type, hex(digits)), expected);
  });
}

test('duplicate messages are merged at every depth, but a map entry replaces the previous one', (t) => {
  const group = (key: string): Buffer =>
    bytesField(
      2,
      bytesField(
        2,
        bytesField(1, 'Application'),
        bytesField(2, bytesField(2, bytesField(1, key), bytesField(2))),
      ),
    );
  const config = (key: string): Buffer => bytesField(1, numberField(1, 7), group(key));
  t.deepEqual(read('common.ConfigEnvelope', Buffer.concat([config('A'), config('B')])), {
    config: { sequence: '7', channel_group: { groups: [['Application', { groups: [['B', {}]] }]] } },
  });
});

const WIRE = 'proto: cannot parse invalid wire-format data';
const UTF8 = 'string field contains invalid UTF-8';
const INVALID: readonly (readonly [title: string, type: string, digits: string, message: string])[] = [
  ['field 0', 'common.Block', '00', WIRE],
  ['wire type 6', 'common.Block', '0e', WIRE],
  ['wire type 7', 'common.Block', '0f', WIRE],
  ['a truncated tag', 'common.Block', '80', WIRE],
  ['a length that exceeds the input', 'common.Block', '0a02 08', WIRE],
  ['a truncated number', 'common.BlockHeader', '08', WIRE],
  ['a number of more than 64 bits', 'common.BlockHeader', '08 ffffffffffffffffff02', WIRE],
  ['a number that exceeds its message', 'common.Block', '0a01 08 1200', WIRE],
  ['bytes that exceed their message', 'common.Block', '0a03 120201 1200', WIRE],
  ['the end of a group without a start', 'common.Block', '0c', WIRE],
  ['a group without an end', 'common.Block', '0b', WIRE],
  ['a truncated packed number', 'etcdraft.BlockMetadata', '0a0180', WIRE],
  ['a packed number that exceeds the list', 'etcdraft.BlockMetadata', '0a0180 01', WIRE],
  ['a map key that exceeds its entry', 'common.ConfigGroup', '1a020a02 6161', WIRE],
  ['a map value that exceeds its entry', 'common.ConfigGroup', '1a021202 0801', WIRE],
  ['a string that is not UTF-8', 'common.HashingAlgorithm', '0a01ff', UTF8],
  ['a map key that is not UTF-8', 'common.ConfigGroup', '1a030a01ff', UTF8],
  ['an invalid string in a list', 'common.OrdererAddresses', '0a0161 0a02c328', UTF8],
  ['an invalid string in an inner message', 'common.Config', '1203 2a01ff', UTF8],
  ['an invalid string before invalid bytes', 'common.HashingAlgorithm', '0a01ff 00', UTF8],
  ['invalid bytes before an invalid string', 'common.Config', '1202 0080 1203 2a01ff', WIRE],
  [
    'an invalid string two messages deep before invalid bytes',
    'common.ConfigEnvelope',
    '0a05 1203 2a01ff 00',
    UTF8,
  ],
  [
    'an invalid string three messages deep before invalid bytes',
    'common.ConfigEnvelope',
    '0a0a 1208 1206 0a01ff 1a0161 00',
    UTF8,
  ],
];
for (const [title, type, digits, message] of INVALID) {
  test(`rejects ${title}: ${type} ${digits}: ${message}`, (t) => {
    t.deepEqual(
      errorOf(() => decode(type, hex(digits))),
      { code: 'BAD_BYTES', message, path: '' },
    );
  });
}

test('opaque bytes are views of the input', (t) => {
  const data = hex('12 03 010203');
  const view = readMessage(descriptorOf('common.BlockHeader'), data).get('previous_hash') as Buffer;
  t.is(view.buffer, data.buffer);
  t.deepEqual([...view], [1, 2, 3]);
});

const EMPTY = Buffer.alloc(0);

test('accepts messages nested 10,000 deep, the outermost included, not deeper', (t) => {
  const groups = (depth: number): Buffer => nested(depth, EMPTY, [2, 2], EMPTY);
  const group = descriptorOf('common.ConfigGroup');
  t.notThrows(() => readMessage(group, groups(9999)));
  for (const depth of [10_000, 100_000]) {
    t.deepEqual(
      errorOf(() => readMessage(group, groups(depth))),
      { code: 'BAD_BYTES', message: 'proto: exceeded maximum recursion depth', path: '' },
    );
  }
});

test('rejects more than 500,000 values in a message', (t) => {
  t.deepEqual(
    errorOf(() => decode('common.OrdererAddresses', Buffer.alloc(1_000_002, hex('0a00')))),
    { code: 'TOO_LARGE', message: 'more than 500000 values in one message', path: '' },
  );
});

test('the error for a timestamp without a JSON form names the Go type of the message that is read', (t) => {
  const header = (content: Buffer): Buffer => bytesField(3, content);
  t.deepEqual(
    errorOf(() => decode('common.ChannelHeader', header(numberField(1, -62_135_596_801n)))),
    {
      code: 'BAD_FIELD',
      message:
        '*commonext.ChannelHeader: proto: google.protobuf.Timestamp: seconds out of range -62135596801',
      path: '',
    },
  );
  t.is(
    errorOf(() => decode('common.ChannelHeader', header(numberField(2, -1)))).message,
    '*commonext.ChannelHeader: proto: google.protobuf.Timestamp: nanos out of range -1',
  );
  t.is(
    errorOf(() => decode('protos.ChaincodeMessage', bytesField(2, numberField(2, 1_000_000_000)))).message,
    '*peer.ChaincodeMessage: proto: google.protobuf.Timestamp: nanos out of range 1000000000',
  );
});

const GROUP_ENTRY = '0a0161 1200';
for (const [what, type, digits, values] of [
  ['a message', 'common.Block', '0a00', 1],
  ['a message that occurs twice', 'common.Block', '0a00 0a00', 2],
  ['an element of a list', 'common.OrdererAddresses', '0a0161', 1],
  ['three packed numbers', 'etcdraft.BlockMetadata', '0a03 010203', 3],
  ['two numbers that are not packed', 'etcdraft.BlockMetadata', '0801 0802', 2],
  ['an entry of a map of bytes', 'protos.ChaincodeInput', '1205 0a0161 1200', 1],
  ['an entry of a map of messages', 'common.ConfigGroup', `1205 ${GROUP_ENTRY}`, 1],
  ['an entry whose message occurs twice', 'common.ConfigGroup', `1207 ${GROUP_ENTRY} 1200`, 2],
  ['an entry with an unknown field', 'common.ConfigGroup', `1207 ${GROUP_ENTRY} 1801`, 2],
  ['an unknown field', 'common.Block', '2801', 1],
  ['a field with another wire type', 'common.Block', '0801', 1],
  ['two scalars', 'common.BlockHeader', '0801 120161', 0],
] as const)
  test(`${what}: ${values} ${values === 1 ? 'value' : 'values'} of a message with a limit`, (t) => {
    const readWith = (max: number): unknown =>
      fromBinary(descriptorOf(type), hex(digits), {
        limits: { depth: 10, values: max, tooMany: 'too many values' },
        path: 'input',
      });
    t.notThrows(() => readWith(values));
    if (values > 0)
      t.deepEqual(
        errorOf(() => readWith(values - 1)),
        { code: 'TOO_LARGE', message: 'too many values', path: 'input' },
      );
  });
