// The routes of the nodes beside the agent, and `/logspec`, which is that of the only node or of the agent.

import { SettingsError, type NodeSettings } from '../config/index.js';
import { AgentError, type Lifecycle, type MetricSource } from './contract/index.js';
import type { Route } from './http/index.js';
import {
  allSpecsRoute,
  createLeasedSpec,
  logspecRoute,
  type LeasedSpec,
  type Logging,
  type SpecOwner,
} from './logging/index.js';
import {
  createLogReader,
  createNodeClient,
  createNodeSpec,
  findNode,
  forwardRoutes,
  nodeList,
  nodesRoute,
  switchedOff,
  type AgentNode,
  type NodeFacts,
} from './nodes/index.js';

/** In paths, the agent instead of a node. */
const SELF = 'self';

/** A plugin instance; those of sources can have a node. */
export interface NodeInstance {
  readonly name: string;
  readonly kind: string;
  /** Where it was declared. */
  readonly origin: string;
  readonly plugin: Lifecycle;
  requireRunning(): void;
}

/** What {@link nodeRoutes} needs. */
export interface NodeRoutesOptions extends NodeFacts {
  readonly attachments: readonly { readonly instance: NodeInstance }[];
  readonly settings: readonly NodeSettings[];
  readonly logging: Logging;
}

/** The routes, and the logging specifications that must be stopped with the agent. */
export interface NodeRoutes {
  readonly routes: readonly Route[];
  /** The names of the nodes. */
  readonly names: readonly string[];
  /** Makes the document of `/nodes`. */
  readonly list: () => Promise<object>;
  /** The logging specifications by the name in the path. */
  readonly levels: ReadonlyMap<string, LeasedSpec>;
  readonly specs: readonly LeasedSpec[];
  /** The logging specifications of the nodes by name. */
  readonly nodeLevels: ReadonlyMap<string, LeasedSpec>;
}

/**
 * Creates `/logspec`, `/nodes` and everything below it.
 *
 * @throws SettingsError if a node has the name of the agent
 */
export function nodeRoutes(options: NodeRoutesOptions): NodeRoutes {
  const { settings, logging } = options;
  const nodes = nodesOf(options);
  const own = createLeasedSpec(ownSpec(logging), logging.logger('logging'));
  const withoutLevel = new Set(settings.filter((node) => node.logging === false).map(({ name }) => name));
  const log = logging.logger('nodes');
  const specs = new Map(
    nodes
      .filter(({ name }) => !withoutLevel.has(name))
      .map(({ name, client }) => [name, createLeasedSpec(createNodeSpec(name, client, log), log)]),
  );
  const main = (nodes.length === 1 ? specs.get(nodes[0]?.name ?? '') : undefined) ?? own;
  const specOf = (node: string | undefined): LeasedSpec => {
    const { name } = findNode(nodes, node);
    const spec = specs.get(name);
    if (spec === undefined) throw switchedOff(name, 'logging');
    return spec;
  };
  const list = nodeList(nodes, options);
  const routes = [
    logspecRoute('/logspec', (_request, method) => {
      if (method === 'PUT' && nodes.length > 1) throw ambiguous(nodes);
      return main;
    }),
    nodesRoute(list),
    ...forwardRoutes(nodes),
    allSpecsRoute('/nodes/logspec', specs),
    logspecRoute(`/nodes/${SELF}/logspec`, () => own),
    logspecRoute('/nodes/:name/logspec', ({ params }) => specOf(params.get('name'))),
  ];
  const levels = new Map([[SELF, own], ...specs]);
  return {
    routes,
    list,
    levels,
    names: nodes.map(({ name }) => name),
    specs: [...levels.values()],
    nodeLevels: specs,
  };
}

/** Whose specification would change is not obvious, so that the client must say it. */
function ambiguous(nodes: readonly AgentNode[]): AgentError {
  return new AgentError(
    'LOG_SPEC_AMBIGUOUS',
    `the agent is beside ${nodes.length} nodes: use /nodes/<name>/logspec for one of them (${nodes.map(({ name }) => name).join(', ')}), /nodes/logspec for all of them, or /nodes/${SELF}/logspec for the agent itself`,
  );
}

function ownSpec(logging: Logging): SpecOwner {
  return {
    name: 'the agent',
    get: () => logging.spec(),
    set: (spec, { caller }) => logging.activate(spec, caller),
  };
}

/** The nodes that the sources read. */
function nodesOf({ attachments, settings }: NodeRoutesOptions): AgentNode[] {
  const settingsOf = new Map(settings.map((node) => [node.name, node]));
  return attachments.flatMap(({ instance }) => {
    const { node } = instance.plugin as Partial<MetricSource>;
    if (instance.kind !== 'source' || node === undefined) return [];
    const { name } = instance;
    if (name === SELF)
      throw new SettingsError([
        `${instance.origin}: a node cannot have the name ${SELF}, which is that of the agent in /nodes/${SELF}/logspec; set another name`,
      ]);
    const client = createNodeClient(name, {
      request: async (request) => {
        instance.requireRunning();
        return node.request(request);
      },
    });
    const { metrics, log } = settingsOf.get(name) ?? {};
    const hasMetrics = metrics !== false;
    const readLog = log === undefined ? undefined : createLogReader(log);
    return [{ name, kind: node.kind, client, hasMetrics, ...(readLog && { readLog }) }];
  });
}
