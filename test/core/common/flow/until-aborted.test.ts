// Waits that a signal ends.

import { getEventListeners } from 'node:events';
import test from 'ava';
import { limitCalls } from '../../../../core/common/flow/limit-calls.js';
import { untilAborted } from '../../../../core/common/flow/until-aborted.js';

const hang = (): Promise<never> => new Promise(() => undefined);

test('the result or the error of the work is the outcome, and the signal keeps no listener', async (t) => {
  const { signal } = new AbortController();
  t.is(await untilAborted(Promise.resolve(7), signal), 7);
  await t.throwsAsync(untilAborted(Promise.reject(new Error('down')), signal), { message: 'down' });
  t.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('an abort ends the wait with its reason, also one before the wait', async (t) => {
  const abort = new AbortController();
  const waiting = untilAborted(hang(), abort.signal);
  abort.abort(new Error('the agent stops'));
  await t.throwsAsync(waiting, { message: 'the agent stops' });
  await t.throwsAsync(untilAborted(Promise.resolve(7), abort.signal), { message: 'the agent stops' });
});

test('a limited call that waited leaves no listener on its signal', async (t) => {
  const limited = limitCalls(1);
  const { signal } = new AbortController();
  let end: (() => void) | undefined;
  const first = limited(() => new Promise<void>((resolve) => (end = resolve)));
  const second = limited(async () => 'second', signal);
  t.is(getEventListeners(signal, 'abort').length, 1);
  end?.();
  await first;
  t.is(await second, 'second');
  t.deepEqual(getEventListeners(signal, 'abort'), []);
});
