// Produces the response to a request: checks the host name, applies the CORS rules, and calls the route.

import type { IncomingMessage } from 'node:http';
import { posix } from 'node:path';
import { unescape } from 'node:querystring';
import { targetUrl, type HostNames } from '../../core/common/server/host-headers.js';
import { corsHeaders, preflightReply } from './cors.js';
import { methodNotAllowed, NOT_FOUND, textReply, type Reply } from './reply.js';
import type { Route, RouteRequest } from './route.js';

/** The parts of a request that are not in its header. */
type RequestParts = Pick<RouteRequest, 'body' | 'onClose'>;

/** Handles one request. */
type Router = (request: IncomingMessage, parts: RequestParts) => Promise<Reply>;

/**
 * Creates a router.
 *
 * @param origins the values of `--CORS`; if empty, cross-origin requests are not treated specially
 * @param names the host names of the service
 */
export function createRouter(routes: readonly Route[], origins: readonly string[], names: HostNames): Router {
  return async (request, parts) => {
    const { method, url = '', headers, socket } = request;
    const target = targetUrl(url);
    for (const host of target === undefined ? [headers.host] : [headers.host, target.host]) {
      const problem = names.problemOf(host, socket.localAddress);
      if (problem !== undefined) return textReply(403, problem);
    }
    if (method === 'OPTIONS' && url === '*') return { status: 200 };
    if (method === 'OPTIONS' && origins.length > 0) return preflightReply(origins, headers);
    const reply = await dispatch(routes, origins.length > 0 ? ['OPTIONS'] : [], request, parts);
    return { ...reply, headers: { ...reply.headers, ...corsHeaders(origins, headers) } };
  };
}

/** @param otherMethods the methods that each path supports */
async function dispatch(
  routes: readonly Route[],
  otherMethods: readonly string[],
  { method = '', url = '', headers }: IncomingMessage,
  parts: RequestParts,
): Promise<Reply> {
  const { path, query } = splitTarget(url);
  const clean = posix.normalize(path);
  const unslashed = clean.replace(/(?<=.)\/$/, '');
  for (const route of routes) {
    const name = matchName(route, unslashed);
    if (name === undefined) continue;
    if (clean !== path) return redirect(clean, query);
    const methods = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
    if (!methods.includes(method)) return methodNotAllowed([...methods, ...otherMethods]);
    if (unslashed !== path) return redirect(unslashed, query);
    return route.handle({ headers, query, name, ...parts });
  }
  return NOT_FOUND;
}

/** The decoded path and the raw query of a request target, which may be an absolute URL (RFC 9112, section 3.2.2). */
function splitTarget(target: string): { path: string; query: string } {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  const end = mark < 0 ? local.length : mark;
  return { path: unescape(local.slice(0, end)), query: local.slice(end) };
}

/** The name in a path; empty for a route without a name, undefined if the path does not match the route. */
function matchName(route: Route, path: string): string | undefined {
  if (!route.hasName) return path === route.path ? '' : undefined;
  if (!path.startsWith(`${route.path}/`)) return undefined;
  const name = path.slice(route.path.length + 1);
  return name === '' || name.includes('/') ? undefined : name;
}

function redirect(path: string, query: string): Reply {
  return { status: 301, headers: { Location: encodeURI(path) + query } };
}
