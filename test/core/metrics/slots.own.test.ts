import test from 'ava';
import { useFakeTimers } from 'sinon';
import { Slots } from '../../../core/metrics/slots.js';

/** Starts this much work in slots for 4 pieces of work, of which 2 may be younger than 100 ms. */
function start(count: number) {
  const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const slots = new Slots({ all: 4, young: 2, youth: 100 });
  const started: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const results = Array.from({ length: count }, (_, index) =>
    slots.run(async () => {
      started.push(index);
      await new Promise<void>((resolve, reject) => {
        ends[index] = (error) => (error === undefined ? resolve() : reject(error));
      });
      return `result ${index}`;
    }),
  );
  return { clock, started, ends, results };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.serial('work waits while there is too much young work, first in, first out', async (t) => {
  const { clock, started, ends, results } = start(4);
  t.teardown(() => clock.restore());
  await nextTurn();
  t.deepEqual(started, [0, 1]);
  ends[1]?.();
  t.is(await results[1], 'result 1');
  t.deepEqual(started, [0, 1, 2]);
  ends[0]?.(new Error('it failed'));
  await t.throwsAsync(results[0]!, { message: 'it failed' });
  t.deepEqual(started, [0, 1, 2, 3]);
});

test.serial('work that takes long does not keep other work waiting, up to the limit of all', async (t) => {
  const { clock, started, ends, results } = start(6);
  t.teardown(() => clock.restore());
  await nextTurn();
  clock.tick(99);
  await nextTurn();
  t.deepEqual(started, [0, 1]);
  clock.tick(1);
  await nextTurn();
  t.deepEqual(started, [0, 1, 2, 3]);
  clock.tick(1000);
  await nextTurn();
  t.deepEqual(started, [0, 1, 2, 3], 'there are 4');
  ends[0]?.();
  await results[0];
  await nextTurn();
  t.deepEqual(started, [0, 1, 2, 3, 4]);
  ends[1]?.();
  await results[1];
  await nextTurn();
  t.deepEqual(started, [0, 1, 2, 3, 4, 5]);
});

test.serial('work that ends leaves no timer', async (t) => {
  const { clock, ends, results } = start(2);
  t.teardown(() => clock.restore());
  await nextTurn();
  for (const end of ends) end();
  await Promise.all(results);
  t.is(clock.countTimers(), 0);
});
