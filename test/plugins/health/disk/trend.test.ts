import test from 'ava';
import { Trend } from '../../../../plugins/health/disk/trend.js';

const HOUR = 3_600_000;
const GIB = 2 ** 30;
const PERIODS = { longest: 24 * HOUR, shortest: HOUR };

/** The growth in GiB per hour after checks in each minute of so many hours, with this use in GiB. */
function growthAfter(hours: number, usedAt: (hour: number) => number, periods = PERIODS): number | undefined {
  const trend = new Trend(periods);
  for (let minute = 0; minute <= hours * 60; minute += 1)
    trend.record(usedAt(minute / 60) * GIB, minute * 60_000);
  return trend.growth === undefined ? undefined : (trend.growth * HOUR) / GIB;
}

/** To a precision of a millionth. */
const rounded = (value: number | undefined): number | undefined => value && Number(value.toFixed(6));

test('the growth is unknown before an hour has passed', (t) => {
  t.is(
    growthAfter(59 / 60, (hour) => hour),
    undefined,
  );
});

const CASES: readonly (readonly [
  title: string,
  hours: number,
  use: (hour: number) => number,
  growth: number,
])[] = [
  ['3 GiB an hour, for an hour', 1, (hour) => 3 * hour, 3],
  ['3 GiB an hour, for a week', 168, (hour) => 3 * hour, 3],
  ['nothing, for a day', 24, () => 5, 0],
  ['10 GiB within a quarter of the only hour', 1, (hour) => (hour > 0.6 ? 10 : 0), 0],
  ['10 GiB within 10 minutes, over the end of a quarter', 1, (hour) => clamp(hour - 0.42, 1 / 6) * 60, 0],
  ['10 GiB once in a day', 24, (hour) => (hour > 22 ? 10 : 0), 0],
  ['3 GiB an hour, until 6 hours ago', 24, (hour) => 3 * Math.min(hour, 18), 0],
  ['less by 1 GiB an hour', 24, (hour) => 100 - hour, -1],
];
const clamp = (value: number, maximum: number): number => Math.min(Math.max(value, 0), maximum);

for (const [title, hours, use, growth] of CASES)
  test(`used space that grows by ${title} has a growth of ${growth} GiB an hour`, (t) => {
    t.is(rounded(growthAfter(hours, use)), growth);
  });

test('growth that begins after a quiet time counts more the longer it lasts', (t) => {
  const after = (hours: number): number =>
    growthAfter(48 + hours, (hour) => 12 * Math.max(hour - 48, 0)) ?? NaN;
  // A horizon of three times the longest period needs a third of the time until it is full.
  const shares = [1, 4, 8, 24].map((hours) => after(hours) / 12);
  t.true(shares[0]! < shares[1]! && shares[1]! < shares[2]! && shares[2]! < shares[3]!, shares.join());
  t.true(Math.abs(shares[2]! - 1 / 3) < 0.05, shares.join());
  t.is(rounded(shares[3]), 1);
});

test('data that is written at once each hour is growth after a day', (t) => {
  const growth = growthAfter(24, (hour) => 3 * Math.floor(hour)) ?? NaN;
  t.true(growth > 2 && growth < 3, String(growth));
});

test('data that is written and removed each day is not growth', (t) => {
  const growth = growthAfter(96, (hour) => hour % 24) ?? NaN;
  t.true(growth < 0.1, String(growth));
});

test('late checks make intervals longer', (t) => {
  const trend = new Trend(PERIODS);
  for (const hour of [0, 1, 2, 5, 6]) trend.record(hour * GIB, hour * HOUR);
  t.is(rounded((trend.growth! * HOUR) / GIB), 1);
});

test('few checks in an hour are not enough', (t) => {
  const trend = new Trend(PERIODS);
  for (const hour of [0, 1, 2, 3]) trend.record(hour * GIB, hour * HOUR);
  t.is(trend.growth, undefined);
});

test('of a long period 672 samples are kept, and growth is unknown until there are five', (t) => {
  const periods = { longest: 672 * HOUR, shortest: HOUR };
  const constant = (hour: number): number => hour;
  t.is(growthAfter(239 / 60, constant, periods), undefined);
  t.is(rounded(growthAfter(4, constant, periods)), 1);
});

test('periods of equal length are enough', (t) => {
  t.is(rounded(growthAfter(3, (hour) => hour, { longest: HOUR, shortest: HOUR })), 1);
});
