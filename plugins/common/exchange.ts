// One HTTP request and its complete response, bounded in size.

import {
  request,
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { SourceError } from '../../core/contract/index.js';

/** A request, and the limit of its response. */
export interface Exchange {
  /** Of the protocol. */
  readonly agent: Agent;
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Largest body of the response, in bytes. */
  readonly maxSize: number;
  /** Whether any response will do: a larger body is cut and an encoded one is dropped. Otherwise both are errors. */
  readonly acceptsAny?: boolean;
  readonly signal: AbortSignal;
}

/** A complete response. */
export interface ExchangeResponse {
  readonly status: number;
  readonly contentType: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The code of an error when a connection that was kept from an earlier request was closed before the response began. */
export const KEPT_CONNECTION_CLOSED = 'ERR_KEPT_CONNECTION_CLOSED';

/**
 * Sends a request and reads its response.
 *
 * @throws SourceError for a response that is too large, truncated or encoded; otherwise an error with a `code`
 */
export function exchange({ body, ...options }: Exchange): Promise<ExchangeResponse> {
  const { method, path, agent, protocol, host, port, headers, signal } = options;
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    const sent = request({ method, path, agent, protocol, host, port, headers, signal }, (response) => {
      hasResponse = true;
      readResponse(response, options)
        .then(resolve, reject)
        .finally(() => {
          // The rest of the body is not wanted.
          if (!response.complete) sent.destroy();
        });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Node 24 reports a connection that ends during a response here first.
      if (hasResponse && error.code === 'ECONNRESET') return reject(truncated());
      reject(isClosed(sent, error) ? Object.assign(error, { code: KEPT_CONNECTION_CLOSED }) : error);
    });
    sent.end(body);
  });
}

const truncated = (): SourceError => new SourceError('unreachable', 'the response was truncated');

function isClosed({ reusedSocket }: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function readResponse(
  response: IncomingMessage,
  { method, maxSize, acceptsAny = false }: Pick<Exchange, 'method' | 'maxSize' | 'acceptsAny'>,
): Promise<ExchangeResponse> {
  const { statusCode: status = 0, headers } = response;
  const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
  if (isEncoded && !acceptsAny)
    return Promise.reject(new SourceError('invalid', 'the response has an encoding that was not requested'));
  const tooLarge = (): SourceError =>
    new SourceError('too_large', `the response is larger than ${maxSize / 2 ** 20} MiB`);
  // The response to HEAD has the size of a body that it does not have.
  if (!acceptsAny && method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxSize)
    return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      const body = isEncoded ? Buffer.alloc(0) : Buffer.concat(chunks, Math.min(size, maxSize));
      resolve({ status, contentType: headers['content-type'] ?? '', headers, body });
    };
    response.on('data', (chunk: Buffer) => {
      if (size > maxSize) return;
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxSize) return;
      if (acceptsAny) end();
      else reject(tooLarge());
    });
    response.on('end', end);
    response.on('error', () => reject(truncated()));
  });
}
