import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';

/**
 * Stops the timeouts of this process and `performance.now()`, with which deadlines notice that the process did not run, until the test
 * ends: no timeout fires unless the test advances the clock. Sockets and processes work as usual, so no deadline of the code under test
 * depends on how busy the machine is. Only for `test.serial`.
 */
export function stopTimeouts(t: ExecutionContext): SinonFakeTimers {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  return clock;
}

/** Stops the time of this process, `Date` and `performance.now()`, until the test ends. Only for `test.serial`. */
export function stopClock(t: ExecutionContext): SinonFakeTimers {
  const clock = useFakeTimers({ now: Date.now(), toFake: ['Date', 'performance'] });
  t.teardown(() => clock.restore());
  return clock;
}

/** Does work while the timeouts of this process are stopped as with {@link stopTimeouts}. Only for `test.serial`. */
export async function withoutTimeouts<T>(work: () => Promise<T>): Promise<T> {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  try {
    return await work();
  } finally {
    clock.restore();
  }
}

/** Lets time pass on a stopped clock, in steps of some milliseconds, until work has ended. */
export async function passTime<T>(clock: SinonFakeTimers, step: number, work: Promise<T>): Promise<T> {
  let hasEnded = false;
  const end = (): void => void (hasEnded = true);
  work.then(end, end);
  while (!hasEnded) {
    await nextTurn();
    clock.tick(step);
  }
  return work;
}
