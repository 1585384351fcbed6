// Reads request bodies, bounded in size and time.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { STALL_TIMEOUT } from './limits.js';
import { RequestError } from './replies.js';

const stalled = new RequestError(408, `no more of the request body came for ${STALL_TIMEOUT / 1000} s`);
const cutOff = new RequestError(400, 'unexpected EOF');

/**
 * Reads a request body as it is, whatever its headers say about its content. A client that waits for `100 Continue` gets it
 * only when its body is wanted.
 *
 * @param maxSize in bytes
 * @throws RequestError 413 larger than that, 408 nothing came for {@link STALL_TIMEOUT}, 400 the client left early
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxSize: number,
): Promise<Buffer> {
  // Made only when it is wanted: an error takes longer to make than a small body to read.
  const tooLarge = (): RequestError =>
    new RequestError(413, `request body is larger than ${maxSize} bytes; the limit is set by --max-body`);
  if (Number(request.headers['content-length'] ?? 0) > maxSize) return Promise.reject(tooLarge());
  if (isWaiting(request)) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let hasMoved = false;
    let look: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      hasMoved = false;
      // While a long translation for somebody else held everything up, more may have come; late timers run before data is read.
      look = setImmediate(() => {
        if (!hasMoved) finish(stalled);
      });
    }, STALL_TIMEOUT);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      hasMoved = true;
      timer.refresh();
      if (size > maxSize) finish(tooLarge());
      else chunks.push(chunk);
    };
    const onEnd = (): void => finish(undefined);
    const onClose = (): void => finish(cutOff);
    function finish(error: RequestError | undefined): void {
      clearTimeout(timer);
      clearImmediate(look);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error === undefined) resolve(Buffer.concat(chunks, size));
      else reject(error);
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Whether a client holds its body back until it is asked for; HTTP/1.0 has no interim answers. */
export function isWaiting({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion !== '1.0';
}
