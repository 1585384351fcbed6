// The HTTP client of plugins. The server is not trusted: size and time of a response are bounded, and redirects are not followed.

import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { errorCodeOf, reasonOf, SourceError, within, type Logger } from '../contract/index.js';
import type { SourceFailure } from '../contract/errors.js';
import { formatHostPort, type HostPort } from '../common/text/host-port.js';
import { exchange, ExchangeErrors, type Exchange, type ExchangeResponse } from './exchange.js';
import { describeFailure, isTlsError } from './reason.js';
import { readTls, ReloadingTls, tlsFilesOf, type TlsSettings } from './tls.js';

/** Most connections to a server at a time; further requests wait for one. */
const MAX_SOCKETS = 4;
/** Without cached sessions each new connection verifies the server certificate. */
const CONNECTIONS = { keepAlive: true, maxSockets: MAX_SOCKETS, maxCachedSessions: 0 } as const;
/** Largest body of a response by default, in bytes. */
const MAX_BODY_SIZE = 1024 * 1024;

/** A server, and the TLS of the connections to it. */
interface HttpClientOptions extends TlsSettings {
  readonly address: HostPort;
}

/** A request that can be repeated. */
export interface HttpRequest {
  /** @default GET */
  readonly method?: string;
  /** With the query. */
  readonly path: string;
  /** @default none */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Largest body of the response, in bytes. @default 1 MiB */
  readonly maxSize?: number;
  /** Whether to accept any response: a larger body is cut, an encoded body is dropped, and a redirect is returned. @default false */
  readonly acceptsAny?: boolean;
  /** Secrets in the body: messages do not quote them if the response repeats them. @default nothing */
  readonly secrets?: readonly string[];
  /** Longest wait for the complete response, in milliseconds. @default until the signal is aborted */
  readonly timeout?: number;
  readonly signal: AbortSignal;
}

/** A complete response with any status. A response with the status 101 has no body, and its connection is closed. */
export type HttpResponse = ExchangeResponse;

/** A request without a complete response. Its code is `SOURCE_FAILED`, its `cause` the error of Node.js. */
export class RequestError extends SourceError {
  /** The reason without the name of the request, such as `connection refused`. */
  readonly reason: string;

  constructor(failure: SourceFailure, request: string, reason: string, cause?: unknown) {
    super(failure, `${request}: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** A client of one server. It keeps connections alive, and reloads TLS files that have changed. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #url: string;
  readonly #agents: ReloadingTls<Agent>;
  /** Those with open connections. */
  readonly #opened = new Set<Agent>();
  /** How often its connections were closed. */
  #closes = 0;

  constructor(options: HttpClientOptions, log: Pick<Logger, 'info' | 'warn'>) {
    this.#options = options;
    this.#url = `${options.tls === true ? 'https' : 'http'}://${formatHostPort(options.address)}`;
    const create = (): Agent => {
      const agent = createAgent(options);
      this.#opened.add(agent);
      return agent;
    };
    this.#agents = new ReloadingTls(tlsFilesOf(options), create, log);
  }

  /** Whether the last request succeeded only with the TLS files before a change, because the server was not restarted since. */
  get usesFormerFiles(): boolean {
    return this.#agents.usesFormer;
  }

  /**
   * Reads the TLS files. Required before the first request.
   *
   * @throws Error with the option, the file and the problem
   */
  open(): void {
    this.close();
    this.#agents.open();
  }

  /** Closes all connections; requests in progress fail. */
  close(): void {
    this.#closes += 1;
    this.#agents.close();
    for (const agent of this.#opened) agent.destroy();
    this.#opened.clear();
  }

  /**
   * Sends a request, and sends it again if the server has closed the kept-alive connection.
   *
   * @throws RequestError when there is no complete response, or the response is a redirect
   */
  async send(sent: HttpRequest): Promise<HttpResponse> {
    if (sent.timeout === undefined) return this.#send(sent, sent.signal);
    try {
      return await within(sent.timeout, 'the request', sent.signal, (signal) => this.#send(sent, signal));
    } catch (error) {
      if (error instanceof SourceError) throw error;
      throw this.#error(isTimeout(error) ? 'timeout' : 'other', sent, reasonOf(error), error);
    }
  }

  /**
   * The header `Date` of a response. The server certificate is not verified, so the date is only evidence of the time there.
   *
   * @throws Error when there is no response
   */
  async unverifiedDate(path: string, signal: AbortSignal): Promise<string | undefined> {
    const tls = { ...readTls(this.#options), rejectUnauthorized: false };
    const agent = new TlsAgent({ ...tls, keepAlive: false });
    const { address } = this.#options;
    const request = { method: 'GET', path, headers: {}, maxSize: MAX_BODY_SIZE, acceptsAny: true } as const;
    try {
      const { headers } = await exchange({ ...request, ...address, agent, protocol: 'https:', signal });
      return headers.date;
    } finally {
      agent.destroy();
    }
  }

  /** The name of a request in messages, without its query, which can contain credentials. */
  describe({ method = 'GET', path }: Pick<HttpRequest, 'method' | 'path'>): string {
    return `${method} ${this.#url}${path.replace(/\?.*$/s, '?…')}`;
  }

  async #send(sent: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const call = async (agent: Agent): Promise<HttpResponse> => {
      const response = await this.#repeat({ ...sent, signal }, agent);
      this.#keepOnly(agent);
      return response;
    };
    const response = await this.#agents.use(call).catch((error: unknown) => {
      // Without a code it was not sent: the client is not open.
      if (!signal.aborted && codeOf(error) === undefined) throw error;
      const why = signal.aborted ? reasonOf(signal.reason) : describeFailure(error, this.#options);
      throw this.#error(failureKind(error, signal), sent, why, error);
    });
    if (sent.acceptsAny !== true && response.status >= 300 && response.status < 400)
      throw this.#error('status', sent, `HTTP status ${response.status}; redirects are not followed`);
    return response;
  }

  async #repeat(
    { method = 'GET', headers, maxSize = MAX_BODY_SIZE, ...sent }: HttpRequest,
    agent: Agent,
  ): Promise<HttpResponse> {
    const message: Exchange = {
      ...sent,
      ...this.#options.address,
      method,
      maxSize,
      // A compressed response would cost the server time, and need a limit on the inflated size.
      headers: { 'Accept-Encoding': 'identity', ...headers },
      agent,
      protocol: this.#options.tls === true ? 'https:' : 'http:',
    };
    const closes = this.#closes;
    for (let left = MAX_SOCKETS; ; left -= 1) {
      try {
        return await exchange(message);
      } catch (error) {
        const isClosedByServer =
          codeOf(error) === ExchangeErrors.keptConnectionClosed && closes === this.#closes;
        if (!isClosedByServer || left === 0) throw error;
      }
    }
  }

  /** Closes the idle connections of all other agents: after a change of the TLS files one of them is enough. */
  #keepOnly(agent: Agent): void {
    agent.maxFreeSockets = MAX_SOCKETS;
    for (const other of this.#opened) if (other !== agent) closeIdle(other);
  }

  #error(failure: SourceFailure, sent: HttpRequest, reason: string, cause?: unknown): RequestError {
    return new RequestError(failure, this.describe(sent), reason, cause);
  }
}

function createAgent(options: HttpClientOptions): Agent {
  const tls = readTls(options);
  return tls === undefined ? new Agent(CONNECTIONS) : new TlsAgent({ ...CONNECTIONS, ...tls });
}

/** Closes idle connections. Requests in progress finish on their connections. */
function closeIdle(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

/** Failures because of the received response. */
const RESPONSE_FAILURES: ReadonlyMap<string, SourceFailure> = new Map([
  [ExchangeErrors.tooLarge, 'too_large'],
  [ExchangeErrors.encoded, 'invalid'],
  [ExchangeErrors.interim, 'invalid'],
]);

function failureKind(error: unknown, { aborted, reason }: AbortSignal): SourceFailure {
  if (aborted) return isTimeout(reason) ? 'timeout' : 'other';
  const code = codeOf(error) ?? '';
  const ofResponse = RESPONSE_FAILURES.get(code);
  if (ofResponse !== undefined) return ofResponse;
  if (isTlsError(error)) return 'tls';
  return code.startsWith('HPE_') ? 'invalid' : 'unreachable';
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isTimeout = (error: unknown): boolean =>
  errorCodeOf(error) === 'PLUGIN_TIMED_OUT' || (error as Error | undefined)?.name === 'TimeoutError';
