import test from 'ava';
import { limitCalls } from '../../../../core/common/flow/limit-calls.js';

/** Calls that the test ends, and which have begun. */
function startCalls(most: number) {
  const limited = limitCalls(most);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const start = (name: string, signal?: AbortSignal): Promise<string> =>
    limited(
      () =>
        new Promise((resolve, reject) => {
          begun.push(name);
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        }),
      signal,
    );
  return { begun, start, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test('further calls wait, and begin in their order when others end, also with an error', async (t) => {
  const { begun, start, end } = startCalls(2);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => start(name));
  t.deepEqual(begun, ['a', 'b']);
  const failed = t.throwsAsync(b!, { message: 'no' });
  end('b', new Error('no'));
  await failed;
  t.deepEqual(begun, ['a', 'b', 'c']);
  end('a');
  t.is(await a, 'a');
  t.deepEqual(begun, ['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  t.deepEqual(await Promise.all([c, d]), ['c', 'd']);
  // Both places are free again.
  const last = ['e', 'f', 'g'].map((name) => start(name));
  t.deepEqual(begun.slice(4), ['e', 'f']);
  for (const name of ['e', 'f']) end(name);
  await Promise.all(last.slice(0, 2));
  end('g');
  t.is(await last[2], 'g');
});

test('a call whose signal is aborted while it waits is not made, and leaves its place', async (t) => {
  const { begun, start, end } = startCalls(1);
  const first = start('a');
  const controller = new AbortController();
  const waiting = t.throwsAsync(start('b', controller.signal), { message: 'the agent stops' });
  const next = start('c');
  controller.abort(new Error('the agent stops'));
  await waiting;
  end('a');
  await first;
  t.deepEqual(begun, ['a', 'c']);
  end('c');
  t.is(await next, 'c');
});

test('an abort after the begin of a call changes nothing', async (t) => {
  const { begun, start, end } = startCalls(1);
  const first = start('a');
  const controller = new AbortController();
  const second = start('b', controller.signal);
  end('a');
  await first;
  t.deepEqual(begun, ['a', 'b']);
  controller.abort(new Error('late'));
  end('b');
  t.is(await second, 'b');
});
