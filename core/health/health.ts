// Runs the checks: all at once, under one deadline, one run for all who ask at the same time.

import {
  AgentError,
  reasonOf,
  type Counter,
  type Family,
  type Gauge,
  type Histogram,
  type Logger,
  type MetricFactory,
} from '../contract/index.js';
import { Deadlines } from './deadline.js';

/** How many calls of one check may be unfinished, after their deadlines, before it is no longer called. */
export const MAX_UNFINISHED_CALLS = 10;

/** Resolves when healthy; throws or rejects with the reason when not. The signal is aborted at the deadline. */
export type Check = (signal: AbortSignal) => void | Promise<void>;

/** A check that failed. */
export interface FailedCheck {
  readonly component: string;
  readonly reason: string;
}

/** The outcome of one run of all checks. */
export interface HealthReport {
  /** Sorted by component; empty when all is well. */
  readonly failedChecks: readonly FailedCheck[];
  /** When the run ended, in milliseconds since the epoch. */
  readonly time: number;
}

/** The registry of checks. */
export interface Health {
  /**
   * Adds a check under a name that no other check has.
   *
   * @returns removes it again
   * @throws AgentError `COMPONENT_INVALID`
   */
  register(component: string, check: Check): () => void;
  /** Runs all checks, or joins the run under way, or gives a report that is recent enough. Never rejects. */
  run(): Promise<HealthReport>;
}

/** What {@link createHealth} needs. */
export interface HealthOptions {
  /** Deadline of one check, in milliseconds. */
  readonly timeout: number;
  /** How long a report is given again, in milliseconds. */
  readonly cacheFor: number;
  readonly metrics: MetricFactory;
  readonly log: Logger;
}

/** An empty registry. */
export function createHealth(options: HealthOptions): Health {
  const instruments = createInstruments(options.metrics);
  const components = new Map<string, Component>();
  const deadlines = new Deadlines(options.timeout);
  let running: Promise<HealthReport> | undefined;
  /** Counts the changes of the registry: a report from before one is not given again after it. */
  let changes = 0;
  let last: { report: HealthReport; at: number } | undefined;

  /** The report, at once when every check is synchronous: waiting would cost an instant check more than the check. */
  function runAll(): HealthReport | Promise<HealthReport> {
    deadlines.begin();
    const before = changes;
    const failed: FailedCheck[] = [];
    // The calls themselves are one more thing to wait for: some checks are over before others are called.
    let left = 1;
    let onOver: (() => void) | undefined;
    const note = (outcome: Outcome): void => {
      if (outcome !== undefined) failed.push(outcome);
      left -= 1;
      if (left === 0) onOver?.();
    };
    for (const component of components.values()) {
      left += 1;
      component.run(deadlines, note);
    }
    note(undefined);
    if (left === 0) return summarize(failed, before);
    // One promise for all: one for each check would cost more than most of them.
    return new Promise((resolve) => {
      onOver = () => {
        deadlines.end();
        running = undefined;
        resolve(summarize(failed, before));
      };
    });
  }

  function summarize(failedChecks: FailedCheck[], before: number): HealthReport {
    failedChecks.sort((a, b) => (a.component < b.component ? -1 : 1));
    const report = { failedChecks, time: Date.now() };
    if (changes === before) last = { report, at: performance.now() };
    return report;
  }

  function noteChange(): void {
    changes += 1;
    last = undefined;
  }

  return {
    register(component, check) {
      if (component === '') throw new AgentError('COMPONENT_INVALID', 'a health component needs a name');
      if (components.has(component))
        throw new AgentError('COMPONENT_INVALID', `'${component}' is already registered`);
      const entry = new Component(component, check, options, instruments);
      components.set(component, entry);
      noteChange();
      return () => {
        if (components.get(component) !== entry) return;
        components.delete(component);
        noteChange();
      };
    },
    run() {
      if (last !== undefined && performance.now() - last.at < options.cacheFor)
        return Promise.resolve(last.report);
      if (running !== undefined) return running;
      const report = runAll();
      if (!isPromise(report)) return Promise.resolve(report);
      running = report;
      return running;
    },
  };
}

interface Instruments {
  readonly status: Family<Gauge, 'component'>;
  readonly duration: Family<Histogram, 'component'>;
  readonly failures: Family<Counter, 'component'>;
}

function createInstruments(metrics: MetricFactory): Instruments {
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

/** What became of one check; undefined when it succeeded. */
type Outcome = FailedCheck | undefined;

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function';
}

class Component {
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

  constructor(name: string, check: Check, { log }: HealthOptions, instruments: Instruments) {
    this.#name = name;
    this.#check = check;
    this.#log = log;
    this.#status = instruments.status.with({ component: name });
    this.#duration = instruments.duration.with({ component: name });
    this.#failures = instruments.failures.with({ component: name });
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
