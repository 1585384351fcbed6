import { inspect } from 'node:util';
import test from 'ava';
import { FORMATS, type FormatName } from '../../config/formats.js';

const ACCEPTED: readonly (readonly [FormatName, unknown, unknown])[] = [
  ...[true, 'true', 'TRUE', 'True', 'yes', 'on', '1', 't', 'Y'].map(
    (value) => ['switch', value, true] as const,
  ),
  ...[false, 'false', 'FALSE', 'no', 'off', '0', 'F', 'n'].map((value) => ['switch', value, false] as const),
  ['decimal', 1.5, 1.5],
  ['decimal', '-1.5', -1.5],
  ['count', 1, 1],
  ['count', '10000', 10_000],
  ['text', '', ''],
  ['text', 'ä', 'ä'],
  ['path', '', ''],
  ['path', 'a/b.pem', 'a/b.pem'],
  ['path-list', [], []],
  ['path-list', ['a', 'b'], ['a', 'b']],
  ['path-list', 'a', ['a']],
  ['path-list', '', []],
  ['duration', '1m', 60_000],
  ['positive-duration', '1ms', 1],
  ['host-port', ':0', ':0'],
  ['list', [1], [1]],
];
for (const [format, value, result] of ACCEPTED) {
  test(`a ${format} may be ${inspect(value)}`, (t) => {
    t.deepEqual(FORMATS[format](value), result);
  });
}

const REFUSED: readonly (readonly [FormatName, readonly unknown[], string])[] = [
  ['switch', ['', 'ja', 'tru', 1, 0, null, ['true']], 'must be true or false'],
  ['decimal', ['', '5abc', '0x10', '1e3', Number.NaN, Number.POSITIVE_INFINITY, true], 'must be a number'],
  [
    'count',
    ['', 0, '0', -1, 1.5, '1.5', 1e21, Number.NaN, '1 000', true],
    'must be a whole number of 1 or more',
  ],
  ['text', [5, true, null, ['a'], {}], 'must be text'],
  ['path', [5, null, ['a'], 'a\0b'], 'must be a path'],
  ['path-list', [5, null, {}, [''], ['a', '']], 'must be a list of paths, none of them empty'],
  ['path-list', [[5], ['a\0b'], [null]], 'must be a path'],
  ['positive-duration', ['0s', 0], 'must be longer than 0s'],
  ['list', ['a', null, {}], 'must be a list'],
];
for (const [format, values, message] of REFUSED) {
  for (const value of values) {
    test(`a ${format} may not be ${inspect(value)}: ${message}`, (t) => {
      t.throws(() => FORMATS[format](value), { message });
    });
  }
}
