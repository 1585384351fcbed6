import { AgentError } from './errors.js';

/** A part of a component that is not healthy. */
export interface FailedPart {
  /** The name of the part; it is reported as `<component>/<name>`. */
  readonly component: string;
  readonly reason: string;
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
