// Creates the document of `/status`.

import { channelComponent, isChannel, ownerOf } from '../common/text/component.js';
import { timeText } from '../common/text/time.js';
import { within, type AgentEvent } from '../contract/index.js';
import type { Facts } from '../contract/internal/index.js';
import type { Attachment } from '../host/index.js';
import type { NodeSettings } from '../../config/index.js';
import type { Channel } from '../fabric/channel.js';
import { jsonReply, type Route } from '../http/route.js';
import type { ActiveSpec } from '../logging/index.js';
import { channelsByName } from './channels.js';
import type {
  CertificateStatus,
  CheckStatus,
  DeliveryStatus,
  LevelStatus,
  NodeList,
  NodeStatus,
  OtherAgentStatus,
  Problem,
  SilenceStatus,
  Span,
  StatusDocument,
} from './document.js';
import { engineWarnings } from './engines.js';
import { stepsFor, type StepContext } from './steps.js';

/** Timeout for reading the level of a node, in milliseconds. */
const LEVEL_TIMEOUT = 2_000;

/** A failure or a warning that has ended. Times are milliseconds since the epoch. */
export interface PastFailure extends Pick<AgentEvent, 'component' | 'severity'> {
  readonly from: number;
  readonly to: number;
}

/** A logging specification. */
export interface Level {
  /** As in `LeasedSpec`: the last reading, repeated if it is some seconds old. */
  recent(): Promise<ActiveSpec>;
}

/** A plugin; sinks and notifiers have a delivery. */
export interface AttachedPlugin extends Pick<Attachment, 'instance' | 'delivery'> {
  /** The route of a pull sink. */
  readonly route?: Pick<Route, 'path'>;
}

/** The parts of the agent that the document is created from. */
export interface StatusParts {
  readonly build: { readonly version: string; readonly commit: string };
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The uptime of the agent by a monotonic clock, in milliseconds. */
  readonly uptime: () => number;
  /** The warnings about the configuration at startup. */
  readonly notes: readonly string[];
  readonly events: {
    readonly open: readonly AgentEvent[];
    causeOf(component: string): string | undefined;
    past(owner: string): readonly PastFailure[];
    /** The silence that covers a component; undefined: none. */
    silencedBy(component: string): object | undefined;
    /** Why a failure is not an event yet; undefined: it is one, or will never be one. */
    whyWaiting(component: string): string | undefined;
  };
  /** The failures on their way to the notifiers. */
  readonly outbox: {
    isDelivered(event: AgentEvent): boolean;
    whyWaiting(id: string): string | undefined;
  };
  /** The active silences. */
  readonly silences: () => readonly SilenceStatus[];
  /** The agents of other hosts. */
  readonly agents: () => readonly OtherAgentStatus[];
  /** The name of the agent. */
  readonly name: string;
  /** How late the agent was in the last minute, in milliseconds; undefined: it does not lag. */
  readonly lag: () => number | undefined;
  /** The name of the host. */
  readonly host: string;
  /** The configuration files of nodes on this host. */
  readonly found: () => readonly string[];
  /** The number of peers and orderers that run on this host. */
  readonly running: () => number;
  /** The command that runs this program. */
  readonly program: string;
  /** The settings of a node; undefined: it is not monitored. */
  readonly settingsOf: (node: string) => Pick<NodeSettings, 'log' | 'spec' | 'container'> | undefined;
  /** The names of the active checks. */
  readonly checks: () => readonly string[];
  /** The names of the checks that have no result yet. */
  readonly unchecked: () => readonly string[];
  /** The failures that are checked again before they are reported. */
  readonly unconfirmed: () => readonly CheckStatus[];
  /** The document of `/nodes`. */
  readonly nodes: () => Promise<NodeList>;
  /** The last state of each channel. */
  readonly channels: () => ReadonlyMap<string, Channel>;
  readonly facts: Pick<Facts, 'latest'>;
  /** By the name in the path: `self` is the agent. */
  readonly levels: ReadonlyMap<string, Level>;
  readonly plugins: readonly AttachedPlugin[];
}

/** Returns a function that creates the document. Concurrent calls share it. */
export function createStatus(parts: StatusParts): () => Promise<StatusDocument> {
  let running: Promise<StatusDocument> | undefined;
  return () => (running ??= statusOf(parts).finally(() => (running = undefined)));
}

/** The route `/status`. */
export const statusRoute = (status: () => Promise<StatusDocument>): Route => ({
  path: '/status',
  handlers: { GET: async () => jsonReply(200, await status()) },
});

async function statusOf(parts: StatusParts): Promise<StatusDocument> {
  const { build, startedAt, uptime, notes, events, checks, plugins } = parts;
  const [{ nodes, warnings }, levels] = await Promise.all([
    parts.nodes(),
    Promise.all(
      [...parts.levels].map(async ([name, level]) => levelOf(name, level, parts.settingsOf(name)?.spec)),
    ),
  ]);
  const time = new Date();
  const lost = parts.lag();
  const channels = channelsByName(nodes, parts.channels(), (name) =>
    events.past(channelComponent(name)).map(spanOf),
  );
  const certificates = certificatesIn(parts.facts);
  // After listing the nodes, which runs the checks.
  const problems = problemsIn(parts, nodes, {
    channels,
    nodes,
    settingsOf: parts.settingsOf,
  });
  const engines = parts.facts
    .latest('engine')
    .map(({ checker, value: { version } }) => ({ component: checker, version }));
  const unchecked = parts.unchecked();
  const starting = plugins.filter(({ instance }) => instance.isStarting).map(({ instance }) => instance);
  return {
    time: time.toISOString(),
    agent: {
      version: build.version || undefined,
      commit: build.commit || undefined,
      started_at: new Date(startedAt).toISOString(),
      uptime: Math.round(uptime() / 1000),
      healthy:
        starting.length === 0 && unchecked.length === 0 && problems.every(({ state }) => state !== 'failed'),
      notes,
      name: parts.name,
      host: parts.host,
      found: nodes.length === 0 ? parts.found() : [],
      running: nodes.length === 0 ? parts.running() : 0,
      program: parts.program,
      lag: lost === undefined ? undefined : Math.round(lost / 1000),
    },
    problems,
    checks: checks(),
    unchecked: unchecked.length === 0 ? undefined : unchecked,
    unconfirmed: parts.unconfirmed(),
    nodes,
    warnings: [...warnings, ...engineWarnings(engines, nodes)],
    channels,
    certificates,
    engines,
    levels,
    plugins: starting.map(({ name, kind }) => ({ name, kind, state: 'starting' })),
    sinks: plugins.filter(({ instance }) => instance.kind === 'sink').map(deliveryOf),
    notifiers: plugins.filter(({ instance }) => instance.kind === 'notifier').map(deliveryOf),
    silences: parts.silences(),
    agents: parts.agents(),
  };
}

/** The certificates of all checkers, sorted by expiry; without times that no date has. */
const certificatesIn = (facts: StatusParts['facts']): CertificateStatus[] =>
  facts
    .latest('certificates')
    .flatMap(({ checker, node, value }) => value.map((certificate) => ({ checker, node, ...certificate })))
    .toSorted((a, b) => a.notAfter - b.notAfter)
    .flatMap(({ checker: component, part, node, subject, kind, path, notAfter }) => {
      const not_after = timeText(notAfter);
      const failsAs = part === undefined ? undefined : `${component}/${part}`;
      return not_after === undefined
        ? []
        : [{ component, part: failsAs, node, subject, kind, path, not_after }];
    });

/** An event in JSON. */
export const eventDocument = ({
  component,
  node,
  state,
  severity,
  reason,
  since,
  began,
  runbook,
  steps,
}: AgentEvent): Problem => ({
  component,
  node,
  state,
  severity,
  reason,
  since: new Date(since).toISOString(),
  began_at: timeText(began),
  runbook,
  steps: steps ?? [],
});

/** A failure that has ended in JSON. */
export const spanOf = ({ component, severity, from, to }: PastFailure): Span => ({
  component,
  severity,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** The current failures, with their causes and the next steps. */
function problemsIn(
  { events, outbox, plugins }: StatusParts,
  nodes: readonly NodeStatus[],
  context: StepContext,
): Problem[] {
  const { open } = events;
  const components = new Set(open.map(({ component }) => component));
  return open.map((event) => {
    const cause = events.causeOf(event.component);
    const problem = {
      ...eventDocument(event),
      kind: kindOf(event, nodes, plugins),
      headline:
        event.headline ??
        checkerOf(event, plugins)?.headlines?.[event.state === 'failed' ? 'failed' : 'warning'],
      cause: cause !== undefined && cause !== event.component && components.has(cause) ? cause : undefined,
      silenced: events.silencedBy(event.component) === undefined ? undefined : (true as const),
      delivered: outbox.isDelivered(event) ? (true as const) : undefined,
      waiting: events.whyWaiting(event.component) ?? outbox.whyWaiting(event.id),
    };
    return { ...problem, steps: event.steps ?? stepsFor(problem, context) };
  });
}

/** The kind of a failure, as in {@link Problem}. */
function kindOf(
  { component }: AgentEvent,
  nodes: readonly NodeStatus[],
  plugins: readonly AttachedPlugin[],
): string {
  if (isChannel(component)) return 'channel';
  const node = nodes.find(({ name, up }) => name === component && !up);
  if (node !== undefined) return node.state;
  return checkerOf({ component }, plugins)?.pluginName ?? 'agent';
}

/** The checker that a component belongs to; undefined: none. */
function checkerOf(
  { component }: Pick<AgentEvent, 'component'>,
  plugins: readonly AttachedPlugin[],
): AttachedPlugin['instance'] | undefined {
  const checkers = plugins.filter(({ instance }) => instance.kind === 'checker');
  const owner = ownerOf(
    component,
    checkers.map(({ instance }) => instance.name),
  );
  return checkers.find(({ instance }) => instance.name === owner)?.instance;
}

/** The level of a node, and the configured one; without a specification if the node does not respond. */
async function levelOf(name: string, level: Level, configured: string | undefined): Promise<LevelStatus> {
  try {
    const { spec, revertsAt, setBy, setAt } = await within(LEVEL_TIMEOUT, 'the level', undefined, async () =>
      level.recent(),
    );
    return {
      name,
      spec,
      configured,
      reverts_at: timeText(revertsAt),
      set_by: setBy,
      set_at: timeText(setAt),
    };
  } catch {
    return { name };
  }
}

function deliveryOf({ instance, route, delivery }: AttachedPlugin): DeliveryStatus {
  const { deliveredAt, problem, queued, events } = delivery?.() ?? {};
  return {
    name: instance.name,
    state: instance.state,
    path: route?.path,
    delivered_at: timeText(deliveredAt),
    queued,
    events,
    problem,
  };
}
