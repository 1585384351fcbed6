// Writes answers: the only place that does.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeLate } from '../service/index.js';
import { errorCodeOf } from '../contract/errors.js';
import {
  reasonOf,
  type ErrorCode,
  type Histogram,
  type Logger,
  type MetricFactory,
} from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import { MAX_LOGGED_TARGET, MAX_REQUEST_ID_LENGTH } from './limits.js';
import { errorReply } from './replies.js';
import type { Reply } from './route.js';

/** Statuses of the errors that a client causes. */
const STATUS_BY_CODE: ReadonlyMap<ErrorCode | undefined, number> = new Map([
  ['BODY_INVALID', 400],
  ['BODY_TIMED_OUT', 408],
  ['BODY_TOO_LARGE', 413],
]);

/** What the service says itself, and no handler. */
const OWN_HEADERS = new Set(['content-length', 'transfer-encoding', 'date', 'x-request-id']);
const NOT_ASCII = /[^\0-\x7f]/;
const STARTED = Symbol('started');
type TimedRequest = IncomingMessage & { [STARTED]?: number };

/** Answers requests and measures how long that took. */
export class Responder {
  /** While closing, each answer is the last one of its connection. */
  isClosing = false;
  readonly #log: Logger;
  readonly #family;
  readonly #durations = new Map<string, Histogram>();

  constructor(log: Logger, metrics: MetricFactory) {
    this.#log = log;
    this.#family = metrics.histogram({
      namespace: 'http',
      subsystem: 'request',
      name: 'duration_seconds',
      help: 'How long requests took, from their header to the end of the answer; route is none for unknown paths.',
      labelNames: ['method', 'route', 'code'],
    });
  }

  /** Notes when a request began. */
  begin(request: TimedRequest): void {
    request[STARTED] = performance.now();
  }

  /** @param route the path of the route that answers; left out where none does */
  send(
    request: TimedRequest,
    response: ServerResponse,
    { status, headers, body = '' }: Reply,
    route = 'none',
  ): void {
    if (response.headersSent || response.destroyed) return;
    // Node would send an interim answer and leave the client waiting.
    if (!(status >= 200 && status <= 599)) throw new RangeError(`${status} is not the status of an answer`);
    const id = requestId(request);
    const all: Record<string, string | number> = {};
    for (const name in headers) if (!OWN_HEADERS.has(name.toLowerCase())) all[name] = headers[name] ?? '';
    all['X-Request-Id'] = id;
    if (status !== 204) all['Content-Length'] = Buffer.byteLength(body);
    if (this.isClosing) all.Connection = 'close';
    if (!request.complete) closeLate(request.socket);
    response.writeHead(status, all);
    if (request.method === 'HEAD' || status === 204) response.end();
    // Node writes a header and a text together in the encoding of the text; the bytes of a foreign id must stay.
    else response.end(NOT_ASCII.test(id) ? Buffer.from(body) : body);
    const seconds = this.#measure(request, status, route);
    if (this.#log.enabled('debug')) this.#logAnswer(request, status, seconds, id);
  }

  /** Answers with what an error means to a client; what is not the client's doing is logged and answered without details. */
  fail(request: TimedRequest, response: ServerResponse, error: unknown, route?: string): void {
    const status = STATUS_BY_CODE.get(errorCodeOf(error));
    if (status !== undefined) {
      // What is left of a body that was refused is not worth reading.
      this.send(
        request,
        response,
        errorReply(status, reasonOf(error), status === 400 ? {} : { Connection: 'close' }),
        route,
      );
      return;
    }
    this.#log.error(`${request.method ?? ''} ${route ?? 'none'} failed: ${reasonOf(error)}`);
    this.send(request, response, errorReply(500, 'internal error'), route);
  }

  /** @returns how long the request took, in seconds */
  #measure(request: TimedRequest, status: number, route: string): number {
    const method = request.method ?? '';
    const key = `${method} ${status} ${route}`;
    let duration = this.#durations.get(key);
    if (duration === undefined) {
      duration = this.#family.with({ method, route, code: status });
      this.#durations.set(key, duration);
    }
    const seconds = (performance.now() - (request[STARTED] ?? performance.now())) / 1000;
    duration.observe(seconds);
    return seconds;
  }

  #logAnswer(request: IncomingMessage, status: number, seconds: number, id: string): void {
    const target = (request.url ?? '').slice(0, MAX_LOGGED_TARGET);
    const took = `${(seconds * 1000).toFixed(1)}ms`;
    const client = clientOf(request.socket).name;
    this.#log.debug(`${request.method ?? ''} ${target}: ${status} in ${took}`, { client, requestId: id });
  }
}

function requestId(request: IncomingMessage): string {
  // Most requests have none, and then the distinct values need not be collected.
  if (request.headers['x-request-id'] === undefined) return randomUUID();
  const first = request.headersDistinct['x-request-id']?.[0] ?? '';
  return first === '' ? randomUUID() : first.slice(0, MAX_REQUEST_ID_LENGTH);
}
