// The growth of all counters and histograms of one source.

import {
  createYielder,
  type FamilyParts,
  type SourceFamily,
  type SourceReading,
  type SourceSeries,
} from '../contract/index.js';
import { createSeriesKey } from '../contract/instruments.js';
import { RelayedSeries, type RelayedValue } from './relayed-series.js';

/** How many series are handled between two reads of the clock. */
const SERIES_PER_CHECK = 256;

/** How many series of one source are kept for sinks that do not accept their growth; above it those that are no longer read are dropped. */
const MAX_KEPT_SERIES = 100_000;
/** How many series are kept in any case, also those that are no longer read and whose growth all sinks have accepted. */
const MIN_KEPT_SERIES = 1_000;

/**
 * How exact a start time is, in seconds: it is derived from the boot time of the system, which is whole seconds and changes by one when
 * the clock is adjusted.
 */
const START_TIME_TOLERANCE = 1.5;

/** Whether two start times, in seconds since the epoch, are those of different processes; false if one is unknown. */
export const isOtherStart = (before: number | undefined, now: number | undefined): boolean =>
  before !== undefined && now !== undefined && Math.abs(now - before) > START_TIME_TOLERANCE;

/** The counters or histograms of one family. */
export interface RelayedFamily {
  readonly type: 'counter' | 'histogram';
  parts: FamilyParts;
  /** The number of the last reading that contained the family. */
  seenIn: number;
  /** By {@link createSeriesKey} and bounds, also those that are no longer read: a sink may not have accepted their growth. */
  readonly byKey: Map<string, RelayedSeries>;
  readonly keyOf: (series: SourceSeries) => string;
  /** In the order of the last reading. */
  readonly inOrder: RelayedSeries[];
}

type CountedFamily = SourceFamily & { readonly type: RelayedFamily['type'] };

/** The totals of one source over all restarts of its process. */
export class SourceTotals {
  readonly #agentStart: number;
  readonly #families = new Map<string, RelayedFamily>();
  #startTime: number | undefined;
  #readings = 0;
  /** The number of the last reading that was recorded completely. */
  #recorded = 0;
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

  /** The number of the last reading that was recorded completely: what a sink takes now contains all growth up to it. */
  get recorded(): number {
    return this.#recorded;
  }

  /** From now on, series that are no longer read are kept until this sink has accepted their growth. */
  addSink(sink: object): void {
    this.#sinks.set(sink, this.#recorded);
  }

  /** A sink has accepted all growth up to a reading. */
  accept(sink: object, reading: number): void {
    if (this.#sinks.has(sink)) this.#sinks.set(sink, reading);
  }

  /** The sink takes no more growth. */
  removeSink(sink: object): void {
    this.#sinks.delete(sink);
  }

  /** Records a valid reading. Other code can run in between; the totals of a series change in one step. */
  async record({ startTime, families }: SourceReading): Promise<void> {
    const yieldIfDue = createYielder(SERIES_PER_CHECK);
    this.#readings += 1;
    const counted = families.filter(isCounted);
    let hasRestarted = isOtherStart(this.#startTime, startTime);
    const isYounger = startTime !== undefined && startTime > this.#agentStart - START_TIME_TOLERANCE;
    const isBaseline = this.#readings === 1 && !isYounger;
    for (const family of counted) {
      const relayed = this.#familyOf(family);
      relayed.parts = family.parts;
      relayed.seenIn = this.#readings;
      const { inOrder } = relayed;
      inOrder.length = Math.min(inOrder.length, family.series.length);
      // Not `entries()`, which creates an array for each series.
      for (let index = 0; index < family.series.length; index += 1) {
        const each = family.series[index] as SourceSeries;
        const series = align(inOrder[index], each) ?? this.#find(relayed, each, isBaseline);
        series.labels = each.labels;
        inOrder[index] = series;
        // A series that was gone and begins again at zero is not a restart of the process.
        if (series.isBelowLast(each.value as RelayedValue)) {
          if (series.seenIn === this.#readings - 1) hasRestarted = true;
          else series.restart();
        }
        series.seenIn = this.#readings;
        const nextTurn = yieldIfDue();
        if (nextTurn !== undefined) await nextTurn;
      }
    }
    if (hasRestarted)
      for (const { byKey } of this.#families.values()) for (const series of byKey.values()) series.restart();
    for (const family of counted) {
      const { inOrder } = this.#familyOf(family);
      for (let index = 0; index < family.series.length; index += 1) {
        inOrder[index]?.record(family.series[index]?.value as RelayedValue);
        const nextTurn = yieldIfDue();
        if (nextTurn !== undefined) await nextTurn;
      }
    }
    this.#startTime = startTime ?? this.#startTime;
    this.#recorded = this.#readings;
    await this.#dropGone(yieldIfDue);
  }

  /** Finds a series by its labels, or adds it. */
  #find({ byKey, keyOf }: RelayedFamily, series: SourceSeries, isBaseline: boolean): RelayedSeries {
    const key = keyOf(series);
    const existing = byKey.get(key);
    if (existing !== undefined) return existing;
    const added = new RelayedSeries(series.labels, boundsOf(series), !isBaseline);
    byKey.set(key, added);
    this.#kept += 1;
    return added;
  }

  #familyOf({ name, type, parts }: CountedFamily): RelayedFamily {
    const key = `${type} ${name}`;
    let family = this.#families.get(key);
    if (family === undefined) {
      family = { type, parts, seenIn: 0, byKey: new Map(), keyOf: createKey(), inOrder: [] };
      this.#families.set(key, family);
    }
    return family;
  }

  /**
   * Drops series that are no longer read, the first ones first. Of those whose growth all sinks have accepted, as many are kept as are
   * read, since one that comes back goes on where it was.
   */
  async #dropGone(yieldIfDue: () => Promise<void> | undefined): Promise<void> {
    const accepted = Math.min(...this.#sinks.values());
    let read = 0;
    for (const { seenIn, inOrder } of this.#families.values())
      if (seenIn === this.#readings) read += inOrder.length;
      else inOrder.length = 0;
    const most = Math.max(2 * read, MIN_KEPT_SERIES);
    for (const [name, family] of this.#families) {
      for (const [key, { seenIn }] of family.byKey) {
        if (this.#kept <= most) return;
        const isDropped =
          seenIn < this.#readings && (seenIn <= accepted || this.#kept > Math.max(most, MAX_KEPT_SERIES));
        if (isDropped) {
          family.byKey.delete(key);
          this.#kept -= 1;
        }
        const nextTurn = yieldIfDue();
        if (nextTurn !== undefined) await nextTurn;
      }
      if (family.byKey.size === 0) this.#families.delete(name);
    }
  }
}

function isCounted(family: SourceFamily): family is CountedFamily {
  return family.type === 'counter' || family.type === 'histogram';
}

/** A source may return the same labels object in each reading; then there is no need for the key. */
function align(before: RelayedSeries | undefined, series: SourceSeries): RelayedSeries | undefined {
  return before?.labels === series.labels && before.bounds === boundsOf(series) ? before : undefined;
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
