import test from 'ava';
import { formatFields } from '../../../../plugins/logging/console/fields.js';

const circular: Record<string, unknown> = { a: 1 };
circular.self = circular;

const FIELDS: readonly (readonly [string, unknown, string])[] = [
  ['a string', 'value', 'k=value'],
  ['a string with spaces', 'has space', 'k="has space"'],
  ['a string with an equals sign', 'a=b', 'k="a=b"'],
  ['a string with quotes', 'say "hi"', 'k="say \\"hi\\""'],
  ['a string with a newline', 'a\nb', 'k="a\\nb"'],
  ['a string with an escape sequence', '\u001b[31m', 'k="\\u001b[31m"'],
  ['a backslash', 'a\\b', 'k="a\\\\b"'],
  ['the empty string', '', 'k='],
  ['a non-ASCII string', 'größe', 'k=größe'],
  ['a number', 1.5, 'k=1.5'],
  ['a big integer', 2n ** 64n, 'k=18446744073709551616'],
  ['a boolean', false, 'k=false'],
  ['null', null, 'k=null'],
  ['undefined', undefined, ''],
  ['an array', ['x', 'y'], 'k=[x,y]'],
  ['an object, sorted', { z: 1, a: [2] }, 'k="map[a:[2] z:1]"'],
  ['an object with one member', { z: 1 }, 'k=map[z:1]'],
  ['an error', new Error('went wrong'), 'k="went wrong"'],
  ['a date', new Date(0), 'k=1970-01-01T00:00:00.000Z'],
  ['an invalid date', new Date(NaN), 'k="(cannot be formatted)"'],
  ['a circular object', circular, 'k="map[a:1 self:map[a:1 self:map[a:1 self:map[a:1 self:…]]]]"'],
  ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), 'k=map[a:1]'],
  ['a symbol', Symbol('x'), 'k=Symbol(x)'],
  [
    'an object with a throwing getter',
    {
      get a(): never {
        throw new Error('no');
      },
    },
    'k="(cannot be formatted)"',
  ],
];
for (const [title, value, expected] of FIELDS) {
  test(`a field that is ${title} is written as ${expected}`, (t) => {
    t.is(formatFields({ k: value }), expected);
  });
}

test('fields keep their order, undefined values are skipped', (t) => {
  t.is(formatFields({ b: 1, gone: undefined, a: 2 }), 'b=1 a=2');
  t.is(formatFields({}), '');
});

test('special characters in keys are replaced', (t) => {
  t.is(formatFields({ 'a b="\n': 1 }), 'a_b___=1');
});
