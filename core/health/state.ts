import type {
  Counter,
  Family,
  Gauge,
  Histogram,
  Logger,
  MetricFactory,
  Severity,
} from '../contract/index.js';

/** The metrics of all components and of their parts. */
export interface CheckMetrics {
  readonly status: Family<Gauge, 'component'>;
  readonly warning: Family<Gauge, 'component'>;
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

/** Observes what checks find of components and their parts. */
export interface HealthObserver {
  /** Called for each check that fails, and for the first one that succeeds. @param reason undefined when it succeeded */
  checked(name: string, reason: string | undefined, severity: Severity): void;
  /** Neither the component nor its parts are checked any more. */
  removed(component: string): void;
}

/** Whether a component, or a part of one, is healthy: logs each change and measures each check. */
export class State {
  readonly #name: string;
  readonly #log: Logger;
  readonly #status: Gauge;
  readonly #warning: Gauge;
  readonly #failures: Counter;
  readonly #observer: HealthObserver | undefined;
  /** Undefined before the first check. */
  #state: 'healthy' | Severity | undefined;

  constructor(
    name: string,
    log: Logger,
    metrics: Pick<CheckMetrics, 'status' | 'warning' | 'failures'>,
    observer?: HealthObserver,
  ) {
    this.#observer = observer;
    this.#name = name;
    this.#log = log;
    this.#status = metrics.status.with({ component: name });
    this.#warning = metrics.warning.with({ component: name });
    this.#failures = metrics.failures.with({ component: name });
  }

  /** Records the outcome of a check. @param reason undefined when it succeeded */
  record(reason: string | undefined, severity: Severity = 'critical'): void {
    const state = reason === undefined ? 'healthy' : severity;
    if (state === 'critical') this.#failures.inc();
    if (state !== 'healthy' || state !== this.#state) this.#observer?.checked(this.#name, reason, severity);
    if (state === this.#state) return;
    this.#status.set(state === 'critical' ? 0 : 1);
    this.#warning.set(state === 'warning' ? 1 : 0);
    if (state === 'critical') this.#log.warn(`${this.#name} is not healthy: ${reason}`);
    else if (state === 'warning') this.#log.warn(`${this.#name} needs attention: ${reason}`);
    else if (this.#state !== undefined) this.#log.info(`${this.#name} is healthy again`);
    this.#state = state;
  }
}
