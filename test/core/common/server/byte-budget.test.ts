// The limit of the bytes that all clients together keep in memory.

import test from 'ava';
import { ByteBudget } from '../../../../core/common/server/byte-budget.js';

function open() {
  const budget = new ByteBudget(10);
  const evicted: string[] = [];
  return { evicted, share: (name: string) => budget.open(() => void evicted.push(name)) };
}

test('the share without progress for the longest time is evicted, and no more than necessary', (t) => {
  const { evicted, share } = open();
  const [first, second, third] = [share('first'), share('second'), share('third')] as const;
  first.add(4);
  second.add(4);
  first.add(1);
  third.add(4);
  t.deepEqual(evicted, ['second']);
});

test('a share that was closed is not evicted, and its bytes are free', (t) => {
  const { evicted, share } = open();
  const [closed, open1, open2] = [share('closed'), share('open'), share('large')] as const;
  closed.add(9);
  closed.close();
  open1.add(9);
  t.deepEqual(evicted, []);
  open2.add(2);
  t.deepEqual(evicted, ['open']);
});
