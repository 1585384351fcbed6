import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './body.js';
import { clientOf } from './client-certificate.js';
import type { HttpRequest } from './route.js';

/** A request as handlers see it. Everything is computed on first use. */
export class ConnectionRequest implements HttpRequest {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get headers(): ReadonlyMap<string, string> {
    return new Map(
      Object.entries(this.#request.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
      ),
    );
  }

  get caller(): string {
    return clientOf(this.#request.socket).name;
  }

  body(): Promise<Buffer> {
    return readBody(this.#request, this.#response);
  }
}
