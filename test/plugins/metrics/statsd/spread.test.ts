// The timings of relayed histograms: as many as the count, each in its bucket, with exactly the sum of what a daemon parses.

import test from 'ava';
import type { HistogramGrowth } from '../../../../core/contract/index.js';
import { spreadHistograms } from '../../../../plugins/metrics/statsd/relayed-timings.js';
import { sentLines } from '../../../helpers/statsd-lines.js';

const growthOf = (bounds: readonly number[], counts: readonly number[], sum: number): HistogramGrowth => ({
  namespace: '',
  subsystem: '',
  name: 'took',
  labels: {},
  bounds,
  counts,
  sum,
  count: counts.reduce((a, b) => a + b, 0),
});

/** The values of the lines, as texts with six decimals. */
function linesOf(
  growth: HistogramGrowth,
  unit: 'milliseconds' | 'seconds' = 'milliseconds',
  limit = 1e6,
): string[] {
  const sent = sentLines({ prefix: '', tags: 'none', timingUnit: unit }, (client) => {
    for (const { sample, size, valueAt } of spreadHistograms([growth], client.timingFactor, limit))
      for (let index = 0; index < size; index += 1) void client.timingOnWire(sample, valueAt(index));
  });
  return sent.map((line = '') => /^took:(\d+\.\d{6})\|ms$/.exec(line)?.[1] ?? line);
}

/** Decimals as an integer number of the last one. */
const exact = (text: string): bigint => BigInt(text.replace('.', ''));
const sumOf = (lines: readonly string[]): bigint => lines.reduce((sum, line) => sum + exact(line), 0n);

const CASES: readonly (readonly [title: string, growth: HistogramGrowth, lines: readonly string[]])[] = [
  ['one observation has the sum', growthOf([0.005, Infinity], [1, 0], 0.001234), ['1.234000']],
  [
    'one observation above all bounds has the sum',
    growthOf([0.005, Infinity], [0, 1], 12.5),
    ['12500.000000'],
  ],
  [
    'observations are even in their bucket',
    growthOf([1, 2, Infinity], [0, 2, 0], 3),
    ['1250.000001', '1749.999999'],
  ],
  [
    'they are shifted where the sum demands it',
    growthOf([1, 2, Infinity], [0, 2, 0], 3.8),
    ['1850.000000', '1950.000000'],
  ],
  [
    'the last bucket gets the rest of the sum',
    growthOf([1, Infinity], [2, 1], 11),
    ['250.000000', '750.000000', '10000.000000'],
  ],
  [
    'the others are shifted when the last bucket takes its lowest value',
    growthOf([1, Infinity], [2, 1], 1.5),
    ['125.000000', '374.999999', '1000.000001'],
  ],
  [
    'a sum that is too small for the buckets is kept',
    growthOf([1, 2, Infinity], [0, 1, 0], 0.5),
    ['500.000000'],
  ],
  [
    'a sum that is too large for the buckets is kept',
    growthOf([1, 2, Infinity], [0, 1, 0], 3),
    ['3000.000000'],
  ],
  [
    'a sum that is too small for two buckets is divided in proportion to their lowest values',
    growthOf([1, 2, 4, Infinity], [0, 1, 1, 0], 1.5),
    ['500.000000', '1000.000000'],
  ],
  [
    'a sum that is too large for two buckets is divided in proportion to their highest values',
    growthOf([1, 2, 4, Infinity], [0, 1, 1, 0], 9),
    ['3000.000000', '6000.000000'],
  ],
  ['observations of 0 are possible', growthOf([0, 1, Infinity], [2, 0, 0], 0), ['0.000000', '0.000000']],
  ['a negative sum has no timings', growthOf([-1, Infinity], [1, 0], -2), []],
];
for (const [title, growth, lines] of CASES) test(title, (t) => t.deepEqual(linesOf(growth), lines));

test('in seconds the timings have the unit of a Fabric node', (t) => {
  t.deepEqual(linesOf(growthOf([0.005, Infinity], [1, 0], 0.001234), 'seconds'), ['0.001234']);
});

test('of more observations than allowed, some of all parts are sent and the excess is reported', (t) => {
  const growth = growthOf([1, 2, Infinity], [500, 500, 0], 1000);
  const lines = linesOf(growth, 'milliseconds', 10).map(Number);
  t.is(lines.length, 10);
  t.is(lines.filter((value) => value <= 1000).length, 5);
  const [first, second] = [...spreadHistograms([growth, growth], 1000, 1200)];
  t.deepEqual([first?.size, first?.excess, second?.size, second?.excess], [1000, 0, 200, 800]);
});

test('a count far beyond the limit takes no time and memory', (t) => {
  const lines = linesOf(growthOf([1, Infinity], [1e12, 1e12], 5e12), 'milliseconds', 10);
  t.is(lines.length, 10);
});

/** A reproducible random number from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const BOUNDS: readonly (readonly number[])[] = [
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity],
  [
    0.001,
    0.002,
    0.004,
    0.008,
    0.016,
    0.032,
    0.064,
    0.128,
    0.256,
    0.512,
    1.024,
    2.048,
    4.096,
    8.192,
    Infinity,
  ],
  [0.00001, 0.3, Infinity],
  [Infinity],
];

for (const unit of ['milliseconds', 'seconds'] as const) {
  test(`observed values give lines in ${unit} with their count, exactly their sum, and all in their buckets`, (t) => {
    const random = createRandom(unit.length);
    for (let round = 0; round < 500; round += 1) {
      const bounds = BOUNDS[round % BOUNDS.length] as readonly number[];
      // Real observations, in whole microseconds as a growth has them.
      const values = Array.from({ length: 1 + Math.floor(random() * 40) }, () =>
        Math.floor(1 + 2e6 * random() ** 6 * (random() < 0.1 ? 20 : 1)),
      );
      const counts = bounds.map(
        (bound, index) =>
          values.filter((value) => value <= bound * 1e6 && !(value <= (bounds[index - 1] ?? -1) * 1e6))
            .length,
      );
      const micros = values.reduce((a, b) => a + b, 0);
      const lines = linesOf(growthOf(bounds, counts, micros / 1e6), unit);
      const toLine = unit === 'seconds' ? 1n : 1000n;
      t.is(lines.length, values.length);
      t.is(sumOf(lines), BigInt(micros) * toLine, `${counts.join(' ')}: ${micros}`);
      const inBuckets = bounds.map(
        (bound, index) =>
          lines.filter((line) => {
            const value = Number(exact(line)) / Number(toLine);
            return value <= bound * 1e6 && !(value <= (bounds[index - 1] ?? -1) * 1e6);
          }).length,
      );
      t.deepEqual(inBuckets, counts, `${counts.join(' ')}: ${micros}`);
      // As the daemon adds them up.
      const asDaemon = lines.map(Number).reduce((a, b) => a + b, 0);
      t.true(Math.abs(asDaemon - Number(sumOf(lines)) / 1e6) <= 1e-9 * asDaemon);
    }
  });
}
