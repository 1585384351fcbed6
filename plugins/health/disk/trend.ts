/** Most samples: a week of quarters of an hour. */
const MAX_SAMPLES = 672;
/** Into how many intervals the shortest period is divided. */
const INTERVALS = 4;
/** The intervals with the fastest growth that do not count: a burst of minutes can reach from one interval into the next. */
const BURST = 2;

/** Over which periods growth is measured, in milliseconds of the clock of {@link Trend.record}. */
export interface TrendPeriods {
  /** Older samples are forgotten. */
  readonly longest: number;
  /** No growth is known before so much has been seen. */
  readonly shortest: number;
}

interface Sample {
  readonly at: number;
  readonly used: number;
}

/**
 * How fast the used space of a file system grows, from samples at even intervals, four in the shortest period.
 *
 * The growth is the smaller one of two: that over everything seen, and that over the last quarter of it, at least the shortest period. So growth
 * that has ended does not count for long, and one that begins after a quiet time counts more the longer it lasts. Each is the growth
 * from the first to the last sample without the two intervals in which it was fastest: what is written once, within minutes, is not growth.
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

  /** In bytes by millisecond, negative when space becomes free; undefined: not known yet. */
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
    // Checks that are late make intervals longer, and fewer.
    if (seen < this.#periods.shortest || this.#samples.length <= INTERVALS) return;
    const recent = since(now - Math.max(seen / 4, this.#periods.shortest), this.#samples);
    this.#growth = Math.min(growthOf(this.#samples), growthOf(recent));
  }
}

/** The samples of a period, with the last one before its start, but at least the samples of four intervals. */
function since(start: number, samples: Sample[]): Sample[] {
  const first = samples.findLastIndex(({ at }) => at <= start);
  return samples.slice(Math.max(0, Math.min(first, samples.length - INTERVALS - 1)));
}

/** The growth over at least three samples, without the fastest intervals. */
function growthOf(samples: readonly Sample[]): number {
  const intervals = samples.slice(1).map(({ at, used }, index) => {
    const before = samples[index]!;
    return { time: at - before.at, grown: used - before.used };
  });
  const slowest = intervals.toSorted((a, b) => a.grown / a.time - b.grown / b.time).slice(0, -BURST);
  const sum = (key: 'time' | 'grown'): number => slowest.reduce((total, each) => total + each[key], 0);
  return sum('grown') / sum('time');
}
