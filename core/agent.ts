// The lifecycle of an agent: start, stop and reload, each in order from top to bottom.

import type { Settings } from '../config/index.js';
import { WatchedFiles } from './common/files/watched-files.js';
import { assemble, type AgentParts } from './assemble.js';
import { AgentError, reasonOf, type MetricFactory } from './contract/index.js';
import type { Health } from './health/index.js';
import type { PluginInstance } from './host/index.js';
import { watchLeftLevel, type Logging } from './logging/index.js';
import { PluginStarts } from './plugin-starts.js';
import { handleUncaughtError } from './uncaught.js';

/** An operations service in this process. */
export interface Agent {
  /**
   * Listens and starts the plugins; resolves when each of them has started, or failed to with `onStartError: retry` or `ignore`.
   * Repeated calls return the first result. A stopped agent cannot be started again.
   *
   * @throws AgentError `PLUGIN_START_FAILED`, `LISTEN_FAILED` or `AGENT_STOPPED`; everything that was started is stopped again
   */
  start(): Promise<void>;
  /** Stops accepting connections, completes the requests in flight, then stops the plugins in reverse order. Can be called twice. */
  stop(): Promise<void>;
  /** `host:port` while the service listens, which it does while plugins start. */
  readonly address: string | undefined;
  /** The registry of health checks, for checks of the embedding program. */
  readonly health: Health;
  /** Creates metrics of the embedding program. */
  readonly metrics: MetricFactory;
  /** Loggers for the embedding program; their levels follow `/logspec`. */
  readonly logging: Logging;
  /**
   * Reads certificates, private key and CAs again. When they are invalid, logs the reason and keeps the current ones. While the agent
   * runs, it does so by itself when the files have changed.
   */
  reloadTls(): void;
  /**
   * Logs an uncaught error, and counts it as a fault of the plugin whose files are in its stack.
   *
   * @returns whether the agent can continue: false when the stack contains files of the agent itself and of no plugin
   */
  handleUncaughtError(error: unknown): boolean;
}

/**
 * Creates an agent: loads its plugins, checks their options and reads the TLS files. Nothing is started.
 *
 * @throws SettingsError with every problem found
 * @throws AgentError `TLS_INVALID`
 */
export async function createAgent(settings: Settings): Promise<Agent> {
  const { enabled, certFile, keyFile, clientRootCAFiles } = settings.operations.tls;
  const tlsFiles = new WatchedFiles(enabled ? [certFile, keyFile, ...clientRootCAFiles] : []);
  return new OperationsAgent(settings, await assemble(settings), tlsFiles);
}

class OperationsAgent implements Agent {
  readonly #settings: Settings;
  readonly #parts: AgentParts;
  readonly #tlsFiles: WatchedFiles;
  #levelWatches: readonly (() => void)[] = [];
  #started: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(settings: Settings, parts: AgentParts, tlsFiles: WatchedFiles) {
    this.#settings = settings;
    this.#parts = parts;
    this.#tlsFiles = tlsFiles;
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
    const { backend, attachments, health, server } = this.#parts;
    try {
      if (this.#isStopping()) throw new AgentError('AGENT_STOPPED', 'a stopped agent cannot be started');
      const starts = new PluginStarts(this.#instances(), health, () => this.#isStopping());
      await starts.begin(backend, () => this.#activateFirst());
      if (this.#isStopping()) return;
      await server.listen(this.#settings.operations.listenAddress);
      // Stopped during the lookup of the host name, when there was nothing to close yet.
      if (this.#isStopping()) return await server.close();
      this.#tlsFiles.start(() => this.reloadTls());
      for (const { instance, onStarted } of attachments) {
        await starts.begin(instance, onStarted);
        if (this.#isStopping()) return;
      }
      health.start();
      this.#watchLevels();
      this.#logServing();
      await starts.ended();
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
    const { backend, attachments, health, specs, log, server } = this.#parts;
    const wasServing = this.address !== undefined;
    this.#tlsFiles.stop();
    for (const end of this.#levelWatches) end();
    if (wasServing) log.info('stopping');
    await server.close();
    health.stop();
    // While the sources still have connections to their nodes.
    await Promise.all(specs.map((spec) => spec.stop()));
    for (const { instance, beforeStop } of attachments.toReversed()) {
      await beforeStop();
      await instance.stop();
    }
    if (wasServing) log.info('stopped');
    await backend.stop();
  }

  #watchLevels(): void {
    const { health, nodeLevels } = this.#parts;
    const configured = new Map(this.#settings.nodes.map(({ name, spec }) => [name, spec]));
    this.#levelWatches = [...nodeLevels].map(([node, level]) =>
      watchLeftLevel({ node, level, configured: configured.get(node), health }),
    );
  }

  reloadTls(): void {
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
    return handleUncaughtError(error, this.#instances(), this.#parts);
  }

  #isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  #instances(): PluginInstance[] {
    const { backend, attachments } = this.#parts;
    return [backend, ...attachments.map(({ instance }) => instance)];
  }

  #logServing(): void {
    const scheme = this.#settings.operations.tls.enabled ? 'https' : 'http';
    const plugins = this.#instances()
      .filter(({ isDisabled }) => !isDisabled)
      .map(({ name, kind, state }) => `${name} (${kind}${state === 'running' ? '' : ', not started yet'})`);
    this.#parts.log.info(`serving on ${scheme}://${this.address ?? ''} with ${plugins.join(', ')}`);
  }
}
