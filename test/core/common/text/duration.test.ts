import { inspect } from 'node:util';
import test from 'ava';
import {
  formatDuration,
  parseDuration,
  parsePositiveDuration,
  periodText,
} from '../../../../core/common/text/duration.js';
import { cpuTimeOf } from '../../../helpers/stopwatch.js';

const VALID: readonly (readonly [unknown, number])[] = [
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['500ms', 500],
  ['1h15m30.5s', 4_530_500],
  ['.5s', 500],
  ['5.s', 5000],
  ['1s1h', 3_601_000],
  ['+2s', 2000],
  ['1500us', 1.5],
  ['1500µs', 1.5],
  ['1500μs', 1.5],
  ['1000000ns', 1],
  ['596h31m23.647s', 2 ** 31 - 1],
  ['0s', 0],
  ['-0s', 0],
  ['0', 0],
  ['+0', 0],
  ['0.0', 0],
  [0, 0],
];
for (const [value, milliseconds] of VALID) {
  test(`${inspect(value)} is a duration of ${milliseconds} milliseconds`, (t) => {
    t.is(parseDuration(value), milliseconds);
  });
}

const unit = (text: string): string =>
  `must have a unit: write ${text}s for seconds or ${text}ms for milliseconds`;
const ALLOWED = 'must be a duration such as 10s, 1m30s or 500ms';
const INVALID: readonly (readonly [unknown, string])[] = [
  [30, unit('30')],
  ['30', unit('30')],
  [1.5, unit('1.5')],
  ['.5', unit('.5')],
  ['-5', unit('-5')],
  ['', ALLOWED],
  [' 10s', ALLOWED],
  ['10 s', ALLOWED],
  ['10s ', ALLOWED],
  ['1d', ALLOWED],
  ['10S', ALLOWED],
  ['1e3s', ALLOWED],
  ['s', ALLOWED],
  ['.s', ALLOWED],
  ['+', ALLOWED],
  ['--1s', ALLOWED],
  ['1s-1s', ALLOWED],
  ['１０s', ALLOWED],
  ['10s\n', ALLOWED],
  ['NaN', ALLOWED],
  [Number.POSITIVE_INFINITY, ALLOWED],
  [Number.NaN, ALLOWED],
  [null, ALLOWED],
  [true, ALLOWED],
  [['10s'], ALLOWED],
  ['-1s', 'must not be negative'],
  ['596h31m23.647000001s', 'must not be longer than 596h31m23.647s'],
  ['597h', 'must not be longer than 596h31m23.647s'],
  ['2562047h', 'must not be longer than 596h31m23.647s'],
  ['99999999999999999999999999h', ALLOWED],
];
for (const [value, message] of INVALID) {
  test(`${inspect(value)} is not a duration: ${message}`, (t) => {
    t.throws(() => parseDuration(value), { message });
  });
}

test('a string of a million digits is rejected without delay', (t) => {
  const time = cpuTimeOf(() => {
    t.throws(() => parseDuration(`${'1'.repeat(1_000_000)}x`), { message: ALLOWED });
  });
  t.true(time < 2000, `${time} ms`);
});

const FORMATTED: readonly (readonly [number, string])[] = [
  [0, '0s'],
  [1.5, '1.5ms'],
  [999, '999ms'],
  [1000, '1s'],
  [90_000, '1m30s'],
  [3_600_000, '1h'],
  [3_661_500, '1h1m1.5s'],
];
for (const [milliseconds, text] of FORMATTED) {
  test(`${milliseconds} milliseconds are formatted as ${text}, and parsed back`, (t) => {
    t.is(formatDuration(milliseconds), text);
    t.is(parseDuration(text), milliseconds);
  });
}

for (const [milliseconds, text] of [
  [0, '0 seconds'],
  [999, '0 seconds'],
  [1000, '1 second'],
  [59_999, '59 seconds'],
  [60_000, '1 minute'],
  [119_999, '1 minute'],
  [3_599_999, '59 minutes'],
  [3_600_000, '1 hour'],
  [86_399_999, '23 hours'],
  [86_400_000, '1 day'],
  [172_800_000, '2 days'],
] as const)
  test(`a period of ${milliseconds} milliseconds is written as ${text}`, (t) => {
    t.is(periodText(milliseconds), text);
  });

test('a positive duration is at least a nanosecond', (t) => {
  t.is(parsePositiveDuration('1ns'), 1e-6);
  t.throws(() => parsePositiveDuration('0s'), { message: 'must be longer than 0s' });
});
