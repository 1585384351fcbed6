// A client of one HTTP server. The server is not trusted: the size of a response is bounded, and redirects are not followed.

import { formatHostPort, type HostPort } from '../common/text/host-port.js';
import { ClientAgents, MAX_SOCKETS } from './agents.js';
import { exchange, ExchangeErrors, type Exchange, type ExchangeResponse } from './exchange.js';
import type { RenewalLog } from './renewed.js';
import type { EndpointTls } from './tls.js';

/** A server. */
export interface ClientOptions extends EndpointTls {
  readonly address: HostPort;
}

/** A request that can be repeated. */
export type HttpRequest = Omit<Exchange, 'agent' | 'protocol' | 'host' | 'port'>;

/** A client of one server. */
export class HttpClient {
  readonly #options: ClientOptions;
  readonly #agents: ClientAgents;
  readonly #url: string;

  constructor(options: ClientOptions, log: RenewalLog) {
    this.#options = options;
    this.#agents = new ClientAgents(options, log);
    this.#url = `${options.tls ? 'https' : 'http'}://${formatHostPort(options.address)}`;
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
   * Sends a request, again when the server has closed the kept connection.
   *
   * @throws what `exchange` throws
   */
  async send(sent: HttpRequest): Promise<ExchangeResponse> {
    const agent = await this.#agents.current();
    const { address, tls } = this.#options;
    // A compressed response would cost the server time, and need a limit on the inflated size.
    const headers = { 'Accept-Encoding': 'identity', ...sent.headers };
    const message = { ...sent, ...address, headers, agent, protocol: tls ? 'https:' : 'http:' } as const;
    for (let left = MAX_SOCKETS; ; left -= 1) {
      try {
        return await exchange(message);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== ExchangeErrors.keptConnectionClosed || left === 0) throw error;
      }
    }
  }

  /** How messages name a request. Its query may have credentials. */
  describe({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string {
    return `${method} ${this.#url}${path.replace(/\?.*$/s, '?…')}`;
  }
}
