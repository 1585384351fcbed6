// The newest observations that a push sink has not accepted yet.

import type { Timing } from '../contract/metric-sink.js';
import type { ObservedSeries } from './store.js';

/** The observations for one batch. */
interface TakenTimings {
  /** Oldest first. */
  readonly timings: readonly Timing[];
  /** The number of observations that were dropped since the last accepted batch. */
  readonly dropped: number;
  /** Call this when the batch was accepted: its timings and its number of drops are then not in the next batch. */
  accept(): void;
}

/**
 * A ring buffer of observations: when it is full, a new observation overwrites the oldest. It uses two flat arrays instead of an object per
 * observation, which saves the garbage collector work for a million observations.
 */
export class TimingBuffer {
  readonly #capacity: number;
  readonly #series: ObservedSeries[] = [];
  readonly #values: number[] = [];
  /** The number of the next observation; observation n is at index n modulo the capacity. */
  #next = 0;
  /** The number of the first observation that was neither accepted nor reported as dropped. */
  #open = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds an observation. */
  add(series: ObservedSeries, value: number): void {
    const index = this.#next % this.#capacity;
    this.#series[index] = series;
    this.#values[index] = value;
    this.#next += 1;
  }

  /** Takes the current observations. */
  take(): TakenTimings {
    const end = this.#next;
    const timings: Timing[] = [];
    for (let number = this.#oldest(); number < end; number += 1) timings.push(this.#at(number));
    const dropped = end - this.#open - timings.length;
    return { timings, dropped, accept: () => (this.#open = Math.max(this.#open, end)) };
  }

  /** Drops all observations without reporting them. */
  clear(): void {
    this.#open = this.#next;
    this.#series.length = 0;
    this.#values.length = 0;
  }

  /** The number of the oldest observation in the buffer. */
  #oldest(): number {
    return Math.max(this.#open, this.#next - this.#capacity);
  }

  #at(number: number): Timing {
    const index = number % this.#capacity;
    const { namespace, subsystem, name, labels } = this.#series[index] as ObservedSeries;
    return { namespace, subsystem, name, labels, value: this.#values[index] as number };
  }
}
