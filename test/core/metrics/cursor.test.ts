import test from 'ava';
import type { MetricBatch, Sample } from '../../../core/contract/index.js';
import { MetricCursor } from '../../../core/metrics/cursor.js';
import { MetricStore } from '../../../core/metrics/index.js';

/** Name, label values and value of the samples with the subsystem `own`. */
function own(samples: readonly Sample[]): (string | number)[] {
  return samples
    .filter(({ subsystem }) => subsystem === 'own')
    .map(({ name, labels, value }) => `${[name, ...Object.values(labels)].join('/')} ${value}`);
}

const values = ({ timings }: MetricBatch): number[] => timings.map(({ value }) => value);

test('the first batch has the counts from before the cursor was created', async (t) => {
  const store = new MetricStore(10);
  store.counter({ namespace: 'own', name: 'calls', help: 'Calls.' }).inc(4);
  const { batch } = await new MetricCursor(store).take();
  t.deepEqual(own(batch.counters), ['calls 4']);
});

test('after an accepted batch the next one has only the growth since then', async (t) => {
  const store = new MetricStore(10);
  const calls = store.counter({ namespace: 'own', name: 'calls', help: 'Calls.', labelNames: ['user'] });
  const cursor = new MetricCursor(store);
  calls.with({ user: 'a' }).inc(4);
  calls.with({ user: 'b' }).inc(1);
  (await cursor.take()).accept();
  calls.with({ user: 'a' }).inc(2);
  t.deepEqual(own((await cursor.take()).batch.counters), ['calls/a 2']);
});

test('growth between taking and accepting a batch is in the next batch', async (t) => {
  const store = new MetricStore(10);
  const calls = store.counter({ namespace: 'own', name: 'calls', help: 'Calls.' });
  const took = store.histogram({ namespace: 'own', name: 'took', help: 'Took.' });
  const cursor = new MetricCursor(store);
  calls.inc(4);
  took.observe(1);
  const first = await cursor.take();
  calls.inc(3);
  took.observe(2);
  first.accept();
  const { batch } = await cursor.take();
  t.deepEqual(own(batch.counters), ['calls 3']);
  t.deepEqual(values(batch), [2]);
});

test('the content of a batch that was not accepted is part of the next batch', async (t) => {
  const store = new MetricStore(10);
  const calls = store.counter({ namespace: 'own', name: 'calls', help: 'Calls.' });
  const took = store.histogram({ namespace: 'own', name: 'took', help: 'Took.' });
  const cursor = new MetricCursor(store);
  calls.inc(4);
  took.observe(1);
  await cursor.take();
  calls.inc(3);
  took.observe(2);
  const { batch } = await cursor.take();
  t.deepEqual(own(batch.counters), ['calls 7']);
  t.deepEqual(values(batch), [1, 2]);
});

test('every batch has the current value of each gauge', async (t) => {
  const store = new MetricStore(10);
  const level = store.gauge({ namespace: 'own', name: 'level', help: 'Level.' });
  const cursor = new MetricCursor(store);
  level.set(-2);
  (await cursor.take()).accept();
  const { batch } = await cursor.take();
  t.deepEqual(own(batch.gauges), ['level -2']);
});

test('two cursors of one store are independent', async (t) => {
  const store = new MetricStore(10);
  const calls = store.counter({ namespace: 'own', name: 'calls', help: 'Calls.' });
  const cursors = [new MetricCursor(store), new MetricCursor(store)] as const;
  calls.inc();
  (await cursors[0].take()).accept();
  t.deepEqual(own((await cursors[0].take()).batch.counters), []);
  t.deepEqual(own((await cursors[1].take()).batch.counters), ['calls 1']);
});

test('of too many timings the oldest are dropped, and their number is reported until it is accepted', async (t) => {
  const store = new MetricStore(10);
  const took = store.histogram({ namespace: 'own', name: 'took', help: 'Took.' });
  const cursor = new MetricCursor(store, { maxTimings: 3 });
  for (let value = 1; value <= 10; value += 1) took.observe(value);
  const rejected = await cursor.take();
  t.deepEqual(values(rejected.batch), [8, 9, 10]);
  t.is(rejected.batch.droppedTimings, 7);

  took.observe(11);
  const accepted = await cursor.take();
  t.deepEqual(values(accepted.batch), [9, 10, 11]);
  t.is(accepted.batch.droppedTimings, 8);
  accepted.accept();

  const { batch } = await cursor.take();
  t.deepEqual(values(batch), []);
  t.is(batch.droppedTimings, 0);
});

test('timings that are overwritten while their batch is sent do not count as dropped', async (t) => {
  const store = new MetricStore(10);
  const took = store.histogram({ namespace: 'own', name: 'took', help: 'Took.' });
  const cursor = new MetricCursor(store, { maxTimings: 3 });
  for (const value of [1, 2, 3]) took.observe(value);
  const taken = await cursor.take();
  for (const value of [4, 5, 6, 7]) took.observe(value);
  taken.accept();
  const { batch } = await cursor.take();
  t.deepEqual(values(batch), [5, 6, 7]);
  t.is(batch.droppedTimings, 1);
});

test('a timing has its name parts, and its labels in the declared order', async (t) => {
  const store = new MetricStore(10);
  const labelNames = ['zone', 'code'] as const;
  const options = { namespace: 'own', subsystem: 'http', name: 'took', help: 'Took.', labelNames };
  const cursor = new MetricCursor(store);
  store.histogram(options).with({ code: 200, zone: 'x' }).observe(0.25);
  const { batch } = await cursor.take();
  t.deepEqual(batch.timings, [
    {
      namespace: 'fabric_ops_agent',
      subsystem: 'own_http',
      name: 'took',
      labels: { zone: 'x', code: '200' },
      value: 0.25,
    },
  ]);
  t.deepEqual(Object.keys(batch.timings[0]?.labels ?? {}), ['zone', 'code']);
});

test('a batch has the process metrics', async (t) => {
  const { batch } = await new MetricCursor(new MetricStore(10)).take();
  const names = (samples: readonly Sample[]): string[] =>
    samples.filter(({ namespace }) => namespace === 'fabric_ops_agent').map(({ name }) => name);
  t.true(names(batch.gauges).includes('process_start_time_seconds'));
  t.true(names(batch.counters).includes('process_cpu_seconds_total'));
});

test('a closed cursor keeps no timings', async (t) => {
  const store = new MetricStore(10);
  const took = store.histogram({ namespace: 'own', name: 'took', help: 'Took.' });
  const cursor = new MetricCursor(store);
  took.observe(1);
  cursor.close();
  took.observe(2);
  t.deepEqual(values((await cursor.take()).batch), []);
});

test('growth below six decimals is part of a later batch', async (t) => {
  const store = new MetricStore(10);
  const seconds = store.counter({ namespace: 'own', name: 'seconds', help: 'Seconds.' });
  const cursor = new MetricCursor(store);
  let sent = 0;
  for (let round = 0; round < 1000; round += 1) {
    seconds.inc(4e-7);
    const taken = await cursor.take();
    for (const { subsystem, value } of taken.batch.counters)
      if (subsystem === 'own') sent += Number(value.toFixed(6));
    taken.accept();
  }
  t.is(sent.toFixed(6), '0.000400');
});

test('integers are exact up to 2 ** 53', async (t) => {
  const store = new MetricStore(10);
  const calls = store.counter({ namespace: 'own', name: 'calls', help: 'Calls.' });
  const cursor = new MetricCursor(store);
  calls.inc(2 ** 53 - 2);
  const first = await cursor.take();
  first.accept();
  calls.inc(1);
  t.deepEqual(own(first.batch.counters), ['calls 9007199254740990']);
  t.deepEqual(own((await cursor.take()).batch.counters), ['calls 1']);
});

test('other code runs while a large batch is taken', async (t) => {
  const store = new MetricStore(1000);
  for (let family = 0; family < 100; family += 1) {
    const calls = store.counter({ name: `calls${family}`, help: 'Calls.', labelNames: ['n'] });
    for (let n = 0; n < 1000; n += 1) calls.with({ n: String(n) }).inc();
  }
  let turns = 0;
  let isTaking = true;
  const work = (): void => {
    turns += 1;
    if (isTaking) setImmediate(work);
  };
  setImmediate(work);
  const { batch } = await new MetricCursor(store).take();
  isTaking = false;
  t.true(batch.counters.length >= 100_000);
  t.true(turns >= 2);
});

/** Calls a function in each turn of the event loop until some work has ended; returns how often. */
async function meanwhile<T>(work: Promise<T>, act: () => void): Promise<[result: T, times: number]> {
  let hasEnded = false;
  let times = 0;
  const again = (): void => {
    if (hasEnded) return;
    act();
    times += 1;
    setImmediate(again);
  };
  setImmediate(again);
  const result = await work.finally(() => (hasEnded = true));
  return [result, times];
}

test('growth while a batch of 100,000 series is taken is in exactly one batch', async (t) => {
  const SERIES = 100_000;
  const store = new MetricStore(2 * SERIES);
  const calls = store.counter({ namespace: 'own', name: 'calls', help: 'Calls.', labelNames: ['n'] });
  const first = Array.from({ length: SERIES }, (_, n) => calls.with({ n }));
  const cursor = new MetricCursor(store);
  for (const counter of first) counter.inc();
  let counted = SERIES;
  let sent = 0;
  let added = 0;
  let turns = 0;
  for (const isAccepted of [true, false, true, true]) {
    const [taken, times] = await meanwhile(cursor.take(), () => {
      // In a series that was already read, in one that was not, and in a new one.
      first[0]?.inc(2);
      first[SERIES - 1]?.inc(3);
      calls.with({ n: SERIES + added }).inc(5);
      added += 1;
      counted += 10;
    });
    turns += times;
    if (!isAccepted) continue;
    for (const { subsystem, value } of taken.batch.counters) if (subsystem === 'own') sent += value;
    taken.accept();
  }
  const last = await cursor.take();
  for (const { subsystem, value } of last.batch.counters) if (subsystem === 'own') sent += value;
  t.true(turns > 4, 'other code ran in between');
  t.is(sent, counted);
});

test('accepting a batch twice has no further effect', async (t) => {
  const store = new MetricStore(10);
  const calls = store.counter({ namespace: 'own', name: 'calls', help: 'Calls.' });
  const cursor = new MetricCursor(store);
  calls.inc(4);
  const first = await cursor.take();
  first.accept();
  first.accept();
  calls.inc(3);
  t.deepEqual(own((await cursor.take()).batch.counters), ['calls 3']);
});
