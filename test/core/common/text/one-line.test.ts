// Texts with names from the input.

import test from 'ava';
import { joinLines, onOneLine, visibleLines } from '../../../../core/common/text/one-line.js';

const CASES: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['letters of other scripts and symbols stay', 'Zürich 中文 € 😀', 'Zürich 中文 € 😀'],
  ['a line end', 'a\nb', String.raw`a\nb`],
  ['a sequence for terminals', '\u001b[2J', String.raw`\u001b[2J`],
  ['the character that reverses the order', 'Org\u202e1', String.raw`Org\u202e1`],
  ['a space without width', 'Org\u200b1', String.raw`Org\u200b1`],
  ['a space that does not break', 'Org\u00a01', String.raw`Org\u00a01`],
  ['a line separator', 'a\u2028b', String.raw`a\u2028b`],
  ['half a character', 'a\ud800b', String.raw`a\ud800b`],
  ['a tag outside of the first plane', 'a\u{e0041}b', String.raw`a\u{e0041}b`],
];

for (const [what, text, shown] of CASES)
  test(`${what}: ${shown}`, (t) => {
    t.is(onOneLine(text), shown);
  });

for (const [text, joined] of [
  ['a\nb', 'a b'],
  ['a \r\n\n\t b', 'a b'],
  ['a  b\tc', 'a  b\tc'],
  ['\na\n', ' a '],
] as const)
  test(`the lines of ${JSON.stringify(text)} are joined: ${JSON.stringify(joined)}`, (t) => {
    t.is(joinLines(text), joined);
  });

test('a text of four million spaces without a line end is read once', (t) => {
  const text = ' '.repeat(4e6);
  t.is(joinLines(text), text);
});

for (const [text, shown] of [
  ['plain', 'plain'],
  ['a\n\tb\n', 'a\n\tb\n'],
  ['a\u202e\r\n\u200bb', String.raw`a\u202e\u000d` + '\n' + String.raw`\u200bb`],
] as const)
  test(`the lines of ${JSON.stringify(text)} stay, and hidden characters are escaped`, (t) => {
    t.is(visibleLines(text), shown);
  });
