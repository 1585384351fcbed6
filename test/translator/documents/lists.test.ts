// Lists on one line: how many items are shown.

import test from 'ava';
import { firstOf, listText, shortList } from '../../../translator/documents/lists.js';

const items = (count: number): string[] => Array.from({ length: count }, (_, index) => `i${index + 1}`);
const TWELVE = 'i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12';

for (const [count, text] of [
  [0, ''],
  [1, 'i1'],
  [12, TWELVE],
  // A count of one would be as long as the item.
  [13, `${TWELVE}, i13`],
  [14, `${TWELVE} and 2 more`],
] as const)
  test(`a list of ${count} items is: ${text}`, (t) => {
    t.is(shortList(items(count)), text);
    t.is(listText(items(count)), text || 'none');
  });

test('a list can have another separator, another length, and a word if it is empty', (t) => {
  t.is(shortList(items(3), ' and ', 2), 'i1 and i2 and i3');
  t.is(shortList(items(4), '; ', 2), 'i1; i2 and 2 more');
  t.is(listText([], 'no unit'), 'no unit');
  t.is(listText(['a\nb']), String.raw`a\nb`);
});

for (const [count, text] of [
  [2, 'i1, i2'],
  [3, 'i1, i2 and 1 more'],
] as const)
  test(`the first two of ${count} items are: ${text}`, (t) => {
    t.is(firstOf(items(count), 2), text);
  });
