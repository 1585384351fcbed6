import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody as readBounded, type BodyProblem } from '../common/server/read-body.js';
import { formatDuration } from '../common/text/duration.js';
import { AgentError } from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import { MAX_BODY_SIZE, MAX_REQUEST_ID_LENGTH, REQUEST_TIMEOUT } from './limits.js';
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

/** Ids that a handler has read. The response must have the same one. */
const ids = new WeakMap<IncomingMessage, string>();

/** The id that the client sent in `X-Request-Id`, or a new one. */
export function requestId(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  // Collecting the distinct values takes time, and most requests have no id.
  if (request.headers['x-request-id'] === undefined) return randomUUID();
  const first = request.headersDistinct['x-request-id']?.[0] ?? '';
  return first === '' ? randomUUID() : first.slice(0, MAX_REQUEST_ID_LENGTH);
}

/** The id of a request for its handler; later calls of {@link requestId} return the same one. */
export function keepRequestId(request: IncomingMessage): string {
  const id = requestId(request);
  ids.set(request, id);
  return id;
}

/** Node discards the rest of a body that is too large, so nothing above the limit is read here. */
const LIMITS = {
  maxSize: MAX_BODY_SIZE,
  maxDiscarded: 0,
  timeout: REQUEST_TIMEOUT,
  timeoutKind: 'total',
} as const;

/**
 * Reads a request body, bounded in size and time. `100 Continue` is sent to a client that waits for it.
 *
 * @throws AgentError `BODY_TOO_LARGE`, `BODY_TIMED_OUT`, or `BODY_INVALID` for a truncated or encoded body
 */
export async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new AgentError(
      'BODY_INVALID',
      `content encoding '${encoding}' is not supported; send the body without one`,
    );
  return await readBounded(request, response, LIMITS, toError);
}

function toError(problem: BodyProblem): AgentError {
  if (problem === 'TOO_LARGE')
    return new AgentError('BODY_TOO_LARGE', `the request body is larger than ${MAX_BODY_SIZE} bytes`);
  if (problem === 'TIMED_OUT')
    return new AgentError(
      'BODY_TIMED_OUT',
      `the request body did not arrive within ${formatDuration(REQUEST_TIMEOUT)}`,
    );
  return new AgentError('BODY_INVALID', 'the request body is truncated or malformed');
}
