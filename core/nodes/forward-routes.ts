import type { NodeResponse } from '../contract/index.js';
import type { Reply, Route } from '../http/index.js';
import { findNode, switchedOff, type AgentNode } from './node.js';

const PATHS = ['/healthz', '/metrics', '/version'] as const;
/** Types that a browser does not run. A response with another type is passed on as bytes. */
const PASSIVE_TYPE =
  /^(?:application\/json|text\/plain|application\/openmetrics-text)\s*(?:;[\x20-\x7e]*)?$/i;

/** `/nodes/<name>/healthz`, `…/metrics` and `…/version`: the response of the node. */
export function forwardRoutes(nodes: readonly AgentNode[]): Route[] {
  return PATHS.map((path) => ({
    path: `/nodes/:name${path}`,
    handlers: {
      GET: async ({ params, id }) => {
        const { name, client, hasMetrics } = findNode(nodes, params.get('name'));
        if (path === '/metrics' && !hasMetrics) throw switchedOff(name, 'metrics');
        return replyOf(await client.request({ method: 'GET', path, requestId: id }));
      },
    },
  }));
}

/** Of the headers only the type is passed on. */
function replyOf({ status, contentType, body }: NodeResponse): Reply {
  const type = PASSIVE_TYPE.test(contentType) ? contentType : 'application/octet-stream';
  return { status, headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }, body };
}
