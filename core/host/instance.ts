// One running plugin: its life, its state, and what keeps its faults to itself.

import type { PluginDeclaration } from '../../config/index.js';
import {
  AgentError,
  reasonOf,
  type Counter,
  type Family,
  type Gauge,
  type Lifecycle,
  type Logger,
  type MetricFactory,
} from '../contract/index.js';
import { refusalOf, type LoadedPlugin } from './load.js';
import { within } from '../contract/within.js';

/** Longest init, and longest start, of one plugin, in milliseconds. */
export const START_TIMEOUT = 30_000;
/** Longest stop of one plugin, in milliseconds. */
export const STOP_TIMEOUT = 5_000;
/** First wait between two attempts to start, in milliseconds; each further one is twice as long. */
const RETRY_FIRST = 500;
/** Longest wait between two attempts to start, in milliseconds. */
const RETRY_LAST = 30_000;

const STATES = ['created', 'starting', 'running', 'failed', 'stopped'] as const;
/** Where a plugin is in its life. */
export type PluginState = (typeof STATES)[number];

/** The metrics that all plugins share. */
export interface PluginMetrics {
  readonly state: Family<Gauge, 'kind' | 'plugin' | 'state'>;
  readonly faults: Family<Counter, 'kind' | 'plugin' | 'phase'>;
}

/** Makes the metrics that all plugins share. */
export function createPluginMetrics(metrics: MetricFactory): PluginMetrics {
  return {
    state: metrics.gauge({
      namespace: 'plugin',
      name: 'state',
      help: 'The state of the plugin: 1 for the one it is in, 0 for the others.',
      labelNames: ['kind', 'plugin', 'state'],
    }),
    faults: metrics.counter({
      namespace: 'plugin',
      name: 'faults_total',
      help: 'What went wrong in the plugin, by the phase of its life; failed checks are not faults.',
      labelNames: ['kind', 'plugin', 'phase'],
    }),
  };
}

/** One plugin and its life. */
export class PluginInstance<Plugin extends Lifecycle = Lifecycle> {
  readonly name: string;
  readonly kind: string;
  /** Where it was declared, for messages. */
  readonly origin: string;
  /** The path of its module, to tell whose fault an error is. */
  readonly file: string;
  readonly plugin: Plugin;
  /** Writes under `plugins.<name>`. */
  readonly log: Logger;
  readonly #loaded: LoadedPlugin;
  readonly #metrics: PluginMetrics;
  readonly #stopping = new AbortController();
  #state: PluginState = 'created';
  #retry: NodeJS.Timeout | undefined;
  #startError: string | undefined;

  /** @param create makes the plugin; its faults are those of the instance */
  constructor(loaded: LoadedPlugin, create: () => Plugin, log: Logger, metrics: PluginMetrics) {
    this.name = loaded.name;
    this.kind = loaded.definition.kind;
    this.origin = loaded.declaration.origin;
    this.file = loaded.file;
    this.#loaded = loaded;
    this.log = log;
    this.#metrics = metrics;
    this.plugin = create();
    this.#enter('created');
  }

  get state(): PluginState {
    return this.#state;
  }

  /** Whether it did not start and its policy is to go on without it. */
  get isLeftOut(): boolean {
    return this.#state === 'failed' && this.#onStartError === 'ignore';
  }

  /** Why it did not start; undefined while that is not so. */
  get startError(): string | undefined {
    return this.#startError;
  }

  get #onStartError(): PluginDeclaration['onStartError'] {
    return this.#loaded.declaration.onStartError;
  }

  /** Counts a fault. */
  fault(phase: string): void {
    this.#metrics.faults.with({ kind: this.kind, plugin: this.name, phase }).inc();
  }

  /** Throws when the plugin is not running; the message says why. */
  requireRunning(): void {
    if (this.#state !== 'running')
      throw new Error(`not started: ${this.#startError ?? `the plugin is ${this.#state}`}`);
  }

  /** @throws SettingsError */
  async init(): Promise<void> {
    try {
      await within(START_TIMEOUT, 'its init', this.#stopping.signal, async () => this.plugin.init?.());
    } catch (error) {
      throw refusalOf(this.#loaded, error);
    }
  }

  /**
   * Starts the plugin; when that fails, its policy decides.
   *
   * @throws AgentError `PLUGIN_START_FAILED` when the policy is to fail
   */
  async start(): Promise<void> {
    if (this.#state === 'stopped' || (await this.#attemptStart())) return;
    const reason = this.#startError ?? '';
    if (this.#onStartError === 'fail')
      throw new AgentError('PLUGIN_START_FAILED', `plugin ${this.name} did not start: ${reason}`);
    if (this.#stopping.signal.aborted) return;
    const next = this.#onStartError === 'retry' ? 'it is tried again' : 'it is left out';
    this.log.warn(`plugin ${this.name} did not start, ${next}: ${reason}`);
    if (this.#onStartError === 'retry') this.#retryAfter(RETRY_FIRST);
  }

  /** Stops the plugin, within {@link STOP_TIMEOUT}; safe in every state. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    clearTimeout(this.#retry);
    this.#stopping.abort(new AgentError('PLUGIN_TIMED_OUT', 'the agent stops'));
    await this.#release();
    this.#enter('stopped');
  }

  async #attemptStart(): Promise<boolean> {
    this.#enter('starting');
    try {
      await within(START_TIMEOUT, 'its start', this.#stopping.signal, async (signal) =>
        this.plugin.start?.(signal),
      );
      this.#startError = undefined;
      this.#enter('running');
      return true;
    } catch (error) {
      this.#startError = reasonOf(error);
      this.fault('start');
      this.#enter('failed');
      await this.#release();
      return false;
    }
  }

  #retryAfter(wait: number): void {
    this.#retry = setTimeout(() => void this.#startAgain(wait), wait).unref();
  }

  async #startAgain(wait: number): Promise<void> {
    const started = await this.#attemptStart();
    if (this.#stopping.signal.aborted) return;
    if (started) this.log.info(`plugin ${this.name} has started`);
    else this.#retryAfter(Math.min(wait * 2, RETRY_LAST));
  }

  async #release(): Promise<void> {
    try {
      await within(STOP_TIMEOUT, 'its stop', undefined, async () => this.plugin.stop?.());
    } catch (error) {
      this.fault('stop');
      this.log.warn(`plugin ${this.name} did not stop cleanly: ${reasonOf(error)}`);
    }
  }

  #enter(state: PluginState): void {
    this.#state = state;
    for (const each of STATES)
      this.#metrics.state
        .with({ kind: this.kind, plugin: this.name, state: each })
        .set(each === state ? 1 : 0);
  }
}
