import type { Counter, Family, Gauge, Histogram, Logger, MetricFactory } from '../contract/index.js';

/** The metrics of all components and of their parts. */
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

/** Whether a component, or a part of one, is healthy: logs each change and measures each check. */
export class State {
  readonly #name: string;
  readonly #log: Logger;
  readonly #status: Gauge;
  readonly #failures: Counter;
  /** Undefined before the first check. */
  #isHealthy: boolean | undefined;

  constructor(name: string, log: Logger, metrics: Pick<CheckMetrics, 'status' | 'failures'>) {
    this.#name = name;
    this.#log = log;
    this.#status = metrics.status.with({ component: name });
    this.#failures = metrics.failures.with({ component: name });
  }

  /** Records the outcome of a check. @param reason undefined when it succeeded */
  record(reason: string | undefined): void {
    const isHealthy = reason === undefined;
    if (!isHealthy) this.#failures.inc();
    if (isHealthy === this.#isHealthy) return;
    this.#status.set(isHealthy ? 1 : 0);
    if (!isHealthy) this.#log.warn(`${this.#name} is not healthy: ${reason}`);
    else if (this.#isHealthy === false) this.#log.info(`${this.#name} is healthy again`);
    this.#isHealthy = isHealthy;
  }
}
