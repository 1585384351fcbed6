// One component: calls its check and records the result.

import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import { CLOCK, dependsOnClock, isDifference, type Clock } from './clock.js';
import { errorCodeOf } from '../contract/errors.js';
import {
  AgentError,
  CheckWarning,
  reasonOf,
  type HealthChecker,
  type Histogram,
  type Logger,
} from '../contract/index.js';
import type { Severity } from '../contract/errors.js';
import { warningAfter, type DetailedPart } from '../contract/internal/index.js';
import type { Deadline } from './deadline.js';
import { failureOf, MAX_PARTS, shortened, type Failure } from './failure.js';
import { Parts, State, type CheckMetrics, type HealthObserver, type RecordedParts } from './state.js';

/**
 * After this many unfinished calls that missed their deadlines, a check is not called until one of them ends. A call that hangs in a
 * file operation, for example on a hanging mount, occupies one of the four threads of libuv.
 */
export const MAX_UNFINISHED_CALLS = 2;

/**
 * Resolves when healthy; throws or rejects with the reason when unhealthy, or with `FailedChecks` when parts of the component are unhealthy.
 * The signal is aborted at the deadline. A check that throws `PLUGIN_NOT_STARTED` fails, but is neither measured nor logged.
 */
export type Check = (signal: AbortSignal) => void | Promise<void>;

/** A failed check, with the name of the component or `<component>/<part>`. */
export type FailedCheck = DetailedPart;

/** The options of a check. */
export interface CheckOptions extends Pick<HealthChecker, 'onTimeout'> {
  /** Whether the check itself confirms doubtful failures before it reports them. @default false */
  readonly looksAgain?: boolean;
}

/** The parts of the registry that components use. */
export interface ComponentParts {
  readonly log: Logger;
  readonly metrics: CheckMetrics;
  readonly observer?: HealthObserver | undefined;
  readonly clock: Pick<Clock, 'problem' | 'isDoubtful'>;
  /**
   * Returns true if this host may be the cause of a new failure, so that the check must run again.
   *
   * @param since when the last call of the check ended, as `performance.now()`; undefined: never
   * @param isFirst whether the failure was not held back before
   */
  isDoubtful(
    component: Component,
    since: number | undefined,
    isFirst: boolean,
    deadline: Deadline,
  ): Promise<boolean>;
}

/** The reason of a component without a result while the clock is wrong. */
const UNCHECKED = 'cannot be checked while the clock of this host is wrong';

/** Time after which a timeout is reported although the agent still lags, in milliseconds. */
export const LONGEST_DOUBT = 300_000;

/** The result of one call of a check. */
interface RunResult {
  /** As `performance.now()`. */
  readonly start: number;
  /** The value that the check threw; undefined if it succeeded. */
  readonly thrown: unknown;
  readonly failure: Failure | undefined;
}

/** A component and its check. */
export class Component {
  readonly name: string;
  readonly #check: Check;
  readonly #options: CheckOptions;
  readonly #parts: ComponentParts;
  readonly #duration: Histogram;
  readonly #state: State;
  readonly #partStates: Parts;
  readonly #unfinished = new UnfinishedCalls(MAX_UNFINISHED_CALLS);
  /** The current run, until its deadline at the latest. */
  #current: Promise<readonly FailedCheck[]> | undefined;
  /** The current call of the check. */
  #calling: Promise<RunResult> | undefined;
  /** When the last call of the check ended, as `performance.now()`. */
  #observedAt: number | undefined;
  /** A doubtful failure that is not recorded yet: the last thrown value, its reason, and since when the check fails. */
  #unconfirmed: { readonly thrown: unknown; readonly reason: string; readonly since: number } | undefined;
  /** The result of the last check, and when it ended, as `performance.now()`. */
  #last: { readonly failed: readonly FailedCheck[]; readonly at: number } | undefined;
  #isRemoved = false;

  constructor(name: string, check: Check, options: CheckOptions, parts: ComponentParts) {
    const { log, metrics, observer } = parts;
    this.name = name;
    this.#check = check;
    this.#options = options;
    this.#parts = parts;
    this.#duration = metrics.duration.with({ component: name });
    this.#state = new State(name, log, metrics, observer);
    this.#partStates = new Parts((part, hasCounter) => {
      const full = `${name}/${part}`;
      return new State(full, log, metrics, observer, hasCounter ? full : name);
    });
  }

  /** Runs the check, or joins its current run. Never rejects. @returns the failed checks; empty if it succeeded */
  run(deadline: Deadline): Promise<readonly FailedCheck[]> {
    this.#current ??= this.#run(deadline).finally(() => (this.#current = undefined));
    return this.#current;
  }

  /** Calls the check, or joins its current call, and records nothing. @returns whether there is a new failure; false before the first recorded check */
  async beginsToFail(deadline: Deadline): Promise<boolean> {
    const { failure } = await this.#callOnce(deadline);
    return this.#last !== undefined && this.#isWorse(failure);
  }

  /** The reason of a doubtful failure that is not recorded yet; undefined: there is none. */
  get unconfirmed(): string | undefined {
    return this.#unconfirmed?.reason;
  }

  /** Whether the last result is about the component and all of its parts: no doubtful failure waits, and it does not fail as a whole. */
  get isJudged(): boolean {
    const isWhole = this.#last?.failed.some(({ component }) => component === this.name);
    return isWhole === false && this.#unconfirmed === undefined;
  }

  /** The result of the last check if it ended at most `maxAge` milliseconds ago, else undefined. */
  recent(maxAge: number): readonly FailedCheck[] | undefined {
    return this.#last !== undefined && performance.now() - this.#last.at < maxAge
      ? this.#last.failed
      : undefined;
  }

  /** When the last check ended, as `performance.now()`; undefined before the first one. */
  get checkedAt(): number | undefined {
    return this.#last?.at;
  }

  /** Called when the component is no longer registered: a running call then has no effect. */
  remove(): void {
    this.#isRemoved = true;
  }

  async #run(deadline: Deadline): Promise<readonly FailedCheck[]> {
    // Another check of the same run may have removed it.
    if (this.#isRemoved) return [];
    const before = this.#observedAt;
    const { start, thrown, failure: found } = await this.#callOnce(deadline);
    if (errorCodeOf(thrown) === 'PLUGIN_NOT_STARTED')
      return [{ component: this.name, reason: reasonOf(thrown) }];
    const failure = this.#withoutClock(found);
    const isHeld = await this.#isToHold(failure, thrown, before, deadline);
    return isHeld ? (this.#last?.failed ?? []) : this.#finish(start, failure);
  }

  #callOnce(deadline: Deadline): Promise<RunResult> {
    this.#calling ??= this.#call(deadline).finally(() => {
      this.#calling = undefined;
      this.#observedAt = performance.now();
    });
    return this.#calling;
  }

  async #call(deadline: Deadline): Promise<RunResult> {
    const start = performance.now();
    const { isFull, count } = this.#unfinished;
    if (isFull) {
      const thrown = new AgentError('PLUGIN_TIMED_OUT', `${count} earlier checks are still running`);
      return { start, thrown, failure: this.#lateFailure(thrown, 'not checked: ') };
    }
    try {
      await deadline.run((signal) => this.#unfinished.run(() => this.#check(signal)));
      return { start, thrown: undefined, failure: undefined };
    } catch (thrown) {
      const isLate = errorCodeOf(thrown) === 'PLUGIN_TIMED_OUT';
      return { start, thrown, failure: isLate ? this.#lateFailure(thrown, '') : failureOf(thrown) };
    }
  }

  /** The failure of a check that timed out. @param prefix the beginning of a critical reason */
  #lateFailure(thrown: unknown, prefix: string): Failure {
    const reason = reasonOf(thrown);
    return failureOf(
      this.#options.onTimeout === 'warning'
        ? new CheckWarning(`could not be checked: ${reason}`)
        : new AgentError('PLUGIN_TIMED_OUT', `${prefix}${reason}`),
    );
  }

  /**
   * Returns true if a failure is not recorded yet: it is new, and this host may be the cause. The previous result then stays in effect.
   *
   * @param before see {@link ComponentParts.isDoubtful}
   */
  async #isToHold(
    failure: Failure | undefined,
    thrown: unknown,
    before: number | undefined,
    deadline: Deadline,
  ): Promise<boolean> {
    const held = this.#unconfirmed;
    this.#unconfirmed = undefined;
    if (this.#options.looksAgain === true || this.#isRemoved || !this.#isWorse(failure)) return false;
    const since = held?.since ?? performance.now();
    // A checker that polls throws the same error until its next poll.
    const isSame = held !== undefined && held.thrown === thrown;
    const isFirst = held === undefined;
    const isOver =
      performance.now() - since >= LONGEST_DOUBT || !(isFirst || isSame || this.#isLate(failure));
    const isOfClock = isFirst && this.#parts.clock.isDoubtful && this.#dependsOnClock(failure);
    const isDoubtful =
      !isOver && (isSame || isOfClock || (await this.#parts.isDoubtful(this, before, isFirst, deadline)));
    if (isDoubtful) {
      const reason = describe(failure);
      this.#unconfirmed = { thrown, reason: shortened(reason), since };
      this.#parts.log.debug(`${this.name} is checked again: ${reason}`);
    }
    return isDoubtful;
  }

  #dependsOnClock({ reason, parts = [] }: Failure): boolean {
    return [...parts, ...(reason === undefined ? [] : [{ reason }])].some((each) =>
      dependsOnClock(each.reason),
    );
  }

  /** Removes failures about certificates while the clock of this host is wrong; components that are reached with TLS become a warning. */
  #withoutClock(failure: Failure | undefined): Failure | undefined {
    const { problem } = this.#parts.clock;
    if (failure === undefined || problem === undefined || this.name === CLOCK) return failure;
    const { reason, parts } = failure;
    if (reason !== undefined && isDifference(reason)) return undefined;
    if (reason !== undefined && dependsOnClock(reason)) return failureOf(warningAfter(UNCHECKED, CLOCK));
    const others = parts?.filter((part) => !dependsOnClock(part.reason));
    if (others === undefined || others.length === parts?.length) return failure;
    return others.length === 0 ? undefined : { ...failure, parts: others };
  }

  /** Returns true if a failure that is worse than before is only a timeout; a refused connection is certain when it is found again. */
  #isLate({ parts, isLate = false }: Failure): boolean {
    return parts?.some((part) => part.isLate === true && this.#partStates.isWorse(part)) ?? isLate;
  }

  /** Returns true if a failure is new, or critical after a warning. */
  #isWorse(failure: Failure | undefined): failure is Failure {
    if (failure === undefined) return false;
    const { parts, severity } = failure;
    if (parts === undefined) return this.#state.isWorse(severity);
    return parts.some((part) => this.#partStates.isWorse(part));
  }

  /** Records the result of a check, unless the component was removed. @param start as `performance.now()` */
  #finish(start: number, failure: Failure | undefined): readonly FailedCheck[] {
    if (this.#isRemoved) return [];
    const end = performance.now();
    const duration = end - start;
    this.#duration.observe(duration / 1000);
    const { log } = this.#parts;
    if (log.enabled('debug'))
      log.debug(`${this.name} checked in ${duration.toFixed(1)}ms: ${describe(failure)}`);
    const failed = this.#record(failure, failure?.observedAt ?? start);
    this.#last = { failed, at: end };
    return failed;
  }

  /** @param observedAt as in `FailureDetails` */
  #record(failure: Failure | undefined, observedAt: number): readonly FailedCheck[] {
    const { parts = failure === undefined ? [] : undefined, follows } = failure ?? {};
    // The states of the parts are unknown while the component itself fails; they do not change.
    const { named, others } = parts === undefined ? NO_PARTS : this.#partStates.record(parts, observedAt);
    const reason = failure?.reason ?? describeOthers(others);
    const severity = parts === undefined ? failure?.severity : severestOf(others);
    this.#state.record(reason, severity, { observedAt, ...(follows !== undefined && { follows }) });
    const failed = named.map(({ causes: _causes, headline: _headline, steps: _steps, ...part }) => ({
      ...part,
      component: `${this.name}/${part.component}`,
      reason: shortened(part.reason),
    }));
    if (reason === undefined) return failed;
    const whole = { component: this.name, reason: shortened(reason) };
    return [severity === 'warning' ? { ...whole, severity } : whole, ...failed];
  }
}

const NO_PARTS: RecordedParts = { named: [], others: [] };

function describe(failure: Failure | undefined): string {
  if (failure === undefined) return 'healthy';
  const { reason, parts = [] } = failure;
  return (
    reason ??
    parts
      .slice(0, MAX_PARTS)
      .map((part) => `${part.component}: ${part.reason}`)
      .join('; ')
  );
}

const severestOf = (parts: readonly DetailedPart[]): Severity =>
  parts.length > 0 && parts.every(({ severity }) => severity === 'warning') ? 'warning' : 'critical';

/** Describes how many parts are not reported by name; undefined if there are none. */
function describeOthers(others: readonly DetailedPart[]): string | undefined {
  const warnings = others.filter(({ severity }) => severity === 'warning').length;
  const counts = [
    ...(others.length > warnings ? [`${others.length - warnings} further parts failed`] : []),
    ...(warnings > 0 ? [`${warnings} further parts need attention`] : []),
  ];
  return counts.length === 0
    ? undefined
    : `${counts.join(', ')}; at most ${MAX_PARTS} parts are reported by name`;
}
