// A client of one HTTP server. The server is not trusted: size and time of a response are bounded, and redirects are not followed.

import { errorCodeOf } from '../../core/contract/errors.js';
import { reasonOf, SourceError, within, type Logger, type SourceFailure } from '../../core/contract/index.js';
import { exchange, KEPT_CONNECTION_CLOSED, type Exchange, type ExchangeResponse } from './exchange.js';
import { MAX_SOCKETS, OperationsAgents } from './operations-agents.js';
import type { OperationsOptions } from './operations-options.js';
import { formatAddress } from './format-address.js';
import { describeFailure } from './reason.js';

/** A request that can be repeated. With `acceptsAny` redirects are returned too. */
export type HttpRequest = Omit<Exchange, 'agent' | 'protocol' | 'host' | 'port' | 'body'> &
  Partial<Pick<Exchange, 'body'>>;

/** A client of one server. */
export class HttpClient {
  readonly #options: OperationsOptions;
  readonly #agents: OperationsAgents;
  readonly #url: string;

  constructor(options: OperationsOptions, log: Logger) {
    this.#options = options;
    this.#agents = new OperationsAgents(options, log);
    this.#url = `${options.tls ? 'https' : 'http'}://${formatAddress(options.address)}`;
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
  async send(sent: HttpRequest): Promise<ExchangeResponse> {
    const agent = this.#agents.current();
    const server = { ...this.#options.address, protocol: this.#options.tls ? 'https:' : 'http:' } as const;
    // A compressed response would cost the server time, and need a limit on the inflated size.
    const headers = { 'Accept-Encoding': 'identity', ...sent.headers };
    try {
      const response = await sendAgain({ agent, ...server, body: undefined, ...sent, headers });
      if (sent.acceptsAny !== true && response.status >= 300 && response.status < 400)
        throw new SourceError('status', `HTTP status ${response.status}; redirects are not followed`);
      return response;
    } catch (error) {
      const failure = failureOf(error, sent.signal);
      const reason = this.#reasonFor(error, sent.signal);
      throw new SourceError(failure, `${this.describe(sent)}: ${reason}`, { cause: error });
    }
  }

  /**
   * Sends a request with a time limit.
   *
   * @param timeout in milliseconds
   * @throws SourceError when there is no complete response in time, or when it is a redirect
   */
  async sendWithin(timeout: number, sent: HttpRequest): Promise<ExchangeResponse> {
    try {
      return await within(timeout, 'the request', sent.signal, (signal) => this.send({ ...sent, signal }));
    } catch (error) {
      if (error instanceof SourceError) throw error;
      const failure = errorCodeOf(error) === 'PLUGIN_TIMED_OUT' ? 'timeout' : 'other';
      throw new SourceError(failure, `${this.describe(sent)}: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** How messages name a request. Its query may have credentials. */
  describe({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string {
    return `${method} ${this.#url}${path.replace(/\?.*$/s, '?…')}`;
  }

  #reasonFor(error: unknown, { aborted, reason }: AbortSignal): string {
    if (aborted) return reasonOf(reason);
    if (error instanceof SourceError) return error.message;
    if (codeOf(error) === KEPT_CONNECTION_CLOSED) return 'the connection was closed without a response';
    return describeFailure(error, this.#options);
  }
}

/** The server may close an idle connection at the moment in which it is used again. */
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
