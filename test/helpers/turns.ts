import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { stub } from 'sinon';

/** How much later it is at each reading of the clock, in milliseconds: longer than work may run before it pauses. */
const STEP = 10;

/** In how many turns of the event loop some work is done, when it pauses wherever it may. Only for `test.serial` in a file `*.own.test.ts`. */
export async function turnsOf(t: ExecutionContext, work: () => Promise<unknown>): Promise<number> {
  // The slice of the work before has ended.
  await nextTurn();
  let time = performance.now();
  const clock = stub(performance, 'now').callsFake(() => (time += STEP));
  t.teardown(() => clock.restore());
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  clock.restore();
  return turns;
}
