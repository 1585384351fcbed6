// The routes of an agent.

import { SettingsError, type AgentSettings } from '../config/index.js';
import type { BuildInfo } from './common/files/build-info.js';
import { ownerOf } from './common/text/component.js';
import type { DetailedPart, NodeChecker } from './contract/internal/index.js';
import { EventStream, pageRoutes, silenceRoutes } from './events/index.js';
import { healthRoutes, readySelection } from './health/index.js';
import type { Attachment, PluginInstance } from './host/index.js';
import { versionRoute, type Route } from './http/route.js';
import type { LeasedSpec } from './logging/index.js';
import type { SinkAttachment } from './metrics/index.js';
import { nodeRoutes } from './nodes/index.js';
import type { Services } from './services.js';
import { spanOf, statusRoute, type NodeList, type StatusDocument } from './status/index.js';

/** How long `/nodes` and `/status` wait for new readings and for running checks, in milliseconds. */
const NODE_STATE_TIMEOUT = 2_000;

/** Returns a function that makes the document of `/nodes` from new readings. */
export const nodeListOf = (
  services: Services,
  attachments: readonly Attachment[],
): (() => Promise<NodeList>) =>
  nodeListFrom(services, attachments, {
    states: async () => {
      await services.sources.live(NODE_STATE_TIMEOUT);
      return services.sources.latest();
    },
    report: () => services.health.runWithin(NODE_STATE_TIMEOUT),
  });

/** Returns a function that makes it from the last readings and the current failures: no check runs for it. */
export const lastNodeListOf = (
  services: Services,
  attachments: readonly Attachment[],
): (() => Promise<NodeList>) =>
  nodeListFrom(services, attachments, {
    states: async () => services.sources.latest(),
    report: async () => {
      const { open } = services.events;
      const ofState = (state: string): DetailedPart[] =>
        open.flatMap(({ component, reason, state: own }) => (own === state ? [{ component, reason }] : []));
      return { failedChecks: ofState('failed'), warnings: ofState('warning') };
    },
  });

const nodeListFrom =
  (
    { nodes, events, restarts }: Services,
    attachments: readonly Attachment[],
    readers: Pick<Parameters<Services['nodes']['describe']>[0], 'states' | 'report'>,
  ) =>
  (): Promise<NodeList> =>
    nodes.describe({
      ...readers,
      pastOf: (node) => events.past(node).map(spanOf),
      isRestarting: (node) => restarts.mayReturn(node),
      checksFiles: (component) => checksFiles(component, attachments),
    });

/** Returns true if the checker of a component is of the kind `files`. */
function checksFiles(component: string, attachments: readonly Attachment[]): boolean {
  const checkers = attachments.filter(({ instance }) => instance.kind === 'checker');
  const owner = ownerOf(
    component,
    checkers.map(({ instance }) => instance.name),
  );
  return checkers.some(
    ({ instance }) =>
      instance.name === owner && (instance as PluginInstance<NodeChecker>).plugin.kind === 'files',
  );
}

/** Values that the routes need besides the services. */
interface OwnParts {
  /** The logging specification of the agent itself. */
  readonly ownLevel: LeasedSpec;
  readonly build: BuildInfo;
  /** Makes the document of `/nodes`. */
  readonly list: () => Promise<NodeList>;
  /** Makes the document of `/status`. */
  readonly status: () => Promise<StatusDocument>;
}

/**
 * The routes of the agent and of its sinks.
 *
 * @throws SettingsError if two routes have the same path
 */
export function routesOf(
  settings: AgentSettings,
  services: Services,
  own: OwnParts,
  attachments: readonly SinkAttachment[],
): Route[] {
  const routes = ownRoutes(settings, services, own);
  return [...routes, ...sinkRoutes(routes, attachments)];
}

function ownRoutes(
  settings: AgentSettings,
  { health, nodes, facts, events, silences, channels }: Services,
  { ownLevel, build, list, status }: OwnParts,
): Route[] {
  const ready = settings.health.groups.ready;
  return [
    ...healthRoutes(health, () => readySelection(ready, nodes.names, health.components), nodes.shortNames),
    versionRoute(build),
    statusRoute(status),
    ...nodeRoutes(nodes, ownLevel, list, facts),
    ...silenceRoutes(silences, () => ({ nodes: nodes.names, channels: [...channels.verdicts.keys()] })),
    ...(settings.operations.page ? pageRoutes(new EventStream(events, status), status) : []),
  ];
}

/**
 * The routes of sinks. Their paths must be unique.
 *
 * @throws SettingsError
 */
function sinkRoutes(own: readonly Route[], attachments: readonly SinkAttachment[]): Route[] {
  const used = new Set(own.map(({ path }) => path));
  const problems: string[] = [];
  const routes: Route[] = [];
  for (const { route, instance } of attachments) {
    if (route === undefined) continue;
    const { path } = route;
    const label = `${instance.origin}: plugin ${instance.name}`;
    if (!path.startsWith('/')) problems.push(`${label}: the path ${path} does not begin with /`);
    if (used.has(path)) problems.push(`${label}: the path ${path} is already in use; set another path`);
    used.add(path);
    routes.push(route);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return routes;
}
