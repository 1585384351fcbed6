import type { Lifecycle } from './lifecycle.js';

/** Checks whether one component is healthy. */
export interface HealthChecker extends Lifecycle {
  /**
   * Resolves when the component is healthy; throws or rejects with the reason shown to the operator when it is not.
   * `CheckWarning` says that it works but needs attention, and `FailedChecks` names parts.
   *
   * @param signal aborted at the deadline of the check (`health.timeout`); the check has failed by then, whatever its result
   */
  check(signal: AbortSignal): void | Promise<void>;
}
