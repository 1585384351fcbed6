// Turns the growth of a relayed histogram into timings: one for each observation, each inside its bucket, with exactly the same sum.

import type { HistogramGrowth } from '../../../core/contract/index.js';

/** The decimals of a line. Timings are spread in whole units of the last one, so that they add up exactly. */
const UNITS = 1e6;

/** The largest sum in units: a larger number with six decimals is not exact. */
const MAX_SUM = 2 ** 52;

/** The observations of one bucket, in units. */
interface Bucket {
  readonly count: number;
  readonly lowest: number;
  /** Infinity for the last bucket. */
  readonly highest: number;
}

/** Returns one of the timings, which ascend by bucket, in the unit on the wire. It is called with ascending indexes. */
type TimingAt = (index: number) => number;

/**
 * Spreads observations evenly inside their buckets, shifted so that their sum is the sum of the histogram. If no values inside the buckets
 * have this sum, they are as close to their buckets as possible.
 *
 * @param factor the number of units on the wire in one unit of the histogram: 1000 for milliseconds
 * @returns undefined when the sum is negative, which timings cannot have
 */
export function spread(growth: HistogramGrowth, factor: number): TimingAt | undefined {
  const sumOnWire = growth.sum * factor;
  if (!(sumOnWire >= 0)) return undefined;
  let scale = UNITS;
  while (sumOnWire * scale > MAX_SUM) scale /= 10;
  const sum = Math.round(sumOnWire * scale);
  const buckets = bucketsOf(growth, factor * scale);
  const sums = bucketSums(buckets, sum);
  let bucket = 0;
  let first = 0;
  return (index) => {
    while (index >= first + (buckets[bucket] as Bucket).count) {
      first += (buckets[bucket] as Bucket).count;
      bucket += 1;
    }
    return inBucket(buckets[bucket] as Bucket, sums[bucket] as number, index - first) / scale;
  };
}

function bucketsOf({ bounds, counts }: HistogramGrowth, scale: number): Bucket[] {
  const buckets: Bucket[] = [];
  for (const [index, bound] of bounds.entries()) {
    const count = counts[index] ?? 0;
    if (count === 0) continue;
    const highest = wholeUnits(bound * scale);
    const below = index === 0 ? -1 : wholeUnits((bounds[index - 1] as number) * scale);
    buckets.push({ count, lowest: Math.min(Math.max(0, below + 1), highest), highest });
  }
  return buckets;
}

/** The largest integer that is not above a product; the rounding error of the product is removed first. */
function wholeUnits(product: number): number {
  return Number.isFinite(product) ? Math.floor(Number(product.toPrecision(15))) : product;
}

/** The sum of each bucket, in whole units; together they are the sum. */
function bucketSums(buckets: readonly Bucket[], sum: number): number[] {
  const means = meansOf(buckets, sum);
  let before = 0;
  let exact = 0;
  return buckets.map(({ count }, index) => {
    exact += count * (means[index] as number);
    const upTo = index === buckets.length - 1 ? sum : Math.round(exact);
    const own = upTo - before;
    before = upTo;
    return own;
  });
}

/** The mean of each bucket: between its bounds where the sum allows it. */
function meansOf(buckets: readonly Bucket[], sum: number): number[] {
  const total = (valueOf: (bucket: Bucket) => number): number =>
    buckets.reduce((before, bucket) => before + bucket.count * valueOf(bucket), 0);
  const lowest = total((bucket) => bucket.lowest);
  if (sum <= lowest) return buckets.map((bucket) => (lowest === 0 ? 0 : bucket.lowest * (sum / lowest)));

  const last = buckets.at(-1);
  if (last?.highest === Infinity) {
    // The last bucket gets the rest of the sum, as long as its mean is inside the bucket.
    const others = buckets.slice(0, -1);
    const middles = others.map(middleOf);
    const rest =
      sum - others.reduce((before, { count }, index) => before + count * (middles[index] as number), 0);
    if (rest >= last.count * last.lowest) return [...middles, rest / last.count];
    const left = sum - last.count * last.lowest;
    return [...meansOf(others, left), last.lowest];
  }
  const highest = total((bucket) => bucket.highest);
  if (sum >= highest) return buckets.map((bucket) => bucket.highest * (sum / highest));
  const share = (sum - lowest) / (highest - lowest);
  return buckets.map((bucket) => bucket.lowest + share * (bucket.highest - bucket.lowest));
}

function middleOf({ lowest, highest }: Bucket): number {
  return (lowest + highest) / 2;
}

/**
 * One of the values of a bucket. They are distributed evenly around their mean, inside the bucket on both sides. Each is a difference of
 * two rounded partial sums, so that they add up exactly and none of them is outside the bucket.
 */
function inBucket({ count, lowest, highest }: Bucket, sum: number, index: number): number {
  const mean = sum / count;
  const reach = Math.max(0, Math.min(mean - lowest, highest - mean));
  const upTo = (values: number): number =>
    values === count ? sum : Math.round(values * (mean - reach) + (values / count) * values * reach);
  return upTo(index + 1) - upTo(index);
}
