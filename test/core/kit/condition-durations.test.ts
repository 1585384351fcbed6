import test from 'ava';
import { ConditionDurations } from '../../../core/kit/condition-durations.js';

test('the time of a condition starts again after an interruption', (t) => {
  const holding = new ConditionDurations();
  t.deepEqual(
    [...holding.record(['a', 'b'], 100)],
    [
      ['a', 0],
      ['b', 0],
    ],
  );
  t.deepEqual([...holding.record(['b'], 130)], [['b', 30]]);
  t.deepEqual(
    [...holding.record(['a', 'b'], 150)],
    [
      ['a', 0],
      ['b', 50],
    ],
  );
});
