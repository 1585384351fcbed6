// One component: calls its check and records what it found.

import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import { errorCodeOf } from '../contract/errors.js';
import { reasonOf, type FailedPart, type Histogram, type Logger, type Severity } from '../contract/index.js';
import type { Deadline } from './deadline.js';
import { failureOf, MAX_PARTS, shortened, type Failure } from './failure.js';
import { Parts, State, type CheckMetrics, type HealthObserver, type RecordedParts } from './state.js';

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

/** A component and its check. */
export class Component {
  readonly #name: string;
  readonly #check: Check;
  readonly #log: Logger;
  readonly #duration: Histogram;
  readonly #state: State;
  readonly #parts: Parts;
  readonly #unfinished = new UnfinishedCalls(MAX_UNFINISHED_CALLS);
  /** The current call of the check; undefined when there is none before its deadline. */
  #current: Promise<readonly FailedCheck[]> | undefined;
  /** What failed in the last check, and when it ended, as `performance.now()`. */
  #last: { readonly failed: readonly FailedCheck[]; readonly at: number } | undefined;
  #isRemoved = false;

  constructor(name: string, check: Check, log: Logger, metrics: CheckMetrics, observer?: HealthObserver) {
    this.#name = name;
    this.#check = check;
    this.#log = log;
    this.#duration = metrics.duration.with({ component: name });
    this.#state = new State(name, log, metrics, observer);
    this.#parts = new Parts((part, hasCounter) => {
      const full = `${name}/${part}`;
      return new State(full, log, metrics, observer, hasCounter ? full : name);
    });
  }

  /** Runs the check, or joins the current call of it. Never rejects. @returns what failed; empty when it succeeded */
  run(deadline: Deadline): Promise<readonly FailedCheck[]> {
    this.#current ??= this.#call(deadline).finally(() => (this.#current = undefined));
    return this.#current;
  }

  /** What failed in a check that ended at most `maxAge` milliseconds ago; undefined if there is none. */
  recent(maxAge: number): readonly FailedCheck[] | undefined {
    return this.#last !== undefined && performance.now() - this.#last.at < maxAge
      ? this.#last.failed
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

  async #call(deadline: Deadline): Promise<readonly FailedCheck[]> {
    // Another check of the same run can have removed it.
    if (this.#isRemoved) return [];
    const start = performance.now();
    try {
      const { isFull, count } = this.#unfinished;
      if (isFull) throw new Error(`not checked: ${count} earlier checks are still running`);
      await deadline.run((signal) => this.#unfinished.run(() => this.#check(signal)));
      return this.#finish(start, undefined);
    } catch (error) {
      return errorCodeOf(error) === 'PLUGIN_NOT_STARTED'
        ? [{ component: this.#name, reason: reasonOf(error) }]
        : this.#finish(start, failureOf(error));
    }
  }

  /** Records what a check found, unless it was removed. @param start as `performance.now()` */
  #finish(start: number, failure: Failure | undefined): readonly FailedCheck[] {
    if (this.#isRemoved) return [];
    const end = performance.now();
    const duration = end - start;
    this.#duration.observe(duration / 1000);
    if (this.#log.enabled('debug'))
      this.#log.debug(`${this.#name} checked in ${duration.toFixed(1)}ms: ${describe(failure)}`);
    const failed = this.#record(failure, failure?.lookedAt ?? start);
    this.#last = { failed, at: end };
    return failed;
  }

  /** @param lookedAt as in `FailureFacts` */
  #record(failure: Failure | undefined, lookedAt: number): readonly FailedCheck[] {
    const { parts = failure === undefined ? [] : undefined, follows } = failure ?? {};
    // The states of the parts are unknown while the component itself fails; they stay as they were.
    const { named, others } = parts === undefined ? NO_PARTS : this.#parts.record(parts, lookedAt);
    const reason = failure?.reason ?? describeOthers(others);
    const severity = parts === undefined ? failure?.severity : severestOf(others);
    this.#state.record(reason, severity, { lookedAt, ...(follows !== undefined && { follows }) });
    const failed = named.map(({ causes: _causes, ...part }) => ({
      ...part,
      component: `${this.#name}/${part.component}`,
      reason: shortened(part.reason),
    }));
    if (reason === undefined) return failed;
    const whole = { component: this.#name, reason: shortened(reason) };
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

const severestOf = (parts: readonly FailedPart[]): Severity =>
  parts.length > 0 && parts.every(({ severity }) => severity === 'warning') ? 'warning' : 'critical';

/** Says how many parts are not reported by name; undefined if there are none. */
function describeOthers(others: readonly FailedPart[]): string | undefined {
  const warnings = others.filter(({ severity }) => severity === 'warning').length;
  const counts = [
    ...(others.length > warnings ? [`${others.length - warnings} further parts failed`] : []),
    ...(warnings > 0 ? [`${warnings} further parts need attention`] : []),
  ];
  return counts.length === 0
    ? undefined
    : `${counts.join(', ')}; at most ${MAX_PARTS} parts are reported by name`;
}
