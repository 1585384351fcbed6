import type { FailedPart, SourceState } from '../contract/index.js';
import { jsonReply, type Route } from '../http/index.js';
import { channelsOf } from './channels.js';
import type { AgentNode } from './node.js';
import { createNodeVersion } from './node-version.js';

/** Where the list of nodes comes from. */
export interface NodeFacts {
  /** The current states of all sources. */
  states(): Promise<readonly SourceState[]>;
  /** The failed checks of all components. */
  failedChecks(): Promise<readonly FailedPart[]>;
}

/** `/nodes`: the nodes with their state and channels. */
export function nodesRoute(nodes: readonly AgentNode[], facts: NodeFacts): Route {
  const listed = nodes.map((node) => ({ node, version: createNodeVersion(node.client) }));
  return {
    path: '/nodes',
    handlers: {
      GET: async () => {
        const [failed, all] = await Promise.all([facts.failedChecks(), facts.states()]);
        const states = new Map(all.map((state) => [state.name, state]));
        const described = listed.map(async ({ node, version }) => {
          const state = states.get(node.name) ?? { name: node.name, isUp: false };
          return describe(node, state, await version(state), failed);
        });
        return jsonReply(200, { nodes: await Promise.all(described) });
      },
    },
  };
}

/** Unknown members are undefined, and so omitted in JSON. */
function describe(
  { name, kind }: AgentNode,
  { isUp, reading, readAt, reason }: SourceState,
  version: string | undefined,
  allFailed: readonly FailedPart[],
): object {
  const failed = allFailed.filter(({ component }) => component === name || component.startsWith(`${name}/`));
  const unreachable = failed.find(({ component }) => component === name);
  // A reading without families means that metrics are not read, and says nothing about the node.
  const isRead = !isUp || (reading !== undefined && reading.families.length > 0);
  const up = isRead ? isUp : unreachable === undefined;
  return {
    name,
    kind,
    up,
    reason: up ? undefined : (reason ?? unreachable?.reason ?? 'not read yet'),
    version,
    healthy: up && failed.length === 0,
    failed_checks: failed.map(({ component, reason: why }) => ({ component, reason: why })),
    last_reading: readAt === undefined ? undefined : new Date(readAt).toISOString(),
    channels: reading === undefined ? [] : channelsOf(reading),
  };
}
