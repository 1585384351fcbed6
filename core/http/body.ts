import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatDuration } from '../../config/index.js';
import { AgentError } from '../contract/index.js';
import { MAX_BODY_SIZE, MAX_DISCARDED_SIZE, REQUEST_TIMEOUT } from './limits.js';

/**
 * Reads a request body, bounded in size and time. A client that waits for `100 Continue` gets it only when its body is wanted.
 *
 * @throws AgentError `BODY_TOO_LARGE`, `BODY_TIMED_OUT`, or `BODY_INVALID` when the client leaves early or encodes the body
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  const tooLarge = (): AgentError =>
    new AgentError('BODY_TOO_LARGE', `the request body is larger than ${MAX_BODY_SIZE} bytes`);
  const announced = Number(request.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    if (encoding !== 'identity') {
      reject(
        new AgentError(
          'BODY_INVALID',
          `content encoding '${encoding}' is not supported; send the body as it is`,
        ),
      );
      return;
    }
    // HTTP/1.0 has no interim answers.
    const expectsContinue = request.headers.expect !== undefined && request.httpVersion !== '1.0';
    if (announced > MAX_BODY_SIZE + MAX_DISCARDED_SIZE || (announced > MAX_BODY_SIZE && expectsContinue)) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(
      () =>
        finish(
          new AgentError(
            'BODY_TIMED_OUT',
            `the request body did not arrive within ${formatDuration(REQUEST_TIMEOUT)}`,
          ),
        ),
      REQUEST_TIMEOUT,
    );

    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_SIZE) chunks.push(chunk);
      else if (size > MAX_BODY_SIZE + MAX_DISCARDED_SIZE) finish(tooLarge());
      else chunks.length = 0;
    };
    const onEnd = (): void => finish(size > MAX_BODY_SIZE ? tooLarge() : undefined);
    const onClose = (): void => finish(new AgentError('BODY_INVALID', 'the request body ended early'));
    function finish(error: AgentError | undefined): void {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error === undefined) resolve(Buffer.concat(chunks));
      else reject(error);
    }

    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    if (expectsContinue) response.writeContinue();
  });
}
