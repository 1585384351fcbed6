// The check of a long reading. The clock of the process is replaced.

import test from 'ava';
import { readingProblem } from '../../../core/contract/reading-problem.js';
import { family } from '../../helpers/fake-source.js';

test.serial('the check of a reading that takes long lets other code run meanwhile', async (t) => {
  const { now } = performance;
  t.teardown(() => (performance.now = now));
  let time = 0;
  performance.now = () => (time += 10);
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  const series = Array.from({ length: 1_000 }, (_, index) => [{ n: String(index) }, 1] as const);
  t.is(await readingProblem({ families: [family('gauge', 'a', series)] }), undefined);
  t.true(hasRun);
});
