// Registers routes, and what precedes and follows them, with restify.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response, Server } from 'restify';
import type { Logger } from '../contract/index.js';
import { hasTwoHosts } from '../service/index.js';
import { prepareRequest } from './prepare-request.js';
import { errorReply, NOT_FOUND } from './replies.js';
import { ConnectionRequest } from './request.js';
import { requireClientCertificate } from './require-client-certificate.js';
import type { Responder, Write } from './responder.js';
import type { Handler, Reply, Route } from './route.js';

/** A server of restify with the method that its types lack. */
export interface FullServer extends Server {
  /** Adds a handler that runs before everything else; it returns false if it sends the response. */
  first(handler: (request: IncomingMessage, response: ServerResponse) => boolean): void;
}

/** Makes a server of restify serve routes. Each request gets its response from `responder`. */
export function mountRoutes(
  server: FullServer,
  routes: readonly Route[],
  responder: Responder,
  log: Logger,
): void {
  const open = new Set(routes.filter(({ isOpen }) => isOpen).map(({ path }) => path));
  server.first((request, response) => {
    if (request.method !== 'GET' || hasTwoHosts(request.rawHeaders)) return true;
    const GET = fast.get(request.url ?? '');
    if (GET === undefined) return true;
    responder.begin(request);
    void GET(request, response);
    return false;
  });
  server.pre((request, response, next) => {
    responder.begin(request);
    const refusal =
      prepareRequest(request) ??
      // The same path that restify looks up. It also finds routes by paths with percent escapes; those are never open.
      (open.has(request.path()) ? undefined : requireClientCertificate(request, log));
    if (refusal === undefined) return next();
    responder.send(request, response, refusal);
    return next(false);
  });
  const fast = new Map(
    routes.flatMap(({ path, isOpen, handlers: { GET } }) =>
      isOpen === true && GET !== undefined ? [[path, serve(path, GET, responder)] as const] : [],
    ),
  );
  for (const { path, handlers } of routes) {
    const { GET, PUT } = handlers;
    if (GET !== undefined) {
      server.get(path, serve(path, GET, responder));
      server.head(path, serve(path, GET, responder));
    }
    if (PUT !== undefined) server.put(path, serve(path, PUT, responder));
  }
  respondToErrors(server, responder);
}

/** A handler for restify; it never rejects. */
function serve(path: string, handler: Handler, responder: Responder) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      responder.send(request, response, await handler(new ConnectionRequest(request, response)), path);
    } catch (error) {
      responder.fail(request, response, error, path);
    }
  };
}

/** Replaces the responses that restify sends by itself, whose texts quote the request or the error. */
function respondToErrors(server: Server, responder: Responder): void {
  // Unless a response is sent by its method, restify sends another one.
  const write: Write = (response, status, headers, body) =>
    void (response as Response).sendRaw(status, body ?? '', { ...headers });
  server.on(
    'restifyError',
    (request: Request, response: Response, error: { statusCode?: number }, done: () => void) => {
      const send = (reply: Reply): void => responder.send(request, response, reply, undefined, write);
      if (error.statusCode === 404) send(NOT_FOUND);
      // restify has set `Allow`.
      else if (error.statusCode === 405) send(errorReply(405, `invalid request method: ${request.method}`));
      else responder.fail(request, response, error, undefined, write);
      done();
    },
  );
}
