// The restify server: the steps before and after the routes, and all differences from restify's defaults.

import type { ServerOptions } from 'node:https';
import { createServer, type Request, type Response, type Server } from 'restify';
import errors, { type HttpError } from 'restify-errors';
import { errorCodeOf, type ErrorCode } from '../contract/errors.js';
import { reasonOf } from '../contract/index.js';
import { protocolProblem } from '../common/server/protocol.js';
import { requireClientCertificate } from './client-certificate.js';
import { checkHostAndTarget, type Hosts } from './hosts.js';
import type { LimitedLog } from './limited-log.js';
import type { Limits } from './limits.js';
import { idOf, queryOf, RestifyRequest } from './request.js';
import { routeOf, type Responder } from './responder.js';
import { requireWriter, type Roles } from './roles.js';
import { errorReply, NOT_FOUND, type Handler, type Reply, type Route } from './route.js';

/** Options of {@link createRestifyServer}. */
interface RestifyServerOptions {
  readonly routes: readonly Route[];
  readonly responder: Responder;
  readonly hosts: Hosts;
  /** The current roles; undefined: every client may change something. */
  readonly roles: () => Roles | undefined;
  /** Undefined: plain HTTP. */
  readonly https: ServerOptions | undefined;
  readonly limits: Limits;
  /** For requests that are refused or fail; clients can cause any number of them. */
  readonly limitedLog: LimitedLog;
}

/** A request of restify with a parameter that its types lack. */
interface NewRequest extends Request {
  /** Sets the id, once. */
  id(id?: string): string;
}

/** restify's server with a method that its types lack. */
interface RestifyServer extends Server {
  /** Adds a function that runs before restify handles a request. If it returns false, restify does not continue. */
  first(handler: (request: NewRequest, response: Response) => boolean): void;
}

/** Creates the server with its routes. Nothing listens yet. */
export function createRestifyServer(options: RestifyServerOptions): Server {
  const { routes, responder, https, limits } = options;
  const server = createServer({
    // By default the name is in a header `Server`.
    name: '',
    // By default restify logs with pino to the standard output.
    log: NO_LOG as never,
    // By default `100 Continue` is sent before the checks of a request; the reader of the body sends it.
    noWriteContinue: true,
    ...(https && { httpsServerOptions: https }),
  }) as RestifyServer;
  // restify listens for upgrades, and Node gives the connection to a listener. Without a listener, Node ignores the header.
  server.server.removeAllListeners('upgrade');
  setLimits(server, limits);
  // Node parses pipelined requests even after the connection was closed because of too many.
  server.first(({ socket }) => !socket.destroyed);
  server.first(checkRequests(options));
  const handle = (handler: Handler) => async (request: Request, response: Response) => {
    try {
      responder.send(request, response, await handler(new RestifyRequest(request, response, limits)));
    } catch (error) {
      throw httpErrorOf(error, request, options.limitedLog);
    }
  };
  for (const { path, handlers } of routes) {
    const { GET, PUT, DELETE } = handlers;
    if (GET !== undefined) {
      server.get(path, handle(GET));
      server.head(path, handle(GET));
    }
    if (PUT !== undefined) server.put(path, handle(PUT));
    if (DELETE !== undefined) server.del(path, handle(DELETE));
  }
  // restify's own error responses quote the path and have the form `{"code":…,"message":…}`. restify sends them when a listener calls its
  // last argument, even to a client that is gone or already has a response.
  server.on('restifyError', (request: Request, response: Response, error: HttpError) =>
    responder.send(request, response, replyTo(error, request)),
  );
  return server;
}

/**
 * Checks each request before restify looks up its route: its protocol, its host, its target, and with TLS the certificate and the role of its client. Returns whether
 * restify continues. A handler of `pre` would also work, but restify measures the time of each.
 */
function checkRequests({ routes, responder, hosts, roles, limitedLog }: RestifyServerOptions) {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  const check = (request: NewRequest, response: Response): void => {
    checkProtocol(request, response);
    checkHostAndTarget(request, hosts, limitedLog);
    // restify parses `http://HOST TARGET` as a URL to find the path: an invalid Host makes it throw, and another one can change the path.
    request.headers.host = 'localhost';
    // restify also finds routes for paths with percent escapes, and by patterns; such a path is never open.
    const route = byPath.get(request.path());
    if (route === undefined || !isOpen(route, queryOf(request)))
      requireClientCertificate(request, limitedLog);
    requireWriter(request, roles(), limitedLog);
  };
  return (request: NewRequest, response: Response): boolean => {
    responder.begin(request);
    request.id(idOf(request));
    try {
      check(request, response);
      return true;
    } catch (error) {
      responder.send(request, response, replyTo(httpErrorOf(error, request, limitedLog), request));
      return false;
    }
  };
}

/** @throws HttpError for a version or a framing of HTTP that the agent does not implement */
function checkProtocol(request: Request, response: Response): void {
  const problem = protocolProblem(request);
  if (problem === undefined) return;
  response.setHeader('Connection', 'close');
  throw errors.makeErrFromCode(problem.status, '%s', problem.reason);
}

/** Whether a request to a route needs no client certificate. No other function decides this. */
function isOpen({ isOpen: rule = false }: Route, query: URLSearchParams): boolean {
  return typeof rule === 'function' ? rule(query) : rule;
}

/** The statuses of errors that the client or a node caused. Every other error is a fault of the agent: 500. */
const STATUSES: ReadonlyMap<ErrorCode, number> = new Map<ErrorCode, number>([
  ['BODY_INVALID', 400],
  ['LOG_SPEC_INVALID', 400],
  ['QUERY_INVALID', 400],
  ['NODE_UNKNOWN', 404],
  ['SILENCE_UNKNOWN', 404],
  ['BODY_TIMED_OUT', 408],
  ['SILENCES_FULL', 409],
  ['BODY_TOO_LARGE', 413],
  ['NODE_UNREACHABLE', 502],
  ['NODE_REFUSED', 502],
  ['NODE_RESPONSE_INVALID', 502],
  ['NODE_BUSY', 503],
]);

/** Converts a thrown value to an error of restify. Faults of the agent are logged, and the response has no details of them. */
function httpErrorOf(thrown: unknown, request: Request, log: LimitedLog): HttpError {
  if (thrown instanceof errors.HttpError) return thrown;
  const code = errorCodeOf(thrown);
  const status = code === undefined ? undefined : STATUSES.get(code);
  if (status !== undefined) return errors.makeErrFromCode(status, '%s', reasonOf(thrown));
  const what = `${request.method ?? ''} ${routeOf(request)} failed`;
  log.log('error', what, `${what}: ${reasonOf(thrown)}`);
  return new errors.InternalServerError('internal error');
}

/** The response to an error: for an unknown path the response of a node, else `{"error":…}`. */
function replyTo(error: HttpError, { method }: Request): Reply {
  if (error instanceof errors.ResourceNotFoundError) return NOT_FOUND;
  // restify has already set `Allow`.
  if (error instanceof errors.MethodNotAllowedError)
    return errorReply(405, `invalid request method: ${method}`);
  // The rest of a late body would be read as the next request.
  const headers: Readonly<Record<string, string>> = error.statusCode === 408 ? { Connection: 'close' } : {};
  return errorReply(error.statusCode, error.message, headers);
}

/** By default Node has no limit of connections and of pipelined requests, and waits five minutes for a request. */
function setLimits({ server }: Server, limits: Limits): void {
  server.headersTimeout = limits.requestTimeout;
  // The reader of the body has its own deadline and can still respond. This one closes connections with a body that nothing reads.
  server.requestTimeout = 2 * limits.requestTimeout;
  server.keepAliveTimeout = limits.keepAliveTimeout;
  server.timeout = limits.idleTimeout;
  server.maxConnections = limits.maxConnections;
  server.maxHeadersCount = limits.maxHeaderLines;
  // An option of Node's constructor, which restify calls without options for plain HTTP. Node reads the property of the same name
  // when the server starts listening. By default it checks for late requests only every 30 seconds.
  Object.assign(server, { connectionsCheckingInterval: limits.timeoutCheckInterval });
}

/** The methods of a log of pino. restify logs only at trace, and warnings about functions that this server does not use. */
const NO_LOG = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => false]),
);
