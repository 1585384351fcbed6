// One checked component: its calls, its state, and what is said of them.

import {
  reasonOf,
  type Counter,
  type Family,
  type Gauge,
  type Histogram,
  type Logger,
  type MetricFactory,
} from '../contract/index.js';
import type { Deadlines } from './deadline.js';

/** How many calls of one check may be unfinished, after their deadlines, before it is no longer called. */
export const MAX_UNFINISHED_CALLS = 10;

/** Resolves when healthy; throws or rejects with the reason when not. The signal is aborted at the deadline. */
export type Check = (signal: AbortSignal) => void | Promise<void>;

/** A check that failed. */
export interface FailedCheck {
  readonly component: string;
  readonly reason: string;
}

/** What became of one check; undefined when it succeeded. */
export type Outcome = FailedCheck | undefined;

/** The metrics that all components share. */
export interface CheckMetrics {
  readonly status: Family<Gauge, 'component'>;
  readonly duration: Family<Histogram, 'component'>;
  readonly failures: Family<Counter, 'component'>;
}

/** Makes the metrics that all components share. */
export function createCheckMetrics(metrics: MetricFactory): CheckMetrics {
  return {
    status: metrics.gauge({
      namespace: 'health',
      subsystem: 'check',
      name: 'status',
      help: 'Whether the last check of the component succeeded (1) or failed (0).',
      labelNames: ['component'],
    }),
    duration: metrics.histogram({
      namespace: 'health',
      subsystem: 'check',
      name: 'duration_seconds',
      help: 'How long the checks of the component took.',
      labelNames: ['component'],
    }),
    failures: metrics.counter({
      namespace: 'health',
      subsystem: 'check',
      name: 'failures_total',
      help: 'Checks of the component that failed.',
      labelNames: ['component'],
    }),
  };
}

/** A component and its check. */
export class Component {
  readonly #name: string;
  readonly #check: Check;
  readonly #log: Logger;
  readonly #status: Gauge;
  readonly #duration: Histogram;
  readonly #failures: Counter;
  #unfinished = 0;
  /** The reason of the last run, undefined when it succeeded. */
  #reason: string | undefined;
  #ran = false;

  constructor(name: string, check: Check, log: Logger, metrics: CheckMetrics) {
    this.#name = name;
    this.#check = check;
    this.#log = log;
    this.#status = metrics.status.with({ component: name });
    this.#duration = metrics.duration.with({ component: name });
    this.#failures = metrics.failures.with({ component: name });
  }

  /** Calls back once with the outcome, at once when the check is synchronous. */
  run(deadlines: Deadlines, note: (outcome: Outcome) => void): void {
    const start = performance.now();
    if (this.#unfinished >= MAX_UNFINISHED_CALLS) {
      note(this.#finish(0, `not checked: ${this.#unfinished} earlier checks have not come to an end`));
      return;
    }
    try {
      const result = this.#check(deadlines.signal);
      // A check that held up everything past its deadline is late, whatever it makes of it.
      const took = performance.now() - start;
      const lateness = deadlines.isOver(took) ? deadlines.reason : undefined;
      // Looking at what a check returned runs code of the check, too.
      if (isPromise(result)) this.#wait(Promise.resolve(result), start, deadlines, lateness, note);
      else note(this.#finish(took, lateness));
    } catch (error) {
      note(this.#finish(performance.now() - start, reasonOf(error)));
    }
  }

  /** The outcome of a check under way: of its end or of the deadline, whichever comes first; never good when it is late already. */
  #wait(
    check: Promise<void>,
    start: number,
    deadlines: Deadlines,
    lateness: string | undefined,
    note: (outcome: Outcome) => void,
  ): void {
    this.#unfinished += 1;
    let isOver = false;
    const over = (reason: string | undefined): void => {
      if (isOver) return;
      isOver = true;
      note(this.#finish(performance.now() - start, reason));
    };
    deadlines.onLate(over);
    const end = (reason: string | undefined): void => {
      this.#unfinished -= 1;
      over(reason);
    };
    check.then(
      () => end(lateness),
      (error: unknown) => end(lateness ?? reasonOf(error)),
    );
  }

  /** Measures a check that took so long, in milliseconds, and ended with a reason or without. */
  #finish(took: number, reason: string | undefined): Outcome {
    this.#duration.observe(took / 1000);
    if (this.#log.enabled('debug'))
      this.#log.debug(`${this.#name} was checked in ${took.toFixed(1)}ms: ${reason ?? 'healthy'}`);
    if (reason !== undefined) this.#failures.inc();
    this.#noteChange(reason);
    this.#reason = reason;
    this.#ran = true;
    return reason === undefined ? undefined : { component: this.#name, reason };
  }

  /** Once for each change of state, not once for each probe. */
  #noteChange(reason: string | undefined): void {
    const wasHealthy = this.#reason === undefined;
    const isHealthy = reason === undefined;
    if (!this.#ran || wasHealthy !== isHealthy) this.#status.set(isHealthy ? 1 : 0);
    if (!isHealthy && wasHealthy) this.#log.warn(`${this.#name} is not healthy: ${reason}`);
    if (isHealthy && !wasHealthy) this.#log.info(`${this.#name} is healthy again`);
  }
}

/** Whether there is something to wait for. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function';
}
