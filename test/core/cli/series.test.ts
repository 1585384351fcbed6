// The series of a family in the text format of Prometheus.

import test from 'ava';
import { seriesIn } from '../../../core/cli/series.js';

test('the labels of a series are read, with escapes', (t) => {
  const text = 'other{a="1"} 1\nf{a="x\\"y\\\\z\\n",le="0.5"} 2\nf{} 3e+05\n';
  t.deepEqual(
    seriesIn(text, 'f').map(({ labels, value }) => [[...labels], value]),
    [
      [
        [
          ['a', 'x"y\\z\n'],
          ['le', '0.5'],
        ],
        2,
      ],
      [[], 300_000],
    ],
  );
});

test('a line with a word of two million characters and no labels is read once', (t) => {
  const [series] = seriesIn(`f{${'a'.repeat(2_000_000)}} 1\n`, 'f');
  t.is(series?.labels.size, 0);
});
