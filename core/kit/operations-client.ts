// A client of the operations endpoint of a Fabric node.

import type { Logger } from '../contract/index.js';
import type { ExchangeResponse } from './exchange.js';
import { PluginHttpClient } from './http-client.js';
import { checkOperationsOptions, type OperationsOptions } from './operations-options.js';

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
  readonly #client: PluginHttpClient;

  constructor(options: OperationsOptions, log: Logger) {
    this.#options = options;
    this.#client = new PluginHttpClient(options, log);
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
    this.#client.open();
  }

  /** Closes all connections. */
  close(): void {
    this.#client.close();
  }

  /**
   * Sends a request.
   *
   * @throws SourceError when there is no complete response, or when it is a redirect
   */
  send({ method, path, body, requestId, signal }: OperationsRequest): Promise<OperationsResponse> {
    const headers = {
      ...(requestId !== undefined && { 'X-Request-Id': requestId }),
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
      }),
    };
    const maxSize = path === '/metrics' ? MAX_METRICS_SIZE : MAX_BODY_SIZE;
    return this.#client.send({ method, path, headers, body, signal, maxSize });
  }

  /** How messages name a request. */
  describe(sent: Pick<OperationsRequest, 'method' | 'path'>): string {
    return this.#client.describe(sent);
  }
}
