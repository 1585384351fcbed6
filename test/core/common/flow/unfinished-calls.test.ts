import test from 'ava';
import { UnfinishedCalls } from '../../../../core/common/flow/unfinished-calls.js';

const hang = (): Promise<never> => new Promise(() => undefined);

test('no call begins while too many are unfinished', async (t) => {
  const calls = new UnfinishedCalls(2);
  let end: (() => void) | undefined;
  const first = calls.run(() => new Promise<void>((resolve) => (end = resolve)));
  t.false(calls.isFull);
  void calls.run(hang);
  t.true(calls.isFull);
  t.is(calls.count, 2);
  end?.();
  await first;
  t.false(calls.isFull);
});

test('a call that fails is finished', async (t) => {
  const calls = new UnfinishedCalls(1);
  await t.throwsAsync(
    calls.run(() => {
      throw new Error('failed');
    }),
    { message: 'failed' },
  );
  t.is(calls.count, 0);
});

test('with a retry another call begins after the wait', (t) => {
  const calls = new UnfinishedCalls(1, { first: 0, longest: 0 });
  void calls.run(hang);
  t.false(calls.isFull);
  void calls.run(hang);
  t.is(calls.count, 2);
});

test('before the end of the wait there is no retry', (t) => {
  const calls = new UnfinishedCalls(1, { first: 60_000, longest: 60_000 });
  void calls.run(hang);
  t.true(calls.isFull);
});
