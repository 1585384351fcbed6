// Collects the values of one series while its lines are read.

import type { Labels } from '../../contract/index.js';
import type { SourceHistogram, SourceSeries, SourceSummary } from '../../contract/metric-source.js';

/** The part of a series in a line. */
export type LinePart = 'value' | 'bucket' | 'quantile' | 'sum' | 'count';

/** A series of a family. It is kept from one reading to the next, so that its labels and bounds are the same objects. */
export interface KnownSeries {
  readonly labels: Labels;
  /** Whether its lines do not form a histogram or summary, because its `_sum` or `_count` has the label of a bucket or quantile. */
  readonly isIrregular: boolean;
  /** The last reading in which it appeared. */
  reading: number;
  /** The series in the last reading, which the next one shares if its value is the same; undefined for a histogram or summary. */
  last: SourceSeries | undefined;
  /** Bounds of buckets, or quantiles, in the last reading. */
  bounds: readonly number[];
  /** The values in this reading. */
  values: DistributionValues | undefined;
}

/** The lines of one histogram or summary. */
export interface DistributionValues {
  readonly series: KnownSeries;
  readonly bounds: number[];
  readonly counts: number[];
  sum: number | undefined;
  count: number | undefined;
}

/** Adds the value of a line. Returns false for a second `_sum` or `_count`. */
export function addValue(values: DistributionValues, part: LinePart, bound: number, value: number): boolean {
  if (part === 'sum' || part === 'count') {
    if (values[part] !== undefined) return false;
    values[part] = value;
  } else {
    values.bounds.push(bound);
    values.counts.push(value);
  }
  return true;
}

/** A histogram; undefined if the values do not form one. The bucket of +Inf and the count are the same number, so one of them is enough. */
export function toHistogram(values: DistributionValues): SourceHistogram | undefined {
  const { bounds, counts, sum } = values;
  const { count = counts[bounds.indexOf(Infinity)] } = values;
  if (count !== undefined && bounds.at(-1) !== Infinity && !bounds.includes(Infinity)) {
    bounds.push(Infinity);
    counts.push(count);
  }
  const sorted = sortByBound(values);
  if (sorted === undefined || sum === undefined || count === undefined) return undefined;
  let least = 0;
  for (const each of sorted.counts) {
    if (!Number.isSafeInteger(each) || each < least) return undefined;
    least = each;
  }
  return count === least ? { bounds: sorted.bounds, counts: sorted.counts, sum, count } : undefined;
}

/** A summary; undefined if the values do not form one. */
export function toSummary(values: DistributionValues): SourceSummary | undefined {
  const { sum, count } = values;
  const sorted = sortByBound(values);
  if (sorted === undefined || sum === undefined || count === undefined) return undefined;
  if (!sorted.bounds.every((quantile) => quantile >= 0 && quantile <= 1)) return undefined;
  return { quantiles: sorted.bounds, values: sorted.counts, sum, count };
}

interface Sorted {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** The values in the order of their bounds; undefined if a bound is missing, duplicate or not a number. */
function sortByBound({ series, bounds, counts }: DistributionValues): Sorted | undefined {
  if (series.isIrregular) return undefined;
  if (hasSameBounds(series.bounds, bounds)) return { bounds: series.bounds, counts };
  const pairs = bounds.map((bound, index) => [bound, counts[index] ?? 0] as const);
  pairs.sort(([first], [second]) => (first < second ? -1 : 1));
  const sorted = pairs.map(([bound]) => bound);
  if (sorted.some((bound, index) => Number.isNaN(bound) || bound === sorted[index + 1])) return undefined;
  series.bounds = sorted;
  return { bounds: sorted, counts: pairs.map(([, value]) => value) };
}

/** The bounds of the last reading are in ascending order. */
function hasSameBounds(last: readonly number[], bounds: readonly number[]): boolean {
  if (last.length !== bounds.length) return false;
  for (let index = 0; index < last.length; index += 1) if (last[index] !== bounds[index]) return false;
  return true;
}
