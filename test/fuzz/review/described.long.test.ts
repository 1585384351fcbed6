// A review describes every change of a config.

import test from 'ava';
import { describeMutations } from './described.js';

const RUNS = 1500;
const SEED = 1;

test(`two mutations of one element, ${RUNS} times, have words of their own or are changes that are not shown`, async (t) => {
  const { described, notShown, problems } = await describeMutations(SEED, 0, RUNS);
  t.deepEqual(problems, []);
  t.true(described > RUNS && notShown > 0, `${described} described, ${notShown} not shown`);
});
