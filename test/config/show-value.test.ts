import test from 'ava';
import { showValue } from '../../config/show-value.js';

const cyclic: unknown[] = [];
cyclic.push(cyclic);

const SHOWN: readonly (readonly [string, unknown, string])[] = [
  ['text', 'a\n"b"', String.raw`"a\n\"b\""`],
  ['a number', 5, '5'],
  ['no number', Number.NaN, 'NaN'],
  ['a large integer', 2n ** 70n, '1180591620717411303424'],
  ['null', null, 'null'],
  ['undefined', undefined, 'undefined'],
  ['a list', ['a', 1], '["a",1]'],
  ['a list inside itself', cyclic, 'object'],
  ['a function', () => 1, 'function'],
  ['long text', 'x'.repeat(1000), `"${'x'.repeat(199)}…`],
];
for (const [what, value, text] of SHOWN) {
  test(`a message shows ${what} on one line`, (t) => {
    t.is(showValue(value), text);
  });
}
