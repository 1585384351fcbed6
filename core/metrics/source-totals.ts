// The growth of all counters and histograms of one source since the agent reads it, over all restarts of its process.

import type {
  FamilyParts,
  Labels,
  SourceFamily,
  SourceHistogram,
  SourceReading,
  SourceSeries,
} from '../contract/index.js';
import { createSeriesKey } from '../contract/instruments.js';

/** How many series of one source are kept for sinks that do not accept their growth; above it, series that are no longer read are dropped. */
const MAX_KEPT_SERIES = 100_000;
/** How many series are kept in any case, even if they are no longer read and all sinks have accepted their growth. */
const MIN_KEPT_SERIES = 1_000;

/**
 * How exact a start time is, in seconds: it is derived from the boot time of the system, which is whole seconds and changes by one when
 * the clock is adjusted.
 */
const START_TIME_TOLERANCE = 1.5;

/** Whether two start times, in seconds since the epoch, belong to different processes; false if one is unknown. */
export const isOtherStart = (before: number | undefined, now: number | undefined): boolean =>
  before !== undefined && now !== undefined && Math.abs(now - before) > START_TIME_TOLERANCE;

/** The counters or histograms of one family. */
export interface RelayedFamily {
  readonly type: 'counter' | 'histogram';
  parts: FamilyParts;
  /** By {@link createSeriesKey} and bounds, including series that are no longer read: a sink may not have accepted their growth. */
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
  /** The sinks that get growth, each with the last reading of which it has accepted everything. */
  readonly #sinks = new Map<object, number>();

  /** @param agentStart when the agent started, in seconds since the epoch */
  constructor(agentStart: number) {
    this.#agentStart = agentStart;
  }

  /** The families that had counters or histograms in any reading. */
  families(): Iterable<RelayedFamily> {
    return this.#families.values();
  }

  /** How many readings were recorded: what a sink takes now contains all growth up to the last one. */
  get readings(): number {
    return this.#readings;
  }

  /** From now on, series that are no longer read are kept until this sink has accepted their growth. */
  addSink(sink: object): void {
    this.#sinks.set(sink, this.#readings);
  }

  /** A sink has accepted all growth up to a reading. */
  accept(sink: object, reading: number): void {
    if (this.#sinks.has(sink)) this.#sinks.set(sink, reading);
  }

  /** The sink takes no more growth. */
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
        // A series that was gone and begins again at zero is not a restart of the process.
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
   * Drops series that are no longer read, the first ones first. Of those whose growth all sinks have accepted, as many are kept as are
   * read, since one that comes back goes on where it was.
   *
   * @param read how many series were read
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

/** The key of a histogram includes its bounds: with other bounds, the counts cannot be compared. */
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
 * A relayed counter or histogram. Its numbers are those that only grow: of a counter its value; of a histogram the number of
 * observations in each bucket, without the observations in lower buckets, then the sum.
 */
export class RelayedSeries {
  labels: Labels;
  /** The bounds of a histogram; undefined for a counter. */
  readonly bounds: readonly number[] | undefined;
  /** The number of the last reading that contained the series. */
  seenIn = 0;
  /** What its total has in addition to the last values: the growth in earlier processes, less the baseline. */
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

  /** The growth of one of its numbers since the first reading. It never falls. */
  total(index: number): number {
    return (this.#offsets?.[index] ?? 0) + (this.#last?.[index] ?? 0);
  }

  /** The growth of all its numbers; none while it had no finite value. */
  totals(): number[] {
    return (this.#last ?? []).map((_, index) => this.total(index));
  }

  /** Whether a number is less than before, which means that the process has restarted. */
  isBelowLast(value: RelayedValue): boolean {
    const last = this.#last;
    if (last === undefined || !isAllFinite(value)) return false;
    // The sum of a histogram for negative observations can fall.
    const size = (this.bounds?.[0] ?? 0) < 0 ? last.length - 1 : last.length;
    for (let index = 0; index < size; index += 1)
      if (numberAt(value, index) < (last[index] as number)) return true;
    return false;
  }

  /** The process has restarted: the next values are growth in full. */
  restart(): void {
    this.#startsAtZero = true;
    if (this.#last === undefined) return;
    this.#offsets = this.totals();
    this.#last.fill(0);
  }

  /** Records the value of a reading. One that is not finite is ignored, and the growth over it is part of the next finite one. */
  record(value: RelayedValue): void {
    if (!isAllFinite(value)) return;
    // Each array is created once: those that live until the next reading cost the garbage collector most.
    this.#last ??= Array.from({ length: sizeOf(value) }, () => 0);
    const last = this.#last;
    for (let index = 0; index < last.length; index += 1) last[index] = numberAt(value, index);
    this.#offsets ??= last.map((number) => (this.#startsAtZero ? 0 : -number));
  }
}

/** How many numbers a value has, see {@link RelayedSeries}. */
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
