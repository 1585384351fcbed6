// Builds the object graph of the agent and runs it. The order of start and stop is in this file, readable top to bottom.

import { SettingsError, type Settings } from '../config/index.js';
import { readBuildInfo } from './service/index.js';
import {
  AgentError,
  parseLogSpec,
  reasonOf,
  type HealthChecker,
  type LoggingBackend,
  type MetricFactory,
  type MetricSink,
} from './contract/index.js';
import { createHealth, healthzRoute, type Health } from './health/index.js';
import { createPluginMetrics, loadPlugins, type PluginInstance } from './host/index.js';
import { createOperationsServer, versionRoute } from './http/index.js';
import { createLogging, logspecRoute, type Logging } from './logging/index.js';
import { createMetricReader, MetricStore } from './metrics/index.js';
import { attachChecker, attachSink, boundBackend, createInstance, type Attachment } from './attach.js';
import { BUILT_IN } from './built-in.js';
import { problemsOf } from './problems.js';
import { takeUncaught } from './uncaught.js';

/** An operations service in this process. */
export interface Agent {
  /**
   * Starts the plugins, then listens. Called again, it does nothing more; once stopped, an agent does not start again.
   *
   * @throws AgentError `PLUGIN_START_FAILED` or `LISTEN_FAILED`; everything that had started is stopped again
   */
  start(): Promise<void>;
  /** Stops accepting, lets requests in flight end, then stops the plugins in reverse order. Safe to call twice. */
  stop(): Promise<void>;
  /** `host:port` while the service listens. */
  readonly address: string | undefined;
  /** Register checks of your own here. */
  readonly health: Health;
  /** Make instruments of your own here. */
  readonly metrics: MetricFactory;
  /** Get loggers here; their levels follow `/logspec`. */
  readonly logging: Logging;
  /** Reads certificates, key and authorities again; what is wrong with new ones is logged and the old ones stay. */
  reloadTls(): void;
  /**
   * Takes an error that nobody caught: it is logged, and counted as a fault of the plugin whose files its stack names.
   *
   * @returns whether the agent can go on: false when the stack names nothing but the agent itself
   */
  takeUncaught(error: unknown): boolean;
}

/**
 * Makes an agent: its plugins are loaded, their options checked, TLS files read; nothing runs yet.
 *
 * @throws SettingsError with every problem found
 * @throws AgentError `TLS_INVALID`
 */
export async function createAgent(settings: Settings): Promise<Agent> {
  const specProblems = logSpecProblems(settings.logging);
  const store = new MetricStore(settings.metrics.maxSeries);
  const build = readBuildInfo();
  showVersion(store, build.version);

  const [loadedBackend, ...loadedOthers] = await loadPlugins(settings.plugins, BUILT_IN, specProblems);
  const pluginMetrics = createPluginMetrics(store);
  const parts = { metrics: store, reader: createMetricReader(store), pluginMetrics };
  const backend = createInstance<LoggingBackend>(loadedBackend, parts, undefined);
  const logging = createLogging(boundBackend(backend), () => backend.fault('log'));
  const log = logging.logger('operations');
  const health = createHealth({ ...settings.health, metrics: store, log: logging.logger('health') });

  const attachments = await withEach(loadedOthers, async (loaded) =>
    loaded.definition.kind === 'health'
      ? attachChecker(createInstance<HealthChecker>(loaded, parts, logging), health)
      : attachSink(createInstance<MetricSink>(loaded, parts, logging), store),
  );
  const instances: readonly PluginInstance[] = [backend, ...attachments.map(({ instance }) => instance)];
  await withEach(instances, (instance) => instance.init());

  const ownRoutes = [healthzRoute(health), logspecRoute(logging), versionRoute(build)];
  checkPaths(
    ownRoutes.map(({ path }) => path),
    attachments,
  );
  const routes = [...ownRoutes, ...attachments.flatMap(({ route }) => route ?? [])];

  const { tls, listenAddress } = settings.operations;
  const server = createOperationsServer({ routes, tls: tls.enabled ? tls : undefined, log, metrics: store });
  let started: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  const isStopping = (): boolean => stopped !== undefined;

  function start(): Promise<void> {
    started ??= startAll();
    return started;
  }

  async function startAll(): Promise<void> {
    try {
      if (isStopping()) throw new AgentError('LISTEN_FAILED', 'an agent that was stopped cannot start');
      await backend.start();
      await logging.begin(settings.logging.spec);
      // Its instance could not log that: it is what is logged with, started or not.
      if (backend.startError !== undefined)
        log.warn(`the logging backend ${backend.name} did not start: ${backend.startError}`);
      for (const { instance, onStarted } of attachments) {
        await instance.start();
        // Told to stop while the plugins were starting: nothing may begin that was ended already.
        if (isStopping()) return;
        onStarted();
      }
      if (isStopping()) return;
      await server.listen(listenAddress);
      // Told to stop while the name of the address was looked up: there was nothing to close yet.
      if (isStopping()) return await server.close();
    } catch (error) {
      await stop();
      throw error;
    }
    const url = `${tls.enabled ? 'https' : 'http'}://${server.address() ?? ''}`;
    log.info(`serving on ${url} with ${instances.flatMap(introduce).join(', ')}`);
  }

  function stop(): Promise<void> {
    stopped ??= stopAll();
    return stopped;
  }

  async function stopAll(): Promise<void> {
    const wasServing = server.address() !== undefined;
    if (wasServing) log.info('stopping');
    await server.close();
    for (const { instance, beforeStop } of attachments.toReversed()) {
      await beforeStop();
      await instance.stop();
    }
    if (wasServing) log.info('stopped');
    await backend.stop();
  }

  return {
    start,
    stop,
    get address() {
      return server.address();
    },
    health,
    metrics: store,
    logging,
    reloadTls() {
      try {
        server.reloadTls();
        log.info(
          tls.enabled ? 'TLS files were read again' : 'TLS is off, there are no files to be read again',
        );
      } catch (error) {
        log.error(`TLS files were read again and cannot be used, the old ones stay: ${reasonOf(error)}`);
      }
    },
    takeUncaught: (error) => takeUncaught(error, instances, pluginMetrics, log),
  };
}

function logSpecProblems({ spec, specOrigin }: Settings['logging']): string[] {
  try {
    parseLogSpec(spec);
    return [];
  } catch (error) {
    return [`${specOrigin}: logging.spec: ${reasonOf(error)}`];
  }
}

function showVersion(metrics: MetricFactory, version: string): void {
  metrics
    .gauge({
      name: 'fabric_ops_agent_version',
      help: 'The version of the agent; the value is always 1.',
      labelNames: ['version'],
    })
    .with({ version })
    .set(1);
}

/** A plugin in the line that says what is served; one that was left out is not. */
function introduce({ name, kind, state, isLeftOut }: PluginInstance): string[] {
  return isLeftOut ? [] : [`${name} (${kind}${state === 'running' ? '' : ', not started yet'})`];
}

/** Does something with each of a list; what is wrong with any of them is reported at once. */
async function withEach<Item, Result>(
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

/** Every sink needs a path that nobody else has. */
function checkPaths(taken: readonly string[], attachments: readonly Attachment[]): void {
  const served = new Set(taken);
  const problems: string[] = [];
  for (const { route, instance } of attachments) {
    if (route === undefined) continue;
    const { path } = route;
    const here = `${instance.origin}: plugin ${instance.name}`;
    if (!path.startsWith('/')) problems.push(`${here}: the path ${path} does not begin with /`);
    if (served.has(path))
      problems.push(`${here}: the path ${path} is served already; give the sink another one`);
    served.add(path);
  }
  if (problems.length > 0) throw new SettingsError(problems);
}
