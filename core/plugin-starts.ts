// Starts the plugins of an agent one after the other; a slow start delays the next one by at most a second.

import type { Health } from './health/index.js';
import type { PluginInstance } from './host/index.js';

/** Longest time that the start of one plugin delays the start of the next one, in milliseconds. */
export const MAX_START_DELAY = 1_000;

/** The starts of the plugins of an agent. Each plugin is a failed component until its start has ended. */
export class PluginStarts {
  readonly #pending: ReadonlyMap<PluginInstance, () => void>;
  readonly #isStopping: () => boolean;
  readonly #starts: Promise<void>[] = [];
  readonly #failed: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;

  /** @throws AgentError `COMPONENT_INVALID` */
  constructor(instances: readonly PluginInstance[], health: Health, isStopping: () => boolean) {
    this.#pending = new Map(
      instances.map((instance) => [
        instance,
        health.register(instance.component, () => instance.requireRunning()),
      ]),
    );
    this.#isStopping = isStopping;
    this.#failed = new Promise((_, reject) => (this.#fail = reject));
    this.#failed.catch(() => undefined);
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
}
