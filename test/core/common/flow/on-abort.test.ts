import { getEventListeners } from 'node:events';
import test from 'ava';
import { onAbort } from '../../../../core/common/flow/on-abort.js';

test('each of twelve listeners is called once when the signal aborts, and Node.js does not warn', (t) => {
  const { signal, abort } = controllerWith();
  const calls: number[] = [];
  for (let each = 0; each < 12; each += 1) onAbort(signal, () => calls.push(each));
  t.is(signal.added, 1);
  abort();
  abort();
  t.deepEqual(
    calls,
    Array.from({ length: 12 }, (_, index) => index),
  );
});

test('a removed listener is not called, others are, also the same function', (t) => {
  const { signal, abort } = controllerWith();
  let calls = 0;
  const count = (): void => void (calls += 1);
  const remove = onAbort(signal, count);
  onAbort(signal, count);
  remove();
  abort();
  t.is(calls, 1);
});

test('the signal keeps a listener while one call waits, also after another one has ended twice', (t) => {
  const { signal } = controllerWith();
  const end = onAbort(signal, () => t.fail());
  t.is(getEventListeners(signal, 'abort').length, 1);
  end();
  t.is(getEventListeners(signal, 'abort').length, 0);
  const ends = [onAbort(signal, () => t.fail()), onAbort(signal, () => t.fail())];
  end();
  ends[0]!();
  t.is(getEventListeners(signal, 'abort').length, 1);
  ends[1]!();
  t.is(getEventListeners(signal, 'abort').length, 0);
});

test('a listener may remove another one while the signal aborts', (t) => {
  const { signal, abort } = controllerWith();
  const calls: string[] = [];
  onAbort(signal, () => {
    calls.push('first');
    remove();
  });
  const remove = onAbort(signal, () => calls.push('second'));
  abort();
  t.deepEqual(calls, ['first', 'second']);
});

test('a listener of a signal that has aborted is called at once', (t) => {
  let calls = 0;
  onAbort(AbortSignal.abort(), () => void (calls += 1))();
  t.is(calls, 1);
});

/** A signal that counts its listeners. */
function controllerWith() {
  const controller = new AbortController();
  const signal = Object.assign(controller.signal, { added: 0 });
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    signal.added += 1;
    add(...args);
  };
  return { signal, abort: () => controller.abort() };
}
