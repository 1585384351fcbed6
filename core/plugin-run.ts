// One run of the plugins of an agent: starts them one after the other, stops them in the reverse order, and finds the plugin of an uncaught
// error. The agent and an inspection use it.

import { untilAborted } from './common/flow/until-aborted.js';
import type { Logger } from './contract/index.js';
import type { Health } from './health/index.js';
import {
  handleUncaughtError,
  type Attachment,
  type PluginInstance,
  type PluginMetrics,
} from './host/index.js';
import { LimitedLog } from './http/index.js';

/** Longest time that the start of one plugin delays the start of the next one, in milliseconds. */
export const MAX_START_DELAY = 1_000;

/** The plugins of a run, and the parts of the agent that it uses. */
interface PluginRunParts {
  readonly backend: PluginInstance;
  /** The other plugins, in start order. */
  readonly attachments: readonly Attachment[];
  readonly pluginMetrics: PluginMetrics;
  readonly log: Logger;
}

/** One run of the plugins. */
export class PluginRun {
  readonly #parts: PluginRunParts;
  readonly #isStopping: () => boolean;
  readonly #uncaughtLog: LimitedLog;
  #pending: ReadonlyMap<PluginInstance, () => void> = new Map();
  readonly #starts: Promise<void>[] = [];
  readonly #failed: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;

  constructor(parts: PluginRunParts, isStopping: () => boolean) {
    this.#parts = parts;
    this.#isStopping = isStopping;
    this.#uncaughtLog = new LimitedLog(parts.log);
    this.#failed = new Promise((_, reject) => (this.#fail = reject));
    this.#failed.catch(() => undefined);
  }

  /** The logging backend, then the others. */
  get instances(): readonly PluginInstance[] {
    const { backend, attachments } = this.#parts;
    return [backend, ...attachments.map(({ instance }) => instance)];
  }

  /** Registers each plugin as a failed component until its start has ended. @throws AgentError `COMPONENT_INVALID` */
  register(health: Health): void {
    this.#pending = new Map(
      this.instances.map((instance) => [
        instance,
        health.register(instance.component, () => instance.requireRunning()),
      ]),
    );
  }

  /**
   * Begins the start of a plugin, and waits for its end, at most {@link MAX_START_DELAY}.
   *
   * @param onEnded called after the start, whether it succeeded, is retried or left the plugin disabled
   * @throws AgentError `PLUGIN_START_FAILED` of this plugin or of an earlier one that was still starting
   */
  async begin(instance: PluginInstance, onEnded: () => void | Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const delay = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, MAX_START_DELAY);
    });
    const start = async (): Promise<void> => {
      await instance.start();
      this.#pending.get(instance)?.();
      if (this.#isStopping()) return;
      await onEnded();
      if (isLate && instance.state === 'running') instance.log.info(`plugin ${instance.name} started`);
    };
    const started = start();
    started.catch(this.#fail);
    this.#starts.push(started);
    try {
      await Promise.race([started, delay, this.#failed]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits until every start has ended. @throws AgentError `PLUGIN_START_FAILED` */
  async ended(): Promise<void> {
    await Promise.race([Promise.all(this.#starts), this.#failed]);
  }

  /**
   * Stops the plugins: all plugins of one kind at the same time, the kinds in the reverse order of their starts. The logging backend is left:
   * others may still log.
   *
   * @param deadline when it is aborted, plugins are stopped without waiting for them
   */
  async stop(deadline: AbortSignal): Promise<void> {
    const { attachments, log } = this.#parts;
    const kinds = new Set(attachments.map(({ instance }) => instance.kind));
    for (const kind of [...kinds].toReversed()) {
      const wasLate = deadline.aborted;
      const ofKind = attachments.filter(({ instance }) => instance.kind === kind).toReversed();
      const stops = ofKind.map(async ({ instance, beforeStop }) => {
        await beforeStop();
        await instance.stop();
      });
      await untilAborted(Promise.all(stops), deadline).catch((error: unknown) => {
        if (!deadline.aborted) throw error;
        const hanging = ofKind.filter(({ instance }) => instance.state !== 'stopped');
        if (!wasLate)
          log.warn(`stopping without waiting for ${hanging.map(({ instance }) => instance.name).join(', ')}`);
      });
    }
    this.#uncaughtLog.flush();
  }

  /**
   * Logs an uncaught error, and counts it as a fault of the plugin with files in its stack.
   *
   * @returns false when the stack contains files of the agent itself and of no plugin
   */
  handleUncaughtError(error: unknown): boolean {
    const { pluginMetrics } = this.#parts;
    return handleUncaughtError(error, this.instances, { pluginMetrics, log: this.#uncaughtLog });
  }
}
