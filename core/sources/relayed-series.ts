// What the core knows of one relayed counter or histogram: how much it grew since the agent reads it, over all restarts of its process.

import type { Labels, SourceHistogram } from '../contract/index.js';

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
  isBelowLast(numbers: readonly number[]): boolean {
    const last = this.#last;
    if (last === undefined || !numbers.every(Number.isFinite)) return false;
    // The sum of a histogram for negative observations can fall.
    const size = (this.bounds?.[0] ?? 0) < 0 ? last.length - 1 : last.length;
    for (let index = 0; index < size; index += 1)
      if ((numbers[index] as number) < (last[index] as number)) return true;
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

  /** Records the values of a reading. Values that are not finite are ignored, and the growth over them is part of the next finite one. */
  record(numbers: number[]): void {
    if (!numbers.every(Number.isFinite)) return;
    this.#offsets ??= numbers.map((number) => (this.#startsAtZero ? 0 : -number));
    this.#last = numbers;
  }
}

/** The numbers of a value in a reading, see {@link RelayedSeries}. */
export function numbersOf(value: number | SourceHistogram): number[] {
  if (typeof value === 'number') return [value];
  const numbers: number[] = [];
  let below = 0;
  for (const count of value.counts) {
    numbers.push(count - below);
    below = count;
  }
  numbers.push(value.sum);
  return numbers;
}
