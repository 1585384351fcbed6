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
  ['1500ns', '1.5µs'],
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
];

for (const [text, error] of INVALID) {
  test(`${JSON.stringify(text)} is refused: ${error}`, (t) => {
    t.deepEqual(parseDuration(text), { error });
  });
}

test('a duration of a million digits is refused at once', (t) => {
  t.true('error' in parseDuration(`${'9'.repeat(1_000_000)}s`));
});
