// Reads request bodies within the limits of this service.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteBudget } from '../../core/common/server/byte-budget.js';
import { readBody, type BodyProblem } from '../../core/common/server/read-body.js';
import { STALL_TIMEOUT } from './limits.js';
import { RequestError, TOO_BUSY } from './reply.js';

/**
 * Reads a request body as raw bytes; `Content-Type` and `Content-Encoding` are ignored, as Fabric does.
 *
 * @param maxSize in bytes; of a larger body, the same amount again is read and dropped before it is refused
 * @param budget the bytes of all current requests
 * @throws RequestError 413 body too large, 408 no data for {@link STALL_TIMEOUT}, 400 connection closed early, 503 other requests
 *   needed the memory
 */
export function readRawBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxSize: number,
  budget: ByteBudget,
): Promise<Buffer> {
  const timing = { timeout: STALL_TIMEOUT, timeoutKind: 'idle' } as const;
  const limits = { maxSize, maxDiscarded: maxSize, ...timing, budget };
  return readBody(request, response, limits, (problem) => toRequestError(problem, maxSize));
}

function toRequestError(problem: BodyProblem, maxSize: number): RequestError {
  if (problem === 'TOO_LARGE')
    return new RequestError(
      413,
      `request body is larger than ${maxSize} bytes; the limit is set by --max-body`,
    );
  if (problem === 'TIMED_OUT')
    return new RequestError(408, `no request body data received for ${STALL_TIMEOUT / 1000} s`);
  if (problem === 'EVICTED') return new RequestError(503, TOO_BUSY);
  return new RequestError(400, 'request body ended early');
}
