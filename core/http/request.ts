// A request as handlers get it: its id, its query, its body.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'restify';
import { readBody as readBounded, type BodyProblem } from '../common/server/read-body.js';
import { formatDuration } from '../common/text/duration.js';
import { AgentError } from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import { MAX_REQUEST_ID_LENGTH, type Limits } from './limits.js';
import type { IncomingRequest } from './route.js';

const NO_QUERY = new URLSearchParams();

/** The parameters after `?` in the target of a request. Must not be changed: requests without any share them. */
export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?');
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start));
}

/** A request as handlers see it. */
export class RestifyRequest implements IncomingRequest {
  readonly #request: Request;
  readonly #response: Response;
  readonly #limits: Limits;

  constructor(request: Request, response: Response, limits: Limits) {
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
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
    return this.#request.id();
  }

  get query(): URLSearchParams {
    return queryOf(this.#request);
  }

  get params(): ReadonlyMap<string, string> {
    return new Map(Object.entries(this.#request.params as Readonly<Record<string, string>>));
  }

  body(): Promise<Buffer> {
    return readBody(this.#request, this.#response, this.#limits);
  }
}

/** The id that the client sent in `X-Request-Id`, or a new one. */
export function idOf(request: IncomingMessage): string {
  // Collecting the distinct values takes time, and most requests have no id.
  if (request.headers['x-request-id'] === undefined) return randomUUID();
  const first = request.headersDistinct['x-request-id']?.[0] ?? '';
  return first === '' ? randomUUID() : first.slice(0, MAX_REQUEST_ID_LENGTH);
}

/** Reads a request body within limits of size and time. Sends `100 Continue` to a client that waits for it. */
async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBodySize, requestTimeout }: Limits,
): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new AgentError(
      'BODY_INVALID',
      `content encoding '${encoding}' is not supported; send the body without one`,
    );
  const toError = (problem: BodyProblem): AgentError => {
    if (problem === 'TOO_LARGE')
      return new AgentError('BODY_TOO_LARGE', `the request body is larger than ${maxBodySize} bytes`);
    if (problem === 'TIMED_OUT')
      return new AgentError(
        'BODY_TIMED_OUT',
        `the request body did not arrive within ${formatDuration(requestTimeout)}`,
      );
    return new AgentError('BODY_INVALID', 'the request body is truncated or malformed');
  };
  // Node discards the rest of a body that is too large, so nothing above the limit is read here.
  const limits = {
    maxSize: maxBodySize,
    maxDiscarded: 0,
    timeout: requestTimeout,
    timeoutKind: 'total',
  } as const;
  return await readBounded(request, response, limits, toError);
}
