// The histograms of the agent in a batch of totals.

import type { FamilySnapshot, HistogramGrowth, SampleFamily, SeriesValue } from '../contract/index.js';

/** The values of one histogram series that were read so far. */
interface Reading {
  readonly bounds: number[];
  readonly counts: number[];
  /** The number of observations up to the last bound. */
  below: number;
  sum: number;
}

/** Adds the histograms of a slice. Their values follow each other: the buckets in ascending order, then sum and count. */
export function addOwnHistograms(
  histograms: HistogramGrowth[],
  { name, parts }: FamilySnapshot,
  slice: readonly SeriesValue[],
  family: SampleFamily,
): void {
  const { namespace, subsystem, name: lastPart } = parts;
  let reading = emptyReading();
  for (const { labels, sharedLabels = {}, metricName, value } of slice) {
    if (metricName === `${name}_bucket`) addBucket(reading, labels.le, value);
    else if (metricName === `${name}_sum`) reading.sum = value;
    else {
      const { bounds, counts, sum } = reading;
      histograms.push({
        namespace,
        subsystem,
        name: lastPart,
        labels: sharedLabels,
        bounds,
        counts,
        sum,
        count: value,
        family,
      });
      reading = emptyReading();
    }
  }
}

function emptyReading(): Reading {
  return { bounds: [], counts: [], below: 0, sum: 0 };
}

function addBucket(reading: Reading, bound: unknown, upTo: number): void {
  reading.bounds.push(bound === '+Inf' ? Infinity : Number(bound));
  reading.counts.push(upTo - reading.below);
  reading.below = upTo;
}
