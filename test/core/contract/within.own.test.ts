// Work with a deadline, which another signal can end earlier. The timeouts of the process are stopped.

import { getEventListeners } from 'node:events';
import test from 'ava';
import { within } from '../../../core/contract/index.js';
import { stopTimeouts } from '../../helpers/clock.js';

const forever = (): Promise<never> => new Promise(() => undefined);

test.serial('work that ends in time leaves neither a timer nor a listener', async (t) => {
  const clock = stopTimeouts(t);
  const { signal } = new AbortController();
  t.is(await within(1_500, 'the check', signal, async () => 7), 7);
  await t.throwsAsync(
    within(1_500, 'the check', signal, () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.is(clock.countTimers(), 0);
  t.deepEqual(getEventListeners(signal, 'abort'), []);
});

test.serial('work that does not end in time fails, and its signal is aborted', async (t) => {
  const clock = stopTimeouts(t);
  let given: AbortSignal | undefined;
  let failure: unknown;
  void within(1_500, 'the check', undefined, (signal) => {
    given = signal;
    return forever();
  }).catch((error: unknown) => (failure = error));
  await clock.tickAsync(1_499);
  t.deepEqual([failure, given?.aborted], [undefined, false]);
  await clock.tickAsync(1);
  t.like(failure, { code: 'PLUGIN_TIMED_OUT', message: 'the check took longer than 1.5s' });
  t.is(given?.reason, failure);
});

test.serial('another signal ends the work, also if it was aborted before', async (t) => {
  const clock = stopTimeouts(t);
  const stopping = new AbortController();
  const running = within(1_500, 'the check', stopping.signal, forever);
  const reason = new Error('the agent is stopping');
  stopping.abort(reason);
  t.is(await t.throwsAsync(running), reason);
  let wasAborted = false;
  const late = within(1_500, 'the check', stopping.signal, (signal) => {
    wasAborted = signal.aborted;
    return forever();
  });
  t.is(await t.throwsAsync(late), reason);
  t.true(wasAborted);
  t.is(clock.countTimers(), 0);
});
