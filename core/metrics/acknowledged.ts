// The totals of counters and histograms that a push sink has accepted.

/** A batch that was offered to a sink. */
export interface OfferedBatch {
  isAccepted: boolean;
}

/** One series: a number for a counter, several for a histogram. */
interface SeriesTotals<Total> {
  /** The total before the growth in `batch`. */
  value: Total;
  /** The total with the growth in `batch`; it becomes the acknowledged total when that batch is accepted. */
  offered: Total;
  batch: OfferedBatch;
}

/** The acknowledged totals of all series. A series is identified by an object that is the same in every batch. */
export class Acknowledged {
  /** For the counters of the agent; their series are never removed. */
  readonly #own = new Map<string, object>();
  // Weak, because sources can drop series.
  readonly #counters = new WeakMap<object, SeriesTotals<number>>();
  readonly #histograms = new WeakMap<object, SeriesTotals<readonly number[]>>();

  /** The object for a series that only has a key. */
  series(key: string): object {
    const series = this.#own.get(key) ?? {};
    this.#own.set(key, series);
    return series;
  }

  /** The growth of a counter since the last accepted batch, rounded to six decimals; it is recorded as offered in this batch. */
  growth(series: object, total: number, batch: OfferedBatch): number {
    const entry = this.#counters.get(series);
    const before = acknowledged(entry) ?? 0;
    const growth = rounded(total - before);
    // Also true for NaN: a counter that overflowed is infinite.
    if (!(growth > 0)) return 0;
    offer(this.#counters, series, entry, before, before + growth, batch);
    return growth;
  }

  /**
   * The growth of a histogram since the last accepted batch; it is recorded as offered in this batch.
   *
   * @param totals the number of observations in each bucket, then the sum
   * @returns the growth of each number; the sum is rounded to six decimals. Undefined if there were no observations
   */
  histogramGrowth(
    series: object,
    totals: readonly number[],
    batch: OfferedBatch,
  ): readonly number[] | undefined {
    const entry = this.#histograms.get(series);
    const before = acknowledged(entry);
    const growth = totals.map((total, index) => total - (before?.[index] ?? 0));
    const last = growth.length - 1;
    growth[last] = rounded(growth[last] as number);
    if (!growth.some((number, index) => index < last && number > 0)) return undefined;
    const offered = growth.map((number, index) => (before?.[index] ?? 0) + number);
    offer(this.#histograms, series, entry, before ?? NONE, offered, batch);
    return growth;
  }
}

const NONE: readonly number[] = [];

/** The total that the sink has accepted. */
function acknowledged<Total>(entry: SeriesTotals<Total> | undefined): Total | undefined {
  if (entry?.batch.isAccepted === true) entry.value = entry.offered;
  return entry?.value;
}

function offer<Total>(
  entries: WeakMap<object, SeriesTotals<Total>>,
  series: object,
  entry: SeriesTotals<Total> | undefined,
  value: Total,
  offered: Total,
  batch: OfferedBatch,
): void {
  if (entry === undefined) entries.set(series, { value, offered, batch });
  else {
    entry.offered = offered;
    entry.batch = batch;
  }
}

/** Sinks write six decimals. Smaller growth is kept for a later batch; otherwise every batch would round it to zero. */
const RESOLUTION = 1e6;

function rounded(growth: number): number {
  const scaled = growth * RESOLUTION;
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / RESOLUTION : growth;
}
