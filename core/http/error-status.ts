import type { ErrorCode } from '../contract/index.js';

/** The statuses of errors that the client caused. Every other error is a fault of the agent: 500. */
const STATUSES: ReadonlyMap<unknown, number> = new Map<ErrorCode, number>([
  ['BODY_INVALID', 400],
  ['LOG_SPEC_INVALID', 400],
  ['BODY_TIMED_OUT', 408],
  ['BODY_TOO_LARGE', 413],
]);

/**
 * The status of an error that the client caused; undefined for every other error. Errors are recognised by their code and not by
 * their class: a plugin may have its own copy of the contract.
 */
export function statusOfError(error: unknown): number | undefined {
  return STATUSES.get((error as { code?: unknown } | null | undefined)?.code);
}
