// The interface of a metric source.

import type { SourceFailure } from './errors.js';
import type { Labels } from './instruments.js';
import type { Lifecycle } from './lifecycle.js';
import type { FamilyParts } from './metric-sink.js';

/** The cumulative values of one histogram. */
export interface SourceHistogram {
  /** Upper bounds in ascending order; the last one is Infinity. */
  readonly bounds: readonly number[];
  /** The number of observations up to each bound. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** The values of one summary. */
export interface SourceSummary {
  /** In ascending order. */
  readonly quantiles: readonly number[];
  /** The value of each quantile; NaN if there are no recent observations. */
  readonly values: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** One series of a family that a source has read. */
export interface SourceSeries {
  /** Label values, in the order in which a StatsD bucket has them. */
  readonly labels: Labels;
  /**
   * A histogram or summary for a family of that type, else a number. NaN, infinite values and summaries are relayed to scrapes, but
   * not pushed.
   */
  readonly value: number | SourceHistogram | SourceSummary;
}

/** A family that a source has read. */
export interface SourceFamily {
  /** The Prometheus name, also if the parts joined by `_` differ. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';
  /** The parts of the StatsD bucket. */
  readonly parts: FamilyParts;
  readonly series: readonly SourceSeries[];
}

/** A part of the data of a source that is not in its reading, because it is not valid. */
export interface SkippedPart {
  /** For example `family requests_total`. */
  readonly what: string;
  /** Why, and where: `line 3: 'x' is not a number`. */
  readonly reason: string;
}

/** A reading of a source: the current values of another process, cumulative since its start. */
export interface SourceReading {
  /** The start time of the process, in seconds since the epoch. When it changes, all values have been reset to zero. */
  readonly startTime?: number;
  readonly families: readonly SourceFamily[];
  /** Each part is logged and counted once. @default [] */
  readonly skipped?: readonly SkippedPart[];
}

/** The response of a node to a forwarded request. */
export interface NodeResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A request to the operations endpoint of a node. */
export interface NodeRequest {
  readonly method: 'GET' | 'PUT';
  readonly path: '/healthz' | '/logspec' | '/metrics' | '/version';
  readonly body?: string;
  /** Passed on as `X-Request-Id`. */
  readonly requestId?: string;
  readonly signal: AbortSignal;
}

/** The operations endpoint of a Fabric node. */
export interface NodeEndpoint {
  readonly kind: 'peer' | 'orderer';
  /** False: the readings of the source do not contain the metrics of the node and do not tell whether it is up. @default true */
  readonly metrics?: boolean;
  /**
   * Sends a request to the node.
   *
   * @throws AgentError `NODE_UNREACHABLE` when there is no complete response
   */
  request(request: NodeRequest): Promise<NodeResponse>;
}

/** Reads metric families of another process. The host schedules the readings and handles growth, limits, staleness and names. */
export interface MetricSource extends Lifecycle {
  /**
   * Reads all families. Calls for one source do not overlap, unless an earlier call ignores its signal. A returned reading must not be
   * changed; the next reading may contain the same objects for unchanged parts.
   *
   * @param signal aborted after 5 s or when the agent stops
   * @throws SourceError to name the kind of failure, or any other error
   */
  read(signal: AbortSignal): Promise<SourceReading>;
  /** The node that the families come from, if the source reads a node. It is then listed under `/nodes`. */
  readonly node?: NodeEndpoint;
}

/** The state of one source. */
export interface SourceState {
  /** The name of the source; if it reads a node, the name of the node. */
  readonly name: string;
  /** Whether the last reading succeeded. */
  readonly isUp: boolean;
  /** The last reading; undefined before the first one and while the source is down. */
  readonly reading?: SourceReading;
  /** When the last successful reading ended, in milliseconds since the epoch; undefined before the first one. */
  readonly readAt?: number;
  /** Why the last reading failed; undefined while the source is up. */
  readonly reason?: string;
  /** The kind of the failure; undefined while the source is up. */
  readonly failure?: SourceFailure;
  /** Set when the failure is only a timeout. */
  readonly isLate?: true;
  /** Set when the connection was refused. */
  readonly isRefused?: true;
  /** Set if the host name of the source has no address and it was never read: it is unknown whether it runs. A stopped container has no address. */
  readonly isUnresolved?: true;
  /** The times when restarts of the process were detected in the last hour, in milliseconds since the epoch. */
  readonly restarts?: readonly number[];
  /** The channels that were removed from the node, sorted; `reading` does not contain their series. */
  readonly removedChannels?: readonly string[];
}

/** The latest readings of all sources. */
export interface SourceReadings {
  /**
   * Reads the sources again whose last reading is too old, and waits at most 5 s for them. Readings are shared with scrapes and flushes.
   *
   * @param options `maxAge` of a reading in milliseconds, 1,000 by default; `Infinity` reads nothing. `signal` ends the wait
   * @returns the states of all sources in the order of their declaration; a source that is still being read has its previous state
   */
  read(options: { readonly maxAge?: number; readonly signal: AbortSignal }): Promise<readonly SourceState[]>;
  /**
   * The last warnings, errors and panics in the log of a node, newest first. Never rejects.
   *
   * @param source the name of the source of the node
   * @returns an empty list if there is no such source, or its log is unknown or cannot be read
   */
  logLines(source: string): Promise<readonly string[]>;
}
