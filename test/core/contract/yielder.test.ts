import test from 'ava';
import { createYielder } from '../../../core/contract/index.js';

/** Works until it is to pause. */
function workUntilPause(pause: ReturnType<typeof createYielder>): Promise<void> {
  for (;;) {
    const others = pause();
    if (others !== undefined) return others;
  }
}

test('of several pieces of long work one goes on in each turn of the event loop', async (t) => {
  let turn = 0;
  const count = (): void => void ((turn += 1), (counting = setImmediate(count)));
  let counting = setImmediate(count);
  t.teardown(() => clearImmediate(counting));
  const turns: number[] = [];
  const stretches: number[] = [];
  const work = async (): Promise<void> => {
    const pause = createYielder(1);
    for (let stretch = 0; stretch < 4; stretch += 1) {
      const began = performance.now();
      const others = workUntilPause(pause);
      if (stretch > 0) stretches.push(performance.now() - began);
      await others;
      turns.push(turn);
    }
  };
  await Promise.all([work(), work(), work()]);
  t.is(turns.length, 12);
  t.is(new Set(turns).size, 12, turns.join());
  t.true(
    stretches.every((length) => length >= 5),
    `each has its time: ${stretches.join()}`,
  );
});

test('long work that begins in a turn in which other work has gone on for long enough pauses at once', async (t) => {
  const paused = workUntilPause(createYielder(1));
  const others = createYielder(1)();
  t.not(others, undefined);
  await Promise.all([paused, others]);
});

test('work that was not long does not pause', (t) => {
  const pause = createYielder(1000);
  for (let call = 1; call < 1000; call += 1) t.is(pause(), undefined);
});
