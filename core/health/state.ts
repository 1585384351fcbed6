// The state of a component and of its parts: logs its changes, and updates their metrics.

import type { Counter, Gauge, Histogram, Logger, MetricFactory } from '../contract/index.js';
import type { DetailedPart, FailureDetails } from '../contract/internal/index.js';
import type { Family, GaugeFamily } from '../contract/instruments.js';
import type { Severity } from '../contract/errors.js';
import { MAX_PARTS } from './failure.js';

/** The metrics of all components and of their parts. */
export interface CheckMetrics {
  readonly status: GaugeFamily<'component'>;
  readonly warning: GaugeFamily<'component'>;
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
      help: 'Whether the component works (1), perhaps with a warning, or its last check failed (0).',
      labelNames: ['component'],
    }),
    warning: metrics.gauge({
      namespace: 'health',
      subsystem: 'check',
      name: 'warning',
      help: 'Whether the component works but needs attention (1).',
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

/** Observes the results of checks of components and their parts. */
export interface HealthObserver {
  /**
   * Called for each failed check, and for each check that succeeds for the first time or after a failure.
   *
   * @param reason undefined if it succeeded
   * @param details other data of a failure
   */
  checked(name: string, reason: string | undefined, severity: Severity, details?: FailureDetails): void;
  /** Called when the component and its parts are no longer checked. */
  removed(component: string): void;
}

/** The state of a component or a part: logs each change, and updates the metrics. */
export class State {
  readonly #name: string;
  readonly #log: Logger;
  readonly #metrics: Pick<CheckMetrics, 'status' | 'warning'>;
  readonly #status: Gauge;
  readonly #warning: Gauge;
  readonly #failures: Counter;
  readonly #observer: HealthObserver | undefined;
  /** Undefined before the first check. */
  #state: 'healthy' | Severity | undefined;

  /** @param countedAs the component in the counter of failures. @default the name */
  constructor(
    name: string,
    log: Logger,
    metrics: Pick<CheckMetrics, 'status' | 'warning' | 'failures'>,
    observer?: HealthObserver,
    countedAs = name,
  ) {
    this.#observer = observer;
    this.#name = name;
    this.#log = log;
    this.#metrics = metrics;
    this.#status = metrics.status.with({ component: name });
    this.#warning = metrics.warning.with({ component: name });
    this.#failures = metrics.failures.with({ component: countedAs });
  }

  /** Returns true if a failure is worse than the last result. */
  isWorse(severity: Severity = 'critical'): boolean {
    return this.#state !== 'critical' && this.#state !== severity;
  }

  /** Records the result of a check. @param reason undefined if it succeeded @param details other data of a failure */
  record(reason: string | undefined, severity: Severity = 'critical', details: FailureDetails = {}): void {
    const state = reason === undefined ? 'healthy' : severity;
    if (state === 'critical') this.#failures.inc();
    if (state !== 'healthy' || state !== this.#state)
      this.#observer?.checked(this.#name, reason, severity, details);
    if (state === this.#state) return;
    this.#status.set(state === 'critical' ? 0 : 1);
    this.#warning.set(state === 'warning' ? 1 : 0);
    if (state === 'critical') this.#log.warn(`${this.#name} is not healthy: ${reason}`);
    else if (state === 'warning') this.#log.warn(`${this.#name} needs attention: ${reason}`);
    else if (this.#state !== undefined) this.#log.info(`${this.#name} is healthy again`);
    this.#state = state;
  }

  /** Removes its gauges. */
  end(): void {
    this.#metrics.status.remove({ component: this.#name });
    this.#metrics.warning.remove({ component: this.#name });
  }
}

/** The result of {@link Parts.record}. */
export interface RecordedParts {
  readonly named: readonly DetailedPart[];
  /** Parts that are not reported by name. */
  readonly others: readonly DetailedPart[];
}

/** The states of the parts of one component. A part is known after its first failure, until another part needs its place. */
export class Parts {
  readonly #createState: (part: string, hasCounter: boolean) => State;
  readonly #states = new Map<string, State>();
  /** The parts with a separate counter of failures; a counter cannot be removed. */
  readonly #counted = new Set<string>();

  /** @param createState called for each part that becomes known; `hasCounter`: it has a separate counter */
  constructor(createState: (part: string, hasCounter: boolean) => State) {
    this.#createState = createState;
  }

  /**
   * Records that these parts failed and that all other known parts are healthy. A part that is reported by name stays so while it
   * fails; new critical parts come before new warnings. At most {@link MAX_PARTS} are known.
   *
   * @param observedAt as in `FailureDetails`
   */
  record(failed: readonly DetailedPart[], observedAt: number): RecordedParts {
    if (failed.length === 0 && this.#states.size === 0) return { named: failed, others: [] };
    const failing = new Map(failed.map((part) => [part.component, part]));
    const recovered: string[] = [];
    for (const [name, state] of this.#states) {
      const part = failing.get(name);
      if (part === undefined) recovered.push(name);
      state.record(part?.reason, part?.severity, { ...part, observedAt });
    }
    const added = failed.filter(({ component }) => !this.#states.has(component));
    const isWarning = ({ severity }: DetailedPart): boolean => severity === 'warning';
    added.sort((a, b) => Number(isWarning(a)) - Number(isWarning(b)));
    for (const part of added) {
      if (this.#states.size >= MAX_PARTS && !this.#forget(recovered.shift())) break;
      this.#add(part.component).record(part.reason, part.severity, { ...part, observedAt });
    }
    return {
      named: failed.filter(({ component }) => this.#states.has(component)),
      others: failed.filter(({ component }) => !this.#states.has(component)),
    };
  }

  /** Returns true if the failure of a part is worse than its last result. */
  isWorse({ component, severity }: DetailedPart): boolean {
    return this.#states.get(component)?.isWorse(severity) ?? true;
  }

  #add(part: string): State {
    if (this.#counted.size < MAX_PARTS) this.#counted.add(part);
    const state = this.#createState(part, this.#counted.has(part));
    this.#states.set(part, state);
    return state;
  }

  /** @returns whether the part was known */
  #forget(part: string | undefined): boolean {
    if (part === undefined) return false;
    this.#states.get(part)?.end();
    return this.#states.delete(part);
  }
}
