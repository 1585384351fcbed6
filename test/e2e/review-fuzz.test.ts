// Reviews of made-up updates against Fabric's own code; `npm run fuzz -- --target review` makes as many as you like.

import test from 'ava';
import { compareReviews, PROGRAMS } from '../fuzz/review/main.js';

const RUNS = 1500;
const SEED = 20_261_123;

test(`reviews of ${RUNS} made-up updates agree with orderers of v3.1.5, v3.0.0 and v2.5.12 on acceptance, text and result`, async (t) => {
  t.timeout(900_000);
  const differences: string[] = [];
  const { compared, accepted, skipped } = await compareReviews(
    { seed: SEED, first: 0, runs: RUNS },
    (difference) => differences.push(difference),
  );
  t.deepEqual(differences, []);
  t.is(compared + skipped, PROGRAMS.length * RUNS);
  t.true(accepted > 100, `${accepted} accepted`);
});
