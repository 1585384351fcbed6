// Who controls what in small random channels, against trying it.

import test from 'ava';
import { controlDifferences, gainDifferences } from '../../helpers/compare-control.js';

const SEEDS = 8;

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`the sets that control each element of random channel ${seed} are those that trying gives`, async (t) => {
    t.deepEqual(await controlDifferences(seed), []);
  });

  test(`an update of random channel ${seed} has gains exactly if a set controls more afterwards`, async (t) => {
    t.deepEqual(await gainDifferences(seed), []);
  });
}
