import type { ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';

/**
 * Stops the timeouts of this process until the test ends: none fires unless the test advances the clock. Sockets and processes work as
 * usual, so no deadline of the code under test depends on how busy the machine is. Only for `test.serial`.
 */
export function stopTimeouts(t: ExecutionContext): SinonFakeTimers {
  const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  t.teardown(() => clock.restore());
  return clock;
}

/** Stops the time of this process, `Date` and `performance.now()`, until the test ends. Only for `test.serial`. */
export function stopClock(t: ExecutionContext): SinonFakeTimers {
  const clock = useFakeTimers({ now: Date.now(), toFake: ['Date', 'performance'] });
  t.teardown(() => clock.restore());
  return clock;
}
