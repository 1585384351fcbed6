// Series with new labels in each reading: series that have disappeared are dropped when every sink has accepted their growth.

import test from 'ava';
import type { MetricBatch, SourceReading } from '../../../core/contract/index.js';
import type { SourceTotals } from '../../../core/metrics/index.js';
import { FakeSource, family, histogram } from '../../helpers/fake-source.js';
import { createRelay } from './relay.js';

const READINGS = 5;
/** Half of them are counters, half histograms; the counters are 1. */
const SERIES = 700;
/** A source with this number of series keeps as many series that have disappeared. */
const MOST_KEPT = 2 * SERIES;

const LABELS = (number: number): SourceReading => {
  const own = Array.from({ length: SERIES / 2 }, (_, n) => ({ n: `${number} ${n}` }));
  return {
    families: [
      family(
        'counter',
        'calls',
        own.map((labels) => [labels, 1] as const),
      ),
      family(
        'histogram',
        'took',
        own.map((labels) => [labels, histogram([1, 1, 1], 1)] as const),
      ),
    ],
  };
};
const NAMES = (number: number): SourceReading => ({
  families: Array.from({ length: SERIES }, (_, n) => family('counter', `calls_${number}_${n}`, [[{}, 1]])),
});

/** The number of kept families and series. */
function keptIn(totals: SourceTotals): { families: number; series: number } {
  const families = [...totals.families()];
  return { families: families.length, series: families.reduce((sum, { byKey }) => sum + byKey.size, 0) };
}

const grownIn = ({ counters, histograms }: MetricBatch): number =>
  counters.filter(({ name }) => name.startsWith('calls')).length + histograms.length;

for (const [what, readingOf] of [
  ['labels', LABELS],
  ['families', NAMES],
] as const) {
  test(`with new ${what} in each reading, series that have disappeared are dropped when both sinks have accepted their growth`, async (t) => {
    const relay = createRelay();
    const source = new FakeSource();
    const { totals } = relay.add(source);
    const cursors = [relay.cursor(), relay.cursor()];
    for (let number = 0; number < READINGS; number += 1) {
      source.reading = readingOf(number);
      for (const cursor of cursors) {
        const taken = await cursor.take();
        // The first reading is the baseline.
        t.is(grownIn(taken.batch), number === 0 ? 0 : SERIES);
        taken.accept();
      }
      const { families, series } = keptIn(totals);
      t.true(series <= MOST_KEPT, `${series} series`);
      t.true(families <= MOST_KEPT, `${families} families`);
    }
  });
}

test('with new labels in each reading and no sink that gets growth, series that have disappeared are dropped', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  const runner = relay.add(source);
  const closed = relay.cursor();
  closed.close();
  for (let number = 0; number < READINGS; number += 1) {
    source.reading = LABELS(number);
    await runner.update();
  }
  t.is(keptIn(runner.totals).series, MOST_KEPT);
});

test('growth of series that are gone is kept for a sink that fails, until it accepts it', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  // These cursors exist before the source.
  const [failing, working] = [relay.cursor(), relay.cursor()];
  const { totals } = relay.add(source);
  for (let number = 0; number < READINGS; number += 1) {
    source.reading = LABELS(number);
    (await working.take()).accept();
    await failing.take();
  }
  const taken = await failing.take();
  t.is(grownIn(taken.batch), (READINGS - 1) * SERIES);
  taken.accept();
  source.reading = LABELS(READINGS);
  await working.take();
  t.true(keptIn(totals).series <= MOST_KEPT);
});

test('a series that comes back goes on where it was, although its growth was accepted', async (t) => {
  const relay = createRelay();
  const source = new FakeSource();
  relay.add(source);
  const cursor = relay.cursor();
  const grown: number[] = [];
  for (const value of [10, undefined, 12]) {
    source.reading = { families: [family('counter', 'calls', value === undefined ? [] : [[{}, value]])] };
    const taken = await cursor.take();
    grown.push(...taken.batch.counters.filter(({ name }) => name === 'calls').map((sample) => sample.value));
    taken.accept();
  }
  t.deepEqual(grown, [2]);
});
