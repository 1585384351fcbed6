// The texts of flags and arguments: what each kind accepts, and its value.

import test from 'ava';
import type { Io } from '../../../translator/cli/io.js';
import type { Kind } from '../../../translator/cli/command.js';
import {
  blockNumber,
  blockPosition,
  count,
  danger,
  duration,
  fabricVersions,
  format,
  period,
  port as portKind,
  size as sizeKind,
  time,
  trust,
} from '../../../translator/cli/kinds.js';

const NO_PROCESS = {} as Io;
const parsePort = (text: string): number => portKind.parse(text, 'port', NO_PROCESS);
const parseSize = (flag: string, text: string): number => sizeKind.parse(text, flag, NO_PROCESS);

for (const [text, port] of [
  ['0', 0],
  ['7059', 7059],
  ['21092.7', 21_092],
  ['+80', 80],
  ['1e3', 1000],
  ['.5', 0],
  ['-0.5', 0],
  ['65535.9', 65_535],
] as const) {
  test(`the port ${text} is ${port}`, (t) => {
    t.is(parsePort(text), port);
  });
}

for (const text of ['', ' 80', '80 ', '80x', '0x50', '1_000', 'Infinity', 'NaN', '.', 'e3', '8０']) {
  test(`the port ${JSON.stringify(text)} is not a number`, (t) => {
    t.throws(() => parsePort(text), {
      message: `strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`,
    });
  });
}

for (const text of ['65536', '-1', '1e9', '1e999']) {
  test(`the port ${text} is out of range`, (t) => {
    t.throws(() => parsePort(text), {
      message: `strconv.ParseFloat: parsing "${text}": value out of range`,
    });
  });
}

for (const [text, size] of [
  ['1', 1],
  ['1000', 1000],
  ['1K', 1024],
  ['1kb', 1024],
  ['100MB', 104_857_600],
  ['512m', 536_870_912],
] as const) {
  test(`the size ${text} is ${size} bytes`, (t) => {
    t.is(parseSize('max-body', text), size);
  });
}

for (const text of [
  '',
  '0',
  '-1',
  '1.5M',
  '1GB',
  '513MB',
  '536870913',
  'MB',
  '1 MB',
  '1TB',
  '9'.repeat(400),
]) {
  test(`the size ${JSON.stringify(text.slice(0, 20))} is refused`, (t) => {
    t.throws(() => parseSize('max-body', text), {
      message: `--max-body must be a size between 1 and 512MB, such as 100MB: found ${JSON.stringify(text)}`,
    });
  });
}

const KINDS: Readonly<Record<string, Kind<unknown>>> = {
  count,
  blockNumber,
  blockPosition,
  time,
  duration,
  period,
  fabricVersions,
  format,
  danger,
  trust,
};
const HASH = 'aB'.repeat(32);

for (const [kind, given, value] of [
  ['count', '1', 1],
  ['count', '999999999', 999_999_999],
  ['blockNumber', '0', 0n],
  ['blockNumber', '18446744073709551615', 18_446_744_073_709_551_615n],
  ['blockPosition', 'newest', 'newest'],
  ['blockPosition', 'oldest', 'oldest'],
  ['blockPosition', '7', 7n],
  ['time', '0', new Date('1970-01-01T00:00:00Z')],
  ['time', '1700000000', new Date('2023-11-14T22:13:20Z')],
  ['time', '2026-11-22', new Date('2026-11-22T00:00:00Z')],
  ['time', '2026-11-22T12:00:00Z', new Date('2026-11-22T12:00:00Z')],
  ['time', '2028-02-29', new Date('2028-02-29T00:00:00Z')],
  ['time', '2026-11-22T12:00+05:30', new Date('2026-11-22T06:30:00Z')],
  ['time', '2026-12-31T23:59:59.123456789-01:00', new Date('2027-01-01T00:59:59.123Z')],
  ['duration', '1s', 1],
  ['duration', '5m', 300],
  ['duration', '999999s', 999_999],
  ['period', '0d', 0],
  ['period', '1h', 3600],
  ['period', '9999d', 863_913_600],
  ['fabricVersions', '3.1', ['3.1']],
  ['fabricVersions', '2.5.12, 3.1.5', ['2.5.12', '3.1.5']],
  ['format', 'text', 'text'],
  ['format', 'json', 'json'],
  ['format', 'markdown', 'markdown'],
  // A rule with two severities is a danger if one of them is.
  ['danger', 'policy-weakened', 'policy-weakened'],
  ['trust', HASH, HASH],
] as const)
  test(`the ${kind} ${given} is accepted`, (t) => {
    t.deepEqual(KINDS[kind]!.parse(given, 'flag', NO_PROCESS), value);
  });

const VERSIONS = '2.5, 3.0, 3.1, or one of the releases 2.5.0 to 2.5.16, 3.0.0, 3.1.0 to 3.1.5';
const TIME = 'a time that exists, with its zone, such as 2026-11-22T12:00:00Z, or seconds since 1970';

for (const [kind, allowed, ...texts] of [
  ['count', 'a number from 1 to 999999999', '0', '01', '1000000000', '-1', '1.5', ''],
  ['blockNumber', 'the number of a block', '18446744073709551616', '-1', 'x', '', '0'.repeat(21)],
  ['blockPosition', 'the number of a block', 'newer', '1x'],
  [
    'time',
    TIME,
    '1234567890123',
    '2026-13-01',
    '2026-11-22 12:00',
    '2026-11',
    'now',
    '',
    '2026-02-30',
    '2026-02-29',
    '2026-04-31T12:00:00Z',
    '2026-00-01',
    '2026-01-00',
    '2100-02-29',
    '2026-11-22T12:00:00',
    '2026-11-22T12:00',
    '2026-11-22T24:00:00Z',
    '2026-11-22T12:60Z',
    '2026-11-22T12:00:60Z',
    '2026-11-22T12Z',
    '2026-11-22T12:00:00+25:00',
    '2026-11-22T12:00:00+0100',
    '2026-11-22T12:00:00 Z',
    '2026-11-22Tnoon',
    '+002026-11-22',
  ],
  ['duration', 'a time such as 30s or 5m', '0s', '1h', '1000000s', 's', '5', '1.5s', ''],
  ['period', 'a time such as 30d or 12h', '1m', '10000d', 'd', '-1d', ''],
  ['fabricVersions', VERSIONS, '2.4', '3', '2.5.17', ''],
  ['format', 'one of text, json, markdown', 'TEXT', 'html', ''],
] as const)
  for (const given of texts)
    test(`the ${kind} ${JSON.stringify(given)} is refused`, (t) => {
      t.throws(() => KINDS[kind]!.parse(given, 'flag', NO_PROCESS), {
        message: `flag 'flag' must be ${allowed}, found ${JSON.stringify(given)}`,
      });
    });

for (const given of ['batch-size', 'kafka-brokers', 'msp-not-judged', 'x', ''])
  test(`the danger ${JSON.stringify(given)} is refused`, async (t) => {
    await t.throwsAsync(danger.verify!(given, 'allow'), {
      message: `flag 'allow' must be the id of a danger that can be allowed, as review --json shows it, found ${JSON.stringify(given)}`,
    });
  });

test('a trusted block that is no SHA-256 is the path of a file', (t) => {
  t.throws(() => trust.parse(HASH.slice(1), 'trust', NO_PROCESS), {
    message: `open ${HASH.slice(1)}: no such file`,
  });
});
