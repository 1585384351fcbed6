// A checker that measures the agent from inside and reports to the parent process every second.

import { PerformanceObserver } from 'node:perf_hooks';
import { defineHealthChecker } from '../../../core/contract/index.js';
import { scheduled, stolenBetween, type Scheduled } from '../stalls.js';

/** An interval, by the clock that all processes share, in milliseconds. */
export interface Interval {
  readonly at: number;
  readonly length: number;
}

/** An interval in which the event loop did other work. */
export interface Stall extends Interval {
  /** CPU time of the main thread, in milliseconds. */
  readonly ran: number;
  /** How long the system ran other programs, in milliseconds. */
  readonly waited: number;
  /** How long the hypervisor ran other machines, in milliseconds. */
  readonly stolen: number;
  /** How many times /healthz was served in it. */
  readonly turns: number;
}

/** A garbage collection. */
export interface Collection extends Interval {
  /** Node's constant for the kind. */
  readonly kind: number;
}

/** The measurements of one second. */
export interface Second {
  /** Iterations of the event loop; each serves every waiting /healthz. */
  readonly turns: readonly Stall[];
  /** Intervals in which /healthz was not served. */
  readonly blocks: readonly Stall[];
  readonly collections: readonly Collection[];
}

/** Memory after a full garbage collection, in bytes. */
export interface Memory {
  /** Heap and external memory of heap objects. */
  readonly used: number;
  readonly resident: number;
}

/** A message to the parent process. */
export type Report = { readonly second: Second } | { readonly memory: Memory };

/** Shortest stall that is reported, in milliseconds. */
const SHORTEST = 4;
/** Interval between two reads of the scheduler statistics, in milliseconds. */
const SAMPLE = 1;

const clock = (): number => performance.timeOrigin + performance.now();

/** Collects intervals between marks. */
class Marks {
  #last = clock();
  #before = scheduled();
  #long: Stall[] = [];

  mark(now: number, after: Scheduled, turns = 0): void {
    const before = this.#before;
    const length = now - this.#last;
    if (length >= SHORTEST) {
      const stolen = stolenBetween(before, after);
      const ran = Math.max(0, after.ran - before.ran - stolen);
      this.#long.push({ at: this.#last, length, ran, waited: after.waited - before.waited, stolen, turns });
    }
    this.#last = now;
    this.#before = after;
  }

  take(): readonly Stall[] {
    return this.#long.splice(0);
  }
}

export default defineHealthChecker({
  name: 'watch',
  create() {
    const turns = new Marks();
    const blocks = new Marks();
    let collections: Collection[] = [];
    let served = 0;
    let looked = 0;
    let soFar = scheduled();
    const timers: NodeJS.Timeout[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { kind } = (entry as unknown as { detail: { kind: number } }).detail;
        collections.push({ at: performance.timeOrigin + entry.startTime, length: entry.duration, kind });
      }
    });

    function mark(isTurn: boolean): void {
      const now = clock();
      if (now - looked > SAMPLE) [looked, soFar] = [now, scheduled()];
      blocks.mark(now, soFar);
      if (!isTurn) return;
      turns.mark(now, soFar, served);
      served = 0;
    }

    const report = (message: Report): void => void process.send?.(message);
    function reportSecond(): void {
      const second = {
        turns: turns.take(),
        blocks: blocks.take(),
        collections,
      };
      collections = [];
      report({ second });
    }

    return {
      start() {
        observer.observe({ entryTypes: ['gc'] });
        timers.push(
          setInterval(() => mark(true), 1),
          setInterval(reportSecond, 1000),
        );
        process.on('message', () => {
          // Finalizers of the first collection release memory that the second one frees.
          for (let times = 0; times < 2; times += 1) globalThis.gc?.();
          const { heapUsed, external, rss } = process.memoryUsage();
          report({ memory: { used: heapUsed + external, resident: rss } });
        });
      },
      stop() {
        observer.disconnect();
        for (const timer of timers) clearInterval(timer);
      },
      check() {
        served += 1;
        mark(false);
      },
    };
  },
});
