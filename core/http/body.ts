import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatDuration } from '../../config/index.js';
import { AgentError } from '../contract/index.js';
import { MAX_BODY_SIZE, REQUEST_TIMEOUT } from './limits.js';

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
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_SIZE) throw tooLarge();
  // HTTP/1.0 has no interim responses.
  if (request.headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
  return await collect(request);
}

/** Node discards what is left of a body after a failure. */
function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => finish(timedOut()), REQUEST_TIMEOUT);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > MAX_BODY_SIZE) finish(tooLarge());
      else chunks.push(chunk);
    };
    const onEnd = (): void => finish(undefined);
    const onClose = (): void =>
      finish(new AgentError('BODY_INVALID', 'the request body is truncated or malformed'));
    const finish = (error: AgentError | undefined): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error === undefined) resolve(Buffer.concat(chunks));
      else reject(error);
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const tooLarge = (): AgentError =>
  new AgentError('BODY_TOO_LARGE', `the request body is larger than ${MAX_BODY_SIZE} bytes`);

const timedOut = (): AgentError =>
  new AgentError(
    'BODY_TIMED_OUT',
    `the request body did not arrive within ${formatDuration(REQUEST_TIMEOUT)}`,
  );
