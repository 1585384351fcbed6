// From a request to its answer: what is refused before routing, cross-origin rules, and the route.

import type { IncomingMessage } from 'node:http';
import { hasTwoHosts, readTarget, type Target } from '../../core/service/index.js';
import { corsHeaders, preflightReply } from './cors.js';
import {
  badRequestReply,
  movedReply,
  NOT_FOUND,
  textReply,
  VERSION_NOT_SUPPORTED,
  type Reply,
} from './replies.js';
import type { Route } from './route.js';
import { cleanPath, locationOf } from './target.js';

/** Answers one request. */
export type Router = (request: IncomingMessage, body: () => Promise<Buffer>) => Promise<Reply>;

const CONTINUE = /^100-continue$/i;

/**
 * Makes a router.
 *
 * @param origins the values of `--CORS`; without any, cross-origin requests get no special treatment
 */
export function createRouter(routes: readonly Route[], origins: readonly string[]): Router {
  return async (request, body) => {
    const { method = '', url = '', headers } = request;
    const refusal = refuse(request);
    if (refusal !== undefined) return refusal;
    if (url === '*' && method === 'OPTIONS') return { status: 200 };
    const target = readTarget(url);
    if (target === undefined) return badRequestReply();
    if (method === 'OPTIONS' && origins.length > 0) return preflightReply(origins, headers);
    const reply = await answer(routes, request, target, body);
    return { ...reply, headers: { ...reply.headers, ...corsHeaders(origins, headers) } };
  };
}

/** What is wrong with a request before its path is looked at. */
function refuse({ headers, httpVersion, httpVersionMajor, rawHeaders }: IncomingMessage): Reply | undefined {
  if (httpVersionMajor !== 1) return VERSION_NOT_SUPPORTED;
  if (headers.host === undefined && httpVersion !== '1.0')
    return badRequestReply('missing required Host header');
  if (hasTwoHosts(rawHeaders)) return badRequestReply('too many Host headers');
  if (headers.expect !== undefined && httpVersion !== '1.0' && !CONTINUE.test(headers.expect))
    return textReply(417, 'the only expectation that can be met is 100-continue');
  return undefined;
}

async function answer(
  routes: readonly Route[],
  { method = '', headers }: IncomingMessage,
  { path, query }: Target,
  body: () => Promise<Buffer>,
): Promise<Reply> {
  const clean = cleanPath(path);
  if (clean !== path) return movedReply(locationOf({ path: clean, query }));
  for (const route of routes) {
    const match = matchPath(route, path);
    if (match === undefined) continue;
    if (method !== route.method && !(method === 'HEAD' && route.method === 'GET')) return { status: 405 };
    if (match.hasSlash) return movedReply(locationOf({ path: path.slice(0, -1), query }));
    return route.answer({ headers, query, name: Buffer.from(match.name, 'latin1').toString('utf8'), body });
  }
  return NOT_FOUND;
}

/** Whether a path is that of a route, but for one slash at its end. */
function matchPath(route: Route, path: string): { name: string; hasSlash: boolean } | undefined {
  if (!path.startsWith(route.path)) return undefined;
  const rest = path.slice(route.path.length);
  const match = (route.hasName ? /^\/([^/]+)(\/?)$/ : /^()(\/?)$/).exec(rest);
  return match === null ? undefined : { name: match[1] ?? '', hasSlash: match[2] === '/' };
}
