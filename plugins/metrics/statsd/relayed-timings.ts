// Turns the relayed histograms of a batch into timings, up to a limit.

import type { HistogramGrowth, Sample } from '../../../core/contract/index.js';
import { spread } from './spread.js';

/** The timings of a histogram. */
interface SpreadHistogram {
  readonly sample: Sample;
  /** The number of timings to send. */
  readonly size: number;
  /** The value of a timing, in the unit on the wire. */
  readonly valueAt: (index: number) => number;
  /** The number of observations that are not sent because of the limit. */
  readonly excess: number;
  /** The number of observations that are not sent because StatsD cannot represent them. */
  readonly invalid: number;
}

/**
 * Spreads the histograms of a batch.
 *
 * @param factor see {@link spread}
 * @param limit most timings of all histograms together
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
    // Above the limit, the timings are taken evenly from the whole distribution.
    const valueAt = (index: number): number =>
      timingAt(size === count ? index : Math.floor((index * count) / size));
    yield { sample, size, valueAt, excess: count - size, invalid: 0 };
  }
}
