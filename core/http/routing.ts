// Registers routes, and what runs before and after them, with restify.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response, Server } from '#restify';
import { hasTwoHosts } from '../common/server/host-headers.js';
import { prepareRequest, type Hosts } from './hosts.js';
import type { LimitedLog } from './limited-log.js';
import { errorReply, NOT_FOUND, type Handler, type Reply, type Route } from './route.js';
import { ConnectionRequest, queryOf } from './request.js';
import { requireClientCertificate } from './client-certificate.js';
import type { Responder, Write } from './responder.js';

/** A restify server with a method that its types lack. */
export interface RestifyServer extends Server {
  /** Adds a handler that runs before everything else. It returns false if it sends the response. */
  first(handler: (request: IncomingMessage, response: ServerResponse) => boolean): void;
}

/** Adds routes to a restify server. Every response is sent by `responder`. */
export function mountRoutes(
  server: RestifyServer,
  routes: readonly Route[],
  responder: Responder,
  hosts: Hosts,
  log: LimitedLog,
): void {
  addFastPath(server, routes, responder, hosts);
  addPreHandler(server, routes, responder, hosts, log);
  // restify continues after a handler with two parameters only if it is an async function.
  const handle = (path: string, handler: Handler) => {
    const handleRequest = respond(path, handler, responder);
    return async (request: Request, response: Response): Promise<void> => handleRequest(request, response);
  };
  for (const { path, handlers } of routes) {
    const { GET, PUT } = handlers;
    if (GET !== undefined) {
      server.get(path, handle(path, GET));
      server.head(path, handle(path, GET));
    }
    if (PUT !== undefined) server.put(path, handle(path, PUT));
  }
  replaceErrorResponses(server, responder);
}

/** Sends the reply of a handler: at once if it is not a promise. Neither throws nor rejects. */
function respond(path: string, handler: Handler, responder: Responder) {
  return (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    const fail = (error: unknown): void => responder.fail(request, response, error, path);
    const send = (reply: Reply): void => {
      try {
        responder.send(request, response, reply, path);
      } catch (error) {
        fail(error);
      }
    };
    try {
      const reply = handler(new ConnectionRequest(request, response));
      return reply instanceof Promise ? reply.then(send, fail) : send(reply);
    } catch (error) {
      return fail(error);
    }
  };
}

/** Whether a request to a route needs no client certificate. Nothing else decides this. */
function isOpen(route: Route, query: URLSearchParams): boolean {
  return typeof route.isOpen === 'function' ? route.isOpen(query) : route.isOpen === true;
}

/**
 * Runs GET handlers of open routes, requested without a query, without restify's handler chains. `/healthz` is requested all the
 * time, and with the chains it serves fewer than 0.7 times the requests of a plain restify route (`npm run bench -- healthz`).
 */
function addFastPath(
  server: RestifyServer,
  routes: readonly Route[],
  responder: Responder,
  hosts: Hosts,
): void {
  const noQuery = new URLSearchParams();
  const handlers = new Map<string, ReturnType<typeof respond>>();
  for (const route of routes) {
    const {
      path,
      handlers: { GET },
    } = route;
    if (GET !== undefined && isOpen(route, noQuery)) handlers.set(path, respond(path, GET, responder));
  }
  server.first((request, response) => {
    // Its connection was closed for too many requests.
    if (request.socket.destroyed) return false;
    const handler = request.method === 'GET' ? handlers.get(request.url ?? '') : undefined;
    if (handler === undefined || hasTwoHosts(request.rawHeaders) || hosts.problemOf(request) !== undefined)
      return true;
    responder.begin(request);
    void handler(request, response);
    return false;
  });
}

/** Checks each request before restify looks up its route. */
function addPreHandler(
  server: Server,
  routes: readonly Route[],
  responder: Responder,
  hosts: Hosts,
  log: LimitedLog,
): void {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  const authorize = (request: Request): Reply | undefined => {
    // restify also finds a route by a path with percent escapes or by a pattern; such a path is never open.
    const route = byPath.get(request.path());
    return route !== undefined && isOpen(route, queryOf(request))
      ? undefined
      : requireClientCertificate(request, log);
  };
  server.pre((request, response, next) => {
    responder.begin(request);
    try {
      const refusal = prepareRequest(request, hosts, log) ?? authorize(request);
      if (refusal === undefined) return next();
      responder.send(request, response, refusal);
    } catch (error) {
      // restify would let the exception end the process.
      responder.fail(request, response, error);
    }
    return next(false);
  });
}

/** Replaces restify's own error responses, which quote the path or the error. */
function replaceErrorResponses(server: Server, responder: Responder): void {
  // restify sends another response unless this method was used.
  const write: Write = (response, status, headers, body) =>
    void (response as Response).sendRaw(status, body ?? '', { ...headers });
  server.on(
    'restifyError',
    (request: Request, response: Response, error: { statusCode?: number }, done: () => void) => {
      const send = (reply: Reply): void => responder.send(request, response, reply, undefined, write);
      if (error.statusCode === 404) send(NOT_FOUND);
      // restify has already set `Allow`.
      else if (error.statusCode === 405) send(errorReply(405, `invalid request method: ${request.method}`));
      else responder.fail(request, response, error, undefined, write);
      done();
    },
  );
}
