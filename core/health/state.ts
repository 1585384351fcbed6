import type {
  Counter,
  FailedPart,
  Family,
  Gauge,
  Histogram,
  Logger,
  MetricFactory,
  Severity,
} from '../contract/index.js';
import { MAX_PARTS } from './failure.js';

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
  /**
   * Called for each check that fails, and for the first one that succeeds.
   *
   * @param reason undefined when it succeeded
   * @param follows the component that explains it
   */
  checked(name: string, reason: string | undefined, severity: Severity, follows?: string): void;
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

  /** Records the outcome of a check. @param reason undefined when it succeeded @param follows the component that explains it */
  record(reason: string | undefined, severity: Severity = 'critical', follows?: string): void {
    const state = reason === undefined ? 'healthy' : severity;
    if (state === 'critical') this.#failures.inc();
    if (state !== 'healthy' || state !== this.#state)
      this.#observer?.checked(this.#name, reason, severity, follows);
    if (state === this.#state) return;
    this.#status.set(state === 'critical' ? 0 : 1);
    this.#warning.set(state === 'warning' ? 1 : 0);
    if (state === 'critical') this.#log.warn(`${this.#name} is not healthy: ${reason}`);
    else if (state === 'warning') this.#log.warn(`${this.#name} needs attention: ${reason}`);
    else if (this.#state !== undefined) this.#log.info(`${this.#name} is healthy again`);
    this.#state = state;
  }
}

/** The states of the parts of one component. A part is known once it has failed. */
export class Parts {
  readonly #createState: (part: string) => State;
  readonly #states = new Map<string, State>();

  constructor(createState: (part: string) => State) {
    this.#createState = createState;
  }

  /**
   * Records that these parts failed and that all other known parts are healthy.
   *
   * @returns the recorded ones; others are missing when the component has had more than {@link MAX_PARTS} different parts
   */
  record(failed: readonly FailedPart[]): readonly FailedPart[] {
    if (failed.length === 0 && this.#states.size === 0) return failed;
    const known = new Map<string, FailedPart>();
    for (const part of failed)
      if (this.#states.has(part.component) || this.#add(part.component)) known.set(part.component, part);
    for (const [name, state] of this.#states) {
      const part = known.get(name);
      state.record(part?.reason, part?.severity, part?.follows);
    }
    return failed.filter(({ component }) => known.has(component));
  }

  #add(part: string): boolean {
    if (this.#states.size >= MAX_PARTS) return false;
    this.#states.set(part, this.#createState(part));
    return true;
  }
}
