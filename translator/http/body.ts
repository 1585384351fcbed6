// Reads request bodies within the limits of this service.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, type BodyProblem } from '../../core/service/read-body.js';
import { STALL_TIMEOUT } from './limits.js';
import { RequestError } from './reply.js';

/**
 * Reads a request body as raw bytes; `Content-Type` and `Content-Encoding` are ignored, as Fabric does.
 *
 * @param maxSize in bytes; as much again is read and dropped before a larger body is refused
 * @throws RequestError 413 larger than that, 408 no data for {@link STALL_TIMEOUT}, 400 the connection closed early
 */
export function readRawBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxSize: number,
): Promise<Buffer> {
  const limits = { maxSize, maxDiscarded: maxSize, timeout: STALL_TIMEOUT, timeoutKind: 'idle' } as const;
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
  return new RequestError(400, 'request body ended early');
}
