// Runs the checks: all at once, under one deadline, one run for all who ask at the same time.

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
  const metrics = createCheckMetrics(options.metrics);
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
      const entry = new Component(component, check, options.log, metrics);
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
