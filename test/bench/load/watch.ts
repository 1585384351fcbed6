// A checker of the load: it watches the agent from inside. Tells the process that started the agent what it saw, every second.

import { PerformanceObserver } from 'node:perf_hooks';
import { defineHealthChecker } from '../../../core/contract/index.js';
import { scheduled, type Scheduled } from '../stalls.js';

/** A stretch of time, by the clock that all processes of the machine share, in milliseconds. */
export interface Stretch {
  readonly at: number;
  readonly length: number;
}

/** A time in which the loop did something else. */
export interface Stall extends Stretch, Scheduled {
  /** How many times /healthz had its turn in it. */
  readonly turns: number;
}

/** A garbage collection. */
export interface Collection extends Stretch {
  /** By the number that node has for it. */
  readonly kind: number;
}

/** What was seen in a second. */
export interface Second {
  /** Between two turns of the loop, which serves every /healthz that waits in each. */
  readonly turns: readonly Stall[];
  /** Without a turn for /healthz. */
  readonly blocks: readonly Stall[];
  readonly collections: readonly Collection[];
}

/** What is in memory after a full collection, in bytes. */
export interface Memory {
  /** On the heap, and outside of it for what is on it. */
  readonly used: number;
  readonly resident: number;
}

/** What the watch says. */
export type Told = { readonly second: Second } | { readonly memory: Memory };

/** Shorter ones are not told, in milliseconds. */
const SHORTEST = 4;
/** Between two looks at what the system says, in milliseconds. */
const LOOK = 1;

const clock = (): number => performance.timeOrigin + performance.now();

/** Stretches between two marks. */
class Stretches {
  #last = clock();
  #before = scheduled();
  #long: Stall[] = [];

  mark(now: number, after: Scheduled, turns = 0): void {
    const before = this.#before;
    const length = now - this.#last;
    if (length >= SHORTEST)
      this.#long.push({
        at: this.#last,
        length,
        ran: after.ran - before.ran,
        waited: after.waited - before.waited,
        turns,
      });
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
    const turns = new Stretches();
    const blocks = new Stretches();
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
      if (now - looked > LOOK) [looked, soFar] = [now, scheduled()];
      blocks.mark(now, soFar);
      if (!isTurn) return;
      turns.mark(now, soFar, served);
      served = 0;
    }

    const tell = (told: Told): void => void process.send?.(told);
    function tellSecond(): void {
      const second = {
        turns: turns.take(),
        blocks: blocks.take(),
        collections,
      };
      collections = [];
      tell({ second });
    }

    return {
      start() {
        observer.observe({ entryTypes: ['gc'] });
        timers.push(
          setInterval(() => mark(true), 1),
          setInterval(tellSecond, 1000),
        );
        process.on('message', () => {
          // What one collection finds dead another one frees.
          for (let times = 0; times < 2; times += 1) globalThis.gc?.();
          const { heapUsed, external, rss } = process.memoryUsage();
          tell({ memory: { used: heapUsed + external, resident: rss } });
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
