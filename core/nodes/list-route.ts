import { timeText } from '../common/text/time.js';
import { reasonOf, type FailedPart, type SourceState } from '../contract/index.js';
import { jsonReply, type Route } from '../http/index.js';
import { channelsOf } from './channels.js';
import type { AgentNode } from './node.js';
import { createNodeVersion } from './node-version.js';

/** Where the list of nodes comes from. */
export interface NodeFacts {
  /** The current states of all sources. */
  states(): Promise<readonly SourceState[]>;
  /** The failed checks and the warnings of all components. */
  report(): Promise<HealthFacts>;
}

/** What is wrong with components. */
export interface HealthFacts {
  readonly failedChecks: readonly FailedPart[];
  readonly warnings: readonly FailedPart[];
}

/** Makes the document of `/nodes`: the nodes with their state and channels, and the warnings of components that belong to no node. */
export function nodeList(nodes: readonly AgentNode[], facts: NodeFacts): () => Promise<object> {
  const listed = nodes.map((node) => ({ node, version: createNodeVersion(node.client) }));
  return async () => {
    const [health, all] = await Promise.all([facts.report(), facts.states()]);
    const states = new Map(all.map((state) => [state.name, state]));
    const described = listed.map(async ({ node, version }) => {
      try {
        const state = states.get(node.name) ?? { name: node.name, isUp: false };
        const entry = describe(node, state, await version(state), health);
        // Only when something fails: a log can be large, and its reader slow.
        return entry.healthy ? entry : { ...entry, log: await node.readLog?.() };
      } catch (error) {
        return undescribed(node, reasonOf(error));
      }
    });
    const others = health.warnings.filter((each) => !nodes.some(({ name }) => isOf(name, each)));
    return { nodes: await Promise.all(described), warnings: shown(others) };
  };
}

/** `/nodes` */
export const nodesRoute = (list: () => Promise<object>): Route => ({
  path: '/nodes',
  handlers: { GET: async () => jsonReply(200, await list()) },
});

const isOf = (name: string, { component }: FailedPart): boolean =>
  component === name || component.startsWith(`${name}/`);

const shown = (checks: readonly FailedPart[]): object[] =>
  checks.map(({ component, reason }) => ({ component, reason }));

/** What a node says is foreign: whatever is wrong with it, the list has the other nodes. */
const undescribed = ({ name, kind }: AgentNode, reason: string): object => ({
  name,
  kind,
  up: false,
  reason: `what is known of the node cannot be shown: ${reason}`,
  healthy: false,
  failed_checks: [],
  warnings: [],
  restarts_last_hour: 0,
  channels: [],
});

/** Unknown members are undefined, and so omitted in JSON. */
function describe(
  { name, kind }: AgentNode,
  { isUp, reading, readAt, reason, restarts = [], removedChannels = [] }: SourceState,
  version: string | undefined,
  { failedChecks, warnings }: HealthFacts,
): { readonly healthy: boolean } & Readonly<Record<string, unknown>> {
  const failed = failedChecks.filter((each) => isOf(name, each));
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
    failed_checks: shown(failed),
    warnings: shown(warnings.filter((each) => isOf(name, each))),
    started_at: timeText(reading?.startTime && reading.startTime * 1000),
    restarts_last_hour: restarts.length,
    last_reading: timeText(readAt),
    channels: reading === undefined ? [] : channelsOf(reading, removedChannels),
  };
}
