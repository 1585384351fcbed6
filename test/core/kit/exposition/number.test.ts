// Numbers of the Prometheus text format.

import test from 'ava';
import { parseNumber } from '../../../../core/kit/exposition/scan.js';

for (const [text, number] of [
  ['1', 1],
  ['-1.', -1],
  ['+.5e-3', 0.0005],
  ['1.5E+2', 150],
  ['-Inf', -Infinity],
  ['NaN', NaN],
  ['Nan', NaN],
  ['nan', NaN],
  ['-NaN', undefined],
  ['+nan', undefined],
  ['INF', Infinity],
  ['+infinity', Infinity],
  ['-iNfinity', -Infinity],
  ['infin', undefined],
  ['1e999', undefined],
  ['0x1', undefined],
  ['1 ', undefined],
  ['.', undefined],
  ['-1.5.', undefined],
  ['', undefined],
] as const)
  test(`the number '${text}' is ${number}`, (t) => {
    t.is(parseNumber(text), number);
  });

test('a text of four million zeros that is not a number of this format is read once', (t) => {
  t.is(parseNumber(`-${'0'.repeat(4e6)}\r`), undefined);
});
