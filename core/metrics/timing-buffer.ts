// The newest observations that a push sink has not been told yet.

import { createYielder, type Timing } from '../contract/index.js';
import type { ObservedSeries } from './family.js';

/** How many timings are made between two looks at the clock. */
const TIMINGS_PER_LOOK = 256;

/** Observations in a batch, and what becomes of them. */
export interface TakenTimings {
  /** Oldest first. */
  readonly timings: readonly Timing[];
  /** How many were dropped since those that were accepted last. */
  readonly dropped: number;
  /** They were told and the dropped ones reported: neither is offered again. */
  accept(): void;
}

/**
 * A ring of observations: when it is full a new one takes the place of the oldest. Series and value are all that is kept of one,
 * so that a million of them make no work for the garbage collector.
 */
export class TimingBuffer {
  readonly #capacity: number;
  readonly #series: ObservedSeries[] = [];
  readonly #values: number[] = [];
  /** The number of the next observation; number n is at n modulo the capacity. */
  #next = 0;
  /** The first one that was neither told nor reported as dropped. */
  #open = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(series: ObservedSeries, value: number): void {
    const place = this.#next % this.#capacity;
    this.#series[place] = series;
    this.#values[place] = value;
    this.#next += 1;
  }

  /** Those there are now. Other work gets its turn meanwhile; what it adds may push out some that were not reached yet. */
  async take(): Promise<TakenTimings> {
    const end = this.#next;
    const timings: Timing[] = [];
    const pause = createYielder(TIMINGS_PER_LOOK);
    for (let number = this.#oldest(); number < end; number += 1) {
      const others = pause();
      if (others !== undefined) {
        await others;
        number = Math.max(number, this.#oldest());
        if (number >= end) break;
      }
      timings.push(this.#at(number));
    }
    const dropped = Math.max(0, end - this.#open) - timings.length;
    return { timings, dropped, accept: () => (this.#open = Math.max(this.#open, end)) };
  }

  /** Forgets everything. */
  clear(): void {
    this.#open = this.#next;
    this.#series.length = 0;
    this.#values.length = 0;
  }

  /** The number of the oldest one that is still there. */
  #oldest(): number {
    return Math.max(this.#open, this.#next - this.#capacity);
  }

  #at(number: number): Timing {
    const place = number % this.#capacity;
    const { namespace, subsystem, name, labels } = this.#series[place] as ObservedSeries;
    return { namespace, subsystem, name, labels, value: this.#values[place] as number };
  }
}
