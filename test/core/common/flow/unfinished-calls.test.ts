import test from 'ava';
import { stub } from 'sinon';
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

test.serial(
  'the wait for a retry doubles with each call beyond the limit, until enough calls have ended',
  (t) => {
    let now = 1000;
    const clock = stub(performance, 'now').callsFake(() => now);
    t.teardown(() => clock.restore());
    const calls = new UnfinishedCalls(2, { first: 100, longest: 400 });
    calls.begin();
    t.false(calls.isFull);
    for (const wait of [100, 200, 400, 400]) {
      calls.begin();
      now += wait - 1;
      t.true(calls.isFull, `${wait} ms`);
      now += 1;
      t.false(calls.isFull, `${wait} ms`);
    }
    t.is(calls.count, 5);
    for (let count = 0; count < 3; count += 1) calls.end();
    // The wait does not start again before the calls are below the limit.
    calls.begin();
    now += 399;
    t.true(calls.isFull);
    calls.end();
    calls.end();
    t.is(calls.count, 1);
    calls.begin();
    now += 99;
    t.true(calls.isFull);
    now += 1;
    t.false(calls.isFull);
  },
);
