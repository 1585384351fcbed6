import test, { type ExecutionContext } from 'ava';
import { spy, useFakeTimers, type SinonFakeTimers } from 'sinon';
import { setDeadline, watchTicks } from '../../../../core/common/flow/deadline.js';

function fakeTimers(t: ExecutionContext): SinonFakeTimers {
  const clock = useFakeTimers();
  t.teardown(() => clock.restore());
  return clock;
}

/** Starts a deadline; the function says whether it has passed. */
function startDeadline(timeout: number): () => boolean {
  let isOver = false;
  setDeadline(timeout, () => (isOver = true));
  return () => isOver;
}

for (const timeout of [1, 499, 500, 501, 10_000])
  test.serial(`a deadline passes after its timeout: ${timeout} ms`, (t) => {
    const clock = fakeTimers(t);
    const isOver = startDeadline(timeout);
    clock.tick(timeout - 1);
    t.false(isOver());
    clock.tick(1);
    t.true(isOver());
    t.is(clock.countTimers(), 0);
  });

test.serial('a deadline does not count the time in which the process did not run', (t) => {
  const clock = fakeTimers(t);
  const isOver = startDeadline(10_000);
  clock.tick(9_900);
  clock.jump(3_600_000);
  t.false(isOver());
  // Received data can be read now.
  clock.tick(99);
  t.false(isOver());
  clock.tick(1);
  t.true(isOver());
});

for (const [timeout, step, passedAt] of [
  // 600 ms are lost until its time is over; then one step is for received data.
  [2_000, 650, 3_250],
  [10_000, 600, 12_600],
  // A timer that is 99 ms late is not interrupted.
  [1_198, 599, 1_198],
  // 10 s are forgiven, then all time counts.
  [10_000, 3_000, 21_000],
  [300, 3_000, 6_000],
] as const)
  test.serial(
    `a deadline forgives only lost time, and at most its own length: ${timeout} ms on an event loop with steps of ${step} ms`,
    (t) => {
      const clock = fakeTimers(t);
      const isOver = startDeadline(timeout);
      let now = 0;
      for (; !isOver(); now += step) clock.jump(step);
      t.is(now, passedAt);
    },
  );

test.serial('a deadline forgives one interruption that is longer than itself', (t) => {
  const clock = fakeTimers(t);
  const isOver = startDeadline(10_000);
  clock.jump(3_600_000);
  t.false(isOver());
  clock.jump(3_600_000);
  t.true(isOver());
});

test.serial('a cancelled deadline does not pass', (t) => {
  const clock = fakeTimers(t);
  const cancel = setDeadline(10_000, () => t.fail());
  clock.tick(9_000);
  cancel();
  clock.tick(10_000);
  t.is(clock.countTimers(), 0);
});

test.serial('ticks report their delay until they are cancelled', (t) => {
  const clock = fakeTimers(t);
  const found: number[] = [];
  const cancel = watchTicks((late) => void (late > 0 && found.push(late)));
  clock.tick(60_000);
  t.deepEqual(found, []);
  clock.jump(8_500);
  t.deepEqual(found, [8_000]);
  clock.tick(10_000);
  cancel();
  clock.jump(8_500);
  t.deepEqual(found, [8_000]);
});

for (const [options, hasRef] of [
  [undefined, true],
  [{}, true],
  [{ ref: true }, true],
  [{ ref: false }, false],
] as const)
  test.serial(
    `with the options ${JSON.stringify(options)} a deadline ${hasRef ? 'keeps' : 'does not keep'} the process running`,
    (t) => {
      const timers = spy(globalThis, 'setTimeout');
      t.teardown(() => timers.restore());
      const cancel = setDeadline(60_000, () => t.fail(), options);
      t.is(timers.firstCall.returnValue.hasRef(), hasRef);
      cancel();
    },
  );

test.serial('ticks do not keep the process running', (t) => {
  const timers = spy(globalThis, 'setTimeout');
  t.teardown(() => timers.restore());
  const cancel = watchTicks(() => t.fail());
  t.false(timers.firstCall.returnValue.hasRef());
  cancel();
});
