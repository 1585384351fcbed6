// The strings in the lines of a text: a secret in a string ends with it.

import test from 'ava';
import { LineStrings } from '../../../../core/tools/bundle/line-strings.js';

for (const [text, marks] of [
  ['a "b c" d', '   ^^^^  '],
  // An unfinished string ends with its line.
  ['"a\nb"c', ' ^^  ^'],
  [String.raw`"a\"b"`, ' ^^^^^'],
  [String.raw`"a\\"b`, ' ^^^^ '],
  ['"a\\\nb"', ' ^^^  '],
] as const)
  test(`the strings of ${JSON.stringify(text)} are at ${JSON.stringify(marks)}`, (t) => {
    const strings = new LineStrings(text);
    const found = Array.from(text, (_, index) => (strings.has(index) ? '^' : ' '));
    t.is(found.join(''), marks);
  });

for (const [text, at, end] of [
  ['{"a":"b c","d":1}', 6, 9],
  ['{"a":"b c"}', 6, 9],
  ['x "a"\ny', 3, 4],
  ['x "a"', 3, 4],
  // A quote that is not escaped, as in a log line.
  ['"a"b",', 1, 4],
  [String.raw`"a\"b",`, 1, 5],
  ['msg="a" b=c', 5, 6],
  ['msg="a" b\nc', 5, 9],
  ['msg="a\nc"', 5, 6],
  ['a b\nc', 1, 3],
  ['a b', 1, 3],
] as const)
  test(`what is at ${at} of ${JSON.stringify(text)} ends at ${end}`, (t) => {
    t.is(new LineStrings(text).endOf(at), end);
  });

test('the end of a line is found for each position, in any order of the lines', (t) => {
  const strings = new LineStrings('ab\ncd\n');
  t.deepEqual(
    [0, 1, 2, 3, 5, 6, 0].map((at) => strings.lineEnd(at)),
    [2, 2, 2, 5, 5, 6, 2],
  );
});
