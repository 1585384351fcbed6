import test from 'ava';
import { maskSpans, type Span } from '../../../../core/common/text/spans.js';

for (const [what, text, spans, masked, count] of [
  ['no spans', 'abcdef', [], 'abcdef', 0],
  ['one span', 'abcdef', [[1, 3]], 'a********def', 1],
  [
    'a span at each end',
    'abcdef',
    [
      [5, 6],
      [0, 1],
    ],
    '********bcde********',
    2,
  ],
  [
    'spans that overlap',
    'abcdef',
    [
      [1, 4],
      [2, 5],
    ],
    'a********f',
    1,
  ],
  [
    'a span within another',
    'abcdef',
    [
      [1, 5],
      [2, 3],
    ],
    'a********f',
    1,
  ],
  [
    'adjacent spans',
    'abcdef',
    [
      [1, 3],
      [3, 4],
    ],
    'a********ef',
    1,
  ],
  [
    'spans with a letter between them',
    'abcdef',
    [
      [1, 2],
      [3, 4],
    ],
    'a********c********ef',
    2,
  ],
  ['an empty span', 'abcdef', [[2, 2]], 'abcdef', 0],
  ['a mask', 'a ******** b', [[2, 10]], 'a ******** b', 0],
  ['a part of a mask', 'a ******** b', [[2, 9]], 'a ********* b', 1],
  ['a mask and more', 'a ********x b', [[2, 11]], 'a ******** b', 1],
] as const)
  test(`in a text with ${what} ${count} parts are masked`, (t) => {
    t.deepEqual(maskSpans(text, spans as readonly Span[]), { text: masked, count });
  });
