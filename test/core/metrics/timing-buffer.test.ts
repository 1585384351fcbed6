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
  test(`a buffer for three observations keeps ${kept.join(', ') || 'none'} of ${count}`, (t) => {
    const { timings, dropped } = bufferWith(count, 3).take();
    t.deepEqual(
      timings.map(({ value }) => value),
      [...kept],
    );
    t.is(dropped, count - kept.length);
  });
}

test('a timing has the name parts and labels of its series', (t) => {
  const { timings } = bufferWith(1, 3).take();
  t.deepEqual(timings, [{ ...SERIES, value: 0 }]);
});

test('a cleared buffer is empty and reports no drops', (t) => {
  const buffer = bufferWith(10, 3);
  buffer.clear();
  const { timings, dropped } = buffer.take();
  t.deepEqual([timings.length, dropped], [0, 0]);
});

test('an accepted observation is not taken again, an observation that was added later is', (t) => {
  const buffer = bufferWith(2, 3);
  buffer.take();
  const taken = buffer.take();
  for (const value of [2, 3]) buffer.add(SERIES, value);
  taken.accept();
  const next = buffer.take();
  t.deepEqual([taken.timings.map(({ value }) => value), taken.dropped], [[0, 1], 0]);
  t.deepEqual([next.timings.map(({ value }) => value), next.dropped], [[2, 3], 0]);
});

test('drops in a batch that was not accepted are counted again', (t) => {
  const buffer = bufferWith(5, 3);
  t.is(buffer.take().dropped, 2);
  buffer.add(SERIES, 5);
  const taken = buffer.take();
  t.is(taken.dropped, 3);
  taken.accept();
  t.is(buffer.take().dropped, 0);
});
