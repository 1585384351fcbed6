// Runs the checks: all at once, each with its own deadline, one run for all who ask at the same time.

import { formatDuration } from '../../config/index.js';
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
  const timedOut = `timed out after ${formatDuration(options.timeout)}`;
  let running: Promise<HealthReport> | undefined;
  let last: { report: HealthReport; at: number } | undefined;

  async function runAll(): Promise<HealthReport> {
    // One deadline for all: they begin together, and a signal is the dearest part of an instant check.
    const deadline = new Deadline(options.timeout, timedOut);
    const failures = await Promise.all([...components.values()].map((component) => component.run(deadline)));
    deadline.cancel();
    const failedChecks = failures
      .filter((failure) => failure !== undefined)
      .sort((a, b) => (a.component < b.component ? -1 : 1));
    const report = { failedChecks, time: Date.now() };
    last = { report, at: performance.now() };
    return report;
  }

  return {
    register(component, check) {
      if (component === '') throw new AgentError('COMPONENT_INVALID', 'a health component needs a name');
      if (components.has(component))
        throw new AgentError('COMPONENT_INVALID', `'${component}' is already registered`);
      const entry = new Component(component, check, options, instruments);
      components.set(component, entry);
      last = undefined;
      return () => {
        if (components.get(component) !== entry) return;
        components.delete(component);
        last = undefined;
      };
    },
    run() {
      if (last !== undefined && performance.now() - last.at < options.cacheFor)
        return Promise.resolve(last.report);
      running ??= runAll().finally(() => (running = undefined));
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

/** The end of the time that a run has. */
class Deadline {
  /** Resolves with the reason at the end of the time. */
  readonly passed: Promise<string>;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(timeout: number, reason: string) {
    let resolve: (reason: string) => void;
    this.passed = new Promise((resolved) => (resolve = resolved));
    this.#timer = setTimeout(() => {
      // First the verdict: what the checks make of the signal comes too late.
      resolve(reason);
      this.#abort.abort(new AgentError('PLUGIN_TIMED_OUT', reason));
    }, timeout);
  }

  /** Aborted at the end of the time. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
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

  constructor(name: string, check: Check, { log }: HealthOptions, instruments: Instruments) {
    this.#name = name;
    this.#check = check;
    this.#log = log;
    this.#status = instruments.status.with({ component: name });
    this.#duration = instruments.duration.with({ component: name });
    this.#failures = instruments.failures.with({ component: name });
  }

  async run(deadline: Deadline): Promise<FailedCheck | undefined> {
    const start = performance.now();
    const reason = await this.#attempt(deadline);
    this.#duration.observe((performance.now() - start) / 1000);
    this.#status.set(reason === undefined ? 1 : 0);
    if (reason !== undefined) this.#failures.inc();
    this.#logChange(reason);
    return reason === undefined ? undefined : { component: this.#name, reason };
  }

  /** The reason why the component is not healthy, or undefined when it is. */
  #attempt({ signal, passed }: Deadline): Promise<string | undefined> {
    if (this.#unfinished < MAX_UNFINISHED_CALLS) return Promise.race([this.#call(signal), passed]);
    return Promise.resolve(`not checked: ${this.#unfinished} earlier checks have not come to an end`);
  }

  async #call(signal: AbortSignal): Promise<string | undefined> {
    this.#unfinished += 1;
    try {
      await this.#check(signal);
      return undefined;
    } catch (error) {
      return reasonOf(error);
    } finally {
      this.#unfinished -= 1;
    }
  }

  /** Once for each change of state, not once for each probe. */
  #logChange(reason: string | undefined): void {
    if (reason !== undefined && this.#reason === undefined)
      this.#log.warn(`${this.#name} is not healthy: ${reason}`);
    if (reason === undefined && this.#reason !== undefined) this.#log.info(`${this.#name} is healthy again`);
    this.#reason = reason;
  }
}
