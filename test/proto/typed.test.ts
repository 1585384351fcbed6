// Messages as plain objects.

import test from 'ava';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonChannelHeader,
  CommonConfig,
  CommonConfigGroup,
  CommonConfigValue,
  CommonHeader,
} from '../../proto/messages.js';
import { canonicalFault, readMessage, replaceFields, slotsOf, writeMessage } from '../../proto/typed.js';
import { bytesField, hex, numberField } from '../helpers/codec.js';

const concat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

test('a message without bytes has the zero value of each field', (t) => {
  const { sequence, channelGroup } = readMessage(CommonConfig, new Uint8Array());
  t.is(sequence, 0n);
  t.is(channelGroup, undefined);
  const { epoch, txId, type, extension } = readMessage(CommonChannelHeader, new Uint8Array());
  t.deepEqual([epoch, txId, type, extension.length], [0n, '', 0, 0]);
});

test('64-bit numbers are exact, and nested messages are objects', (t) => {
  const bytes = concat(
    numberField(1, 18446744073709551615n),
    bytesField(2, concat(numberField(1, 2n), bytesField(5, 'Admins'))),
  );
  const { sequence, channelGroup } = readMessage(CommonConfig, bytes);
  t.is(sequence, 18446744073709551615n);
  t.is(channelGroup!.version, 2n);
  t.is(channelGroup!.modPolicy, 'Admins');
});

const VALUE = concat(numberField(1, 1), bytesField(2, 'content'), bytesField(3, 'Admins'));
const entry = (key: string, value: Uint8Array): Buffer =>
  bytesField(3, concat(bytesField(1, key), bytesField(2, value)));

test('a map of messages keeps the order of the bytes, and its entries are objects', (t) => {
  const { values } = readMessage(CommonConfigGroup, concat(entry('b', VALUE), entry('a', VALUE)));
  t.deepEqual([...values.keys()], ['b', 'a']);
  t.deepEqual(values.get('a'), { version: 1n, value: Buffer.from('content'), modPolicy: 'Admins' });
});

test('fields that are not read are the bytes of all their occurrences', (t) => {
  const [first, second] = [numberField(1, 3), numberField(1, 4)];
  const header = readMessage(CommonConfig, concat(bytesField(2, first), bytesField(2, second)), [
    'channelGroup',
  ]);
  t.deepEqual(Buffer.from(header.channelGroup!), concat(first, second));
});

test('fields are written in the order of their numbers, map entries in the order of their keys, zero values not at all', (t) => {
  const value = { version: 0n, value: Buffer.from('x'), modPolicy: '' };
  const written = writeMessage(CommonConfigGroup, {
    modPolicy: 'Admins',
    values: new Map([
      ['b', value],
      ['a', value],
    ]),
    version: 1n,
  });
  const x = bytesField(2, 'x');
  t.deepEqual(
    Buffer.from(written),
    concat(numberField(1, 1), entry('a', x), entry('b', x), bytesField(5, 'Admins')),
  );
});

test('a nested message may be given as bytes, and an unpaired surrogate in a text becomes U+FFFD', (t) => {
  const nested = numberField(1, 7);
  t.deepEqual(
    Buffer.from(writeMessage(CommonConfig, { sequence: 1n, channelGroup: nested })),
    concat(numberField(1, 1), bytesField(2, nested)),
  );
  t.deepEqual(
    Buffer.from(writeMessage(CommonConfigValue, { modPolicy: 'a\ud800' })),
    bytesField(3, 'a\ufffd'),
  );
});

const UNKNOWN = numberField(9, 5);
for (const [what, before, changed, after] of [
  [
    'a field in its place',
    concat(numberField(1, 1), bytesField(3, 'A')),
    { value: Buffer.from('v') },
    concat(numberField(1, 1), bytesField(2, 'v'), bytesField(3, 'A')),
  ],
  [
    'a field at the end',
    numberField(1, 1),
    { modPolicy: 'A' },
    concat(numberField(1, 1), bytesField(3, 'A')),
  ],
  [
    'all occurrences of a field',
    concat(bytesField(3, 'A'), numberField(1, 1), bytesField(3, 'B')),
    { modPolicy: 'C' },
    concat(numberField(1, 1), bytesField(3, 'C')),
  ],
  [
    'a field with its zero value, which removes it',
    concat(numberField(1, 1), bytesField(3, 'A')),
    { version: 0n },
    bytesField(3, 'A'),
  ],
  [
    'a field before an unknown one, which stays',
    concat(bytesField(2, 'v'), UNKNOWN),
    { modPolicy: 'A' },
    concat(bytesField(2, 'v'), bytesField(3, 'A'), UNKNOWN),
  ],
  [
    'nothing',
    concat(bytesField(3, 'A'), numberField(1, 1)),
    {},
    concat(bytesField(3, 'A'), numberField(1, 1)),
  ],
] as const)
  test(`replacing ${what}`, (t) => {
    t.deepEqual(Buffer.from(replaceFields(CommonConfigValue, before, changed)), after);
  });

test('replacing a field of bytes that are no message is refused', (t) => {
  t.throws(() => replaceFields(CommonConfigValue, hex('ff'), { modPolicy: 'A' }), {
    instanceOf: TranslateError,
    code: 'BAD_BYTES',
  });
});

test('the slots of a message are the places of its fields', (t) => {
  t.deepEqual(slotsOf(CommonHeader), { channelHeader: 0, signatureHeader: 1 });
});

for (const [what, bytes, fault] of [
  ['fields in the order of their numbers', VALUE, undefined],
  ['an unknown field', concat(VALUE, UNKNOWN), 'common.ConfigValue has an unknown field 9'],
  ['bytes that are no message', hex('ff'), 'proto: cannot parse invalid wire-format data'],
] as const)
  test(`${what}: ${fault ?? 'the form that programs write'}`, (t) => {
    t.is(canonicalFault(CommonConfigValue, bytes), fault);
  });
