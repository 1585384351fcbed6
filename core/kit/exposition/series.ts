// Collects the values of one series while its lines are read.

import type { Labels, SourceHistogram, SourceSeries, SourceSummary } from '../../contract/index.js';
import { invalid } from './scan.js';

/** The part of a series in a line. */
export type LinePart = 'value' | 'bucket' | 'quantile' | 'sum' | 'count';

/** A series of a family. It is kept from one reading to the next, so that its labels and bounds are the same objects. */
export interface KnownSeries {
  readonly labels: Labels;
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

/** @throws SourceError for a duplicate line */
export function addValue(values: DistributionValues, part: LinePart, bound: number, value: number): void {
  if (part === 'sum' || part === 'count') {
    if (values[part] !== undefined) throw invalid(`duplicate _${part}`);
    values[part] = value;
  } else {
    values.bounds.push(bound);
    values.counts.push(value);
  }
}

/**
 * @param name of the family, for messages
 * @throws SourceError when the values do not form a histogram
 */
export function toHistogram(name: string, values: DistributionValues): SourceHistogram {
  const { bounds, counts, sum, count } = sorted(name, values, 'le');
  if (bounds.at(-1) !== Infinity) throw invalid(`a histogram of ${name} has no bucket with le="+Inf"`);
  let least = 0;
  for (const each of counts) {
    if (!Number.isSafeInteger(each) || each < least)
      throw invalid(`the counts of a histogram of ${name} are not ascending integers`);
    least = each;
  }
  if (count !== counts.at(-1)) throw invalid(`${name}_count differs from the last bucket`);
  return { bounds, counts, sum, count };
}

/**
 * @param name of the family, for messages
 * @throws SourceError when the values do not form a summary
 */
export function toSummary(name: string, values: DistributionValues): SourceSummary {
  const { bounds, counts, sum, count } = sorted(name, values, 'quantile');
  if (!bounds.every((bound) => bound >= 0 && bound <= 1))
    throw invalid(`a quantile of ${name} is not a number from 0 to 1`);
  return { quantiles: bounds, values: counts, sum, count };
}

interface Distribution {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

function sorted(
  name: string,
  { series, bounds, counts, sum, count }: DistributionValues,
  label: string,
): Distribution {
  if (sum === undefined || count === undefined)
    throw invalid(`a series has no ${name}_${sum === undefined ? 'sum' : 'count'}`);
  if (hasSameBounds(series.bounds, bounds)) return { bounds: series.bounds, counts, sum, count };
  const pairs = bounds.map((bound, index) => [bound, counts[index] ?? 0] as const);
  pairs.sort(([first], [second]) => (first < second ? -1 : 1));
  series.bounds = pairs.map(([bound]) => bound);
  if (series.bounds.some((bound, index) => bound === series.bounds[index + 1]))
    throw invalid(`duplicate ${label} in a series of ${name}`);
  return { bounds: series.bounds, counts: pairs.map(([, value]) => value), sum, count };
}

/** The bounds of the last reading are in ascending order. */
function hasSameBounds(last: readonly number[], bounds: readonly number[]): boolean {
  if (last.length !== bounds.length) return false;
  for (let index = 0; index < last.length; index += 1) if (last[index] !== bounds[index]) return false;
  return true;
}
