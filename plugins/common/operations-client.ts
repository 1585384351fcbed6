// A client of the operations endpoint of a Fabric node. The node is not trusted: size and time of a response are bounded, and
// redirects are not followed.

import { isIPv6 } from 'node:net';
import { errorCodeOf } from '../../core/contract/errors.js';
import { reasonOf, SourceError, type Logger, type SourceFailure } from '../../core/contract/index.js';
import { exchange, KEPT_CONNECTION_CLOSED, type Exchange, type ExchangeResponse } from './exchange.js';
import { MAX_SOCKETS, OperationsAgents } from './operations-agents.js';
import { checkOperationsOptions, type OperationsOptions } from './operations-options.js';
import { describeTlsError } from './reason.js';

/** Largest body of `/metrics`, in bytes. */
export const MAX_METRICS_SIZE = 8 * 1024 * 1024;
/** Largest body of every other resource, in bytes. */
export const MAX_BODY_SIZE = 1024 * 1024;

/** A request to the endpoint. */
export interface OperationsRequest {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly requestId?: string;
  readonly signal: AbortSignal;
}

/** A complete response, whatever its status. */
export type OperationsResponse = ExchangeResponse;

/** A client of one endpoint. */
export class OperationsClient {
  readonly #options: OperationsOptions;
  readonly #agents: OperationsAgents;
  readonly #url: string;

  constructor(options: OperationsOptions, log: Logger) {
    this.#options = options;
    this.#agents = new OperationsAgents(options, log);
    const { host, port } = options.address;
    this.#url = `${options.tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  }

  /**
   * Checks what the option schema cannot.
   *
   * @throws Error
   */
  init(): void {
    checkOperationsOptions(this.#options);
  }

  /**
   * Reads the TLS files.
   *
   * @throws Error naming the option, the file and what is wrong with it
   */
  open(): void {
    this.#agents.open();
  }

  /** Closes all connections. */
  close(): void {
    this.#agents.close();
  }

  /**
   * Sends a request.
   *
   * @throws SourceError when there is no complete response, or when it is a redirect
   */
  async send(sent: OperationsRequest): Promise<OperationsResponse> {
    const agent = this.#agents.current();
    const server = { ...this.#options.address, protocol: this.#options.tls ? 'https:' : 'http:' } as const;
    try {
      const response = await sendAgain({ agent, ...server, ...messageOf(sent) });
      if (response.status >= 300 && response.status < 400)
        throw new SourceError('status', `HTTP status ${response.status}; redirects are not followed`);
      return response;
    } catch (error) {
      const failure = failureOf(error, sent.signal);
      const reason = this.#reasonFor(error, sent.signal);
      throw new SourceError(failure, `${this.describe(sent)}: ${reason}`, { cause: error });
    }
  }

  /** How messages name a request. */
  describe({ method, path }: Pick<OperationsRequest, 'method' | 'path'>): string {
    return `${method} ${this.#url}${path}`;
  }

  #reasonFor(error: unknown, { aborted, reason }: AbortSignal): string {
    if (aborted) return reasonOf(reason);
    if (error instanceof SourceError) return error.message;
    if (codeOf(error) === KEPT_CONNECTION_CLOSED) return 'the connection was closed without a response';
    return describeTlsError(error, this.#options);
  }
}

function messageOf({
  method,
  path,
  body,
  requestId,
  signal,
}: OperationsRequest): Omit<Exchange, 'agent' | 'protocol' | 'host' | 'port'> {
  const headers = {
    // A node compresses on request; that would cost it time, and a limit on the inflated size.
    'Accept-Encoding': 'identity',
    ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
  };
  return {
    method,
    path,
    headers,
    body,
    signal,
    maxSize: path === '/metrics' ? MAX_METRICS_SIZE : MAX_BODY_SIZE,
  };
}

/** The server may close an idle connection at the moment in which it is used again. All requests to a node can be repeated. */
async function sendAgain(message: Exchange): Promise<ExchangeResponse> {
  for (let left = MAX_SOCKETS; ; left -= 1) {
    try {
      return await exchange(message);
    } catch (error) {
      if (codeOf(error) !== KEPT_CONNECTION_CLOSED || left === 0) throw error;
    }
  }
}

const TLS_CODE = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|ERR_OTHER_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

function failureOf(error: unknown, { aborted, reason }: AbortSignal): SourceFailure {
  if (aborted) {
    const isLate =
      errorCodeOf(reason) === 'PLUGIN_TIMED_OUT' || (reason as Error | undefined)?.name === 'TimeoutError';
    return isLate ? 'timeout' : 'other';
  }
  if (error instanceof SourceError) return error.failure;
  const code = codeOf(error);
  if (TLS_CODE.test(code)) return 'tls';
  if (code.startsWith('HPE_')) return 'invalid';
  return code === '' ? 'other' : 'unreachable';
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
