// Sends requests to the receiver, and repeats them if OTLP allows it. The receiver is not trusted: size and time of a response are bounded,
// and redirects are not followed.

import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { errorCodeOf, reasonOf, type Logger } from '../../../core/contract/index.js';
import { endpointOf, HttpClient, RequestError, type HttpRequest } from '../../../core/kit/index.js';
import { Backoff } from '../../../core/kit/internal/index.js';
import type { EncodedRequest } from './encode.js';
import type { OtlpOptions } from './options.js';
import { outcomeOf, type Accepted, type Refused } from './outcome.js';

/** Most attempts to send one request in one push. */
const MAX_ATTEMPTS = 5;
/** The longest wait within a push, in milliseconds. For a longer wait, the next push tries again. */
const MAX_WAIT = 3_000;

/** The events of a client. */
interface ClientListener {
  /** A request of this size was sent, and there was a response. */
  sent(bytes: number): void;
  /** A request is sent again. */
  retried(): void;
}

/** The receiver did not accept a request. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** Whether the receiver refuses the content, so that other requests may be accepted. */
  readonly isBadContent: boolean;

  constructor({ reason, isBadContent }: Refused) {
    super(reason);
    this.isBadContent = isBadContent;
  }
}

/** The client of one receiver. */
export class OtlpClient {
  readonly #options: OtlpOptions;
  readonly #listener: ClientListener;
  readonly #client: HttpClient;
  readonly #path: string;
  /** When `Retry-After` ends, in milliseconds of `performance.now()`. */
  #notBefore = -Infinity;

  constructor(options: OtlpOptions, log: Logger, listener: ClientListener) {
    const { ca, cert, key } = options;
    this.#options = options;
    this.#listener = listener;
    const { path, ...server } = endpointOf(new URL(options.endpoint));
    this.#path = path;
    this.#client = new HttpClient({ ...server, ca, cert, key }, log);
  }

  /**
   * Reads the TLS files.
   *
   * @throws Error with the option, the file and the problem
   */
  open(): void {
    this.#client.open();
  }

  /** Closes all connections. */
  close(): void {
    this.#client.close();
  }

  /**
   * Sends a request, and repeats it if necessary.
   *
   * @throws RefusedError when it was not accepted
   * @throws the reason of the signal when it is aborted
   */
  async send({ body, points }: EncodedRequest, signal: AbortSignal): Promise<Accepted> {
    this.#throwIfTooEarly();
    const bytes = this.#options.compression === 'gzip' ? await compress(body) : Buffer.from(body);
    const backoff = new Backoff();
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#sendOnce(bytes, points, signal);
      if (outcome.isAccepted) return outcome;
      const { retryAfter, isRetryable } = outcome;
      const wait = retryAfter ?? backoff.next();
      if (!isRetryable || attempt === MAX_ATTEMPTS || wait > MAX_WAIT) {
        this.#notBefore = performance.now() + (retryAfter ?? 0);
        throw new RefusedError(outcome);
      }
      await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
      this.#listener.retried();
    }
  }

  #throwIfTooEarly(): void {
    const left = Math.ceil((this.#notBefore - performance.now()) / 1000);
    if (left <= 0) return;
    const reason = `not sent: the Retry-After of an earlier response ends in ${left} s`;
    throw new RefusedError({ isAccepted: false, reason, isRetryable: true, isBadContent: false });
  }

  async #sendOnce(bytes: Buffer, points: number, signal: AbortSignal): Promise<Accepted | Refused> {
    try {
      const response = await this.#client.send(this.#request(bytes, signal));
      this.#listener.sent(bytes.length);
      return outcomeOf(response, points);
    } catch (error) {
      signal.throwIfAborted();
      const [reason, isRetryable] = isTimeout(error)
        ? [`no response within ${this.#options.timeout} ms`, true]
        : missingResponse(error);
      return { isAccepted: false, reason, isRetryable, isBadContent: false };
    }
  }

  #request(body: Buffer, signal: AbortSignal): HttpRequest {
    const { headers, compression, timeout } = this.#options;
    return {
      method: 'POST',
      path: this.#path,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        ...(compression === 'gzip' && { 'Content-Encoding': 'gzip' }),
      },
      body,
      timeout,
      signal,
    };
  }
}

/** Whether the timeout of a request has passed. */
const isTimeout = (error: unknown): boolean =>
  error instanceof RequestError && errorCodeOf(error.cause) === 'PLUGIN_TIMED_OUT';

/** Why there is no response, and whether the request may be sent again, as after a failed connection. */
function missingResponse(error: unknown): [reason: string, isRetryable: boolean] {
  if (!(error instanceof RequestError)) return [reasonOf(error), false];
  const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return [error.reason, RETRYABLE_ERROR.test(code)];
}

/** Codes of connection errors, not of certificate or HTTP errors. */
const RETRYABLE_ERROR =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|EAI_AGAIN|ENOTFOUND|ERR_KEPT_CONNECTION_CLOSED|ERR_RESPONSE_TRUNCATED)$/;

const compress = promisify(gzip) as (text: string) => Promise<Buffer>;
