// Writes responses. Nothing else does.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteBudget } from '../common/server/byte-budget.js';
import { ResponseSender } from '../common/server/response-sender.js';
import { errorCodeOf, type ErrorCode } from '../contract/errors.js';
import { reasonOf, type Histogram, type Logger, type MetricFactory } from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import { EventStreams } from './event-streams.js';
import type { LimitedLog } from './limited-log.js';
import { MAX_LOGGED_TARGET, MAX_UNSENT } from './limits.js';
import { errorReply, type Reply } from './route.js';
import { requestId } from './request.js';

/** Headers that only the server sets. */
const SERVER_HEADERS = new Set(['content-length', 'transfer-encoding', 'date', 'x-request-id']);

/** Writes a response. */
export type Write = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | undefined,
) => void;

/** Sends responses, and logs and measures them. */
export class Responder {
  /** During shutdown each response closes its connection. */
  #isClosing = false;
  readonly #log: Logger;
  readonly #limitedLog: LimitedLog;
  readonly #sender = new ResponseSender(new ByteBudget(MAX_UNSENT));
  readonly #family;
  readonly #durations = new Map<string, Histogram>();
  readonly #streams = new EventStreams();
  readonly #started = new WeakMap<IncomingMessage, number>();

  /** @param limitedLog for errors, which clients may cause without limit */
  constructor(log: Logger, limitedLog: LimitedLog, metrics: MetricFactory) {
    this.#log = log;
    this.#limitedLog = limitedLog;
    this.#family = metrics.histogram({
      namespace: 'http',
      subsystem: 'request',
      name: 'duration_seconds',
      help: 'Duration of requests, from the end of the header to the response; route is none for unknown paths.',
      labelNames: ['method', 'route', 'code'],
    });
  }

  /** Ends the responses that last, and makes each other one close its connection. */
  close(): void {
    this.#isClosing = true;
    this.#streams.end();
  }

  /** Starts measuring a request. */
  begin(request: IncomingMessage): void {
    this.#started.set(request, performance.now());
  }

  /**
   * Sends a response, unless one was sent or the client is gone.
   *
   * @param route the path of the route
   * @throws RangeError or TypeError for a reply that cannot be sent, such as one with an invalid status
   */
  send(
    request: IncomingMessage,
    response: ServerResponse,
    reply: Reply,
    route = 'none',
    write: Write = this.#write,
  ): void {
    if (response.headersSent || response.destroyed) return;
    if (reply.events !== undefined && this.#streams.isFull)
      return this.send(request, response, errorReply(503, 'too many responses with events'), route, write);
    const { status } = reply;
    // A 1xx is not a final response: the client would wait for another one.
    if (!(status >= 200 && status <= 599)) throw new RangeError(`invalid HTTP status ${status}`);
    const id = requestId(request);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(reply.headers ?? {}))
      if (!SERVER_HEADERS.has(name.toLowerCase())) headers[name] = value;
    headers['X-Request-Id'] = id;
    if (reply.events !== undefined && request.method !== 'HEAD') {
      response.writeHead(status, headers);
      this.#streams.start(response, reply.events);
      this.#measure(request, status, route);
      return;
    }
    const body = bodyAfter(headers, reply.body ?? '');
    if (status !== 204 && reply.events === undefined)
      headers['Content-Length'] = String(Buffer.byteLength(body));
    if (this.#isClosing) headers['Connection'] = 'close';
    write(response, status, headers, request.method === 'HEAD' || status === 204 ? undefined : body);
    const seconds = this.#measure(request, status, route);
    if (this.#log.enabled('debug')) this.#logResponse(request, status, seconds, id);
  }

  /** Sends the status that belongs to an error. Faults of the agent are logged, and the response has no details of them. */
  fail(
    request: IncomingMessage,
    response: ServerResponse,
    error: unknown,
    route?: string,
    write?: Write,
  ): void {
    const status = statusOfError(error);
    if (status === undefined) {
      const what = `${request.method ?? ''} ${route ?? 'none'} failed`;
      this.#limitedLog.log('error', what, `${what}: ${reasonOf(error)}`);
      this.send(request, response, errorReply(500, 'internal error'), route, write);
    } else {
      // The rest of a late body would be read as the next request.
      const headers: Record<string, string> = status === 408 ? { Connection: 'close' } : {};
      this.send(request, response, errorReply(status, reasonOf(error), headers), route, write);
    }
  }

  readonly #write: Write = (response, status, headers, body) => {
    response.writeHead(status, headers);
    if (body === undefined || typeof body === 'string') response.end(body);
    else this.#sender.send(response, body);
  };

  /** @returns the duration of the request in seconds */
  #measure(request: IncomingMessage, status: number, route: string): number {
    const method = request.method ?? '';
    const key = `${method} ${status} ${route}`;
    let duration = this.#durations.get(key);
    if (duration === undefined) {
      duration = this.#family.with({ method, route, code: status });
      this.#durations.set(key, duration);
    }
    const now = performance.now();
    const seconds = (now - (this.#started.get(request) ?? now)) / 1000;
    duration.observe(seconds);
    return seconds;
  }

  #logResponse(request: IncomingMessage, status: number, seconds: number, id: string): void {
    const target = (request.url ?? '').slice(0, MAX_LOGGED_TARGET);
    const duration = `${(seconds * 1000).toFixed(1)}ms`;
    const client = clientOf(request.socket).name;
    this.#log.debug(`${request.method ?? ''} ${target}: ${status} in ${duration}`, { client, requestId: id });
  }
}

const ASCII = /^[\x20-\x7e]*$/;
/** Longest body, in UTF-16 units, that is sent as text. */
const MAX_TEXT = 4096;

/**
 * What is sent after the headers. Node sends a text together with the headers in one piece, which is faster, but encodes both in the
 * same way; header values that are not ASCII, such as the id of a request, must be sent as they are.
 */
function bodyAfter(headers: Readonly<Record<string, string>>, body: string | Uint8Array): string | Buffer {
  const isText = typeof body === 'string' && body.length <= MAX_TEXT;
  return isText && Object.values(headers).every((value) => ASCII.test(value)) ? body : bytesOf(body);
}

/** The bytes of a body, without a copy if it has bytes: several responses can share them. */
function bytesOf(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Buffer ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** The statuses of errors that the client or a node caused. Every other error is a fault of the agent: 500. */
const STATUSES: ReadonlyMap<ErrorCode, number> = new Map<ErrorCode, number>([
  ['BODY_INVALID', 400],
  ['LOG_SPEC_INVALID', 400],
  ['QUERY_INVALID', 400],
  ['NODE_UNKNOWN', 404],
  ['BODY_TIMED_OUT', 408],
  ['LOG_SPEC_AMBIGUOUS', 409],
  ['BODY_TOO_LARGE', 413],
  ['NODE_UNREACHABLE', 502],
  ['NODE_REFUSED', 502],
  ['NODE_RESPONSE_INVALID', 502],
  ['NODE_BUSY', 503],
]);

/** The status of an error that the client or a node caused; undefined for every other error. */
export function statusOfError(error: unknown): number | undefined {
  const code = errorCodeOf(error);
  return code === undefined ? undefined : STATUSES.get(code);
}
