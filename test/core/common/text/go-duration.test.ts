// Durations as Go reads and prints them.

import test from 'ava';
import { parseDuration, printDuration } from '../../../../core/common/text/go-duration.js';

const VALID: readonly (readonly [text: string, printed: string])[] = [
  ['2s', '2s'],
  ['1.5s', '1.5s'],
  ['+3s', '3s'],
  ['.5s', '500ms'],
  ['-1s', '-1s'],
  ['0', '0s'],
  ['1h30m', '1h30m0s'],
  ['1µs', '1µs'],
  ['999ns', '999ns'],
  ['1500ns', '1.5µs'],
  ['1ms', '1ms'],
  ['-1.5ms', '-1.5ms'],
  ['59.999999999s', '59.999999999s'],
  ['60m', '1h0m0s'],
  ['-61s', '-1m1s'],
  ['0.0000000001s', '0s'],
  ['1.0000000000000000009h', '1h0m0s'],
  ['00000000000000000000001s', '1s'],
  ['90s', '1m30s'],
  ['9223372036854775807ns', '2562047h47m16.854775807s'],
  ['-9223372036854775808ns', '-2562047h47m16.854775808s'],
];

for (const [text, printed] of VALID) {
  test(`${text} is printed as ${printed}`, (t) => {
    const duration = parseDuration(text);
    t.is('nanoseconds' in duration ? printDuration(duration.nanoseconds) : duration.error, printed);
  });
}

const INVALID: readonly (readonly [text: string, error: string])[] = [
  ['', 'time: invalid duration ""'],
  ['2', 'time: missing unit in duration "2"'],
  [' 2s', 'time: invalid duration " 2s"'],
  ['2 s', 'time: unknown unit " s" in duration "2 s"'],
  ['.s', 'time: invalid duration ".s"'],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ['1d"', 'time: unknown unit "d\\"" in duration "1d\\""'],
  ['1\\', String.raw`time: unknown unit "\\" in duration "1\\"`],
  ['1é\n', String.raw`time: unknown unit "\xc3\xa9\x0a" in duration "1\xc3\xa9\x0a"`],
  ['9223372036854775807ns1ns', 'time: invalid duration "9223372036854775807ns1ns"'],
  ['-9223372036854775809ns', 'time: invalid duration "-9223372036854775809ns"'],
];

for (const [text, error] of INVALID) {
  test(`${JSON.stringify(text)} is refused: ${error}`, (t) => {
    t.deepEqual(parseDuration(text), { error });
  });
}

test('a duration of a million digits is refused at once', (t) => {
  t.true('error' in parseDuration(`${'9'.repeat(1_000_000)}s`));
});
