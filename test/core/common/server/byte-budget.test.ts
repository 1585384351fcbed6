// The limit of the bytes that all clients together keep in memory.

import test from 'ava';
import { ByteBudget, type Share } from '../../../../core/common/server/byte-budget.js';

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

test('nothing is evicted at the limit, and a single share may exceed it', (t) => {
  const { evicted, share } = open();
  const [first, second] = [share('first'), share('second')] as const;
  first.add(6);
  second.add(4);
  t.deepEqual(evicted, []);
  second.add(1);
  t.deepEqual(evicted, ['first']);
  second.add(100);
  t.deepEqual(evicted, ['first']);
});

test('a share frees its bytes once, although it is closed twice', (t) => {
  const { evicted, share } = open();
  const [closed, first, second] = [share('closed'), share('first'), share('second')] as const;
  closed.add(5);
  closed.close();
  closed.close();
  first.add(6);
  second.add(5);
  t.deepEqual(evicted, ['first']);
});

test('progress without further bytes keeps a share, and of a share that was closed it does nothing', (t) => {
  const evicted: string[] = [];
  const budget = new ByteBudget(10);
  const [first, second, third] = ['first', 'second', 'third'].map((name) =>
    budget.open(() => void evicted.push(name)),
  ) as [Share, Share, Share];
  first.add(5);
  second.add(5);
  budget.touch(first);
  third.add(1);
  t.deepEqual(evicted, ['second']);
  third.close();
  budget.touch(third);
  first.add(6);
  t.deepEqual(evicted, ['second']);
});

test('bytes without a share count until they are removed', (t) => {
  const evicted: string[] = [];
  const budget = new ByteBudget(10);
  const [first, second] = ['first', 'second'].map((name) => budget.open(() => void evicted.push(name))) as [
    Share,
    Share,
  ];
  first.add(1);
  budget.add(9, second);
  t.deepEqual(evicted, []);
  budget.remove(9);
  second.add(9);
  t.deepEqual(evicted, []);
  second.add(1);
  t.deepEqual(evicted, ['first']);
});
