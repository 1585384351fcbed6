// Names in the order of people.

import test from 'ava';
import { naturally } from '../../../../core/common/text/naturally.js';

for (const [sorted, names] of [
  ['Org1, Org2, Org10', ['Org10', 'Org2', 'Org1']],
  ['V1_4_3, V2_0, V2_5, V3_0', ['V3_0', 'V2_5', 'V1_4_3', 'V2_0']],
  [
    'o1.example.com:7050, o2.example.com:7050, o11.example.com:7050',
    ['o11.example.com:7050', 'o2.example.com:7050', 'o1.example.com:7050'],
  ],
  ['a, A1, a2, B', ['B', 'a2', 'A1', 'a']],
  ['o1-a.example.com, o1.example.com', ['o1.example.com', 'o1-a.example.com']],
  ['h01, h1, h2', ['h2', 'h1', 'h01']],
  ['9007199254740993, 9007199254740994', ['9007199254740994', '9007199254740993']],
] as const)
  test(`names are sorted as people count: ${sorted}`, (t) => {
    t.is(names.toSorted(naturally).join(', '), sorted);
  });
