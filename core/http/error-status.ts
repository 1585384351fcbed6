import { errorCodeOf, type ErrorCode } from '../contract/errors.js';

/** The statuses of errors that the client or a node caused. Every other error is a fault of the agent: 500. */
const STATUSES: ReadonlyMap<ErrorCode, number> = new Map<ErrorCode, number>([
  ['BODY_INVALID', 400],
  ['LOG_SPEC_INVALID', 400],
  ['QUERY_INVALID', 400],
  ['NODE_UNKNOWN', 404],
  ['BODY_TIMED_OUT', 408],
  ['LOG_SPEC_AMBIGUOUS', 409],
  ['BODY_TOO_LARGE', 413],
  ['NODE_UNREACHABLE', 502],
  ['NODE_REFUSED', 502],
  ['NODE_RESPONSE_INVALID', 502],
  ['NODE_BUSY', 503],
]);

/** The status of an error that the client or a node caused; undefined for every other error. */
export function statusOfError(error: unknown): number | undefined {
  const code = errorCodeOf(error);
  return code === undefined ? undefined : STATUSES.get(code);
}
