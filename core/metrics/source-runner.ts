// Reads one source on demand. Concurrent callers share one reading; a failed reading removes the series of the source.

import {
  reasonOf,
  SourceError,
  within,
  type Logger,
  type SourceReading,
  type SourceState,
} from '../contract/index.js';
import type { ChannelList } from '../contract/internal/index.js';
import type { NodeEndpoint } from '../contract/metric-source.js';
import type { SourceFailure } from '../contract/errors.js';
import type { BackoffLimits } from '../common/flow/backoff.js';
import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import { errorCodeOf, isLate, isRefused, isUnresolved } from '../contract/errors.js';
import { readingProblem, samplesOf } from '../contract/reading-problem.js';
import { RemovedChannels } from './removed-channels.js';
import type { SourceMetrics } from './source-metrics.js';
import { isOtherStart, type SourceTotals } from './source-totals.js';

/** How long a reading is used, in milliseconds; an older one is replaced on demand. */
const MAX_AGE = 1_000;

/** Timeout of a reading, in milliseconds: shorter than a scrape of Prometheus, which must not fail because one node hangs. */
const READ_TIMEOUT = 5_000;

/** After this many timed out readings that have not ended, a source is not read for a while. */
const MAX_UNFINISHED_READINGS = 2;
/** Delays until such a source is read again, unless a reading ends before: a reading that never ends must not disable the source forever. */
const UNFINISHED_RETRY: BackoffLimits = { first: 60_000, longest: 3_600_000 };

/** Maximum number of skipped parts of one source that are logged. */
const MAX_LOGGED_PARTS = 100;

/** How long restarts are kept, in milliseconds, and their maximum number. */
const RESTARTS = { age: 3_600_000, most: 100 };

/** The options of a runner. */
export interface SourceRunnerOptions {
  /** The name of the source; if it reads a node, the name of the node. */
  readonly name: string;
  /** The kind of the node that the source reads; undefined if it does not read a node. */
  readonly nodeKind: NodeEndpoint['kind'] | undefined;
  /** Reads the source once. */
  readonly read: (signal: AbortSignal) => Promise<SourceReading>;
  /** Whether its readings need no check: the sources of this package check them while they parse. @default false */
  readonly isChecked?: boolean;
  readonly totals: SourceTotals;
  readonly metrics: SourceMetrics;
  readonly log: Logger;
  /** Called after the first reading of the process, and after each of its restarts. */
  readonly onStart?: (isRestart: boolean) => void;
  /** Timeout of a reading, in milliseconds. @default READ_TIMEOUT */
  readonly timeout?: number;
  /** How long a reading is used, in milliseconds. @default MAX_AGE */
  readonly maxAge?: number;
  /** Delays until a source with too many unfinished readings is read again. @default UNFINISHED_RETRY */
  readonly unfinishedRetry?: BackoffLimits;
}

/** One source and its last reading. */
export class SourceRunner {
  readonly name: string;
  readonly nodeKind: NodeEndpoint['kind'] | undefined;
  readonly totals: SourceTotals;
  readonly log: Logger;
  readonly #options: SourceRunnerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** When the last reading ended, successful or not. */
  #endedAt = -Infinity;
  readonly #unfinished: UnfinishedCalls;
  readonly #removed = new RemovedChannels();
  readonly #skipped = new Set<string>();
  /** The last reading with the series of removed channels. */
  #complete: SourceReading | undefined;
  #reading: SourceReading | undefined;
  #readAt: number | undefined;
  /** The time of `#readAt`, as `performance.now()`. */
  #readEnd = Infinity;
  #reason: string | undefined;
  #failure: SourceFailure | undefined;
  #isLate = false;
  #isRefused = false;
  #isUnresolved = false;
  /** When the process started, in seconds since the epoch. */
  #startTime: number | undefined;
  /** Whether there was a successful reading. */
  #isKnown = false;
  /** When restarts were detected, in milliseconds since the epoch and as `performance.now()`. */
  #restarts: readonly { readonly time: number; readonly at: number }[] = [];

  constructor(options: SourceRunnerOptions) {
    const { name, nodeKind, totals, log } = options;
    this.name = name;
    this.nodeKind = nodeKind;
    this.totals = totals;
    this.log = log;
    this.#options = options;
    this.#unfinished = new UnfinishedCalls(
      MAX_UNFINISHED_READINGS,
      options.unfinishedRetry ?? UNFINISHED_RETRY,
    );
  }

  /** Whether the source reads a node. */
  get isNode(): boolean {
    return this.nodeKind !== undefined;
  }

  /** The state after the last reading. */
  get state(): SourceState {
    return {
      name: this.name,
      isUp: this.#reading !== undefined,
      ...(this.#reading !== undefined && { reading: this.#reading }),
      ...(this.#readAt !== undefined && { readAt: this.#readAt }),
      ...(this.#reason !== undefined && { reason: this.#reason }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
      ...(this.#isLate && { isLate: true }),
      ...(this.#isRefused && { isRefused: true }),
      ...(this.#isUnresolved && { isUnresolved: true }),
      ...(this.#restarts.length > 0 && { restarts: this.#recentRestarts().map(({ time }) => time) }),
      ...(this.#removed.names.length > 0 && { removedChannels: this.#removed.names }),
    };
  }

  /** Reads the source, joins the current reading, or does nothing if the last reading is recent. Never rejects. */
  update(maxAge = this.#options.maxAge ?? MAX_AGE): Promise<void> {
    if (this.#running === undefined && performance.now() - this.#endedAt < maxAge) return Promise.resolve();
    this.#running ??= this.#readOnce().finally(() => {
      this.#endedAt = performance.now();
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Logs and counts a part of a reading that is not relayed; once for each part. @param what for example `family a` */
  skip(what: string, why: string): void {
    if (this.#skipped.has(what) || this.#skipped.size >= MAX_LOGGED_PARTS) return;
    this.#skipped.add(what);
    this.log.warn(`${what} of source ${this.name} is not relayed: ${why}`);
    this.#options.metrics.countSkipped();
  }

  /** Removes the series of channels that the node no longer has. */
  keepChannels({ names: current, requestedAt }: ChannelList): void {
    if (this.#complete === undefined) return;
    const isOlder = this.#readEnd < requestedAt;
    if (!this.#removed.record(current, this.#complete, isOlder)) return;
    const { names } = this.#removed;
    this.log.info(
      `${this.name}: ${names.length === 0 ? 'no channels are removed' : `removed channels: ${names.join(', ')}`}`,
    );
    if (this.#reading !== undefined) this.#reading = this.#removed.without(this.#complete);
  }

  /** Records that a caller omits the source, because its reading takes too long. */
  recordLate(): void {
    this.#options.metrics.recordLate();
  }

  /** Aborts the current reading. */
  stop(): void {
    this.#stopping.abort(new Error('the agent is stopping'));
  }

  async #readOnce(): Promise<void> {
    const { isChecked = false, metrics, totals, timeout = READ_TIMEOUT } = this.#options;
    const start = performance.now();
    const duration = (): number => (performance.now() - start) / 1000;
    try {
      const { isFull, count } = this.#unfinished;
      if (isFull) throw new SourceError('timeout', `not read: ${count} earlier readings are still running`);
      const complete = await within(timeout, 'the reading', this.#stopping.signal, (signal) =>
        this.#unfinished.run(() => this.#options.read(signal)),
      );
      const problem = isChecked ? undefined : await readingProblem(complete);
      if (problem !== undefined) throw new SourceError('invalid', `invalid reading: ${problem}`);
      const reading = this.#removed.without(complete);
      totals.record(reading);
      this.#complete = complete;
      this.#reading = reading;
      this.#readAt = Date.now();
      this.#readEnd = performance.now();
      if (this.#reason !== undefined) this.log.info(`source ${this.name} can be read again`);
      this.#reason = undefined;
      this.#failure = undefined;
      this.#isLate = false;
      this.#isRefused = false;
      this.#isUnresolved = false;
      this.#noticeRestart(reading);
      for (const { what, reason } of complete.skipped ?? []) this.skip(what, reason);
      metrics.recordSuccess(duration(), samplesIn(reading), this.#readAt / 1000);
    } catch (error) {
      this.#reading = undefined;
      const reason = reasonOf(error);
      if (this.#reason === undefined && !this.#stopping.signal.aborted)
        this.log.warn(`source ${this.name} cannot be read: ${reason}`);
      this.#reason = reason;
      this.#isLate = isLate(error);
      this.#isRefused = isRefused(error);
      this.#isUnresolved = isUnresolved(error) && !this.#isKnown;
      this.#failure = failureKind(error);
      metrics.recordFailure(duration(), this.#failure);
    }
  }

  #recentRestarts() {
    const oldest = performance.now() - RESTARTS.age;
    return this.#restarts.filter(({ at }) => at > oldest);
  }

  #noticeRestart({ startTime }: SourceReading): void {
    const previous = this.#startTime;
    this.#startTime = startTime ?? previous;
    if (!this.#isKnown) this.#options.onStart?.(false);
    this.#isKnown = true;
    if (!isOtherStart(previous, startTime)) return;
    const restart = { time: Date.now(), at: performance.now() };
    this.#restarts = [...this.#recentRestarts(), restart].slice(-RESTARTS.most);
    this.#options.metrics.recordRestart();
    this.log.warn(`${this.name} has restarted`);
    this.#options.onStart?.(true);
  }
}

function samplesIn({ families }: SourceReading): number {
  let samples = 0;
  for (const { series } of families) for (const { value } of series) samples += samplesOf(value);
  return samples;
}

// A record, so that the compiler reports a missing reason.
const FAILURES: Readonly<Record<SourceFailure, true>> = {
  unreachable: true,
  timeout: true,
  tls: true,
  status: true,
  too_large: true,
  invalid: true,
  other: true,
};

/** The kind of failure of an error, from any copy of this package. */
function failureKind(error: unknown): SourceFailure {
  const code = errorCodeOf(error);
  if (code === 'NODE_UNREACHABLE') return 'unreachable';
  if (code === 'PLUGIN_TIMED_OUT') return 'timeout';
  if (code !== 'SOURCE_FAILED') return 'other';
  const { failure } = error as { failure?: unknown };
  return typeof failure === 'string' && Object.hasOwn(FAILURES, failure)
    ? (failure as SourceFailure)
    : 'other';
}
