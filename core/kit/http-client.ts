// The HTTP client of plugins: its errors are `SourceError`s.

import { errorCodeOf } from '../contract/errors.js';
import { reasonOf, SourceError, within, type Logger, type SourceFailure } from '../contract/index.js';
import { HttpClient, type HttpRequest } from './client.js';
import { ExchangeErrors, type ExchangeResponse } from './exchange.js';
import { describeFailure } from './reason.js';
import type { OperationsOptions } from './operations-options.js';

/** A client of one server. */
export class PluginHttpClient {
  readonly #options: OperationsOptions;
  readonly #client: HttpClient;

  constructor(options: OperationsOptions, log: Logger) {
    this.#options = options;
    this.#client = new HttpClient(options, log);
  }

  /**
   * Reads the TLS files.
   *
   * @throws Error naming the option, the file and what is wrong with it
   */
  open(): void {
    this.#client.open();
  }

  /** Closes all connections. */
  close(): void {
    this.#client.close();
  }

  /**
   * Sends a request. With `acceptsAny` redirects are returned too.
   *
   * @throws SourceError when there is no complete response, or when it is a redirect
   */
  async send(sent: HttpRequest): Promise<ExchangeResponse> {
    const response = await this.#client.send(sent).catch((error: unknown) => {
      const { aborted, reason } = sent.signal;
      // It was not sent: the client is not open.
      if (!aborted && codeOf(error) === undefined) throw error;
      const why = aborted ? reasonOf(reason) : describeFailure(error, this.#options);
      throw this.#error(failureOf(error, sent.signal), sent, why, error);
    });
    if (sent.acceptsAny !== true && response.status >= 300 && response.status < 400)
      throw this.#error('status', sent, `HTTP status ${response.status}; redirects are not followed`);
    return response;
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
      throw this.#error(isTimeout(error) ? 'timeout' : 'other', sent, reasonOf(error), error);
    }
  }

  /** How messages name a request. Its query may have credentials. */
  describe(sent: Pick<HttpRequest, 'method' | 'path'>): string {
    return this.#client.describe(sent);
  }

  #error(failure: SourceFailure, sent: HttpRequest, reason: string, cause?: unknown): SourceError {
    return new SourceError(failure, `${this.describe(sent)}: ${reason}`, { cause });
  }
}

const TLS_CODE = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|ERR_OTHER_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

/** The failures of responses that arrived. */
const RESPONSE_FAILURES: ReadonlyMap<string, SourceFailure> = new Map([
  [ExchangeErrors.tooLarge, 'too_large'],
  [ExchangeErrors.encoded, 'invalid'],
  [ExchangeErrors.interim, 'invalid'],
]);

function failureOf(error: unknown, { aborted, reason }: AbortSignal): SourceFailure {
  if (aborted) return isTimeout(reason) ? 'timeout' : 'other';
  const code = codeOf(error) ?? '';
  const ofResponse = RESPONSE_FAILURES.get(code);
  if (ofResponse !== undefined) return ofResponse;
  if (TLS_CODE.test(code)) return 'tls';
  return code.startsWith('HPE_') ? 'invalid' : 'unreachable';
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isTimeout = (error: unknown): boolean =>
  errorCodeOf(error) === 'PLUGIN_TIMED_OUT' || (error as Error | undefined)?.name === 'TimeoutError';
