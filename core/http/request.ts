import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './body.js';
import { clientOf } from './client-certificate.js';
import { keepRequestId } from './request-id.js';
import type { HttpRequest } from './route.js';

const NO_QUERY = new URLSearchParams();

/** The parameters after `?` in the target of a request. Must not be changed: requests without any share them. */
export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?');
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start));
}

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

  get id(): string {
    return keepRequestId(this.#request);
  }

  get query(): URLSearchParams {
    return queryOf(this.#request);
  }

  get params(): ReadonlyMap<string, string> {
    // Set by restify's router. Absent on the fast path, whose routes have no parameters.
    const { params = {} } = this.#request as { readonly params?: Readonly<Record<string, string>> };
    return new Map(Object.entries(params));
  }

  body(): Promise<Buffer> {
    return readBody(this.#request, this.#response);
  }
}
