// The lifecycle of an agent: start, stop and reload, each in order from top to bottom.

import type { AgentSettings, Settings } from '../config/index.js';
import { WatchedFiles } from './common/files/watched-files.js';
import { untilAborted } from './common/flow/until-aborted.js';
import { AgentError, reasonOf, type MetricFactory } from './contract/index.js';
import type { Health, Lag } from './health/index.js';
import type { Logging } from './logging/index.js';
import type { Outside } from './outside.js';
import { PluginRun } from './plugin-run.js';
import { loadDeclared, wire, type AgentParts } from './wire.js';

/**
 * Time after which a stop no longer waits for plugins, in milliseconds; the logging backend then has another 5 s. It is enough when
 * requests, temporary log levels and all plugins of one kind hang.
 */
export const STOP_TIMEOUT = 23_000;

/** An agent in this process. */
export interface Agent {
  /**
   * Listens and starts the plugins; resolves when each of them has started, or failed to with `onStartError: retry` or `ignore`.
   * Repeated calls return the first result. A stopped agent cannot be started again.
   *
   * @throws AgentError `PLUGIN_START_FAILED`, `LISTEN_FAILED` or `AGENT_STOPPED`; everything that was started is stopped again
   */
  start(): Promise<void>;
  /**
   * Stops accepting connections, completes the requests in flight, then stops the plugins: all plugins of one kind at the same time, the kinds in
   * the reverse order of their starts. Takes at most 28 s, even if parts hang. Can be called twice. A stopped agent reads nothing and has no
   * timer; the metrics of the process, which all agents of a process share, go on measuring the event loop.
   */
  stop(): Promise<void>;
  /** `host:port` while the agent listens; it already listens while plugins start. */
  readonly address: string | undefined;
  /** Registers health checks of the embedding program. */
  readonly health: Health;
  /** Creates metrics of the embedding program. */
  readonly metrics: MetricFactory;
  /** Loggers for the embedding program; their levels follow `/logspec`. */
  readonly logging: Logging;
  /**
   * Reloads certificates, private key and CAs. When they are invalid, logs the reason and keeps the current ones. A running agent also
   * reloads them when the files change. A stopped agent reads none.
   */
  reloadTls(): void;
  /**
   * Logs an uncaught error, and counts it as a fault of the plugin with files in its stack.
   *
   * @returns whether the agent can continue: false when the stack contains files of the agent itself and of no plugin
   */
  handleUncaughtError(error: unknown): boolean;
}

/**
 * Creates an agent: loads its plugins, checks their options and reads the TLS files. Nothing is started.
 *
 * @param notes notes about the configuration for `/status`, such as its warnings
 * @param lag measures the lag of this process; for tests. @default a new one
 * @throws SettingsError with every problem found
 * @throws AgentError `TLS_INVALID`
 */
export async function createAgent(
  settings: Settings,
  notes: readonly string[] = [],
  lag?: Lag,
): Promise<Agent> {
  return createLoaded(settings, await loadDeclared(settings), notes, lag && { lag });
}

/** Creates an agent as {@link createAgent} does, with plugins that are already loaded. @param outside the parts that are not this host */
export async function createLoaded(
  settings: Settings,
  plugins: Awaited<ReturnType<typeof loadDeclared>>,
  notes: readonly string[] = [],
  outside: Partial<Outside> = {},
): Promise<Agent> {
  // What plugins are declared with would keep all values of the nodes' files in memory: 80 KB for each node.
  const { configured: _configured, plugins: _plugins, ...kept } = settings;
  const { enabled, certFile, keyFile, clientRootCAFiles, roles } = kept.operations.tls;
  const ofRoles = [...(roles?.readers.files ?? []), ...(roles?.writers.files ?? [])];
  const tlsFiles = new WatchedFiles(enabled ? [certFile, keyFile, ...clientRootCAFiles, ...ofRoles] : []);
  return new OperationsAgent(kept, await wire(kept, plugins, notes, outside), tlsFiles);
}

class OperationsAgent implements Agent {
  readonly #settings: AgentSettings;
  readonly #parts: AgentParts;
  readonly #tlsFiles: WatchedFiles;
  #levelWatches: readonly (() => void)[] = [];
  readonly #run: PluginRun;
  #started: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(settings: AgentSettings, parts: AgentParts, tlsFiles: WatchedFiles) {
    this.#settings = settings;
    this.#parts = parts;
    this.#tlsFiles = tlsFiles;
    this.#run = new PluginRun(parts, () => this.#isStopping());
  }

  get address(): string | undefined {
    return this.#parts.server.address();
  }

  get health(): Health {
    return this.#parts.health;
  }

  get metrics(): MetricFactory {
    return this.#parts.metrics;
  }

  get logging(): Logging {
    return this.#parts.logging;
  }

  start(): Promise<void> {
    this.#started ??= this.#startAll();
    return this.#started;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #startAll(): Promise<void> {
    const { backend, attachments, health, nodes, channels, agents, silences, server, told } = this.#parts;
    try {
      if (this.#isStopping()) throw new AgentError('AGENT_STOPPED', 'a stopped agent cannot be started');
      this.#run.register(health);
      await this.#run.begin(backend, () => this.#activateFirst());
      await told.read(
        attachments.flatMap(({ instance: { kind, component } }) => (kind === 'notifier' ? [component] : [])),
      );
      if (this.#isStopping()) return;
      await server.listen(this.#settings.operations.listenAddress);
      // The stop came during the lookup of the host name, when there was nothing to close yet.
      if (this.#isStopping()) return await server.close();
      this.#tlsFiles.start(
        () => this.reloadTls(),
        (reason) => this.#parts.log.warn(`changes of the certificate files are not detected: ${reason}`),
      );
      for (const { instance, onStarted } of attachments) {
        await this.#run.begin(instance, onStarted);
        if (this.#isStopping()) return;
      }
      for (const { origin, ...silence } of this.#settings.silences)
        silences.begin({ ...silence, by: origin });
      agents.start(health);
      channels.register(health);
      health.start();
      channels.start(health);
      this.#levelWatches = nodes.all.map((node) => node.watchLevel(health));
      this.#logServing();
      await this.#run.ended();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async #activateFirst(): Promise<void> {
    const { backend, logging, log } = this.#parts;
    await logging.activateFirst(this.#settings.logging.spec);
    // The instance of the backend itself has no logger.
    if (backend.startError !== undefined)
      log.warn(`logging backend ${backend.name} did not start: ${backend.startError}`);
  }

  async #stopAll(): Promise<void> {
    const { backend, health, channels, levels, log, agents, server, silences, outbox, told } = this.#parts;
    const wasServing = this.address !== undefined;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), STOP_TIMEOUT);
    this.#tlsFiles.stop();
    for (const end of this.#levelWatches) end();
    if (wasServing) log.info('stopping');
    await server.close();
    channels.stop();
    agents.stop();
    health.stop();
    silences.stop();
    outbox.stop();
    // The sources must still have connections to their nodes.
    await Promise.all([...levels.values()].map((level) => level.stop()));
    await this.#run.stop(deadline.signal);
    await untilAborted(told.written(), deadline.signal).catch(() => undefined);
    clearTimeout(timer);
    if (wasServing) log.info('stopped');
    await backend.stop();
  }

  reloadTls(): void {
    if (this.#isStopping()) return;
    const { server, log } = this.#parts;
    this.#tlsFiles.beforeRead();
    try {
      server.reloadTls();
      log.info(
        this.#settings.operations.tls.enabled
          ? 'certificates reloaded'
          : 'TLS is disabled, there are no certificates to reload',
      );
    } catch (error) {
      log.error(`certificates not reloaded, keeping the current ones: ${reasonOf(error)}`);
    }
  }

  handleUncaughtError(error: unknown): boolean {
    return this.#run.handleUncaughtError(error);
  }

  #isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  #logServing(): void {
    const scheme = this.#settings.operations.tls.enabled ? 'https' : 'http';
    const plugins = this.#run.instances
      .filter(({ isDisabled }) => !isDisabled)
      .map(({ name, kind, state }) => `${name} (${kind}${state === 'running' ? '' : ', not started yet'})`);
    this.#parts.log.info(`serving on ${scheme}://${this.address ?? ''} with ${plugins.join(', ')}`);
  }
}
