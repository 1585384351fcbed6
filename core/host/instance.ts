// The lifecycle of one plugin instance. A plugin that throws or hangs affects only itself.

import type { Headlines } from '../contract/plugin.js';
import type { PluginDeclaration } from '../../config/index.js';
import { Backoff, type BackoffLimits } from '../common/flow/backoff.js';
import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import { AgentError, reasonOf, within, type Logger, type MetricFactory } from '../contract/index.js';
import type { Lifecycle } from '../contract/lifecycle.js';
import { failedError, placeText, type LoadedPlugin } from './load.js';
import { stackOf } from './stack.js';

/** Longest `init` and longest `start` of a plugin, in milliseconds. */
export const START_TIMEOUT = 30_000;
/** Longest `stop` of a plugin, in milliseconds. */
export const STOP_TIMEOUT = 5_000;
/** After this many unfinished calls that missed their deadlines, `start` is not called until one of them ends. */
const MAX_UNFINISHED_STARTS = 2;
/** The waits between start attempts. */
const RETRY_BACKOFF: BackoffLimits = { first: 500, longest: 30_000 };

/** A plugin instance. */
export class PluginInstance<Plugin extends Lifecycle = Lifecycle> {
  readonly name: string;
  readonly kind: string;
  /** The name in the definition of the plugin, such as `disk`. */
  readonly pluginName: string;
  /** The headlines in it. */
  readonly headlines: Headlines | undefined;
  /** Where it was declared, for messages. */
  readonly origin: string;
  /** The path of its module. */
  readonly file: string;
  /** Whether it is a plugin of this package. */
  readonly isBuiltIn: boolean;
  readonly plugin: Plugin;
  /** Logs as `plugins.<name>`. */
  readonly log: Logger;
  readonly #loaded: LoadedPlugin;
  readonly #metrics: PluginMetrics;
  readonly #stopping = new AbortController();
  #state: PluginState = 'created';
  #retry: NodeJS.Timeout | undefined;
  #startError: string | undefined;
  #startPlace = '';
  readonly #unfinishedStarts = new UnfinishedCalls(MAX_UNFINISHED_STARTS);
  readonly #backoff = new Backoff(RETRY_BACKOFF);

  constructor(loaded: LoadedPlugin, plugin: Plugin, log: Logger, metrics: PluginMetrics) {
    this.name = loaded.name;
    this.kind = loaded.definition.kind;
    this.pluginName = loaded.definition.name;
    this.headlines = loaded.definition.headlines;
    this.origin = loaded.declaration.origin;
    this.file = loaded.file;
    this.isBuiltIn = loaded.isBuiltIn;
    this.plugin = plugin;
    this.log = log;
    this.#loaded = loaded;
    this.#metrics = metrics;
    this.#enter('created');
  }

  get state(): PluginState {
    return this.#state;
  }

  /** Its component in `/healthz`: for a checker its name, for others a name that no checker can have, such as `statsd (sink)`. */
  get component(): string {
    return this.kind === 'checker' ? this.name : `${this.name} (${this.kind})`;
  }

  /** Whether its first start has not ended. */
  get isStarting(): boolean {
    return (this.#state === 'created' || this.#state === 'starting') && this.#startError === undefined;
  }

  /** Whether it did not start and the agent runs without it (`onStartError: ignore`). */
  get isDisabled(): boolean {
    return this.#state === 'failed' && this.#onStartError === 'ignore';
  }

  /** Why the last start failed, and where, for the log; undefined when it succeeded or there was none. */
  get startError(): string | undefined {
    return this.#startError === undefined ? undefined : `${this.#startError}${this.#startPlace}`;
  }

  get #onStartError(): PluginDeclaration['onStartError'] {
    return this.#loaded.declaration.onStartError;
  }

  /** Counts a fault of the plugin in a phase, such as `flush`. */
  countFault(phase: string): void {
    this.#metrics.countFault({ kind: this.kind, plugin: this.name }, phase);
  }

  /**
   * @throws AgentError `PLUGIN_NOT_STARTED` before the first start has ended
   * @throws Error with the reason when the plugin is not running
   */
  requireRunning(): void {
    if (this.#state === 'running') return;
    if (this.isStarting) throw new AgentError('PLUGIN_NOT_STARTED', 'not started yet');
    throw new Error(`not started: ${this.#startError ?? 'the plugin is stopped'}`);
  }

  /** @throws SettingsError */
  async init(): Promise<void> {
    try {
      await within(START_TIMEOUT, 'init', this.#stopping.signal, async () => this.plugin.init?.());
    } catch (error) {
      throw failedError(this.#loaded, 'init', error);
    }
  }

  /**
   * Starts the plugin. `onStartError` decides what happens after a failure.
   *
   * @throws AgentError `PLUGIN_START_FAILED` with `onStartError: fail`
   */
  async start(): Promise<void> {
    for (const warning of this.#loaded.warnings) this.log.warn(warning);
    if (this.#state === 'stopped' || (await this.#attemptStart())) return;
    const reason = this.startError ?? '';
    if (this.#onStartError === 'fail')
      throw new AgentError('PLUGIN_START_FAILED', `plugin ${this.name} did not start: ${reason}`);
    if (this.#stopping.signal.aborted) return;
    const next = this.#onStartError === 'retry' ? 'retrying' : 'it is disabled';
    this.log.warn(`plugin ${this.name} did not start, ${next}: ${reason}`);
    if (this.#onStartError === 'retry') this.#scheduleRetry();
  }

  /** Stops the plugin, within {@link STOP_TIMEOUT}. Allowed in every state. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    clearTimeout(this.#retry);
    this.#stopping.abort(new AgentError('AGENT_STOPPED', 'the agent is stopping'));
    await this.#release();
    this.#enter('stopped');
  }

  async #attemptStart(): Promise<boolean> {
    this.#enter('starting');
    try {
      const { isFull, count } = this.#unfinishedStarts;
      if (isFull) throw new Error(`${count} earlier starts are still running`);
      await within(START_TIMEOUT, 'start', this.#stopping.signal, (signal) =>
        this.#unfinishedStarts.run(() => this.plugin.start?.(signal)),
      );
      this.#startError = undefined;
      this.#enter('running');
      return true;
    } catch (error) {
      // Responses contain only the reason, without the place.
      this.#startError = reasonOf(error);
      this.#startPlace = placeText(this.#loaded, error);
      this.log.debug('start failed', { stack: stackOf(error) });
      this.countFault('start');
      this.#enter('failed');
      await this.#release();
      return false;
    }
  }

  #scheduleRetry(): void {
    this.#retry = setTimeout(() => void this.#retryStart(), this.#backoff.next()).unref();
  }

  async #retryStart(): Promise<void> {
    const started = await this.#attemptStart();
    if (this.#stopping.signal.aborted) return;
    if (started) this.log.info(`plugin ${this.name} started`);
    else this.#scheduleRetry();
  }

  async #release(): Promise<void> {
    try {
      await within(STOP_TIMEOUT, 'stop', undefined, async () => this.plugin.stop?.());
    } catch (error) {
      this.countFault('stop');
      this.log.warn(`plugin ${this.name} did not stop cleanly: ${reasonOf(error)}`);
    }
  }

  #enter(state: PluginState): void {
    this.#state = state;
    this.#metrics.recordState({ kind: this.kind, plugin: this.name }, state);
  }
}

const STATES = ['created', 'starting', 'running', 'failed', 'stopped'] as const;

/** The state of a plugin instance. */
type PluginState = (typeof STATES)[number];

/** The labels of a plugin instance. */
interface PluginLabels {
  readonly kind: string;
  readonly plugin: string;
}

/** Records the states and faults of plugins. */
export interface PluginMetrics {
  recordState(plugin: PluginLabels, state: PluginState): void;
  /** @param phase the call of the plugin: `start`, `flush`, `scrape` and so on */
  countFault(plugin: PluginLabels, phase: string): void;
}

/** Creates the metrics that all plugins share. */
export function createPluginMetrics(metrics: MetricFactory): PluginMetrics {
  const states = metrics.gauge({
    namespace: 'plugin',
    name: 'state',
    help: 'The state of the plugin: 1 for the current state, 0 for the others.',
    labelNames: ['kind', 'plugin', 'state'],
  });
  const faults = metrics.counter({
    namespace: 'plugin',
    name: 'faults_total',
    help: 'Errors of the plugin, by phase; failed checks are not included.',
    labelNames: ['kind', 'plugin', 'phase'],
  });
  return {
    recordState({ kind, plugin }, current) {
      for (const state of STATES) states.with({ kind, plugin, state }).set(state === current ? 1 : 0);
    },
    countFault: ({ kind, plugin }, phase) => faults.with({ kind, plugin, phase }).inc(),
  };
}

/** The deliveries of a push sink or a notifier. */
export interface DeliveryState {
  /** Milliseconds since the epoch; undefined before the first delivery. */
  readonly deliveredAt: number | undefined;
  /** Why the last delivery failed. */
  readonly problem: string | undefined;
  /** The events that wait; of a notifier. */
  readonly queued?: number;
  /** The events that a notifier wants. */
  readonly events?: 'all' | 'critical' | 'none';
}

/** A plugin instance that the agent uses. The directory of its kind attaches it. */
export interface Attachment {
  readonly instance: PluginInstance;
  /** Called after `start`, whether it succeeded, is retried or left the plugin disabled. */
  readonly onStarted: () => void;
  /** Called before `stop`. */
  readonly beforeStop: () => Promise<void>;
  readonly delivery?: () => DeliveryState;
}
