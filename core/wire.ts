// Loads the plugins, and builds the object graph of an agent. The only other I/O is reading TLS files; nothing is started.

import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  FABRIC_DIRECTORY,
  NODE_FILES,
  SettingsError,
  type AgentSettings,
  type Settings,
} from '../config/index.js';
import { lastNodeListOf, nodeListOf, routesOf } from './agent-routes.js';
import { BUILT_IN } from './built-in.js';
import { ownCommand, readBuildInfo } from './common/files/build-info.js';
import {
  LEVELS,
  parseLogSpec,
  reasonOf,
  within,
  type HealthChecker,
  type Logger,
  type LoggingBackend,
  type MetricFactory,
  type MetricSource,
  type Notifier,
} from './contract/index.js';
import type { MetricSink } from './contract/metric-sink.js';
import type { PluginKind } from './contract/plugin.js';
import {
  attachNotifier,
  silenceDocument,
  unknownName,
  type DescribeEvents,
  type NotifierParts,
} from './events/index.js';
import { attachChecker } from './health/index.js';
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
import { LIMITS, type OperationsServer } from './http/index.js';
import {
  boundBackend,
  createLeasedSpec,
  createLogging,
  type AgentLogging,
  type LeasedSpec,
  type Logging,
  type SpecOwner,
} from './logging/index.js';
import { attachSink, attachSource, MetricStore, type SinkAttachment } from './metrics/index.js';
import { SELF } from './nodes/index.js';
import { outsideOf, type Outside } from './outside.js';
import { nodeProcesses } from './node-processes.js';
import { reservedNameProblems } from './reserved-names.js';
import { contextsFrom, createServices, type Services } from './services.js';
import { problemsOf } from './contract/errors.js';
import { createStatus, inWords, type StatusDocument, type StatusParts } from './status/index.js';

/** The component of the TLS files of the agent. */
const TLS_COMPONENT = 'tls (operations)';

/** How long the state for the words of a notification may take, in milliseconds; the last call of a notifier has 3 s. */
const WORDS_TIMEOUT = 2_000;

/** What notifications name besides events. */
type NotifierNames = Pick<NotifierParts, 'agent' | 'describe'>;

/** Where packages and samples of Fabric have the configuration of a node. */
const USUAL_FILES = Object.values(NODE_FILES).map((name) => join(FABRIC_DIRECTORY, name));

/** The parts of an agent. */
export interface AgentParts extends Services {
  readonly backend: PluginInstance<LoggingBackend>;
  /** The other plugins, in start order. */
  readonly attachments: readonly Attachment[];
  readonly logging: AgentLogging;
  /** The logging specifications that `/logspec` changes, by the name in the path; stopping one ends its lease. */
  readonly levels: ReadonlyMap<string, LeasedSpec>;
  /** Makes the document of `/status`. */
  readonly status: () => Promise<StatusDocument>;
  readonly log: Logger;
  readonly server: OperationsServer;
}

/** Loads the declared plugins and checks their options. @throws SettingsError with every problem found */
export const loadDeclared = (settings: Settings): ReturnType<typeof loadPlugins> =>
  loadPlugins(settings, BUILT_IN, loadOptionsOf(settings.logging));

/**
 * Builds the parts of an agent.
 *
 * @param plugins the declared plugins
 * @param notes the warnings about the configuration, for `/status`
 * @param replaced the parts of the outside that are not this host
 * @param isUsed whether plugins of a kind are created; the options of all plugins are checked. @default all kinds
 * @throws SettingsError with every problem found
 * @throws AgentError `TLS_INVALID`
 */
export async function wire(
  settings: AgentSettings,
  [loadedBackend, ...others]: Awaited<ReturnType<typeof loadDeclared>>,
  notes: readonly string[] = [],
  replaced: Partial<Outside> = {},
  isUsed: (kind: PluginKind) => boolean = () => true,
): Promise<AgentParts> {
  const [startedAt, start] = [Date.now(), performance.now()];
  const metrics = new MetricStore(settings.metrics.maxSeries);
  const pluginMetrics = createPluginMetrics(metrics);
  const build = readBuildInfo();
  recordVersion(metrics, build.version);

  const { backend, logging } = createBackend(loadedBackend, metrics, pluginMetrics);
  const logger = (name: string): Logger => logging.logger(name);
  const outside = outsideOf(replaced);
  const services = createServices(settings, { metrics, pluginMetrics, logger, outside, startedAt });
  const { health, nodes, channels, facts, events, agents } = services;
  const describe: DescribeEvents = async (all) => {
    const document = await within(WORDS_TIMEOUT, 'the state', undefined, lastStatus).catch(() => undefined);
    return all.map((event) => inWords(event, document, settings.operations.url));
  };
  const used = others.filter(({ definition }) => isUsed(definition.kind));
  const sourceNames = others.flatMap(({ definition, name }) => (definition.kind === 'source' ? [name] : []));
  const attachments = await attachPlugins(used, services, {
    metrics,
    pluginMetrics,
    contextOf: contextsFrom(services, sourceNames),
    logger,
    agent: settings.operations.name,
    describe,
  });
  const unknown = settings.silences.flatMap(({ node, origin }) => {
    const problem = unknownName('node', node, nodes.names);
    return problem === undefined ? [] : [`${origin}: ${problem}`];
  });
  const problems = [...unknown, ...agents.open()];
  if (problems.length > 0) throw new SettingsError(problems);
  await collectProblems([backend, ...attachments.map(({ instance }) => instance)], (instance) =>
    instance.init(),
  );

  const ownLevel = createLeasedSpec(ownSpec(logging), logger('logging'));
  const levels = new Map([[SELF, ownLevel], ...nodes.levels]);
  const list = nodeListOf(services, attachments);
  const parts: StatusParts = {
    build,
    startedAt,
    uptime: () => performance.now() - start,
    notes,
    levels,
    events,
    outbox: services.outbox,
    checks: () => health.components,
    unchecked: () => health.unchecked,
    unconfirmed: () => [...health.unconfirmed, ...channels.unconfirmed],
    nodes: list,
    channels: () => channels.verdicts,
    facts,
    silences: () => services.silences.active.map(silenceDocument),
    agents: () => agents.statuses,
    name: settings.operations.name,
    lag: () => outside.lag.lost,
    host: hostname(),
    found: () => USUAL_FILES.filter((path) => existsSync(path)),
    running: () => nodeProcesses().length,
    program: ownCommand(),
    settingsOf: (node) => settings.nodes.find(({ name }) => name === node),
    plugins: [{ instance: backend }, ...attachments],
  };
  const status = createStatus(parts);
  const lastStatus = createStatus({ ...parts, nodes: lastNodeListOf(services, attachments) });
  const { tls, hosts } = settings.operations;
  const log = logger('operations');
  const server = outside.createServer({
    routes: routesOf(settings, services, { ownLevel, build, list, status }, attachments),
    tls: tls.enabled ? tls : undefined,
    hosts,
    log,
    metrics,
    limits: LIMITS,
  });
  if (tls.enabled) health.register(TLS_COMPONENT, () => server.checkTls());
  return { ...services, backend, attachments, logging, levels, status, log, server };
}

/** Creates the logging backend, which gets no logger, and the logging that writes to it. */
function createBackend(
  loaded: LoadedPlugin,
  metrics: MetricStore,
  pluginMetrics: PluginMetrics,
): { readonly backend: PluginInstance<LoggingBackend>; readonly logging: AgentLogging } {
  const contextOf = (): object => ({});
  const backend = createInstance<LoggingBackend>(loaded, {
    metrics,
    pluginMetrics,
    contextOf,
    logger: undefined,
  });
  return { backend, logging: createLogging(boundBackend(backend.plugin), () => backend.countFault('log')) };
}

/** Creates and attaches plugins of all kinds except logging backends. @throws SettingsError with every problem found */
async function attachPlugins(
  plugins: readonly LoadedPlugin[],
  services: Services,
  parts: InstanceParts & NotifierNames,
): Promise<SinkAttachment[]> {
  const attachments = await collectProblems(plugins, async (loaded) => attachPlugin(loaded, parts, services));
  const reserved = reservedNameProblems(
    attachments.map(({ instance }) => instance),
    services.nodes.names,
  );
  if (reserved.length > 0) throw new SettingsError(reserved);
  return attachments;
}

/** Creates and attaches a plugin of any kind except a logging backend. */
function attachPlugin(
  loaded: LoadedPlugin,
  parts: InstanceParts & NotifierNames,
  services: Services,
): SinkAttachment {
  const { kind } = loaded.definition;
  const { health, metrics, sources, nodes, facts, events, outbox, told } = services;
  if (kind === 'checker')
    return attachChecker(createInstance<HealthChecker>(loaded, parts), health, () => facts.end(loaded.name));
  if (kind === 'notifier')
    return attachNotifier(createInstance<Notifier>(loaded, parts), {
      agent: parts.agent,
      describe: parts.describe,
      events,
      outbox,
      told,
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
