import test from 'ava';
import { Holding } from '../../../core/kit/holding.js';

test('the time of a condition starts again after an interruption', (t) => {
  const holding = new Holding();
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
