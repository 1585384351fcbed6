// The routes of the nodes beside the agent, and `/logspec`, which is that of the only node or of the agent.

import type { Lifecycle, MetricSource, SourceReadings } from './contract/index.js';
import type { Health } from './health/index.js';
import type { Route } from './http/index.js';
import { createLeasedSpec, logspecRoute, type LeasedSpec, type Logging } from './logging/index.js';
import {
  createNodeClient,
  createNodeSpec,
  findNode,
  forwardRoutes,
  nodesRoute,
  type AgentNode,
} from './nodes/index.js';

/** A plugin instance; those of sources can have a node. */
export interface NodeInstance {
  readonly name: string;
  readonly kind: string;
  readonly plugin: Lifecycle;
  requireRunning(): void;
}

/** What {@link nodeRoutes} needs. */
export interface NodeRoutesOptions {
  readonly attachments: readonly { readonly instance: NodeInstance }[];
  readonly readings: SourceReadings;
  readonly health: Health;
  readonly logging: Logging;
}

/** The routes, and the logging specifications that must be stopped with the agent. */
export interface NodeRoutes {
  readonly routes: readonly Route[];
  readonly specs: readonly LeasedSpec[];
}

/** Creates `/logspec`, `/nodes` and everything below it. */
export function nodeRoutes({ attachments, readings, health, logging }: NodeRoutesOptions): NodeRoutes {
  const nodes = nodesOf(attachments, readings);
  const log = logging.logger('nodes');
  const own = createLeasedSpec(ownSpec(logging), logging.logger('logging'));
  const ofNodes = nodes.map(({ name, client }) => ({
    name,
    spec: createLeasedSpec(createNodeSpec(name, client, log), log),
  }));
  const [first, ...others] = ofNodes;
  const main = first !== undefined && others.length === 0 ? first.spec : own;
  const routes = [
    logspecRoute('/logspec', () => main),
    nodesRoute(nodes, async () => (await health.run()).failedChecks),
    ...forwardRoutes(nodes),
    logspecRoute('/nodes/:name/logspec', ({ params }) => findNode(ofNodes, params.get('name')).spec),
  ];
  return { routes, specs: [own, ...ofNodes.map(({ spec }) => spec)] };
}

function ownSpec(logging: Logging): Parameters<typeof createLeasedSpec>[0] {
  return {
    name: 'the agent',
    get: () => logging.spec(),
    set: (spec, { caller }) => logging.activate(spec, caller),
  };
}

/** The nodes that the sources read. */
function nodesOf(
  attachments: NodeRoutesOptions['attachments'],
  readings: SourceReadings,
): AgentNode[] {
  return attachments.flatMap(({ instance }) => {
    const { node } = instance.plugin as Partial<MetricSource>;
    if (instance.kind !== 'source' || node === undefined) return [];
    const { name } = instance;
    const client = createNodeClient(name, {
      request: async (request) => {
        instance.requireRunning();
        return node.request(request);
      },
    });
    const state = (): ReturnType<AgentNode['state']> =>
      readings.latest().find((each) => each.name === name) ?? { name, isUp: false };
    return [{ name, kind: node.kind, client, state }];
  });
}
