// The check of a long reading. The clock of the process is replaced.

import test from 'ava';
import { stub } from 'sinon';
import { readingProblem } from '../../../core/contract/reading-problem.js';
import { family } from '../../helpers/fake-source.js';

test.serial('the check of a reading that takes long lets other code run meanwhile', async (t) => {
  let time = 0;
  const clock = stub(performance, 'now').callsFake(() => (time += 10));
  t.teardown(() => clock.restore());
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  const series = Array.from({ length: 1_000 }, (_, index) => [{ n: String(index) }, 1] as const);
  t.is(await readingProblem({ families: [family('gauge', 'a', series)] }), undefined);
  t.true(hasRun);
});
