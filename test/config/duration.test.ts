import { inspect } from 'node:util';
import test from 'ava';
import { formatDuration, parseDuration } from '../../config/duration.js';

const ACCEPTED: readonly (readonly [unknown, number])[] = [
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
for (const [value, milliseconds] of ACCEPTED) {
  test(`the duration ${inspect(value)} is ${milliseconds} milliseconds`, (t) => {
    t.is(parseDuration(value), milliseconds);
  });
}

const unit = (text: string): string =>
  `a duration needs a unit: write ${text}s for seconds or ${text}ms for milliseconds`;
const FAULT = 'must be a duration such as 10s, 1m30s or 500ms';
const REFUSED: readonly (readonly [unknown, string])[] = [
  [30, unit('30')],
  ['30', unit('30')],
  [1.5, unit('1.5')],
  ['.5', unit('.5')],
  ['-5', unit('-5')],
  ['', FAULT],
  [' 10s', FAULT],
  ['10 s', FAULT],
  ['10s ', FAULT],
  ['1d', FAULT],
  ['10S', FAULT],
  ['1e3s', FAULT],
  ['s', FAULT],
  ['.s', FAULT],
  ['+', FAULT],
  ['--1s', FAULT],
  ['1s-1s', FAULT],
  ['１０s', FAULT],
  ['10s\n', FAULT],
  ['NaN', FAULT],
  [Number.POSITIVE_INFINITY, FAULT],
  [Number.NaN, FAULT],
  [null, FAULT],
  [true, FAULT],
  [['10s'], FAULT],
  ['-1s', 'must not be negative'],
  ['597h', 'must not be longer than 596h31m23.647s'],
  ['99999999999999999999999999h', 'must not be longer than 596h31m23.647s'],
];
for (const [value, message] of REFUSED) {
  test(`the duration ${inspect(value)} is refused: ${message}`, (t) => {
    t.throws(() => parseDuration(value), { message });
  });
}

test('a text of a million digits is refused at once', (t) => {
  const start = performance.now();
  t.throws(() => parseDuration(`${'1'.repeat(1_000_000)}x`), { message: FAULT });
  t.true(performance.now() - start < 2000);
});

const WRITTEN: readonly (readonly [number, string])[] = [
  [0, '0s'],
  [1.5, '1.5ms'],
  [999, '999ms'],
  [1000, '1s'],
  [90_000, '1m30s'],
  [3_600_000, '1h'],
  [3_661_500, '1h1m1.5s'],
];
for (const [milliseconds, text] of WRITTEN) {
  test(`${milliseconds} milliseconds are written ${text} and read back`, (t) => {
    t.is(formatDuration(milliseconds), text);
    t.is(parseDuration(text), milliseconds);
  });
}
