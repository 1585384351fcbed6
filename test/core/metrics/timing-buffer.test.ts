import test from 'ava';
import { TimingBuffer } from '../../../core/metrics/timing-buffer.js';

const SERIES = { namespace: 'own', subsystem: '', name: 'took', labels: { n: '1' } };

/** A buffer with the observations 0, 1, 2 and so on. */
function bufferWith(count: number, capacity: number): TimingBuffer {
  const buffer = new TimingBuffer(capacity);
  for (let value = 0; value < count; value += 1) buffer.add(SERIES, value);
  return buffer;
}

for (const [count, kept] of [
  [0, []],
  [2, [0, 1]],
  [3, [0, 1, 2]],
  [4, [1, 2, 3]],
  [100, [97, 98, 99]],
] as const) {
  test(`a buffer for three observations keeps ${kept.join(', ') || 'none'} of ${count}`, async (t) => {
    const { timings, dropped } = await bufferWith(count, 3).take();
    t.deepEqual(
      timings.map(({ value }) => value),
      [...kept],
    );
    t.is(dropped, count - kept.length);
  });
}

test('a timing has the name parts and labels of its series', async (t) => {
  const { timings } = await bufferWith(1, 3).take();
  t.deepEqual(timings, [{ ...SERIES, value: 0 }]);
});

test('a cleared buffer is empty and reports no drops', async (t) => {
  const buffer = bufferWith(10, 3);
  buffer.clear();
  const { timings, dropped } = await buffer.take();
  t.deepEqual([timings.length, dropped], [0, 0]);
});

test('clearing a buffer ends a take in progress', async (t) => {
  const COUNT = 1_000_000;
  const buffer = bufferWith(COUNT, COUNT);
  const taking = buffer.take();
  buffer.clear();
  const { timings } = await taking;
  t.true(timings.length < COUNT);
  t.true(timings.every(({ value }, index) => value === index));
});

test('observations added while a million are taken are either taken or counted as dropped, exactly once', async (t) => {
  const CAPACITY = 1_000_000;
  const buffer = bufferWith(CAPACITY, CAPACITY);
  let observed = CAPACITY;
  let taken = 0;
  let dropped = 0;
  let last = -1;
  let turns = 0;
  for (const isAccepted of [false, true, false, true, true]) {
    let hasEnded = false;
    const add = (): void => {
      if (hasEnded) return;
      // More than the buffer can hold besides those being taken.
      for (let count = 0; count < 50_000; count += 1) buffer.add(SERIES, observed++);
      turns += 1;
      setImmediate(add);
    };
    setImmediate(add);
    const batch = await buffer.take();
    hasEnded = true;
    if (!isAccepted) continue;
    for (const { value } of batch.timings) {
      if (value <= last) t.fail(`${value} comes after ${last}`);
      last = value;
    }
    taken += batch.timings.length;
    dropped += batch.dropped;
    batch.accept();
  }
  const rest = await buffer.take();
  t.true(turns > 5, 'other code ran in between');
  t.true(dropped > 0);
  t.is(taken + dropped + rest.timings.length + rest.dropped, observed);
});
