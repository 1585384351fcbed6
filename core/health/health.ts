// Runs all checks concurrently with one deadline. Concurrent requests share one run.

import { AgentError, type Logger, type MetricFactory } from '../contract/index.js';
import {
  Component,
  createCheckMetrics,
  isPromise,
  type Check,
  type FailedCheck,
  type Outcome,
} from './component.js';
import { Deadlines } from './deadline.js';

/** The outcome of one run of all checks. */
export interface HealthReport {
  /** Sorted by component; empty when all components are healthy. */
  readonly failedChecks: readonly FailedCheck[];
  /** When the run ended, in milliseconds since the epoch. */
  readonly time: number;
}

/** The registry of checks. */
export interface Health {
  /**
   * Adds a check.
   *
   * @param component a name that no other check has
   * @returns removes the check
   * @throws AgentError `COMPONENT_INVALID`
   */
  register(component: string, check: Check): () => void;
  /** Runs all checks, joins the current run, or returns the cached report. Never rejects. */
  run(): Promise<HealthReport>;
}

/** The arguments of {@link createHealth}. */
export interface HealthOptions {
  /** Deadline of one check, in milliseconds. */
  readonly timeout: number;
  /** How long a report is cached, in milliseconds. */
  readonly cacheFor: number;
  readonly metrics: MetricFactory;
  readonly log: Logger;
}

/** Creates an empty registry. */
export function createHealth(options: HealthOptions): Health {
  const metrics = createCheckMetrics(options.metrics);
  const components = new Map<string, Component>();
  const deadlines = new Deadlines(options.timeout);
  let running: Promise<HealthReport> | undefined;
  /** Counts the changes of the registry. A report is not cached when the registry changed during its run. */
  let changes = 0;
  let last: { report: HealthReport; at: number } | undefined;

  /** Returns the report synchronously when every check is synchronous, because a promise costs more than an instant check. */
  function runAll(): HealthReport | Promise<HealthReport> {
    deadlines.begin();
    const before = changes;
    const failed: FailedCheck[] = [];
    // One more than the checks, because some checks finish before others are called.
    let pending = 1;
    let onFinished: (() => void) | undefined;
    const onOutcome = (outcome: Outcome): void => {
      if (outcome !== undefined) failed.push(outcome);
      pending -= 1;
      if (pending === 0) onFinished?.();
    };
    for (const component of components.values()) {
      pending += 1;
      component.run(deadlines, onOutcome);
    }
    onOutcome(undefined);
    if (pending === 0) return summarize(failed, before);
    // One promise for all checks: one per check costs more than most checks.
    return new Promise((resolve) => {
      onFinished = () => {
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

  function onRegistryChange(): void {
    changes += 1;
    last = undefined;
  }

  return {
    register(component, check) {
      if (component === '') throw new AgentError('COMPONENT_INVALID', 'a health component needs a name');
      if (components.has(component))
        throw new AgentError('COMPONENT_INVALID', `'${component}' is already registered`);
      const entry = new Component(component, check, options.log, metrics);
      components.set(component, entry);
      onRegistryChange();
      return () => {
        if (components.get(component) !== entry) return;
        components.delete(component);
        onRegistryChange();
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
