import { AgentError } from './errors.js';

/** `critical`: the component does not do its work. `warning`: it works, but needs attention soon. */
export type Severity = 'critical' | 'warning';

/** A part of a component that is not healthy. */
export interface FailedPart {
  /** The name of the part; it is reported as `<component>/<name>`. */
  readonly component: string;
  readonly reason: string;
  /** @default 'critical' */
  readonly severity?: Severity;
}

/**
 * Thrown by a check that fails in parts. Each part is reported as a failed check of its own; the component itself is not reported.
 * Its code is `CHECKS_FAILED`.
 */
export class FailedChecks extends AgentError {
  readonly parts: readonly FailedPart[];

  /** @param parts at least one */
  constructor(parts: readonly FailedPart[]) {
    super('CHECKS_FAILED', parts.map(({ component, reason }) => `${component}: ${reason}`).join('; '));
    this.parts = parts;
  }
}

/**
 * Thrown by a check whose component works, but needs attention: the severity of the failure is `warning`. Its code is `CHECK_WARNING`.
 * `/healthz` and `/readyz` stay at 200.
 */
export class CheckWarning extends AgentError {
  /** @param reason shown to the operator */
  constructor(reason: string) {
    super('CHECK_WARNING', reason);
  }
}
