// Reading and writing configs: a config that was read is written with the same bytes.

import test from 'ava';
import { TranslateError } from '../../../proto/index.js';
import {
  makeGroup,
  makeValue,
  readConfig,
  readConfigUpdate,
  writeConfig,
  writeUpdate,
} from '../../../translator/channel/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { bytesOf, delimited, mapEntry, varint } from '../../helpers/wire.js';

const { configs, cases } = readChannelCases();

for (const [name, bytes] of configs) {
  test(`the recorded config ${name} is written with its original bytes`, (t) => {
    const config = readConfig(bytes);
    t.true(Buffer.from(writeConfig(config)).equals(bytes));
    // The bytes of an element are those in the config.
    const batch = config.channelGroup.groups.get('Orderer')!.values.get('BatchSize')!;
    t.true(bytes.includes(Buffer.from(batch.bytes)));
  });
}

test('all recorded updates are read, and written so that they read the same', (t) => {
  for (const { update } of cases) {
    const read = readConfigUpdate(update);
    t.true(Buffer.from(read.bytes).equals(update));
    const again = readConfigUpdate(writeUpdate(read));
    t.true(Buffer.from(writeUpdate(again)).equals(writeUpdate(read)));
  }
});

test('unknown fields of every element are kept', (t) => {
  const unknown = delimited(15, 'ff');
  const value = mapEntry(3, 'V', '0801', unknown);
  const policy = mapEntry(4, 'P', delimited(2, '0801', unknown), unknown);
  const config = delimited(2, value, policy, unknown);
  t.true(Buffer.from(writeConfig(readConfig(config))).equals(config));
});

test('an element that occurs in two parts is one element, and its bytes are both parts', (t) => {
  const entry = delimited(
    3,
    delimited(1, Buffer.from('V')),
    delimited(2, '0801'),
    delimited(2, delimited(2, '61')),
  );
  const value = readConfig(delimited(2, entry)).channelGroup.values.get('V')!;
  t.is(value.version, 1n);
  t.deepEqual(Buffer.from(value.bytes), bytesOf('0801', delimited(2, '61')));
});

test('a made element has the bytes of its fields', (t) => {
  const value = makeValue({ version: 2n, modPolicy: 'Admins', value: Buffer.from('a') });
  t.is(Buffer.from(value.bytes).toString('hex'), '08021201611a0641646d696e73');
  t.is(
    Buffer.from(makeValue({ ...value, version: 3n }).bytes)
      .toString('hex')
      .slice(0, 4),
    '0803',
  );
  t.is(makeGroup({ values: new Map([['V', value]]) }).bytes.length, 20);
});

test('a missing read set differs from an empty one', (t) => {
  t.is(readConfigUpdate(bytesOf()).readSet, undefined);
  t.is(readConfigUpdate(delimited(2)).readSet?.version, 0n);
});

test('a config without a channel group is refused', (t) => {
  const error = t.throws(() => readConfig(bytesOf('0805')), { instanceOf: TranslateError });
  t.is(error.code, 'NO_CHANNEL_GROUP');
  t.is(error.message, 'the config has no channel group');
});

test('groups nested 65 deep are refused', (t) => {
  let group = bytesOf();
  for (let depth = 0; depth < 65; depth++) group = mapEntry(2, 'G', group);
  t.is(t.throws(() => readConfig(delimited(2, group)), { instanceOf: TranslateError }).code, 'BAD_BYTES');
});

test('more than 25,000 elements are refused', (t) => {
  const entries = Array.from({ length: 25_001 }, (_, index) => {
    const key = bytesOf('0a', varint(String(index).length), Buffer.from(String(index)));
    return bytesOf('1a', varint(key.length), key);
  });
  const content = Buffer.concat(entries);
  const config = bytesOf('12', varint(content.length), content);
  const error = t.throws(() => readConfig(config), { instanceOf: TranslateError });
  t.is(
    error.message,
    'the config has more than 25000 groups, values, policies, unknown fields and repeated messages',
  );
});
