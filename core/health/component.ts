// One component: calls its check and records the outcome.

import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import { errorCodeOf } from '../contract/errors.js';
import { reasonOf, type FailedPart, type Histogram, type Logger } from '../contract/index.js';
import type { Deadlines } from './deadline.js';
import { failureOf, MAX_PARTS, shortened, wholeFailure, type Failure } from './failure.js';
import { Parts, State, type CheckMetrics, type HealthObserver } from './state.js';

/**
 * After this many unfinished calls that missed their deadlines, a check is not called until one of them ends. A call that hangs in a
 * file operation, for example on a dead mount, takes one of the four threads of libuv.
 */
export const MAX_UNFINISHED_CALLS = 2;

/**
 * Resolves when healthy; throws or rejects with the reason when not, or with `FailedChecks` when parts of the component are not.
 * The signal is aborted at the deadline. A check that throws `PLUGIN_NOT_STARTED` fails, but is neither measured nor logged.
 */
export type Check = (signal: AbortSignal) => void | Promise<void>;

/** A check that failed, with the name of the component or `<component>/<part>`. */
export type FailedCheck = FailedPart;

/** What failed in one check; empty when it succeeded. */
export type Outcome = readonly FailedCheck[];

const HEALTHY: Outcome = [];

/** A component and its check. */
export class Component {
  readonly #name: string;
  readonly #check: Check;
  readonly #log: Logger;
  readonly #duration: Histogram;
  readonly #state: State;
  readonly #parts: Parts;
  readonly #unfinished = new UnfinishedCalls(MAX_UNFINISHED_CALLS);
  /** Who waits for the current call of the check; undefined when there is none before its deadline. */
  #waiting: ((outcome: Outcome) => void)[] | undefined;
  /** The outcome of the last check and when it ended, as `performance.now()`. */
  #last: { readonly outcome: Outcome; readonly at: number } | undefined;
  #isRemoved = false;

  constructor(name: string, check: Check, log: Logger, metrics: CheckMetrics, observer?: HealthObserver) {
    this.#name = name;
    this.#check = check;
    this.#log = log;
    this.#duration = metrics.duration.with({ component: name });
    this.#state = new State(name, log, metrics, observer);
    this.#parts = new Parts((part) => new State(`${name}/${part}`, log, metrics, observer));
  }

  /**
   * Runs the check, or joins the current call of it. Calls back once with the outcome, synchronously when the check is
   * synchronous.
   */
  run(deadlines: Deadlines, onOutcome: (outcome: Outcome) => void): void {
    if (this.#isRemoved) return onOutcome(HEALTHY);
    if (this.#waiting !== undefined) {
      this.#waiting.push(onOutcome);
      return;
    }
    const start = performance.now();
    if (this.#unfinished.isFull) {
      const reason = `not checked: ${this.#unfinished.count} earlier checks are still running`;
      onOutcome(this.#finish(start, start, wholeFailure(reason)));
      return;
    }
    try {
      const result = this.#check(deadlines.signal);
      // A check that blocked the event loop past its deadline fails, whatever its result.
      const end = performance.now();
      const late = deadlines.isOver(end - start) ? wholeFailure(deadlines.reason) : undefined;
      // Inside the try: reading `then` of the result can run code of the check.
      if (isPromise(result)) this.#wait(Promise.resolve(result), start, deadlines, late, onOutcome);
      else onOutcome(this.#finish(start, end, late));
    } catch (error) {
      onOutcome(
        errorCodeOf(error) === 'PLUGIN_NOT_STARTED'
          ? [{ component: this.#name, reason: reasonOf(error) }]
          : this.#finish(start, performance.now(), failureOf(error)),
      );
    }
  }

  /** The outcome of a check that ended at most `maxAge` milliseconds ago; undefined if there is none. */
  recent(maxAge: number): Outcome | undefined {
    return this.#last !== undefined && performance.now() - this.#last.at < maxAge
      ? this.#last.outcome
      : undefined;
  }

  /** When its last check ended, as `performance.now()`; undefined before that. */
  get checkedAt(): number | undefined {
    return this.#last?.at;
  }

  /** The component is no longer registered: a call that is still running has no effect any more. */
  remove(): void {
    this.#isRemoved = true;
  }

  /** Calls back when the check ends or at the deadline, whichever is first. With a late failure the check has failed already. */
  #wait(
    check: Promise<void>,
    start: number,
    deadlines: Deadlines,
    late: Failure | undefined,
    onOutcome: (outcome: Outcome) => void,
  ): void {
    this.#unfinished.begin();
    const waiting = [onOutcome];
    this.#waiting = waiting;
    const finish = (failure: Failure | undefined): void => {
      // The deadline was first, and another call may run.
      if (this.#waiting !== waiting) return;
      this.#waiting = undefined;
      const outcome = this.#finish(start, performance.now(), failure);
      for (const callback of waiting) callback(outcome);
    };
    deadlines.onLate((reason) => finish(wholeFailure(reason)));
    const end = (failure: Failure | undefined): void => {
      this.#unfinished.end();
      finish(failure);
    };
    check.then(
      () => end(late),
      (error: unknown) => end(late ?? failureOf(error)),
    );
  }

  /** Records the outcome. The times are those of `performance.now()`. */
  #finish(start: number, end: number, failure: Failure | undefined): Outcome {
    if (this.#isRemoved) return HEALTHY;
    const duration = end - start;
    this.#duration.observe(duration / 1000);
    if (this.#log.enabled('debug'))
      this.#log.debug(`${this.#name} checked in ${duration.toFixed(1)}ms: ${describe(failure)}`);
    const outcome = this.#record(failure);
    this.#last = { outcome, at: end };
    return outcome;
  }

  #record(failure: Failure | undefined): Outcome {
    const {
      reason: ownReason,
      severity = 'critical',
      parts = failure === undefined ? [] : undefined,
      others = 0,
    } = failure ?? {};
    // The states of the parts are unknown while the component itself fails; they stay as they were.
    const recorded = parts === undefined ? [] : this.#parts.record(parts);
    const unnamed = others + (parts?.length ?? 0) - recorded.length;
    const reason = ownReason ?? (unnamed > 0 ? describeUnnamed(unnamed) : undefined);
    this.#state.record(reason, severity);
    if (failure === undefined) return HEALTHY;
    const failed = recorded.map((part) => ({
      ...part,
      component: `${this.#name}/${part.component}`,
      reason: shortened(part.reason),
    }));
    if (reason === undefined) return failed;
    const own = { component: this.#name, reason: shortened(reason) };
    return [severity === 'critical' ? own : { ...own, severity }, ...failed];
  }
}

function describe(failure: Failure | undefined): string {
  if (failure === undefined) return 'healthy';
  const { reason, parts = [] } = failure;
  return reason ?? parts.map((part) => `${part.component}: ${part.reason}`).join('; ');
}

function describeUnnamed(count: number): string {
  return `${count} further parts failed; only ${MAX_PARTS} different parts are reported by name`;
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function';
}
