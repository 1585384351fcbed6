/** Most samples: one for each quarter of an hour of a week. */
const MAX_SAMPLES = 672;
/** The number of intervals in the shortest period. */
const INTERVALS = 4;
/** The number of intervals with the fastest growth that are ignored: a burst of minutes can extend from one interval into the next. */
const BURST = 2;

/** The periods over which growth is measured, in milliseconds of the clock of {@link Trend.record}. */
interface TrendPeriods {
  /** Older samples are dropped. */
  readonly longest: number;
  /** The growth is unknown before this time. */
  readonly shortest: number;
}

interface Sample {
  readonly at: number;
  readonly used: number;
}

/**
 * How fast the used space of a file system grows, from samples at even intervals, four in the shortest period.
 *
 * The result is the smaller of two growths: over all samples, and over their last quarter, but at least the shortest period. So growth that
 * has ended soon stops counting, and new growth counts more the longer it lasts. Each of the two ignores the two intervals with the fastest
 * growth: data that is written once, within minutes, is not growth.
 */
export class Trend {
  readonly #periods: TrendPeriods;
  readonly #interval: number;
  #samples: Sample[] = [];
  #growth: number | undefined;

  constructor(periods: TrendPeriods) {
    this.#periods = periods;
    this.#interval = Math.max(periods.shortest / INTERVALS, periods.longest / MAX_SAMPLES);
  }

  /** In bytes per millisecond, negative if space becomes free; undefined: not known yet. */
  get growth(): number | undefined {
    return this.#growth;
  }

  /**
   * Records the used space, if the last sample is old enough.
   *
   * @param now milliseconds, from a clock that does not jump
   */
  record(used: number, now: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && now - last.at < this.#interval) return;
    this.#samples = since(now - this.#periods.longest, [...this.#samples, { at: now, used }]);
    const seen = now - this.#samples[0]!.at;
    // Late checks make the intervals longer and fewer.
    if (seen < this.#periods.shortest || this.#samples.length <= INTERVALS) return;
    const recent = since(now - Math.max(seen / 4, this.#periods.shortest), this.#samples);
    this.#growth = Math.min(growthOf(this.#samples), growthOf(recent));
  }
}

/** The samples of a period and the last sample before it, but at least the samples of four intervals. */
function since(start: number, samples: Sample[]): Sample[] {
  const first = samples.findLastIndex(({ at }) => at <= start);
  return samples.slice(Math.max(0, Math.min(first, samples.length - INTERVALS - 1)));
}

/** The growth over at least three samples, without the intervals with the fastest growth. */
function growthOf(samples: readonly Sample[]): number {
  const intervals = samples.slice(1).map(({ at, used }, index) => {
    const before = samples[index]!;
    return { time: at - before.at, grown: used - before.used };
  });
  const slowest = intervals.toSorted((a, b) => a.grown / a.time - b.grown / b.time).slice(0, -BURST);
  const sum = (key: 'time' | 'grown'): number => slowest.reduce((total, each) => total + each[key], 0);
  return sum('grown') / sum('time');
}
