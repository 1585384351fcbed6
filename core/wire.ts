// Builds the object graph of an agent. The only I/O is loading plugins and reading TLS files; nothing is started.

import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { SettingsError, type Settings } from '../config/index.js';
import { BUILT_IN } from './built-in.js';
import { Channels } from './channels/index.js';
import {
  LEVELS,
  parseLogSpec,
  reasonOf,
  type HealthChecker,
  type Logger,
  type LoggingBackend,
  type MetricFactory,
  type MetricSink,
  type MetricSource,
  type Notifier,
  type PluginKind,
} from './contract/index.js';
import { attachNotifier, createCheckerEvents, Events, EventStream, pageRoutes } from './events/index.js';
import {
  attachChecker,
  Clock,
  createHealth,
  healthRoutes,
  Lag,
  readySelection,
  type AgentHealth,
} from './health/index.js';
import {
  createInstance,
  createPluginMetrics,
  loadPlugins,
  type Attachment,
  type InstanceParts,
  type LoadedPlugin,
  type LoadOptions,
  type PluginInstance,
  type PluginMetrics,
} from './host/index.js';
import {
  createOperationsServer,
  LIMITS,
  versionRoute,
  type OperationsServer,
  type Route,
} from './http/index.js';
import {
  boundBackend,
  createLeasedSpec,
  createLogging,
  type AgentLogging,
  type LeasedSpec,
  type Logging,
  type SpecOwner,
} from './logging/index.js';
import {
  attachSink,
  attachSource,
  MetricStore,
  RelayReader,
  Sources,
  type SinkAttachment,
  type SourceParts,
} from './metrics/index.js';
import { FactStore, levelComponent, levelReason, nodeOf, nodeRoutes, Nodes, SELF } from './nodes/index.js';
import { reservedNameProblems } from './reserved-names.js';
import { createStatus, spanOf, statusRoute, type NodeList, type StatusDocument } from './status/index.js';
import { problemsOf } from './settings.js';
import { readBuildInfo, type BuildInfo } from './common/files/build-info.js';

/** How long `/nodes` waits for new readings, in milliseconds. */
const NODE_STATE_TIMEOUT = 2_000;

/** The component of the TLS files of the operations service. */
const TLS_COMPONENT = 'tls (operations)';

/** Where packages and samples of Fabric have the configuration of a node. */
const NODE_FILES = ['core.yaml', 'orderer.yaml'].map((name) => `/etc/hyperledger/fabric/${name}`);

/** The parts of an agent. */
export interface AgentParts {
  readonly backend: PluginInstance<LoggingBackend>;
  /** The other plugins, in start order. */
  readonly attachments: readonly Attachment[];
  readonly health: AgentHealth;
  readonly metrics: MetricStore;
  readonly sources: Sources;
  readonly pluginMetrics: PluginMetrics;
  readonly logging: AgentLogging;
  readonly nodes: Nodes;
  readonly channels: Channels;
  readonly facts: FactStore;
  /** The logging specifications that `/logspec` changes, by the name in the path; stopping one ends its lease. */
  readonly levels: ReadonlyMap<string, LeasedSpec>;
  /** Makes the document of `/status`. */
  readonly status: () => Promise<StatusDocument>;
  readonly log: Logger;
  readonly server: OperationsServer;
}

/**
 * Builds the parts of an agent.
 *
 * @param notes the warnings about the configuration, for `/status`
 * @param lag measures the lag of this process
 * @param isUsed whether plugins of a kind are created; the options of all plugins are checked. @default all kinds
 * @throws SettingsError with every problem found
 * @throws AgentError `TLS_INVALID`
 */
export async function wire(
  settings: Settings,
  notes: readonly string[] = [],
  lag: Lag = new Lag(),
  isUsed: (kind: PluginKind) => boolean = () => true,
): Promise<AgentParts> {
  const [startedAt, start] = [Date.now(), performance.now()];
  const metrics = new MetricStore(settings.metrics.maxSeries);
  const build = readBuildInfo();
  recordVersion(metrics, build.version);

  const [loadedBackend, ...loadedOthers] = await loadPlugins(
    settings.plugins,
    BUILT_IN,
    loadOptionsOf(settings.logging),
  );
  const pluginMetrics = createPluginMetrics(metrics);
  const sources = new Sources(
    settings.nodes.flatMap(({ name, isLabelled }) => (isLabelled === true ? [name] : [])),
    undefined,
    async (name) => (await nodes.all.find((node) => node.name === name)?.logLines()) ?? [],
  );
  const events: Events = new Events(
    () => nodes.all,
    () => channels.inactive,
  );
  const clock = new Clock();
  const facts = new FactStore();
  facts.onPublished('channels', ({ node, value }) => {
    if (node !== undefined) sources.keepChannels(node, value);
  });
  const sourceNames = loadedOthers.flatMap(({ definition, name }) =>
    definition.kind === 'source' ? [name] : [],
  );
  const parts: Omit<InstanceParts, 'logger'> = {
    clock: (name) => clock.of(name),
    metrics,
    reader: new RelayReader(metrics, sources),
    readings: sources,
    facts: (name) => {
      const node = nodeOf(name, sourceNames);
      return { node, facts: facts.of(name, node) };
    },
    pluginMetrics,
    events: (name, log) =>
      createCheckerEvents(name, {
        events,
        log,
        onDropped: () => pluginMetrics.countFault({ kind: 'health', plugin: name }, 'event'),
      }),
  };
  const backend = createInstance<LoggingBackend>(loadedBackend, { ...parts, logger: undefined });
  const logging = createLogging(boundBackend(backend.plugin), () => backend.countFault('log'));
  const logger = (name: string): Logger => logging.logger(name);
  const nodes = new Nodes(settings.nodes, logger('nodes'), (node, event) =>
    events.happened(levelComponent(node), levelReason(event), { spec: event.spec, client: event.caller }),
  );
  const health = createHealth({
    ...settings.health,
    metrics,
    log: logger('health'),
    observer: events,
    nodes: () => nodes.names,
    lag,
    clock,
    cpuTime,
  });

  const channels: Channels = new Channels({
    nodes: () => nodes.all,
    facts,
    sources,
    events,
    metrics,
    lag,
    clock,
    interval: settings.health.channelsInterval,
  });
  const reportStart = async (source: string, isRestart: boolean): Promise<void> => {
    const versions = await nodes.all.find(({ name }) => name === source)?.started();
    if (isRestart) events.restarted(source, versions);
  };
  const services: Services = {
    health,
    metrics,
    sources,
    nodes,
    facts,
    channels,
    events,
    agentStart: startedAt / 1000,
    onStart: (source, isRestart) => void reportStart(source, isRestart),
  };
  const used = loadedOthers.filter(({ definition }) => isUsed(definition.kind));
  const attachments = await collectProblems(used, async (loaded) =>
    attachPlugin(loaded, { ...parts, logger }, services),
  );
  const reserved = reservedNameProblems(
    attachments.map(({ instance }) => instance),
    nodes.names,
  );
  if (reserved.length > 0) throw new SettingsError(reserved);
  await collectProblems([backend, ...attachments.map(({ instance }) => instance)], (instance) =>
    instance.init(),
  );

  const ownLevel = createLeasedSpec(ownSpec(logging), logger('logging'));
  const levels = new Map([[SELF, ownLevel], ...nodes.levels]);
  const list = nodeListOf(services, attachments);
  const status = createStatus({
    build,
    startedAt,
    uptime: () => performance.now() - start,
    notes,
    levels,
    events,
    checks: () => health.components,
    nodes: list,
    channels: () => channels.verdicts,
    facts,
    host: hostname(),
    found: () => NODE_FILES.filter((path) => existsSync(path)),
    logOf: (node) => settings.nodes.find(({ name }) => name === node)?.log,
    plugins: [{ instance: backend }, ...attachments],
  });
  const ownRoutes = routesOf(settings, services, { ownLevel, build, list, status });
  const routes = [...ownRoutes, ...sinkRoutes(ownRoutes, attachments)];
  const { tls, hosts } = settings.operations;
  const log = logger('operations');
  const server = createOperationsServer({
    routes,
    tls: tls.enabled ? tls : undefined,
    hosts,
    log,
    metrics,
    limits: LIMITS,
  });
  if (tls.enabled) health.register(TLS_COMPONENT, () => server.checkTls());
  return {
    backend,
    attachments,
    health,
    metrics,
    sources,
    pluginMetrics,
    logging,
    nodes,
    channels,
    facts,
    levels,
    status,
    log,
    server,
  };
}

/** The parts that plugins are attached to. */
interface Services extends SourceParts {
  readonly health: AgentHealth;
  readonly metrics: MetricStore;
  readonly nodes: Nodes;
  readonly facts: FactStore;
  readonly channels: Channels;
  readonly events: Events;
}

/** Creates and attaches a plugin of any kind except a logging backend. */
function attachPlugin(loaded: LoadedPlugin, parts: InstanceParts, services: Services): SinkAttachment {
  const { kind } = loaded.definition;
  const { health, metrics, sources, nodes, facts, events } = services;
  if (kind === 'health')
    return attachChecker(createInstance<HealthChecker>(loaded, parts), health, () => facts.end(loaded.name));
  if (kind === 'notifier')
    return attachNotifier(createInstance<Notifier>(loaded, parts), {
      events,
      health,
      metrics,
      readSources: () => void sources.live(),
    });
  if (kind === 'source') {
    const source = createInstance<MetricSource>(loaded, parts);
    nodes.add(source);
    return attachSource(source, services);
  }
  return attachSink(createInstance<MetricSink>(loaded, parts), {
    store: metrics,
    sources,
    health,
    checks: () => events.open,
  });
}

/** Returns a function that makes the document of `/nodes`. */
const nodeListOf =
  ({ health, sources, nodes, events }: Services, attachments: readonly Attachment[]) =>
  (): Promise<NodeList> =>
    nodes.describe({
      states: async () => {
        await sources.live(NODE_STATE_TIMEOUT);
        return sources.latest();
      },
      report: () => health.run(),
      pastOf: (node) => events.past(node).map(spanOf),
      isAboutFiles: (component) => isAboutFiles(component, attachments),
    });

/** Returns true if the checker of a component has `isAboutFiles`. */
const isAboutFiles = (component: string, attachments: readonly Attachment[]): boolean =>
  attachments.some(
    ({ instance }) =>
      instance.kind === 'health' &&
      (component === instance.name || component.startsWith(`${instance.name}/`)) &&
      (instance as PluginInstance<HealthChecker>).plugin.isAboutFiles === true,
  );

/** Values that the routes need besides the services. */
interface OwnParts {
  /** The logging specification of the agent itself. */
  readonly ownLevel: LeasedSpec;
  readonly build: BuildInfo;
  /** Makes the document of `/nodes`. */
  readonly list: () => Promise<NodeList>;
  readonly status: AgentParts['status'];
}

/** The routes of the agent, without the routes of sinks. */
function routesOf(
  settings: Settings,
  { health, nodes, facts, events }: Services,
  { ownLevel, build, list, status }: OwnParts,
): Route[] {
  const ready = settings.health.groups.ready;
  return [
    ...healthRoutes(health, () => readySelection(ready, nodes.names, health.components)),
    versionRoute(build),
    statusRoute(status),
    ...nodeRoutes(nodes, ownLevel, list, facts),
    ...(settings.operations.page ? pageRoutes(new EventStream(events, status)) : []),
  ];
}

/** Load options that depend on the log specification: there is no log before the plugins are loaded. */
function loadOptionsOf({ spec, specOrigin }: Settings['logging']): LoadOptions {
  try {
    return { showsStacks: LEVELS[parseLogSpec(spec).levelOf('plugins')] <= LEVELS.debug };
  } catch (error) {
    return { earlier: [`${specOrigin}: logging.spec: ${reasonOf(error)}`] };
  }
}

/** The logging specification of the agent itself. */
function ownSpec(logging: Logging): SpecOwner {
  return {
    name: 'the agent',
    get: () => logging.spec(),
    set: (spec, { caller }) => logging.activate(spec, caller),
  };
}

function recordVersion(metrics: MetricFactory, version: string): void {
  metrics
    .gauge({
      name: 'version',
      help: 'The version of the agent; the value is always 1.',
      labelNames: ['version'],
    })
    .with({ version })
    .set(1);
}

/**
 * Runs work for each item.
 *
 * @throws SettingsError with the problems of all items that failed
 */
async function collectProblems<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const outcomes = await Promise.allSettled(items.map(work));
  const problems = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? problemsOf(outcome.reason) : [],
  );
  if (problems.length > 0) throw new SettingsError(problems);
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

/**
 * The routes of sinks. Their paths must be unique.
 *
 * @throws SettingsError
 */
function sinkRoutes(ownRoutes: readonly Route[], attachments: readonly SinkAttachment[]): Route[] {
  const used = new Set(ownRoutes.map(({ path }) => path));
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

/** The CPU time of this process, in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
