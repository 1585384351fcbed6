import test from 'ava';
import { formatFields } from '../../../../plugins/logging/console/fields.js';

const circular: Record<string, unknown> = { a: 1 };
circular.self = circular;

const FIELDS: readonly (readonly [string, unknown, string])[] = [
  ['text', 'value', 'k=value'],
  ['text with blanks', 'has space', 'k="has space"'],
  ['text with an equals sign', 'a=b', 'k="a=b"'],
  ['text with quotes', 'say "hi"', 'k="say \\"hi\\""'],
  ['text with a newline', 'a\nb', 'k="a\\nb"'],
  ['text with an escape sequence', '\u001b[31m', 'k="\\u001b[31m"'],
  ['a backslash', 'a\\b', 'k="a\\\\b"'],
  ['the empty text', '', 'k='],
  ['letters beyond ASCII', 'größe', 'k=größe'],
  ['a number', 1.5, 'k=1.5'],
  ['a big integer', 2n ** 64n, 'k=18446744073709551616'],
  ['a switch', false, 'k=false'],
  ['null', null, 'k=null'],
  ['nothing', undefined, ''],
  ['a list', ['x', 'y'], 'k=[x,y]'],
  ['an object, sorted', { z: 1, a: [2] }, 'k="map[a:[2] z:1]"'],
  ['an object of one member', { z: 1 }, 'k=map[z:1]'],
  ['an error', new Error('went wrong'), 'k="went wrong"'],
  ['a date', new Date(0), 'k=1970-01-01T00:00:00.000Z'],
  ['a date that is none', new Date(NaN), 'k="(cannot be shown)"'],
  ['a circle', circular, 'k="map[a:1 self:map[a:1 self:map[a:1 self:map[a:1 self:…]]]]"'],
  ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), 'k=map[a:1]'],
  ['a symbol', Symbol('x'), 'k=Symbol(x)'],
  [
    'what throws when looked at',
    {
      get a(): never {
        throw new Error('no');
      },
    },
    'k="(cannot be shown)"',
  ],
];
for (const [title, value, expected] of FIELDS) {
  test(`a field that is ${title} is written as ${expected}`, (t) => {
    t.is(formatFields({ k: value }), expected);
  });
}

test('fields keep their order, those without a value are left out', (t) => {
  t.is(formatFields({ b: 1, gone: undefined, a: 2 }), 'b=1 a=2');
  t.is(formatFields({}), '');
});

test('keys cannot break the line', (t) => {
  t.is(formatFields({ 'a b="\n': 1 }), 'a_b___=1');
});
