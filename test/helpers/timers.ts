// Timers of this process.

import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
/** The directories of the code under test, with and without source maps. */
const CODE = ['core/', 'plugins/', 'config/'].flatMap((each) => [
  `${REPOSITORY}${each}`,
  `${REPOSITORY}dist/${each}`,
]);
/** Node.js reports the end of a timer some turns of the event loop later. */
const TURNS = 10;

/**
 * Tracks the timers that code of this package makes from now on: those that keep the process alive, the others, and those in Node.js itself,
 * such as of `AbortSignal.timeout()`. Only for a file `*.own.test.ts`.
 *
 * @returns a function that returns the stack of each timer that has neither fired nor been cleared
 */
export function trackTimers(t: ExecutionContext): () => Promise<readonly string[]> {
  const timers = new Map<number, string>();
  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      const { stack = '' } = new Error('made here');
      if (CODE.some((directory) => stack.includes(directory))) timers.set(id, stack);
    },
    destroy: (id) => void timers.delete(id),
  }).enable();
  t.teardown(() => hook.disable());
  return async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    return [...timers.values()];
  };
}
