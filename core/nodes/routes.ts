// `/nodes` and all paths below it, and `/logspec`, which is for the only node or for the agent.

import { AgentError, within } from '../contract/index.js';
import type { ChannelDocument } from '../contract/internal/index.js';
import type { NodeResponse } from '../contract/metric-source.js';
import { jsonReply, type Reply, type Route } from '../http/route.js';
import { allSpecsRoute, logspecRoute, type LeasedSpec } from '../logging/index.js';
import type { NodeList } from '../status/index.js';
import type { FactStore } from './facts.js';
import { SELF, type Nodes } from './node.js';

/** Timeout for reading the channels of a node, in milliseconds. */
const CHANNELS_TIMEOUT = 10_000;

const FORWARDED = ['/healthz', '/metrics', '/version'] as const;
/** Content types that a browser does not execute. A response with another type is passed on as bytes. */
const PASSIVE_TYPE =
  /^(?:application\/json|text\/plain|application\/openmetrics-text)\s*(?:;[\x20-\x7e]*)?$/i;

/**
 * The routes.
 *
 * @param own the logging specification of the agent itself
 * @param list creates the document of `/nodes`
 */
export function nodeRoutes(
  nodes: Nodes,
  own: LeasedSpec,
  list: () => Promise<NodeList>,
  facts: FactStore,
): Route[] {
  const [first, ...others] = nodes.all;
  const self = { owner: SELF, level: own };
  const main =
    first?.level === undefined || others.length > 0 ? self : { owner: first.name, level: first.level };
  return [
    logspecRoute('/logspec', () => main),
    { path: '/nodes', handlers: { GET: async () => jsonReply(200, await list()) } },
    ...forwardRoutes(nodes),
    {
      path: '/nodes/:name/channels',
      handlers: {
        GET: async ({ params }) => {
          const { name } = nodes.find(params.get('name'));
          return jsonReply(200, { channels: await readChannels(name, facts) });
        },
      },
    },
    allSpecsRoute('/nodes/logspec', nodes.levels),
    logspecRoute(`/nodes/${SELF}/logspec`, () => self),
    logspecRoute('/nodes/:name/logspec', ({ params }) => {
      const { name, level } = nodes.find(params.get('name'));
      if (level === undefined) throw switchedOff(name, 'logging');
      return { owner: name, level };
    }),
  ];
}

/** `/nodes/<name>/healthz`, `…/metrics` and `…/version`: the response of the node. */
function forwardRoutes(nodes: Nodes): Route[] {
  return FORWARDED.map((path) => ({
    path: `/nodes/:name${path}`,
    handlers: {
      GET: async ({ params, id }) => {
        const { name, client, settings } = nodes.find(params.get('name'));
        if (path === '/metrics' && settings.metrics === false) throw switchedOff(name, 'metrics');
        return replyOf(await client.request({ method: 'GET', path, requestId: id }));
      },
    },
  }));
}

/** Passes a response of a node on; `Content-Type` is its only header. */
function replyOf({ status, contentType, body }: NodeResponse): Reply {
  const type = PASSIVE_TYPE.test(contentType) ? contentType : 'application/octet-stream';
  return { status, headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }, body };
}

/** The error for a resource of a node that the settings switch off. @param setting such as `metrics` */
function switchedOff(node: string, setting: string): AgentError {
  return new AgentError(
    'NODE_UNKNOWN',
    `the settings switch this resource of node ${node} off (node.${setting}: false)`,
  );
}

/** The channels of a node from its checker. @throws AgentError `NODE_UNKNOWN` if no checker reads its ledger directory */
export async function readChannels(node: string, facts: FactStore): Promise<readonly ChannelDocument[]> {
  const read = facts.about('configs', node);
  if (read !== undefined) return within(CHANNELS_TIMEOUT, 'reading the channels', undefined, read);
  throw new AgentError(
    'NODE_UNKNOWN',
    `no checker reads the channels of node ${node}: channel-config reads them if the ledger directory of the node is known`,
  );
}
