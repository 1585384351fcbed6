// The timings of all relayed histograms of a batch, up to a limit.

import type { HistogramGrowth, Sample } from '../../../core/contract/index.js';
import { spread } from './spread.js';

/** What is sent of a histogram. */
export interface SpreadHistogram {
  readonly sample: Sample;
  /** How many timings are sent. */
  readonly size: number;
  /** One of them, in the unit on the wire. */
  readonly valueAt: (index: number) => number;
  /** How many of its observations are not sent because of the limit. */
  readonly excess: number;
  /** How many are not sent because StatsD cannot represent them. */
  readonly invalid: number;
}

/**
 * Spreads the histograms of a batch.
 *
 * @param factor see {@link spread}
 * @param limit how many timings are sent in all
 */
export function* spreadHistograms(
  histograms: readonly HistogramGrowth[],
  factor: number,
  limit: number,
): Generator<SpreadHistogram> {
  let left = limit;
  for (const histogram of histograms) {
    const { count, sum } = histogram;
    const sample = { ...histogram, value: sum };
    const timingAt = spread(histogram, factor);
    if (timingAt === undefined) {
      yield { sample, size: 0, valueAt: () => 0, excess: 0, invalid: count };
      continue;
    }
    const size = Math.min(count, left);
    left -= size;
    // Of too many timings, some from all parts of the distribution.
    const valueAt = (index: number): number =>
      timingAt(size === count ? index : Math.floor((index * count) / size));
    yield { sample, size, valueAt, excess: count - size, invalid: 0 };
  }
}
