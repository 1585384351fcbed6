import test from 'ava';
import { createYielder } from '../../../core/contract/index.js';

/** Works until it must yield. */
function workUntilYield(yieldIfDue: ReturnType<typeof createYielder>): Promise<void> {
  for (;;) {
    const nextTurn = yieldIfDue();
    if (nextTurn !== undefined) return nextTurn;
  }
}

test('of several concurrent long tasks, one continues in each turn of the event loop', async (t) => {
  let turn = 0;
  const count = (): void => void ((turn += 1), (counting = setImmediate(count)));
  let counting = setImmediate(count);
  t.teardown(() => clearImmediate(counting));
  const turns: number[] = [];
  const slices: number[] = [];
  const work = async (): Promise<void> => {
    const yieldIfDue = createYielder(1);
    for (let slice = 0; slice < 4; slice += 1) {
      const start = performance.now();
      const nextTurn = workUntilYield(yieldIfDue);
      if (slice > 0) slices.push(performance.now() - start);
      await nextTurn;
      turns.push(turn);
    }
  };
  await Promise.all([work(), work(), work()]);
  t.is(turns.length, 12);
  t.is(new Set(turns).size, 12, turns.join());
  t.true(
    slices.every((duration) => duration >= 5),
    `each slice is long enough: ${slices.join()}`,
  );
});

test('a task that starts in a turn in which another has run long enough yields at once', async (t) => {
  const first = workUntilYield(createYielder(1));
  const second = createYielder(1)();
  t.not(second, undefined);
  await Promise.all([first, second]);
});

test('a short task does not yield', (t) => {
  const yieldIfDue = createYielder(1000);
  for (let call = 1; call < 1000; call += 1) t.is(yieldIfDue(), undefined);
});
