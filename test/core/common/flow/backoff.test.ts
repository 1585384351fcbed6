import test from 'ava';
import { stub } from 'sinon';
import { Backoff, CONNECTION_BACKOFF } from '../../../../core/common/flow/backoff.js';

const waits = (backoff: Backoff, count: number): number[] =>
  Array.from({ length: count }, () => backoff.next());

test.serial('the waits double from 0.1 s to 30 s', (t) => {
  const random = stub(Math, 'random').returns(1);
  t.teardown(() => random.restore());
  t.deepEqual(CONNECTION_BACKOFF, { first: 100, longest: 30_000, isRandom: true });
  t.deepEqual(
    waits(new Backoff(), 11),
    [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000],
  );
});

test.serial('up to half of a wait is random', (t) => {
  const random = stub(Math, 'random').returns(0);
  t.teardown(() => random.restore());
  t.deepEqual(waits(new Backoff(), 4), [50, 100, 200, 400]);
  random.returns(0.5);
  t.deepEqual(waits(new Backoff(), 2), [75, 150]);
});

test('waits that are not random double exactly', (t) => {
  t.deepEqual(waits(new Backoff({ first: 500, longest: 1500 }), 4), [500, 1000, 1500, 1500]);
});

test.serial('two clients have different waits', (t) => {
  t.notDeepEqual(waits(new Backoff(), 9), waits(new Backoff(), 9));
});

test.serial('a reset starts with the first wait again', (t) => {
  const random = stub(Math, 'random').returns(1);
  t.teardown(() => random.restore());
  const backoff = new Backoff();
  waits(backoff, 5);
  backoff.reset();
  t.deepEqual(waits(backoff, 2), [100, 200]);
});
