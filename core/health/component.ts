// One component: calls its check, tracks its state, logs and measures.

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

/** After this many unfinished calls that missed their deadlines, a check is not called until one of them ends. */
export const MAX_UNFINISHED_CALLS = 10;

/** Resolves when healthy; throws or rejects with the reason when not. The signal is aborted at the deadline. */
export type Check = (signal: AbortSignal) => void | Promise<void>;

/** A check that failed. */
export interface FailedCheck {
  readonly component: string;
  readonly reason: string;
}

/** The outcome of one check; undefined when it succeeded. */
export type Outcome = FailedCheck | undefined;

/** The metrics of all components. */
export interface CheckMetrics {
  readonly status: Family<Gauge, 'component'>;
  readonly duration: Family<Histogram, 'component'>;
  readonly failures: Family<Counter, 'component'>;
}

/** Creates the metrics of all components. */
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
      help: 'Duration of the checks of the component.',
      labelNames: ['component'],
    }),
    failures: metrics.counter({
      namespace: 'health',
      subsystem: 'check',
      name: 'failures_total',
      help: 'Failed checks of the component.',
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

  /** Runs the check and calls back once with the outcome, synchronously when the check is synchronous. */
  run(deadlines: Deadlines, onOutcome: (outcome: Outcome) => void): void {
    const start = performance.now();
    if (this.#unfinished >= MAX_UNFINISHED_CALLS) {
      onOutcome(this.#finish(0, `not checked: ${this.#unfinished} earlier checks are still running`));
      return;
    }
    try {
      const result = this.#check(deadlines.signal);
      // A check that blocked the event loop past its deadline fails, whatever its result.
      const duration = performance.now() - start;
      const lateReason = deadlines.isOver(duration) ? deadlines.reason : undefined;
      // Inside the try: reading `then` of the result can run code of the check.
      if (isPromise(result)) this.#wait(Promise.resolve(result), start, deadlines, lateReason, onOutcome);
      else onOutcome(this.#finish(duration, lateReason));
    } catch (error) {
      onOutcome(this.#finish(performance.now() - start, reasonOf(error)));
    }
  }

  /** Calls back when the check ends or at the deadline, whichever is first. With a late reason the check has failed already. */
  #wait(
    check: Promise<void>,
    start: number,
    deadlines: Deadlines,
    lateReason: string | undefined,
    onOutcome: (outcome: Outcome) => void,
  ): void {
    this.#unfinished += 1;
    let isFinished = false;
    const finish = (reason: string | undefined): void => {
      if (isFinished) return;
      isFinished = true;
      onOutcome(this.#finish(performance.now() - start, reason));
    };
    deadlines.onLate(finish);
    const end = (reason: string | undefined): void => {
      this.#unfinished -= 1;
      finish(reason);
    };
    check.then(
      () => end(lateReason),
      (error: unknown) => end(lateReason ?? reasonOf(error)),
    );
  }

  /** @param duration milliseconds */
  #finish(duration: number, reason: string | undefined): Outcome {
    this.#duration.observe(duration / 1000);
    if (this.#log.enabled('debug'))
      this.#log.debug(`${this.#name} checked in ${duration.toFixed(1)}ms: ${reason ?? 'healthy'}`);
    if (reason !== undefined) this.#failures.inc();
    this.#recordChange(reason);
    this.#reason = reason;
    this.#ran = true;
    return reason === undefined ? undefined : { component: this.#name, reason };
  }

  /** Logs once per change of state, not once per check. */
  #recordChange(reason: string | undefined): void {
    const wasHealthy = this.#reason === undefined;
    const isHealthy = reason === undefined;
    if (!this.#ran || wasHealthy !== isHealthy) this.#status.set(isHealthy ? 1 : 0);
    if (!isHealthy && wasHealthy) this.#log.warn(`${this.#name} is not healthy: ${reason}`);
    if (isHealthy && !wasHealthy) this.#log.info(`${this.#name} is healthy again`);
  }
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function';
}
