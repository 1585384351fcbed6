// The growth of relayed values for a push sink, over restarts, missed readings and failed flushes.

import test from 'ava';
import type { SourceReading } from '../../../core/contract/index.js';
import { counters, FAKE_NODE, FakeSource, family, histogram } from '../../helpers/fake-source.js';
import { AGENT_START, createRelay, relayed } from './relay.js';

const OLD = AGENT_START - 100;
const YOUNG = AGENT_START + 100;

/** A reading, a failed one, or a reading whose flush fails; and the batch at that time. */
interface Step {
  readonly reading?: SourceReading;
  readonly isFlushFailing?: boolean;
  readonly batch: readonly string[];
}

const gauges = (...values: readonly number[]): SourceReading => ({
  families: [
    family(
      'gauge',
      'level',
      values.map((value, index) => [{ n: String(index) }, value]),
    ),
  ],
});
const took = (startTime: number, counts: readonly [number, number, number], sum: number): SourceReading => ({
  startTime,
  families: [family('histogram', 'took', [[{}, histogram(counts, sum)]])],
});

const CASES: readonly (readonly [title: string, ...steps: readonly Step[]])[] = [
  [
    'the first reading of a node is the baseline',
    { reading: counters(OLD, 10, 20), batch: [] },
    { reading: counters(OLD, 13, 20), batch: ['calls/0 3'] },
  ],
  [
    'the first reading is the baseline when the start of the process is unknown',
    { reading: counters(undefined, 10), batch: [] },
    { reading: counters(undefined, 11), batch: ['calls/0 1'] },
  ],
  [
    'the first reading of a process that is younger than the agent is growth in full',
    { reading: counters(YOUNG, 10), batch: ['calls/0 10'] },
    { reading: counters(YOUNG, 12), batch: ['calls/0 2'] },
  ],
  [
    'the first reading of a process that started with the agent is growth in full, because start times are only exact to a second',
    { reading: counters(AGENT_START - 1, 10), batch: ['calls/0 10'] },
  ],
  [
    'a new series in a later reading is growth in full',
    { reading: counters(OLD, 10), batch: [] },
    { reading: counters(OLD, 10, 7), batch: ['calls/1 7'] },
  ],
  [
    'another start time is a restart: every series of the node is growth in full',
    { reading: counters(OLD, 10, 20), batch: [] },
    { reading: counters(YOUNG, 11, 30), batch: ['calls/0 11', 'calls/1 30'] },
    { reading: counters(YOUNG, 12, 30), batch: ['calls/0 1'] },
  ],
  [
    'a value that fell is a restart: every series of the node is growth in full',
    { reading: counters(undefined, 10, 20), batch: [] },
    { reading: counters(undefined, 11, 5), batch: ['calls/0 11', 'calls/1 5'] },
  ],
  [
    'a start time that differs by a second belongs to the same process',
    { reading: counters(OLD, 10), batch: [] },
    { reading: counters(OLD + 1, 11), batch: ['calls/0 1'] },
    { reading: counters(OLD, 12), batch: ['calls/0 1'] },
  ],
  [
    'after missed readings the growth over the gap is pushed once',
    { reading: counters(OLD, 10), batch: [] },
    { batch: [] },
    { batch: [] },
    { reading: counters(OLD, 15), batch: ['calls/0 5'] },
    { reading: counters(OLD, 15), batch: [] },
  ],
  [
    'while a node is down nothing is pushed, no last gauge either',
    { reading: gauges(4), batch: ['level/0 4'] },
    { batch: [] },
    { reading: gauges(3), batch: ['level/0 3'] },
  ],
  [
    'a node that restarts while it is not read is growth in full',
    { reading: counters(OLD, 10), batch: [] },
    { batch: [] },
    { reading: counters(YOUNG, 25), batch: ['calls/0 25'] },
  ],
  [
    'NaN and infinite values are not pushed',
    { reading: gauges(NaN, Infinity, -Infinity, 1), batch: ['level/3 1'] },
    { reading: { families: [family('counter', 'calls', [[{}, NaN]])] }, batch: [] },
    { reading: { families: [family('counter', 'calls', [[{}, Infinity]])] }, batch: [] },
  ],
  [
    'growth over a NaN is part of the next finite value',
    { reading: counters(OLD, 10), batch: [] },
    { reading: counters(OLD, NaN), batch: [] },
    { reading: counters(OLD, 16), batch: ['calls/0 6'] },
  ],
  [
    'the baseline of a series that is NaN at first is its first finite value',
    { reading: counters(OLD, NaN), batch: [] },
    { reading: counters(OLD, 10), batch: [] },
    { reading: counters(OLD, 11), batch: ['calls/0 1'] },
  ],
  [
    'a failed flush keeps the growth',
    { reading: counters(OLD, 10), batch: [] },
    { reading: counters(OLD, 12), isFlushFailing: true, batch: ['calls/0 2'] },
    { reading: counters(OLD, 15), batch: ['calls/0 5'] },
    { reading: counters(OLD, 16), batch: ['calls/0 1'] },
  ],
  [
    'nothing is lost or counted twice when flushes fail while the node restarts twice',
    { reading: counters(OLD, 10), batch: [] },
    { reading: counters(OLD, 12), isFlushFailing: true, batch: ['calls/0 2'] },
    { reading: counters(YOUNG, 3), isFlushFailing: true, batch: ['calls/0 5'] },
    { isFlushFailing: true, batch: [] },
    { reading: counters(YOUNG + 50, 4, 1), batch: ['calls/0 9', 'calls/1 1'] },
    { reading: counters(YOUNG + 50, 4, 1), batch: [] },
  ],
  [
    'growth of a series that is gone after a restart is pushed when its flush had failed',
    { reading: counters(OLD, 10, 10), batch: [] },
    { reading: counters(OLD, 10, 14), isFlushFailing: true, batch: ['calls/1 4'] },
    { reading: counters(YOUNG, 1), batch: ['calls/0 1', 'calls/1 4'] },
    { reading: counters(YOUNG, 1, 2), batch: ['calls/1 2'] },
  ],
  [
    'a series that was gone and begins again at zero is no restart of the others',
    { reading: counters(OLD, 10, 20), batch: [] },
    { reading: counters(OLD, 10), batch: [] },
    { reading: counters(OLD, 11, 3), batch: ['calls/0 1', 'calls/1 3'] },
  ],
  [
    'gauges and values of unknown type are pushed as they are, and may fall',
    { reading: gauges(5), batch: ['level/0 5'] },
    { reading: { families: [family('untyped', 'what', [[{}, 2.5]])] }, batch: ['what 2.5'] },
    { reading: { families: [family('untyped', 'what', [[{}, -1]])] }, batch: ['what -1'] },
  ],
  [
    'a histogram is pushed as the growth of each bucket, of its sum and its count',
    { reading: took(OLD, [1, 2, 3], 4), batch: [] },
    { reading: took(OLD, [1, 4, 6], 9.5), batch: ['took [0 2 1] sum 5.5 count 3'] },
    { reading: took(OLD, [1, 4, 6], 9.5), batch: [] },
    { reading: took(YOUNG, [0, 1, 1], 0.5), batch: ['took [0 1 0] sum 0.5 count 1'] },
  ],
  [
    'a decreased bucket of a histogram is a restart, even if its count grew',
    { reading: took(OLD, [5, 5, 5], 0.4), batch: [] },
    { reading: took(OLD, [0, 0, 6], 12), batch: ['took [0 0 6] sum 12 count 6'] },
  ],
  [
    'a failed flush keeps the growth of a histogram over a restart',
    { reading: took(OLD, [1, 1, 1], 0.1), batch: [] },
    { reading: took(OLD, [2, 2, 2], 0.2), isFlushFailing: true, batch: ['took [1 0 0] sum 0.1 count 1'] },
    { reading: took(YOUNG, [0, 1, 1], 0.5), batch: ['took [1 1 0] sum 0.6 count 2'] },
    { reading: took(YOUNG, [0, 1, 1], 0.5), batch: [] },
  ],
  [
    'a summary is not pushed',
    {
      reading: {
        families: [family('summary', 'gc', [[{}, { quantiles: [0.5], values: [1], sum: 1, count: 1 }]])],
      },
      batch: [],
    },
  ],
];

for (const [title, ...steps] of CASES) {
  test(title, async (t) => {
    const relay = createRelay();
    const source = new FakeSource();
    relay.add(source);
    const cursor = relay.cursor();
    for (const { reading, isFlushFailing = false, batch } of steps) {
      source.reading = reading;
      const taken = await cursor.take();
      t.deepEqual(relayed(taken.batch), batch);
      if (!isFlushFailing) taken.accept();
    }
  });
}

test('a histogram with other bounds is a new one', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  const cursor = relay.cursor();
  source.reading = took(OLD, [1, 2, 3], 4);
  (await cursor.take()).accept();
  const value = { bounds: [5, Infinity], counts: [7, 8], sum: 9, count: 8 };
  source.reading = { startTime: OLD, families: [family('histogram', 'took', [[{}, value]])] };
  t.deepEqual(relayed((await cursor.take()).batch), ['took [7 1] sum 9 count 8']);
});

test('two sinks get the growth independently of each other', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  const [failing, working] = [relay.cursor(), relay.cursor()];
  source.reading = counters(OLD, 10);
  for (const cursor of [failing, working]) (await cursor.take()).accept();
  source.reading = counters(OLD, 12);
  (await working.take()).accept();
  await failing.take();
  source.reading = counters(YOUNG, 5);
  t.deepEqual(relayed((await working.take()).batch), ['calls/0 5']);
  t.deepEqual(relayed((await failing.take()).batch), ['calls/0 7']);
});

test('a sink that wants totals gets the values as they were read, also those that did not grow, and its own counters', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  relay.store.counter({ name: 'own', help: 'Own.' }).inc(2);
  const cursor = relay.cursor({ values: 'totals' });
  source.reading = {
    startTime: OLD,
    families: [
      family('counter', 'calls', [
        [{ n: '0' }, 10],
        [{ n: '1' }, NaN],
      ]),
      family('histogram', 'took', [[{}, histogram([1, 2, 3], 4)]]),
    ],
  };
  const expected = ['own 2', 'calls/0 10', 'took [1 1 1] sum 4 count 3'];
  for (let flush = 0; flush < 2; flush += 1) {
    const taken = await cursor.take();
    t.deepEqual(relayed(taken.batch), expected);
    taken.accept();
  }
});

test('a batch of totals has the histograms of the agent and no observations, and says where each value comes from', async (t) => {
  const relay = createRelay();
  const source = new FakeSource(FAKE_NODE);
  relay.add(source);
  const own = relay.store.histogram({ name: 'own', help: 'Own.', labelNames: ['n'], buckets: [1, 2] });
  const cursor = relay.cursor({ values: 'totals' });
  for (const [n, value] of [
    ['a', 0.5],
    ['a', 2],
    ['b', 7],
  ] as const)
    own.with({ n }).observe(value);
  source.reading = { startTime: OLD, families: [family('gauge', 'level', [[{}, 3]])] };
  const { batch } = await cursor.take();
  t.deepEqual(batch.timings, []);
  const found = batch.histograms.filter(({ name }) => name === 'own');
  const ofAgent = { name: 'fabric_ops_agent_own', help: 'Own.' };
  const parts = { namespace: 'fabric_ops_agent', subsystem: '', name: 'own', bounds: [1, 2, Infinity] };
  t.deepEqual(found, [
    { ...parts, labels: { n: 'a' }, counts: [1, 1, 0], sum: 2.5, count: 2, family: ofAgent },
    { ...parts, labels: { n: 'b' }, counts: [0, 0, 1], sum: 7, count: 1, family: ofAgent },
  ]);
  const level = batch.gauges.find(({ name }) => name === 'level')?.family;
  t.is(level?.name, 'level');
  t.deepEqual(level?.source, { name: 'peer0', nodeKind: 'peer', startTime: OLD });
});

for (const values of ['growth', 'totals'] as const)
  for (const [what, source, isOfNode] of [
    ['a node', new FakeSource(FAKE_NODE), true],
    ['another source', new FakeSource(), undefined],
  ] as const)
    test(`in a batch of ${values} the values of ${what} ${isOfNode ? 'are' : 'are not'} marked as values of a node`, async (t) => {
      const relay = createRelay();
      relay.add(source);
      const cursor = relay.cursor({ values });
      source.reading = {
        startTime: YOUNG,
        families: [
          family('gauge', 'level', [[{}, 3]]),
          family('counter', 'calls', [[{}, 3]]),
          family('histogram', 'took', [[{}, histogram([1, 2, 3], 4)]]),
        ],
      };
      const { batch } = await cursor.take();
      const found = [...batch.gauges, ...batch.counters, ...batch.histograms].filter(
        ({ namespace }) => namespace !== 'fabric_ops_agent',
      );
      t.deepEqual(
        found.map((sample) => sample.isOfNode),
        [isOfNode, isOfNode, isOfNode],
      );
      t.true(batch.gauges.some(({ namespace }) => namespace === 'fabric_ops_agent'));
      t.true(batch.gauges.every((sample) => found.includes(sample) || sample.isOfNode === undefined));
    });

test('growth below the sixth decimal is part of a later batch', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  const cursor = relay.cursor();
  const sums: number[] = [];
  for (let reading = 0; reading <= 10; reading += 1) {
    source.reading = took(OLD, [reading, reading, reading], reading * 3e-7);
    const taken = await cursor.take();
    for (const { sum } of taken.batch.histograms) sums.push(sum);
    taken.accept();
  }
  t.is(sums.length, 10);
  t.is(Math.round(sums.reduce((a, b) => a + b) * 1e6), 3);
});
