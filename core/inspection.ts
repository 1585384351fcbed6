// Runs the checks once without a running agent: starts sources and checkers as the agent does, but no listener, notifiers or sinks.

import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../config/index.js';
import type { ChannelDocument } from './contract/internal/index.js';
import type { PluginKind } from './contract/plugin.js';
import { CHANNELS, type HealthReport, type Selection } from './health/index.js';
import { SELF, readChannels, type FabricNode } from './nodes/index.js';
import { PluginRun } from './plugin-run.js';
import type { StatusDocument } from './status/index.js';
import { loadDeclared, wire, type AgentParts } from './wire.js';

/** Time before checks run again after unconfirmed failures, in milliseconds. */
const SECOND_LOOK = 1_000;

/** The options of an inspection. */
export interface InspectionOptions {
  /** Timeout of the start of all plugins, and of the checks after it, in milliseconds. */
  readonly timeout: number;
  /** The kinds of the plugins that are started besides the logging backend. @default sources and checkers */
  readonly kinds?: readonly PluginKind[];
}

/** Sources and checkers that are started once. */
export interface Inspection {
  /** Starts the plugins. A plugin that does not start is a problem in the document, whatever its `onStartError` is. */
  start(): Promise<void>;
  /** Runs each check once, and waits for the first result of checks that poll. @returns the document of `/status` */
  check(): Promise<StatusDocument>;
  readonly nodes: readonly FabricNode[];
  /** The channels of a node as its checker reads them. @throws AgentError `NODE_UNKNOWN` if no checker reads channels */
  channelsOf(node: string): Promise<readonly ChannelDocument[]>;
  /** Stops the plugins. */
  stop(): Promise<void>;
  /** Counts an uncaught error as a fault of its plugin. @returns false when it does not come from a plugin */
  handleUncaughtError(error: unknown): boolean;
}

/**
 * Loads the plugins and checks their options. Nothing is started.
 *
 * @param notes the warnings about the configuration, for the document
 * @throws SettingsError with every problem found
 */
export async function createInspection(
  settings: Settings,
  notes: readonly string[],
  { timeout, kinds = ['source', 'checker'] }: InspectionOptions,
): Promise<Inspection> {
  const { operations, health } = settings;
  const inspected: Settings = {
    ...settings,
    // There is no listener: the TLS files of the agent are not needed.
    operations: { ...operations, tls: { ...operations.tls, enabled: false } },
    // Each check runs once, however long it takes until the document is made.
    health: { ...health, timeout, cacheFor: Infinity },
    // Running agents read each other.
    agents: [],
  };
  const parts = await wire(inspected, await loadDeclared(inspected), notes, {}, (kind) =>
    kinds.includes(kind),
  );
  return new StartedInspection(parts, timeout);
}

class StartedInspection implements Inspection {
  readonly #parts: AgentParts;
  readonly #timeout: number;
  readonly #run: PluginRun;
  #isStopping = false;

  constructor(parts: AgentParts, timeout: number) {
    this.#parts = parts;
    this.#timeout = timeout;
    this.#run = new PluginRun(parts, () => this.#isStopping);
  }

  async start(): Promise<void> {
    const { backend, attachments, channels, health, logging } = this.#parts;
    this.#run.register(health);
    health.watch();
    // The document contains all problems; nothing is logged.
    await this.#run.begin(backend, () => logging.activateFirst('fatal'));
    for (const { instance, onStarted } of attachments)
      await this.#run.begin(instance, onStarted).catch(() => undefined);
    await inTime(this.#timeout, this.#run.ended()).catch(() => undefined);
    channels.register(health);
  }

  async check(): Promise<StatusDocument> {
    const { health, sources, status } = this.#parts;
    // The check of the channels uses the results of the other checks.
    const first: Selection = { include: [], exclude: [CHANNELS] };
    await Promise.all([health.run(first), sources.live()]);
    const { failedChecks } = await this.#runUntilConfirmed();
    const document = await status();
    const { agent, problems, levels, time } = document;
    // A running agent does not record a plugin that has not started yet, because it may start later.
    const unrecorded = failedChecks
      .filter((failed) => problems.every(({ component }) => component !== failed.component))
      .map(({ component, reason }) => ({
        component,
        state: 'failed',
        severity: 'critical',
        reason,
        since: time,
        runbook: 'FabricHealthCheckFailing',
        steps: [],
      }));
    return {
      ...document,
      agent: { ...agent, healthy: agent.healthy && unrecorded.length === 0 },
      problems: [...problems, ...unrecorded],
      // A plugin that has not started in time is a problem here.
      plugins: [],
      // An inspection logs nothing: the specification of the agent does not matter.
      levels: levels.filter(({ name }) => name !== SELF),
    };
  }

  /** Runs the checks, and repeats them while failures are unconfirmed: until the host is no longer slow, at most a minute. */
  async #runUntilConfirmed(): Promise<HealthReport> {
    const { channels, health } = this.#parts;
    let report = await health.run();
    while (!this.#isStopping && [...health.unconfirmed, ...channels.unconfirmed].length > 0) {
      await wait(SECOND_LOOK);
      await health.check(CHANNELS);
      report = await health.run();
    }
    return report;
  }

  get nodes(): readonly FabricNode[] {
    return this.#parts.nodes.all;
  }

  channelsOf(node: string): Promise<readonly ChannelDocument[]> {
    return readChannels(node, this.#parts.facts);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const { backend, health, levels } = this.#parts;
    health.stop();
    await Promise.all([...levels.values()].map((level) => level.stop()));
    await this.#run.stop(new AbortController().signal);
    await backend.stop();
  }

  handleUncaughtError(error: unknown): boolean {
    return this.#run.handleUncaughtError(error);
  }
}

/** Waits for work, at most `timeout` milliseconds. @throws the error of the work */
async function inTime(timeout: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeout)));
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
