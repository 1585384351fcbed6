import test from 'ava';
import { groupBy } from '../../../core/common/group-by.js';

for (const [items, groups] of [
  [[], []],
  [
    [3, 2, 5, 4],
    [
      ['odd', [3, 5]],
      ['even', [2, 4]],
    ],
  ],
] as const)
  test(`the groups of ${JSON.stringify(items)} are in the order of their first items: ${JSON.stringify(groups)}`, (t) => {
    t.deepEqual(
      [...groupBy<string, number>(items, (item) => (item % 2 === 0 ? 'even' : 'odd'))],
      groups.map(([key, of]) => [key, [...of]]),
    );
  });
