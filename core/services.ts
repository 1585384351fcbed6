// The parts of an agent that plugins are attached to: metrics, sources, nodes, channels, health checks, events and facts.

import type { AgentSettings } from '../config/index.js';
import { Channels } from './channels/index.js';
import { channelOf, ownerOf } from './common/text/component.js';
import type { Logger } from './contract/index.js';
import type { NodeKnowledge } from './contract/internal/index.js';
import type { ContextsByKind, PluginKind } from './contract/plugin.js';
import {
  createCheckerEvents,
  Events,
  measureSilences,
  onlySlow,
  Outbox,
  Restarts,
  sentElsewhere,
  SilenceRule,
  Silences,
  ToldFailures,
  unnamed,
} from './events/index.js';
import { Clock, createHealth, type AgentHealth } from './health/index.js';
import { LedgerFolders } from './fabric/ledger.js';
import type { PluginMetrics } from './host/index.js';
import { RelayReader, Sources, type MetricStore, type SourceParts } from './metrics/index.js';
import type { SpecEvent } from './logging/index.js';
import type { Outside } from './outside.js';
import { OtherAgents } from './agents/index.js';
import { FactStore, levelComponent, levelReason, Nodes } from './nodes/index.js';

/** The parts that plugins are attached to. */
export interface Services extends SourceParts {
  readonly metrics: MetricStore;
  readonly pluginMetrics: PluginMetrics;
  readonly sources: Sources;
  readonly events: Events;
  readonly silences: Silences;
  /** The events for notifiers. */
  readonly outbox: Outbox;
  readonly restarts: Restarts;
  /** What the receivers of the notifiers were told. */
  readonly told: ToldFailures;
  /** The agents of other hosts. */
  readonly agents: OtherAgents;
  readonly clock: Clock;
  readonly facts: FactStore;
  readonly nodes: Nodes;
  readonly health: AgentHealth;
  readonly channels: Channels;
}

/** The parts that services are created from. */
interface ServiceParts {
  readonly metrics: MetricStore;
  readonly pluginMetrics: PluginMetrics;
  readonly logger: (name: string) => Logger;
  readonly outside: Outside;
  /** When the agent started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Creates the services. Nothing is started. */
export function createServices(
  settings: AgentSettings,
  { metrics, pluginMetrics, logger, outside, startedAt }: ServiceParts,
): Services {
  const { lag } = outside;
  const onLevel = (node: string, event: SpecEvent): void =>
    events.happened(levelComponent(node), levelReason(event), { spec: event.spec, client: event.caller });
  const nodes: Nodes = new Nodes(settings.nodes, logger('nodes'), onLevel, outside.readLog);
  const nodeNamed = (name: string) => nodes.all.find((node) => node.name === name);
  const sources = new Sources(
    settings.nodes.flatMap(({ name, isLabelled }) => (isLabelled === true ? [name] : [])),
    undefined,
    async (name) => (await nodeNamed(name)?.logLines()) ?? [],
  );
  const silences = new Silences();
  measureSilences(silences, metrics);
  const events: Events = new Events(
    () => nodes.all.map(({ settings: ofNode }) => ofNode),
    () => channels.inactive,
    silences,
    () => health.components,
    (component) => outbox.heldBy(elsewhere).some(({ sent }) => sent.event.component === component),
  );
  const agents = new OtherAgents(
    settings.agents,
    settings.operations.name,
    logger('agents'),
    outside.createAgentClient,
  );
  const restarts = new Restarts({
    events,
    processEndOf: (name) => {
      const node = nodeNamed(name);
      const elsewhere = node === undefined ? agents.restartOf(name) : undefined;
      if (elsewhere !== undefined) return elsewhere;
      const wasUp = sources.latest().some((state) => state.name === name && state.readAt !== undefined);
      return node?.settings.log !== undefined && wasUp
        ? () => node.processEnd(events.foundDownAt(name))
        : undefined;
    },
  });
  const elsewhere = sentElsewhere(agents);
  const outbox: Outbox = new Outbox(
    events,
    [
      new SilenceRule(events, silences),
      restarts,
      unnamed((channel) => channels.isUnnamed(channel)),
      elsewhere,
      onlySlow(() => Math.max(health.heldAt, channels.heldAt)),
    ],
    (component) => {
      const channel = channelOf(component);
      return health.isJudged(component) && (channel === undefined || channels.isJudged(channel));
    },
  );
  const { stateDirectory } = settings.operations;
  const told = new ToldFailures(
    stateDirectory === '' ? undefined : outside.openStateFile(stateDirectory),
    logger('events'),
  );
  const facts = new FactStore();
  facts.onPublished('channels', ({ node, value }) => {
    if (node !== undefined) sources.keepChannels(node, value);
  });
  const clock = new Clock();
  const health: AgentHealth = createHealth({
    ...settings.health,
    metrics,
    log: logger('health'),
    observer: events,
    nodes: () => nodes.names,
    lag,
    clock,
    cpuTime: outside.cpuTime,
  });
  const channels: Channels = new Channels({
    nodes: () => nodes.all,
    consentersElsewhere: (channel) => agents.consentersOf(channel),
    facts,
    sources,
    events,
    metrics,
    lag,
    clock,
    interval: settings.health.channelsInterval,
  });
  const reportStart = async (source: string, isRestart: boolean): Promise<void> => {
    const versions = await nodeNamed(source)?.started();
    if (isRestart) events.restarted(source, versions);
  };
  return {
    metrics,
    pluginMetrics,
    sources,
    events,
    silences,
    outbox,
    restarts,
    told,
    agents,
    clock,
    facts,
    nodes,
    health,
    channels,
    agentStart: startedAt / 1000,
    onStart: (source, isRestart) => void reportStart(source, isRestart),
  };
}

/**
 * Returns a function that creates the members of a context that only the kind of its plugin has.
 *
 * @param sourceNames the names of all sources, which are the names of the nodes
 */
export function contextsFrom(
  { metrics, sources, events, clock, facts, pluginMetrics }: Services,
  sourceNames: readonly string[],
): (kind: PluginKind, name: string, log: Logger) => object {
  const reader = new RelayReader(metrics, sources);
  const ledgers = new LedgerFolders();
  const ofChecker = (name: string, log: Logger): ContextsByKind['checker'] & NodeKnowledge => {
    const node = ownerOf(name, sourceNames);
    const onDropped = (): void => pluginMetrics.countFault({ kind: 'checker', plugin: name }, 'event');
    return {
      node,
      readings: sources,
      facts: facts.of(name, node),
      ledgers,
      events: createCheckerEvents(name, { events, log, onDropped }),
      clock: clock.of(name),
    };
  };
  return (kind, name, log) => {
    if (kind === 'checker') return ofChecker(name, log);
    return kind === 'sink' ? { reader } : {};
  };
}
