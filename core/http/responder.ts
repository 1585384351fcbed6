// The only module that writes responses.

import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'restify';
import { ByteBudget } from '../common/server/byte-budget.js';
import { ResponseSender } from '../common/server/response-sender.js';
import type { Histogram, Logger, MetricFactory } from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import { EventStreams } from './event-streams.js';
import { MAX_LOGGED_TARGET, type Limits } from './limits.js';
import { errorReply, type Reply } from './route.js';

/** Headers that only the server sets. */
const SERVER_HEADERS = new Set(['content-length', 'transfer-encoding', 'date', 'x-request-id']);

/** The property of a request with its start time, as `performance.now()`. */
const STARTED = Symbol('started');

interface Timed extends IncomingMessage {
  [STARTED]?: number;
}

/** Options of {@link Responder}. */
interface ResponderOptions {
  readonly log: Logger;
  readonly metrics: MetricFactory;
  readonly limits: Limits;
}

/** Sends responses, and logs and measures them. */
export class Responder {
  /** During shutdown each response closes its connection. */
  #isClosing = false;
  readonly #log: Logger;
  readonly #sender: ResponseSender;
  readonly #family;
  readonly #durations = new Map<string, Histogram>();
  readonly #streams: EventStreams;

  constructor({ log, metrics, limits }: ResponderOptions) {
    this.#log = log;
    this.#sender = new ResponseSender(new ByteBudget(limits.maxUnsent));
    this.#streams = new EventStreams(limits);
    this.#family = metrics.histogram({
      namespace: 'http',
      subsystem: 'request',
      name: 'duration_seconds',
      help: 'Duration of requests, from the end of the header to the response; route is none for unknown paths.',
      labelNames: ['method', 'route', 'code'],
    });
  }

  /** Ends the responses with events; all other responses now close their connections. */
  close(): void {
    this.#isClosing = true;
    this.endEvents();
  }

  /** Ends the responses with events; their clients may connect again. */
  endEvents(): void {
    this.#streams.end();
  }

  /** Starts measuring a request. */
  begin(request: Timed): void {
    request[STARTED] = performance.now();
  }

  /**
   * Sends a response, unless one was sent or the client is gone.
   *
   * @throws RangeError or TypeError for a reply that cannot be sent, such as one with an invalid status
   */
  send(request: Request, response: Response, reply: Reply): void {
    if (response.headersSent || response.destroyed) return;
    const { id } = clientOf(request.socket);
    const refusal = reply.events === undefined ? undefined : this.#streams.refusalOf(id);
    if (refusal !== undefined) return this.send(request, response, errorReply(503, refusal));
    const { status } = reply;
    // A 1xx is not a final response: the client would wait for another one.
    if (!(status >= 200 && status <= 599)) throw new RangeError(`invalid HTTP status ${status}`);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(reply.headers ?? {}))
      if (!SERVER_HEADERS.has(name.toLowerCase())) headers[name] = value;
    headers['X-Request-Id'] = request.id();
    if (reply.events !== undefined && request.method !== 'HEAD') {
      response.writeHead(status, headers);
      this.#streams.start(response, id, reply.events);
      this.#measure(request, status);
      return;
    }
    const body = bodyAfter(headers, reply.body ?? '');
    if (status !== 204 && reply.events === undefined)
      headers['Content-Length'] = String(Buffer.byteLength(body));
    if (this.#isClosing) headers['Connection'] = 'close';
    response.writeHead(status, headers);
    if (request.method === 'HEAD' || status === 204) response.end();
    else if (typeof body === 'string') response.end(body);
    else this.#sender.send(response, body);
    const seconds = this.#measure(request, status);
    if (this.#log.enabled('debug')) this.#logResponse(request, status, seconds);
  }

  /** @returns the duration of the request in seconds */
  #measure(request: Request, status: number): number {
    const method = request.method ?? '';
    const route = routeOf(request);
    const key = `${method} ${status} ${route}`;
    let duration = this.#durations.get(key);
    if (duration === undefined) {
      duration = this.#family.with({ method, route, code: status });
      this.#durations.set(key, duration);
    }
    const now = performance.now();
    const seconds = (now - ((request as Timed)[STARTED] ?? now)) / 1000;
    duration.observe(seconds);
    return seconds;
  }

  #logResponse(request: Request, status: number, seconds: number): void {
    const target = (request.url ?? '').slice(0, MAX_LOGGED_TARGET);
    const duration = `${(seconds * 1000).toFixed(1)}ms`;
    const client = clientOf(request.socket).name;
    this.#log.debug(`${request.method ?? ''} ${target}: ${status} in ${duration}`, {
      client,
      requestId: request.id(),
    });
  }
}

/** The path of the route of a request; `none` before it was found. */
export const routeOf = (request: Request): string => String(request.getRoute()?.path ?? 'none');

const ASCII = /^[\x20-\x7e]*$/;
/** Longest body, in UTF-16 units, that is sent as text. */
const MAX_TEXT = 4096;

/**
 * The body to send after the headers. Node sends a text and the headers in one piece, which is faster, but in the same encoding; header
 * values that are not ASCII, such as the id of a request, must be sent unchanged.
 */
function bodyAfter(headers: Readonly<Record<string, string>>, body: string | Uint8Array): string | Buffer {
  const isText = typeof body === 'string' && body.length <= MAX_TEXT;
  return isText && Object.values(headers).every((value) => ASCII.test(value)) ? body : bytesOf(body);
}

/** The bytes of a body. Bytes are not copied, so that several responses can share them. */
function bytesOf(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Buffer ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
