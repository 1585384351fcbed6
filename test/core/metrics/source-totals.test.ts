// The growth of the series of a source, and which series are kept.

import test from 'ava';
import type { SourceFamily } from '../../../core/contract/index.js';
import { isOtherStart, SourceTotals } from '../../../core/metrics/source-totals.js';

const START = 1000;

/** A family of counters with these values by the label `n`. */
const counters = (values: ReadonlyMap<string, number>): SourceFamily =>
  ({
    name: 'calls',
    type: 'counter',
    parts: { namespace: '', subsystem: '', name: 'calls' },
    help: '',
    series: [...values].map(([n, value]) => ({ labels: { n }, value })),
  }) as unknown as SourceFamily;

const named = (count: number, prefix: string, value = 1): ReadonlyMap<string, number> =>
  new Map(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]));

const record = (totals: SourceTotals, values: ReadonlyMap<string, number>, startTime?: number): void =>
  totals.record({ startTime, families: [counters(values)] } as unknown as Parameters<
    SourceTotals['record']
  >[0]);

/** The series that are kept. */
const keptOf = (totals: SourceTotals): number =>
  [...totals.families()].reduce((count, { byKey }) => count + byKey.size, 0);

/** The growth of a series. */
function growthOf(totals: SourceTotals, n: string): number | undefined {
  const [family] = [...totals.families()];
  return [...family!.byKey.values()].find(({ labels }) => labels['n'] === n)?.total(0);
}

for (const [before, now, isOther] of [
  [undefined, 1, false],
  [1, undefined, false],
  [10, 11.5, false],
  [11.5, 10, false],
  [10, 11.6, true],
  [11.6, 10, true],
] as const)
  test(`the start times ${before} and ${now} are ${isOther ? 'of two processes' : 'of one process'}`, (t) => {
    t.is(isOtherStart(before, now), isOther);
  });

for (const [startTime, growth] of [
  [START - 1.5, 0],
  [START - 1.4, 5],
  [undefined, 0],
] as const)
  test(`the first values of a process that started at ${startTime} are growth of ${growth}, with an agent that started at ${START}`, (t) => {
    const totals = new SourceTotals(START);
    record(totals, new Map([['a', 5]]), startTime);
    t.is(growthOf(totals, 'a'), growth);
    record(totals, new Map([['a', 7]]), startTime);
    t.is(growthOf(totals, 'a'), growth + 2);
  });

test('a series that appears later grows from zero', (t) => {
  const totals = new SourceTotals(START);
  record(totals, new Map([['a', 5]]));
  record(
    totals,
    new Map([
      ['a', 5],
      ['b', 3],
    ]),
  );
  t.is(growthOf(totals, 'b'), 3);
});

test('after a lower value all series continue at their growth', (t) => {
  const totals = new SourceTotals(START);
  record(
    totals,
    new Map([
      ['a', 5],
      ['b', 5],
    ]),
  );
  record(
    totals,
    new Map([
      ['a', 9],
      ['b', 9],
    ]),
  );
  record(
    totals,
    new Map([
      ['a', 2],
      ['b', 20],
    ]),
  );
  t.deepEqual([growthOf(totals, 'a'), growthOf(totals, 'b')], [6, 24]);
});

test('a series that disappears and begins again at zero restarts no other series', (t) => {
  const totals = new SourceTotals(START);
  record(
    totals,
    new Map([
      ['a', 5],
      ['b', 5],
    ]),
  );
  record(totals, new Map([['b', 6]]));
  record(
    totals,
    new Map([
      ['a', 1],
      ['b', 7],
    ]),
  );
  t.deepEqual([growthOf(totals, 'a'), growthOf(totals, 'b')], [1, 2]);
});

for (const [gone, kept] of [
  [999, 1000],
  [1000, 1000],
  [1500, 1000],
] as const)
  test(`of ${gone} series that have disappeared and one that is read ${kept} are kept`, (t) => {
    const totals = new SourceTotals(START);
    record(totals, named(gone, 'a'));
    record(totals, named(1, 'b'));
    t.is(keptOf(totals), kept);
    t.is(growthOf(totals, 'b0'), 1);
  });

test('twice as many series are kept as are read', (t) => {
  const totals = new SourceTotals(START);
  record(totals, named(900, 'a'));
  record(totals, named(600, 'b'));
  t.is(keptOf(totals), 1200);
  t.is(growthOf(totals, 'a299'), undefined);
  t.is(growthOf(totals, 'a300'), 0);
});

test('series are kept until each sink has accepted their growth, up to 100,000', (t) => {
  const totals = new SourceTotals(START);
  const [one, other] = [{}, {}];
  totals.addSink(one);
  totals.addSink(other);
  record(totals, named(100_000, 'a'));
  t.is(totals.readings, 1);
  record(totals, named(1, 'b'));
  t.is(keptOf(totals), 100_000);
  totals.accept(one, 2);
  record(totals, named(1, 'b'));
  t.is(keptOf(totals), 100_000);
  totals.accept(other, 1);
  record(totals, named(1, 'b'));
  t.is(keptOf(totals), 1000);
});

test('a sink that is removed keeps no series', (t) => {
  const totals = new SourceTotals(START);
  const sink = {};
  totals.addSink(sink);
  record(totals, named(2000, 'a'));
  record(totals, named(1, 'b'));
  t.is(keptOf(totals), 2001);
  totals.removeSink(sink);
  totals.accept(sink, 0);
  record(totals, named(1, 'b'));
  t.is(keptOf(totals), 1000);
});

test('a family of which no series is kept is dropped too', (t) => {
  const totals = new SourceTotals(START);
  const of = (name: string, count: number): SourceFamily => ({ ...counters(named(count, 'a')), name });
  const families = (): string[] => [...totals.families()].map(({ parts }) => parts.name);
  for (const name of ['first', 'second'])
    totals.record({
      families: [{ ...of(name, 1000), parts: { namespace: '', subsystem: '', name } }],
    });
  t.deepEqual(families(), ['first', 'second']);
  t.is(keptOf(totals), 2000);
  totals.record({
    families: [{ ...of('second', 1), parts: { namespace: '', subsystem: '', name: 'second' } }],
  });
  t.deepEqual(families(), ['second']);
  t.is(keptOf(totals), 1000);
});

test('a histogram has its growth by bucket, and a sum that falls is a restart only without negative bounds', (t) => {
  for (const bounds of [
    [1, Infinity],
    [-1, Infinity],
    [0, Infinity],
  ] as const) {
    const totals = new SourceTotals(START);
    const read = (counts: readonly number[], sum: number): void =>
      totals.record({
        families: [
          {
            name: 'took',
            type: 'histogram',
            help: '',
            parts: { namespace: '', subsystem: '', name: 'took' },
            series: [{ labels: {}, value: { bounds, counts, sum, count: counts.at(-1)! } }],
          },
        ],
      });
    read([1, 3], 5);
    read([2, 4], 2);
    const [family] = [...totals.families()];
    // After a restart the values are growth; otherwise their difference is.
    t.deepEqual(
      [...family!.byKey.values()][0]!.totals(),
      bounds[0] < 0 ? [1, 0, -3] : [2, 2, 2],
      bounds.join(),
    );
  }
});
