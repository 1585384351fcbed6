import { AgentError } from './errors.js';

/** Why a reading failed; the label `reason` of `fabric_ops_agent_source_failures_total`. */
export type SourceFailure = 'unreachable' | 'timeout' | 'tls' | 'status' | 'too_large' | 'invalid' | 'other';

/** A reading that failed. Its code is `SOURCE_FAILED`. */
export class SourceError extends AgentError {
  readonly failure: SourceFailure;

  constructor(failure: SourceFailure, message: string, options?: { cause?: unknown }) {
    super('SOURCE_FAILED', message, options);
    this.failure = failure;
  }
}
