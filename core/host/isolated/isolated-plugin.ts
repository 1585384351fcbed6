// The part of an isolated plugin in the agent: performs its calls in a process, and restarts a process that ended.

import {
  LEVEL_NAMES,
  reasonOf,
  within,
  type Logger,
  type MetricBatch,
  type MetricFactory,
  type SourceReadings,
  type SourceState,
} from '../../contract/index.js';
import { createPluginMetrics, type PluginMetrics } from '../plugin-metrics.js';
import { AppliedUpdates } from './applied-updates.js';
import type { CallName, Calls } from './messages.js';
import { PluginProcess } from './plugin-process.js';

/** First delay before a restart, in milliseconds; each further delay is twice as long. */
const MIN_DELAY = 500;
const MAX_DELAY = 30_000;
/** After a process has run this long, in milliseconds, the next delay is the first one again. */
const STABLE_AFTER = 60_000;
/** Longest time until a restarted process has started the plugin, in milliseconds. */
const START_TIMEOUT = 30_000;
/** Longest time for `stop`, in milliseconds; then the process is killed. */
const STOP_TIMEOUT = 3_000;

/** What runs in the process. */
export interface IsolatedModule {
  readonly url: string;
  readonly kind: 'health' | 'metrics';
  /** The options of the declaration, as written. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Most resident memory, in MiB. */
  readonly maxMemory: number;
}

/** The members of the context of a plugin that are used here. */
export interface IsolatedContext {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly metrics: MetricFactory;
  readonly readings?: SourceReadings;
}

/** One instance of an isolated plugin. */
export class IsolatedPlugin {
  readonly #module: IsolatedModule;
  readonly #context: IsolatedContext;
  readonly #pluginMetrics: PluginMetrics;
  #process: PluginProcess | undefined;
  /** Whether the plugin is started, so that a process that ends is replaced. */
  #isStarted = false;
  /** Whether the plugin is started in the current process. */
  #isReady = false;
  #startedAt = 0;
  #delay = MIN_DELAY;
  #timer: NodeJS.Timeout | undefined;
  #reason = 'its process is not running';
  #sent: readonly SourceState[] = [];

  constructor(module: IsolatedModule, context: IsolatedContext) {
    this.#module = module;
    this.#context = context;
    this.#pluginMetrics = createPluginMetrics(context.metrics);
  }

  /** The process id, for tests. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async init(): Promise<void> {
    await this.#open();
  }

  async start(signal: AbortSignal): Promise<void> {
    const child = this.#process ?? (await this.#open());
    await this.#call(child, 'start', undefined, signal);
    this.#isStarted = true;
    this.#isReady = true;
    this.#startedAt = performance.now();
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#call(this.#running(), 'check', undefined, signal);
  }

  async flush(batch: MetricBatch, signal: AbortSignal): Promise<void> {
    await this.#call(this.#running(), 'flush', batch, signal);
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#isReady = false;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (child === undefined) return;
    try {
      await within(STOP_TIMEOUT, 'stop', undefined, () => this.#call(child, 'stop', undefined));
    } finally {
      this.#close(child);
    }
  }

  #running(): PluginProcess {
    if (this.#process === undefined || !this.#isReady) throw new Error(this.#reason);
    return this.#process;
  }

  /** Starts a process and creates the plugin in it. */
  async #open(): Promise<PluginProcess> {
    const { url, written, maxMemory } = this.#module;
    const { name, options } = this.#context;
    const updates = new AppliedUpdates(this.#context);
    const child = new PluginProcess(maxMemory, {
      updated: (update) => updates.apply(update),
      uncaught: (error) => {
        this.#countFault('uncaught');
        this.#context.log.error(`uncaught error in plugin ${name}: ${reasonOf(error)}`);
      },
      ended: (reason) => this.#onEnded(child, reason),
    });
    this.#process = child;
    this.#sent = [];
    try {
      const described = await this.#call(child, 'load', { url, options: written });
      if ('problem' in described) throw new Error(described.problem);
      const { problem } = await this.#call(child, 'create', { name, options });
      if (problem !== undefined)
        throw new Error(`create did not return a valid ${this.#module.kind} plugin: ${problem}`);
      if (updates.problem !== undefined) throw updates.problem;
      await this.#call(child, 'init', undefined);
      return child;
    } catch (error) {
      this.#close(child);
      throw error;
    }
  }

  #close(child: PluginProcess): void {
    if (this.#process === child) this.#process = undefined;
    child.kill('its process was ended');
  }

  #onEnded(child: PluginProcess, reason: string): void {
    if (this.#process !== child) return;
    const wasReady = this.#isReady;
    this.#process = undefined;
    this.#isReady = false;
    this.#reason = reason;
    // Otherwise the start or the restart has failed.
    if (!wasReady) return;
    if (performance.now() - this.#startedAt >= STABLE_AFTER) this.#delay = MIN_DELAY;
    this.#countFault('process');
    this.#restartLater();
  }

  #restartLater(): void {
    const { name, log } = this.#context;
    log.warn(`plugin ${name}: ${this.#reason}; restarting it in ${this.#delay / 1000}s`);
    this.#timer = setTimeout(() => void this.#restart(), this.#delay).unref();
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY);
  }

  async #restart(): Promise<void> {
    const { name, log } = this.#context;
    try {
      await within(START_TIMEOUT, 'the restart', undefined, async (signal) =>
        this.#call(await this.#open(), 'start', undefined, signal),
      );
      this.#isReady = true;
      this.#startedAt = performance.now();
      log.info(`plugin ${name}: its process runs again`);
    } catch (error) {
      if (!this.#isStarted) return;
      this.#reason = reasonOf(error);
      if (this.#process !== undefined) this.#close(this.#process);
      this.#restartLater();
    }
  }

  #call<Name extends CallName>(
    child: PluginProcess,
    call: Name,
    args: Calls[Name][0],
    signal?: AbortSignal,
  ): Promise<Calls[Name][1]> {
    const { log } = this.#context;
    const level = LEVEL_NAMES.find((name) => log.enabled(name)) ?? 'fatal';
    const readings = this.#changedReadings();
    return child.call(call, args, {
      level,
      ...(readings && { readings }),
      ...(signal !== undefined && { signal }),
    });
  }

  /** The readings of the sources; undefined when the process has them. */
  #changedReadings(): readonly SourceState[] | undefined {
    const states = this.#context.readings?.latest() ?? [];
    const isSame =
      states.length === this.#sent.length &&
      states.every(({ reading, readAt, reason }, index) => {
        const sent = this.#sent[index];
        return sent?.reading === reading && sent?.readAt === readAt && sent?.reason === reason;
      });
    if (isSame) return undefined;
    this.#sent = states;
    return states;
  }

  #countFault(phase: string): void {
    this.#pluginMetrics.countFault({ kind: this.#module.kind, plugin: this.#context.name }, phase);
  }
}
