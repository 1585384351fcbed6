// Routes under restify, and what comes before routing: the client-certificate rule and the form of the path.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasTwoHosts } from '../service/index.js';
import type { Logger } from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import { MAX_LOGGED_TARGET } from './limits.js';
import { readTarget } from './paths.js';
import { badHostReply, errorReply, movedReply, NOT_FOUND, VERSION_NOT_SUPPORTED } from './replies.js';
import { ConnectionRequest } from './request.js';
import { createRestify, type RestifyServer } from './restify.js';
import type { Responder } from './responder.js';
import type { Handler, Reply, Route } from './route.js';

/** restify's own logger prints an empty line for each answer. */
const SILENT_LOG = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => false]),
);
const NO_HOST = 'http://localhost';
const CONTINUE = /^100-continue$/i;

/** Finds the route of each request and answers it. */
export class Router {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #restify: RestifyServer;
  readonly #responder: Responder;
  readonly #log: Logger;

  constructor(routes: readonly Route[], responder: Responder, log: Logger) {
    this.#routes = new Map(routes.map((route) => [route.path, route]));
    this.#responder = responder;
    this.#log = log;
    this.#restify = createRestify({ name: '', log: SILENT_LOG as never });
    // restify's chain of handlers costs as much as the rest of an answer; what is asked for all the time comes before it.
    this.#restify.first((request, response) => this.#answerGet(request, response));
    for (const route of routes) this.#mount(route);
    // The one event that restify sends for every error of its own.
    this.#restify.on(
      'restifyError',
      (request: IncomingMessage, response: ServerResponse, error: unknown, done: () => void) => {
        this.#answerError(request, response, error);
        // Tells restify that nothing is left to send.
        Object.assign(response, { _sent: true });
        done();
      },
    );
  }

  /** Answers a request. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#responder.begin(request);
    try {
      const refusal = this.#prepare(request);
      if (refusal === undefined) this.#restify.server.emit('request', request, response);
      else this.#responder.send(request, response, refusal);
    } catch (error) {
      this.#responder.fail(request, response, error);
    }
  }

  /** Brings the target of a request into the form that the routes have; a reply when it is not to be routed. */
  #prepare(request: IncomingMessage): Reply | undefined {
    const { url = '', method = '', headers, httpVersion } = request;
    if (request.httpVersionMajor !== 1) return VERSION_NOT_SUPPORTED;
    if (headers.host === undefined && httpVersion !== '1.0')
      return badHostReply('missing required Host header');
    if (hasTwoHosts(request.rawHeaders)) return badHostReply('too many Host headers');
    const target = this.#routes.has(url) ? { path: url } : readTarget(url);
    const route = target !== undefined && 'path' in target ? this.#routes.get(target.path) : undefined;
    if (route?.isOpen !== true) {
      const { refusal } = clientOf(request.socket);
      if (refusal !== undefined) return this.#unauthorized(request, refusal);
    }
    if (headers.expect !== undefined && httpVersion !== '1.0' && !CONTINUE.test(headers.expect))
      return errorReply(417, 'the only expectation that can be met is 100-continue', { Connection: 'close' });
    if (url === '*' && method === 'OPTIONS') return { status: 200 };
    if (target === undefined) return errorReply(400, 'the request target cannot be read');
    if ('moved' in target) return movedReply(target.moved, method);
    // Said here because restify takes three times as long to find out.
    if (route === undefined) return NOT_FOUND;
    // restify would put the path behind the host that the client names, which may make no address, or another one.
    Object.assign(request, { url: route.path, getUrl: () => new URL(route.path, NO_HOST) });
    return undefined;
  }

  #unauthorized({ method, url, socket }: IncomingMessage, refusal: string): Reply {
    const remoteAddress = `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`;
    this.#log.warn(`unauthorized request: a verified client certificate is required, but ${refusal}`, {
      url: url?.slice(0, MAX_LOGGED_TARGET),
      method,
      remoteAddress,
    });
    return errorReply(401, `a verified client certificate is required, but ${refusal}`);
  }

  /** Answers a GET of a route; true when the request is not one. */
  #answerGet(request: IncomingMessage, response: ServerResponse): boolean {
    const handler = request.method === 'GET' ? this.#routes.get(request.url ?? '')?.handlers.GET : undefined;
    if (handler === undefined) return true;
    void this.#serve(handler, request, response);
    return false;
  }

  #mount({ path, handlers: { GET, PUT } }: Route): void {
    const serve =
      (handler: Handler) =>
      async (request: IncomingMessage, response: ServerResponse): Promise<void> =>
        this.#serve(handler, request, response);
    if (GET !== undefined) this.#restify.head(path, serve(GET));
    if (PUT !== undefined) this.#restify.put(path, serve(PUT));
  }

  /** Never rejects. */
  async #serve(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = request.url;
    try {
      const reply = await handler(new ConnectionRequest(request, response));
      this.#responder.send(request, response, reply, route);
    } catch (error) {
      this.#responder.fail(request, response, error, route);
    }
  }

  #answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { statusCode } = error as { statusCode?: number };
    if (statusCode === 405) this.#responder.send(request, response, this.#methodNotAllowed(request));
    else this.#responder.fail(request, response, error);
  }

  #methodNotAllowed({ method = '', url = '' }: IncomingMessage): Reply {
    const methods = Object.keys(this.#routes.get(url)?.handlers ?? {}).flatMap((name) =>
      name === 'GET' ? ['GET', 'HEAD'] : [name],
    );
    return errorReply(405, `invalid request method: ${method}`, { Allow: methods.join(', ') });
  }
}
