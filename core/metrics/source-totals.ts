// The growth of all counters and histograms of one source since the agent reads it, over all restarts of its process.

import type { Labels, SourceFamily, SourceReading } from '../contract/index.js';
import type { FamilyParts } from '../contract/metric-sink.js';
import type { SourceHistogram, SourceSeries } from '../contract/metric-source.js';
import { createSeriesKey } from '../contract/instruments.js';

/** Maximum number of series of one source that are kept until sinks accept their growth; beyond it, series that have disappeared are dropped. */
const MAX_KEPT_SERIES = 100_000;
/** Number of series that are always kept, even if they have disappeared and all sinks have accepted their growth. */
const MIN_KEPT_SERIES = 1_000;

/**
 * Tolerance of a start time, in seconds: it is derived from the boot time of the system, which is in whole seconds and changes by one when
 * the clock is adjusted.
 */
const START_TIME_TOLERANCE = 1.5;

/** Returns true if two start times, in seconds since the epoch, belong to different processes; false if one is unknown. */
export const isOtherStart = (before: number | undefined, now: number | undefined): boolean =>
  before !== undefined && now !== undefined && Math.abs(now - before) > START_TIME_TOLERANCE;

/** The counters or histograms of one family. */
interface RelayedFamily {
  readonly type: 'counter' | 'histogram';
  parts: FamilyParts;
  /** By {@link createSeriesKey} and bounds; includes series that have disappeared, because a sink may not have accepted their growth. */
  readonly byKey: Map<string, RelayedSeries>;
  readonly keyOf: (series: SourceSeries) => string;
}

type CountedFamily = SourceFamily & { readonly type: RelayedFamily['type'] };

/** The totals of one source over all restarts of its process. */
export class SourceTotals {
  readonly #agentStart: number;
  readonly #families = new Map<string, RelayedFamily>();
  #startTime: number | undefined;
  #readings = 0;
  #kept = 0;
  /** The sinks that get growth, with the number of the last reading that each has accepted completely. */
  readonly #sinks = new Map<object, number>();

  /** @param agentStart when the agent started, in seconds since the epoch */
  constructor(agentStart: number) {
    this.#agentStart = agentStart;
  }

  /** The families that had counters or histograms in any reading. */
  families(): Iterable<RelayedFamily> {
    return this.#families.values();
  }

  /** The number of recorded readings: a batch that is taken now contains all growth up to the last one. */
  get readings(): number {
    return this.#readings;
  }

  /** Adds a sink: series that disappear are kept until it has accepted their growth. */
  addSink(sink: object): void {
    this.#sinks.set(sink, this.#readings);
  }

  /** Records that a sink has accepted all growth up to a reading. */
  accept(sink: object, reading: number): void {
    if (this.#sinks.has(sink)) this.#sinks.set(sink, reading);
  }

  /** Removes a sink, which takes no more growth. */
  removeSink(sink: object): void {
    this.#sinks.delete(sink);
  }

  /** Records a valid reading. */
  record({ startTime, families }: SourceReading): void {
    this.#readings += 1;
    const isNewProcess = startTime !== undefined && startTime > this.#agentStart - START_TIME_TOLERANCE;
    const isBaseline = this.#readings === 1 && !isNewProcess;
    let hasRestarted = isOtherStart(this.#startTime, startTime);
    const read: (readonly [RelayedSeries, RelayedValue])[] = [];
    for (const family of families.filter(isCounted)) {
      const relayed = this.#familyOf(family);
      for (const each of family.series) {
        const series = this.#seriesOf(relayed, each, isBaseline);
        const value = each.value as RelayedValue;
        // If only this series disappeared and begins again at zero, the process has not restarted.
        if (series.isBelowLast(value)) {
          if (series.seenIn === this.#readings - 1) hasRestarted = true;
          else series.restart();
        }
        series.seenIn = this.#readings;
        read.push([series, value]);
      }
    }
    if (hasRestarted)
      for (const { byKey } of this.#families.values()) for (const series of byKey.values()) series.restart();
    for (const [series, value] of read) series.record(value);
    this.#startTime = startTime ?? this.#startTime;
    this.#dropGone(read.length);
  }

  /** Finds a series by its labels, or adds it. */
  #seriesOf({ byKey, keyOf }: RelayedFamily, series: SourceSeries, isBaseline: boolean): RelayedSeries {
    const key = keyOf(series);
    const existing = byKey.get(key);
    if (existing !== undefined) {
      existing.labels = series.labels;
      return existing;
    }
    const added = new RelayedSeries(series.labels, boundsOf(series), !isBaseline);
    byKey.set(key, added);
    this.#kept += 1;
    return added;
  }

  #familyOf({ name, type, parts }: CountedFamily): RelayedFamily {
    const key = `${type} ${name}`;
    const family = this.#families.get(key) ?? { type, parts, byKey: new Map(), keyOf: createKey() };
    family.parts = parts;
    this.#families.set(key, family);
    return family;
  }

  /**
   * Drops series that have disappeared, in the order in which they were added. Even if all sinks have accepted their growth, up to as many
   * are kept as were read, because a series that returns continues at its former value.
   *
   * @param read the number of series in the reading
   */
  #dropGone(read: number): void {
    const accepted = Math.min(...this.#sinks.values());
    const most = Math.max(2 * read, MIN_KEPT_SERIES);
    for (const [name, { byKey }] of this.#families) {
      for (const [key, { seenIn }] of byKey) {
        if (this.#kept <= most) return;
        const isDropped =
          seenIn < this.#readings && (seenIn <= accepted || this.#kept > Math.max(most, MAX_KEPT_SERIES));
        if (!isDropped) continue;
        byKey.delete(key);
        this.#kept -= 1;
      }
      if (byKey.size === 0) this.#families.delete(name);
    }
  }
}

function isCounted(family: SourceFamily): family is CountedFamily {
  return family.type === 'counter' || family.type === 'histogram';
}

function boundsOf({ value }: SourceSeries): readonly number[] | undefined {
  return typeof value === 'object' && 'bounds' in value ? value.bounds : undefined;
}

/** Creates a key function. The key of a histogram includes its bounds, because counts for other bounds cannot be compared. */
function createKey(): (series: SourceSeries) => string {
  const keyOf = createSeriesKey();
  let bounds: readonly number[] | undefined;
  let text = '';
  return (series) => {
    const current = boundsOf(series);
    if (current !== bounds) [bounds, text] = [current, current?.join(' ') ?? ''];
    return keyOf(series.labels) + text;
  };
}

/** The value of a counter or histogram in a reading. */
type RelayedValue = number | SourceHistogram;

/**
 * A relayed counter or histogram. Its numbers only grow: the value of a counter; for a histogram the number of
 * observations in each bucket, without the observations in lower buckets, then the sum.
 */
class RelayedSeries {
  labels: Labels;
  /** The bounds of a histogram; undefined for a counter. */
  readonly bounds: readonly number[] | undefined;
  /** The number of the last reading that contained the series. */
  seenIn = 0;
  /** The difference between its totals and the last values: the growth in earlier processes, minus the baseline. */
  #offsets: number[] | undefined;
  #last: number[] | undefined;
  /** Whether its first values are growth, not a baseline. */
  #startsAtZero: boolean;

  /** @param startsAtZero whether its first values are growth */
  constructor(labels: Labels, bounds: readonly number[] | undefined, startsAtZero: boolean) {
    this.labels = labels;
    this.bounds = bounds;
    this.#startsAtZero = startsAtZero;
  }

  /** The growth of one of its numbers since the first reading. It never decreases. */
  total(index: number): number {
    return (this.#offsets?.[index] ?? 0) + (this.#last?.[index] ?? 0);
  }

  /** The growth of all its numbers; empty before its first finite value. */
  totals(): number[] {
    return (this.#last ?? []).map((_, index) => this.total(index));
  }

  /** Returns true if a number is less than before, which means that the process has restarted. */
  isBelowLast(value: RelayedValue): boolean {
    const last = this.#last;
    if (last === undefined || !isAllFinite(value)) return false;
    // The sum of a histogram with negative observations can decrease.
    const size = (this.bounds?.[0] ?? 0) < 0 ? last.length - 1 : last.length;
    for (let index = 0; index < size; index += 1)
      if (numberAt(value, index) < (last[index] as number)) return true;
    return false;
  }

  /** Called after a restart of the process: the next values are completely growth. */
  restart(): void {
    this.#startsAtZero = true;
    if (this.#last === undefined) return;
    this.#offsets = this.totals();
    this.#last.fill(0);
  }

  /** Records the value of a reading. Values that are not finite are ignored; their growth is part of the next finite value. */
  record(value: RelayedValue): void {
    if (!isAllFinite(value)) return;
    // Reuses the array: arrays that are kept until the next reading are the most expensive for the garbage collector.
    this.#last ??= Array.from({ length: sizeOf(value) }, () => 0);
    const last = this.#last;
    for (let index = 0; index < last.length; index += 1) last[index] = numberAt(value, index);
    this.#offsets ??= last.map((number) => (this.#startsAtZero ? 0 : -number));
  }
}

/** The number of numbers of a value, see {@link RelayedSeries}. */
function sizeOf(value: RelayedValue): number {
  return typeof value === 'number' ? 1 : value.counts.length + 1;
}

function numberAt(value: RelayedValue, index: number): number {
  if (typeof value === 'number') return value;
  const { counts, sum } = value;
  const count = counts[index];
  return count === undefined ? sum : count - (counts[index - 1] ?? 0);
}

function isAllFinite(value: RelayedValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return Number.isFinite(value.sum) && value.counts.every(Number.isFinite);
}
