// The registry of checks. The checks of a run have one deadline, and concurrent requests share one run.

import { AgentError, createYielder, type Logger, type MetricFactory } from '../contract/index.js';
import { ownerOf } from '../common/text/component.js';
import { CLOCK, Clock } from './clock.js';
import { Component, type Check, type CheckOptions, type FailedCheck } from './component.js';
import { Deadline } from './deadline.js';
import { AGENT, Lag } from './lag.js';
import {
  describeUnknownName,
  isEverything,
  isKnownName,
  selectComponents,
  selectFailed,
  type Selection,
} from './selection.js';
import { createCheckMetrics, type CheckMetrics, type HealthObserver } from './state.js';

/** Number of checks that are started between two reads of the clock. */
const CHECKS_PER_CLOCK_READ = 8;

/** Time until a check runs again after a doubtful failure, in milliseconds. */
export const SECOND_LOOK = 2_000;

/** The result of one run of checks. */
export interface HealthReport {
  /** The critical failures, sorted by component; empty if all components work. */
  readonly failedChecks: readonly FailedCheck[];
  /** The warnings, sorted by component. */
  readonly warnings: readonly FailedCheck[];
  /** The names of the checked components, sorted. */
  readonly components: readonly string[];
  /** When the run ended, in milliseconds since the epoch. */
  readonly time: number;
}

/** The registry of checks. */
export interface Health {
  /**
   * Adds a check.
   *
   * @param component a unique name
   * @returns a function that removes the check
   * @throws AgentError `COMPONENT_INVALID`
   */
  register(component: string, check: Check, options?: CheckOptions): () => void;
  /** The names of the registered components, sorted. */
  readonly components: readonly string[];
  /**
   * Runs checks, joins running ones, or uses cached results. Never rejects.
   *
   * @param selection the components and parts in the report; it does not wait for others. @default all
   */
  run(selection?: Selection): Promise<HealthReport>;
}

/** The registry of an agent. */
export interface AgentHealth extends Health {
  /** Begins to measure the lag of this process and to report a wrong clock; `start` does it as well. */
  watch(): void;
  /** Logs the unknown names in the settings, then runs all checks now and at each interval. */
  start(): void;
  /** The doubtful failures that are checked again before they are reported, by component. */
  readonly unconfirmed: readonly FailedCheck[];
  /** The components whose first check has not ended, sorted. */
  readonly unchecked: readonly string[];
  /** As {@link Health.run}, but waits for at most `limit` milliseconds: then the last result of each check counts. */
  runWithin(limit: number): Promise<HealthReport>;
  /** When a doubtful failure was last not reported, as `performance.now()`; -Infinity: never. */
  readonly heldAt: number;
  /** Returns true if it is known whether a component or a part works: its check has run, or there is no check of it. */
  isJudged(component: string): boolean;
  /** Runs the check of one component without cached results, or joins its current call. Never rejects. */
  check(component: string): Promise<void>;
  /** Ends the background runs, and removes all checks without waiting for running ones. */
  stop(): void;
}

/** The arguments of {@link createHealth}. */
export interface HealthOptions {
  /** Timeout of a check, in milliseconds. */
  readonly timeout: number;
  /** How long requests share a result, in milliseconds. */
  readonly cacheFor: number;
  /** Time between two background runs, in milliseconds. */
  readonly interval: number;
  readonly groups: Readonly<Record<string, Selection>>;
  readonly metrics: MetricFactory;
  readonly log: Logger;
  readonly observer?: HealthObserver;
  /** The names of the nodes: these components are unlikely to begin to fail at the same time. @default none */
  readonly nodes?: () => readonly string[];
  /** The clock of this host. @default a new one */
  readonly clock?: Clock;
  /** The lag of this process; the registry starts and stops it. @default a new one */
  readonly lag?: Lag;
  /** The CPU time of this process, in milliseconds. */
  readonly cpuTime: () => number;
}

/** Creates an empty registry. */
export function createHealth(options: HealthOptions): AgentHealth {
  return new CheckRegistry(options);
}

class CheckRegistry implements AgentHealth {
  readonly #options: HealthOptions;
  readonly #metrics: CheckMetrics;
  /** The deadlines of runs that have not ended. */
  readonly #deadlines = new Set<Deadline>();
  readonly #lag: Lag;
  readonly #clock: Clock;
  readonly #components = new Map<string, Component>();
  /** The names of the components, sorted. Each change of the registry replaces it. */
  #names: readonly string[] = [];
  #running: Promise<HealthReport> | undefined;
  #last: { report: HealthReport; at: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #secondLook: NodeJS.Timeout | undefined;
  #heldAt = -Infinity;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#lag = options.lag ?? new Lag();
    this.#clock = options.clock ?? new Clock();
    this.#metrics = createCheckMetrics(options.metrics);
  }

  get components(): readonly string[] {
    return this.#names;
  }

  get heldAt(): number {
    return this.#heldAt;
  }

  get unconfirmed(): readonly FailedCheck[] {
    return [...this.#components.values()].flatMap(({ name, unconfirmed }) =>
      unconfirmed === undefined ? [] : [{ component: name, reason: unconfirmed }],
    );
  }

  get unchecked(): readonly string[] {
    return this.#names.filter((name) => {
      const component = this.#components.get(name);
      return component?.checkedAt === undefined && component?.unconfirmed === undefined;
    });
  }

  register(name: string, check: Check, checkOptions: CheckOptions = {}): () => void {
    if (name === '') throw new AgentError('COMPONENT_INVALID', 'a health component needs a name');
    if (this.#components.has(name))
      throw new AgentError('COMPONENT_INVALID', `'${name}' is already registered`);
    const { log, observer } = this.#options;
    const component = new Component(name, check, checkOptions, {
      log,
      metrics: this.#metrics,
      observer,
      clock: this.#clock,
      isDoubtful: (...asked) => this.#isDoubtful(...asked),
    });
    this.#components.set(name, component);
    this.#onRegistryChange();
    return () => {
      if (this.#components.get(name) !== component) return;
      component.remove();
      this.#components.delete(name);
      observer?.removed(name);
      this.#onRegistryChange();
    };
  }

  async run(selection?: Selection): Promise<HealthReport> {
    if (selection !== undefined && !isEverything(selection)) return this.#runSelected(selection);
    const { cacheFor } = this.#options;
    if (this.#last !== undefined && performance.now() - this.#last.at < cacheFor) return this.#last.report;
    return this.#runAll(cacheFor);
  }

  async runWithin(limit: number): Promise<HealthReport> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<HealthReport>((resolve) => {
      timer = setTimeout(() => {
        const last = [...this.#components.values()].flatMap((component) => component.recent(Infinity) ?? []);
        resolve(summarize(last, this.#names));
      }, limit);
    });
    return Promise.race([this.run(), late]).finally(() => clearTimeout(timer));
  }

  /** Runs all checks, or joins their run. @param maxAge the maximum age of cached results, in milliseconds */
  #runAll(maxAge: number): Promise<HealthReport> {
    const runNow = async (): Promise<HealthReport> => {
      const names = this.#names;
      const report = summarize(await this.#check([...this.#components.values()], maxAge), names);
      // A report is not cached if the registry changed during its run.
      if (this.#options.cacheFor > 0 && names === this.#names && this.unconfirmed.length === 0)
        this.#last = { report, at: this.#oldestCheck() };
      return report;
    };
    this.#running ??= runNow().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Runs checks concurrently. @param maxAge the maximum age of cached results, in milliseconds */
  async #check(components: readonly Component[], maxAge: number): Promise<FailedCheck[]> {
    const { timeout, cpuTime } = this.#options;
    const deadline = new Deadline(timeout, cpuTime);
    this.#deadlines.add(deadline);
    // The checks of 100 nodes send 100 requests, which would stall the event loop if all were started in one turn.
    const yieldIfDue = createYielder(1);
    const running: Promise<readonly FailedCheck[]>[] = [];
    for (const each of components) {
      running.push(Promise.resolve(each.recent(maxAge) ?? each.run(deadline)));
      if (running.length % CHECKS_PER_CLOCK_READ === 0) await yieldIfDue();
    }
    const failed = await Promise.all(running);
    deadline.end();
    this.#deadlines.delete(deadline);
    this.#planSecondLook();
    return failed.flat();
  }

  /** Schedules another run of the checks with doubtful failures. */
  #planSecondLook(): void {
    if (this.unconfirmed.length === 0) return;
    this.#heldAt = performance.now();
    if (this.#secondLook !== undefined) return;
    this.#secondLook = setTimeout(() => {
      this.#secondLook = undefined;
      void this.#check(
        [...this.#components.values()].filter(({ unconfirmed }) => unconfirmed !== undefined),
        0,
      );
    }, SECOND_LOOK).unref();
  }

  /** See {@link ComponentParts}: true if the agent lags, or all of at least two nodes begin to fail at once. */
  async #isDoubtful(
    component: Component,
    since: number | undefined,
    isFirst: boolean,
    deadline: Deadline,
  ): Promise<boolean> {
    if (this.#lag.hasLaggedSince(since ?? -Infinity)) return true;
    if (since === undefined || !isFirst) return false;
    const nodes = (this.#options.nodes?.() ?? []).flatMap((name) => this.#components.get(name) ?? []);
    if (nodes.length < 2 || !nodes.includes(component)) return false;
    const others = nodes.filter((node) => node !== component);
    const fail = await Promise.all(others.map((node) => node.beginsToFail(deadline)));
    return fail.every(Boolean);
  }

  isJudged(name: string): boolean {
    const component = this.#components.get(ownerOf(name, this.#names) ?? '');
    return this.#clock.problem === undefined && (component === undefined || component.isJudged);
  }

  async check(name: string): Promise<void> {
    const component = this.#components.get(name);
    if (component !== undefined) await this.#check([component], 0);
  }

  watch(): void {
    this.#clock.watch(() => {
      if (this.#components.has(CLOCK)) return;
      this.register(CLOCK, () => this.#clock.check(), { looksAgain: true });
      void this.check(CLOCK);
    });
    this.#lag.start(() => {
      if (!this.#components.has(AGENT)) this.register(AGENT, () => this.#lag.check(), { looksAgain: true });
    });
  }

  start(): void {
    const { groups, interval, log } = this.#options;
    for (const [group, selection] of Object.entries(groups))
      for (const list of ['include', 'exclude'] as const)
        for (const name of selection[list])
          if (!isKnownName(name, this.#names))
            log.warn(`health.groups.${group}.${list}: ${describeUnknownName(name, this.#names)}`);
    this.watch();
    void this.#runAll(0);
    this.#timer = setInterval(() => void this.#runAll(0), interval).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#secondLook);
    this.#lag.stop();
    this.#clock.watch(() => undefined);
    for (const component of this.#components.values()) component.remove();
    this.#components.clear();
    this.#onRegistryChange();
    for (const deadline of this.#deadlines)
      deadline.abort(new AgentError('AGENT_STOPPED', 'the agent is stopping'));
  }

  async #runSelected(selection: Selection): Promise<HealthReport> {
    const names = this.#names;
    const checked = selectComponents(names, selection);
    const narrow = (failed: readonly FailedCheck[]): FailedCheck[] => selectFailed(failed, names, selection);
    if (checked.length === names.length) {
      const { failedChecks, warnings, time } = await this.run();
      return { failedChecks: narrow(failedChecks), warnings: narrow(warnings), components: checked, time };
    }
    const components = checked.flatMap((name) => this.#components.get(name) ?? []);
    return summarize(narrow(await this.#check(components, this.#options.cacheFor)), checked);
  }

  #oldestCheck(): number {
    let oldest = performance.now();
    for (const { checkedAt } of this.#components.values())
      if (checkedAt !== undefined) oldest = Math.min(oldest, checkedAt);
    return oldest;
  }

  #onRegistryChange(): void {
    this.#names = [...this.#components.keys()].sort();
    this.#last = undefined;
  }
}

function summarize(failed: FailedCheck[], components: readonly string[]): HealthReport {
  failed.sort((a, b) => (a.component < b.component ? -1 : 1));
  const isCritical = ({ severity }: FailedCheck): boolean => severity !== 'warning';
  return {
    failedChecks: failed.every(isCritical) ? failed : failed.filter(isCritical),
    warnings: failed.filter((check) => !isCritical(check)),
    components,
    time: Date.now(),
  };
}
