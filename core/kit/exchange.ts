// One HTTP request and its complete response, bounded in size. It always settles: also when it is aborted, when the connection closes, and
// when the server switches protocols.
//
// node:http, not undici's Pool. 1,000 requests of a 200 KB `/metrics` over TLS with keep-alive took 0.41 ms of CPU each with undici
// 7.30.2 and 0.62 ms with node:http, but after 20 requests a process was 9 to 14 MiB larger with undici, because it compiles a parser in
// WebAssembly. The agent sends a few requests each second.

import {
  request,
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { ByteCollector } from '../common/flow/byte-collector.js';
import { onPieces } from '../common/flow/on-pieces.js';
import { untilAborted } from '../common/flow/until-aborted.js';
import type { Sent } from './sent-secrets.js';

/** Most interim responses, such as `103 Early Hints`, before the response. */
const MAX_INTERIM_RESPONSES = 32;

/** A request, and the limit of its response. */
export interface Exchange {
  /** An agent for the protocol. */
  readonly agent: Agent;
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Largest body of the response, in bytes. */
  readonly maxSize: number;
  /** Whether to accept any response: a larger body is cut, and an encoded body is dropped. Otherwise both are errors. */
  readonly acceptsAny?: boolean;
  /** Secrets in the body: messages do not quote them if the response repeats them. */
  readonly secrets?: readonly string[];
  readonly signal: AbortSignal;
}

/** A complete response. A response with the status 101 has no body, and its connection is closed. */
export interface ExchangeResponse {
  readonly status: number;
  readonly contentType: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The parts of the request that messages must not quote if the response repeats them. */
  readonly sent: Sent;
}

/** The codes of the errors of {@link exchange}, besides the codes of Node. */
export const ExchangeErrors = {
  /** A kept-alive connection was closed before the response began. */
  keptConnectionClosed: 'ERR_KEPT_CONNECTION_CLOSED',
  truncated: 'ERR_RESPONSE_TRUNCATED',
  tooLarge: 'ERR_RESPONSE_TOO_LARGE',
  encoded: 'ERR_RESPONSE_ENCODED',
  interim: 'ERR_INTERIM_RESPONSES',
} as const;

/**
 * Sends a request and reads its response.
 *
 * @throws Error with a `code`: one of {@link ExchangeErrors}, or a code of Node; the reason of the signal when it is aborted
 */
export function exchange(options: Exchange): Promise<ExchangeResponse> {
  // A request of Node that waits for a connection reports an abort only when it gets one.
  return untilAborted(sendRequest(options), options.signal);
}

function sendRequest({ body, ...options }: Exchange): Promise<ExchangeResponse> {
  const { method, path, agent, protocol, host, port, headers, signal } = options;
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    let interim = 0;
    const sent = request({ method, path, agent, protocol, host, port, headers, signal });
    sent.on('response', (response) => {
      hasResponse = true;
      readResponse(response, options)
        .then(resolve, reject)
        .finally(() => {
          // The rest of the body is not needed.
          if (!response.complete) sent.destroy();
        });
    });
    sent.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM_RESPONSES)
        sent.destroy(errorOf('interim', 'the server sends too many interim responses'));
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(responseOf(response, Buffer.alloc(0), options));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Node 24 reports a connection that ends during a response here first.
      if (hasResponse && error.code === 'ECONNRESET') return reject(truncated());
      reject(isClosed(sent, error) ? Object.assign(error, { code: KEPT_CONNECTION_CLOSED }) : error);
    });
    sent.on('close', () => {
      if (!hasResponse) reject(truncated());
    });
    sent.end(body);
  });
}

const { keptConnectionClosed: KEPT_CONNECTION_CLOSED } = ExchangeErrors;

const errorOf = (kind: keyof typeof ExchangeErrors, message: string): Error =>
  Object.assign(new Error(message), { code: ExchangeErrors[kind] });

const truncated = (): Error => errorOf('truncated', 'the response was truncated');

function isClosed({ reusedSocket }: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function responseOf(
  { statusCode = 0, headers }: IncomingMessage,
  body: Buffer,
  { path, headers: sentHeaders, secrets }: Sent,
): ExchangeResponse {
  const sent = { path, headers: sentHeaders, secrets };
  return { status: statusCode, contentType: headers['content-type'] ?? '', headers, body, sent };
}

function readResponse(response: IncomingMessage, sent: Omit<Exchange, 'body'>): Promise<ExchangeResponse> {
  const { method, maxSize, acceptsAny = false } = sent;
  const { headers } = response;
  const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
  if (isEncoded && !acceptsAny)
    return Promise.reject(errorOf('encoded', 'the response has an encoding that was not requested'));
  const tooLarge = (): Error => errorOf('tooLarge', `the response is larger than ${maxSize / 2 ** 20} MiB`);
  // A response to HEAD can have a Content-Length, but no body.
  if (!acceptsAny && method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxSize)
    return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const received = new ByteCollector(maxSize);
    const end = (): void =>
      resolve(responseOf(response, isEncoded ? Buffer.alloc(0) : received.bytes(), sent));
    const stopReading = onPieces(response, (chunk) => {
      if (received.add(chunk)) return;
      stopReading();
      if (acceptsAny) end();
      else reject(tooLarge());
    });
    response.on('end', end);
    response.on('error', () => reject(truncated()));
    response.on('close', () => reject(truncated()));
  });
}
