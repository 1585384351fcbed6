// Reads a request body within limits of size and time.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteCollector } from '../flow/byte-collector.js';
import { onPieces } from '../flow/on-pieces.js';
import type { ByteBudget } from './byte-budget.js';

/**
 * Why a body could not be read: larger than the limit, not received in time, the connection closed before its end, or other
 * requests needed its memory.
 */
export type BodyProblem = 'TOO_LARGE' | 'TIMED_OUT' | 'CUT_OFF' | 'EVICTED';

/** Limits of a request body. */
export interface BodyLimits {
  /** Largest body that is returned, in bytes. */
  readonly maxSize: number;
  /**
   * Bytes above `maxSize` that are read and dropped, so that a client that sends its whole body before it reads gets the
   * response and not a connection reset.
   */
  readonly maxDiscarded: number;
  /** In milliseconds. */
  readonly timeout: number;
  /** Whether `timeout` limits the time from the call to the end of the body, or the time without any data. */
  readonly timeoutKind: 'total' | 'idle';
  /** Counts the bytes of all bodies that are being read. @default no common limit */
  readonly budget?: ByteBudget;
}

/**
 * Reads a request body. A client that sent `Expect: 100-continue` receives `100 Continue`, unless it announced a body above the
 * limit. The server needs a listener for `checkContinue`; without one Node sends `100 Continue` itself.
 *
 * @param toError makes the error for a problem
 * @throws the error that `toError` returns; the rest of the body is then unread, so the response should close the connection
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  toError: (problem: BodyProblem) => Error,
): Promise<Buffer> {
  const excess = Number(request.headers['content-length'] ?? 0) - limits.maxSize;
  // HTTP/1.0 has no interim responses.
  const expectsContinue = request.headers.expect !== undefined && request.httpVersion !== '1.0';
  if (excess > limits.maxDiscarded || (excess > 0 && expectsContinue))
    return Promise.reject(toError('TOO_LARGE'));
  if (request.destroyed) return Promise.reject(toError('CUT_OFF'));
  if (expectsContinue) response.writeContinue();
  return collect(request, limits, toError);
}

function collect(
  request: IncomingMessage,
  { maxSize, maxDiscarded, timeout, timeoutKind, budget }: BodyLimits,
  toError: (problem: BodyProblem) => Error,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received = new ByteCollector(maxSize);
    let size = 0;
    let hasProgress = false;
    let lastCheck: NodeJS.Immediate | undefined;
    const share = budget?.open(() => finish('EVICTED'));
    const timer = setTimeout(() => {
      hasProgress = false;
      // After a blocked event loop the timer runs before the data that arrived meanwhile is read; setImmediate runs after it.
      lastCheck = setImmediate(() => {
        if (!hasProgress) finish('TIMED_OUT');
      });
    }, timeout);
    const stopReading = onPieces(request, (chunk) => {
      size += chunk.length;
      if (timeoutKind === 'idle') {
        hasProgress = true;
        timer.refresh();
      }
      if (size <= maxSize) {
        received.add(chunk);
        share?.add(chunk.length);
      } else if (size > maxSize + maxDiscarded) finish('TOO_LARGE');
      else {
        received.clear();
        share?.close();
      }
    });
    const onEnd = (): void => finish(size > maxSize ? 'TOO_LARGE' : undefined);
    const onClose = (): void => finish('CUT_OFF');
    function finish(problem: BodyProblem | undefined): void {
      clearTimeout(timer);
      clearImmediate(lastCheck);
      share?.close();
      stopReading();
      request.off('end', onEnd).off('close', onClose);
      if (problem === undefined) resolve(received.bytes());
      else reject(toError(problem));
    }
    // `error` keeps its listener: an error after the end of this function must not become an uncaught exception.
    request.on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
