import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatDuration } from '../common/text/duration.js';
import { AgentError } from '../contract/index.js';
import { readBody as readBounded, type BodyProblem } from '../common/server/read-body.js';
import { MAX_BODY_SIZE, REQUEST_TIMEOUT } from './limits.js';

/** Node discards the rest of a body that is too large, so nothing above the limit is read here. */
const LIMITS = {
  maxSize: MAX_BODY_SIZE,
  maxDiscarded: 0,
  timeout: REQUEST_TIMEOUT,
  timeoutKind: 'total',
} as const;

/**
 * Reads a request body, bounded in size and time. `100 Continue` is sent to a client that waits for it.
 *
 * @throws AgentError `BODY_TOO_LARGE`, `BODY_TIMED_OUT`, or `BODY_INVALID` for a truncated or encoded body
 */
export async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new AgentError(
      'BODY_INVALID',
      `content encoding '${encoding}' is not supported; send the body without one`,
    );
  return await readBounded(request, response, LIMITS, toError);
}

function toError(problem: BodyProblem): AgentError {
  if (problem === 'TOO_LARGE')
    return new AgentError('BODY_TOO_LARGE', `the request body is larger than ${MAX_BODY_SIZE} bytes`);
  if (problem === 'TIMED_OUT')
    return new AgentError(
      'BODY_TIMED_OUT',
      `the request body did not arrive within ${formatDuration(REQUEST_TIMEOUT)}`,
    );
  return new AgentError('BODY_INVALID', 'the request body is truncated or malformed');
}
