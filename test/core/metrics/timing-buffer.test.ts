import test from 'ava';
import { TimingBuffer } from '../../../core/metrics/timing-buffer.js';

const SERIES = { namespace: 'own', subsystem: '', name: 'took', labels: { n: '1' } };

/** A buffer into which 0, 1, 2 and so on were observed. */
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
  test(`of ${count} observations a buffer of three keeps ${kept.join(', ') || 'none'}`, async (t) => {
    const { timings, dropped } = await bufferWith(count, 3).take();
    t.deepEqual(
      timings.map(({ value }) => value),
      [...kept],
    );
    t.is(dropped, count - kept.length);
  });
}

test('a timing has the parts of its series', async (t) => {
  const { timings } = await bufferWith(1, 3).take();
  t.deepEqual(timings, [{ ...SERIES, value: 0 }]);
});

test('a buffer that was cleared is empty and owes no drops', async (t) => {
  const buffer = bufferWith(10, 3);
  buffer.clear();
  const { timings, dropped } = await buffer.take();
  t.deepEqual([timings.length, dropped], [0, 0]);
});

test('clearing a buffer ends the taking that is under way', async (t) => {
  const COUNT = 1_000_000;
  const buffer = bufferWith(COUNT, COUNT);
  const taking = buffer.take();
  buffer.clear();
  const { timings } = await taking;
  t.true(timings.length < COUNT);
  t.true(timings.every(({ value }, index) => value === index));
});

test('observations that come while a million are taken are told or counted as dropped, once', async (t) => {
  const CAPACITY = 1_000_000;
  const buffer = bufferWith(CAPACITY, CAPACITY);
  let observed = CAPACITY;
  let told = 0;
  let dropped = 0;
  let last = -1;
  let turns = 0;
  for (const isAccepted of [false, true, false, true, true]) {
    let hasEnded = false;
    const add = (): void => {
      if (hasEnded) return;
      // More than there is room for beside those that are being taken.
      for (let count = 0; count < 50_000; count += 1) buffer.add(SERIES, observed++);
      turns += 1;
      setImmediate(add);
    };
    setImmediate(add);
    const taken = await buffer.take();
    hasEnded = true;
    if (!isAccepted) continue;
    for (const { value } of taken.timings) {
      if (value <= last) t.fail(`${value} comes after ${last}`);
      last = value;
    }
    told += taken.timings.length;
    dropped += taken.dropped;
    taken.accept();
  }
  const rest = await buffer.take();
  t.true(turns > 5, 'other work had its turn');
  t.true(dropped > 0);
  t.is(told + dropped + rest.timings.length + rest.dropped, observed);
});
