// Timestamps to RFC 3339 text and back.

import test from 'ava';
import { Message } from '../../proto/message.js';
import { descriptorOf } from '../../proto/descriptor.js';
import { isInRange, parseTimestamp, timestampProblem, timestampText } from '../../proto/timestamp.js';
import { TIMESTAMP } from '../../proto/type.js';

function timestamp(seconds: string, nanos: number): Message {
  const message = new Message(descriptorOf(TIMESTAMP));
  message.slots[0] = seconds;
  message.slots[1] = nanos;
  return message;
}

const TEXTS: readonly (readonly [string, number, string])[] = [
  ['0', 0, '1970-01-01T00:00:00Z'],
  ['1700000000', 0, '2023-11-14T22:13:20Z'],
  ['0', 500_000_000, '1970-01-01T00:00:00.500Z'],
  ['0', 120_000, '1970-01-01T00:00:00.000120Z'],
  ['0', 1, '1970-01-01T00:00:00.000000001Z'],
  ['0', 100_000_001, '1970-01-01T00:00:00.100000001Z'],
  ['-1', 500_000_000, '1969-12-31T23:59:59.500Z'],
  ['-62135596800', 0, '0001-01-01T00:00:00Z'],
  ['253402300799', 999_999_999, '9999-12-31T23:59:59.999999999Z'],
];
for (const [seconds, nanos, text] of TEXTS) {
  test(`${seconds} s and ${String(nanos)} ns are ${text} in both directions`, (t) => {
    t.is(timestampProblem(timestamp(seconds, nanos)), undefined);
    t.is(timestampText(timestamp(seconds, nanos)), text);
    t.deepEqual(parseTimestamp(text), { seconds: Number(seconds), nanos });
  });
}

test('a timestamp without fields is 1970-01-01T00:00:00Z', (t) => {
  t.is(timestampText(new Message(descriptorOf(TIMESTAMP))), '1970-01-01T00:00:00Z');
});

const PROBLEMS: readonly (readonly [string, number, string])[] = [
  ['-62135596801', 0, 'seconds out of range -62135596801'],
  ['253402300800', 0, 'seconds out of range 253402300800'],
  ['9223372036854775807', 0, 'seconds out of range 9223372036854775807'],
  ['-9223372036854775808', 0, 'seconds out of range -9223372036854775808'],
  ['0', -1, 'nanos out of range -1'],
  ['0', 1_000_000_000, 'nanos out of range 1000000000'],
];
for (const [seconds, nanos, problem] of PROBLEMS) {
  test(`${seconds} s and ${String(nanos)} ns have no JSON form: ${problem}`, (t) => {
    t.is(timestampProblem(timestamp(seconds, nanos)), `google.protobuf.Timestamp: ${problem}`);
  });
}

const READ: readonly (readonly [string, number, number])[] = [
  ['1970-01-01T1:00:00Z', 3600, 0],
  ['1970-01-01T00:00:00,5Z', 0, 500_000_000],
  ['1970-01-01T00:00:00.123456789Z', 0, 123_456_789],
  ['1970-01-01T00:00:00,1234567899Z', 0, 123_456_789],
  ['1970-01-01T00:00:00,0000000000000000000000000000001Z', 0, 0],
  ['1970-01-01T01:00:00,9999999999+01:00', 0, 999_999_999],
  ['1970-01-01T02:30:00+02:30', 0, 0],
  ['1969-12-31T20:00:00-04:00', 0, 0],
  ['1970-01-01T00:00:00-00:00', 0, 0],
  ['1970-01-02T00:00:00+24:00', 0, 0],
  ['2024-02-29T00:00:00Z', 1_709_164_800, 0],
  ['0000-12-31T23:59:59Z', -62_135_596_801, 0],
  ['9999-12-31T23:59:59-00:01', 253_402_300_859, 0],
];
for (const [text, seconds, nanos] of READ) {
  test(`parses ${text}`, (t) => {
    t.deepEqual(parseTimestamp(text), { seconds, nanos });
  });
}

for (const text of [
  '',
  '1970-01-01',
  '1970-01-01T00:00:00',
  '1970-01-01T00:00Z',
  '1970-01-01t00:00:00Z',
  '1970-01-01T00:00:00z',
  '1970-01-01 00:00:00Z',
  '1970-01-01T00:00:60Z',
  '1970-01-01T00:60:00Z',
  '1970-01-01T24:00:00Z',
  '1970-00-01T00:00:00Z',
  '1970-13-01T00:00:00Z',
  '1970-02-29T00:00:00Z',
  '1970-01-32T00:00:00Z',
  '1970-01-00T00:00:00Z',
  '1970-1-01T00:00:00Z',
  '1970-01-01T00:0:00Z',
  '1970-01-01T00:00:00.Z',
  '1970-01-01T00:00:00.1234567890Z',
  '1970-01-01T00:00:00+0100',
  '1970-01-01T00:00:00+25:00',
  '1970-01-01T00:00:00+01:61',
  '1970-01-01T00:00:00Z ',
  '1970-01-01T00:00:00Z\n',
  '10000-01-01T00:00:00Z',
  '-001-01-01T00:00:00Z',
  '１970-01-01T00:00:00Z',
]) {
  test(`rejects ${JSON.stringify(text)}`, (t) => {
    t.is(parseTimestamp(text), undefined);
  });
}

test('the years 1 to 9999 are in range', (t) => {
  t.deepEqual(
    [-62_135_596_801, -62_135_596_800, 253_402_300_799, 253_402_300_800].map((seconds) => isInRange(seconds)),
    [false, true, true, false],
  );
});
