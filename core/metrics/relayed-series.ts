// What the core knows of one relayed counter or histogram: how much it grew since the agent reads it, over all restarts of its process.

import type { Labels, SourceHistogram } from '../contract/index.js';

/** The value of a counter or histogram in a reading. */
export type RelayedValue = number | SourceHistogram;

/**
 * A relayed counter or histogram. Its numbers are those that only grow: of a counter its value; of a histogram the number of
 * observations in each bucket, without those of lower buckets, then the sum.
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

  /** How many numbers it has; 0 while it had no finite value. */
  get size(): number {
    return this.#last?.length ?? 0;
  }

  /** The growth of one of its numbers since the first reading. It never falls. */
  total(index: number): number {
    return (this.#offsets?.[index] ?? 0) + (this.#last?.[index] ?? 0);
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
    const { size } = this;
    for (let index = 0; index < size; index += 1) {
      (this.#offsets as number[])[index] = this.total(index);
      (this.#last as number[])[index] = 0;
    }
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
