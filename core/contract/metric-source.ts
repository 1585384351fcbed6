import type { ConfigDocument, ConsenterDocument } from './channel-document.js';
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
  /** The value of each quantile; NaN when there were no recent observations. */
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

/** What a source has read: the current values of another process, cumulative since its start. */
export interface SourceReading {
  /** When the process started, in seconds since the epoch. When it changes, all values have started again at zero. */
  readonly startTime?: number;
  readonly families: readonly SourceFamily[];
}

/** The response of a node to a forwarded request. */
export interface NodeResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
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
  /** False: the readings of the source do not have the metrics of the node, and do not say whether it is up. @default true */
  readonly metrics?: boolean;
  /**
   * Sends a request to the node.
   *
   * @throws AgentError `NODE_UNREACHABLE` when there is no complete response
   */
  request(request: NodeRequest): Promise<NodeResponse>;
}

/** Reads metric families of another process. The host decides when, and handles growth, limits, staleness and names. */
export interface MetricSource extends Lifecycle {
  /**
   * Reads all families. Readings of one source never overlap, unless an earlier one ignored its signal. A returned reading must not be
   * changed; the next one may contain the same objects where nothing has changed.
   *
   * @param signal aborted after 5 s or when the agent stops
   * @throws SourceError to name the kind of failure, or any other error
   */
  read(signal: AbortSignal): Promise<SourceReading>;
  /** The node that the families come from, if the source reads a node. It is then listed under `/nodes`. */
  readonly node?: NodeEndpoint;
}

/** The consenters in the newest config block of a channel that a node has. */
export interface ChannelConsenters extends Pick<ConfigDocument, 'block' | 'consensus'> {
  readonly channel: string;
  readonly consenters: readonly (Pick<ConsenterDocument, 'address' | 'id'> & {
    /** SHA-256 of the public key of its TLS server; undefined: unknown. */
    readonly key?: string | undefined;
  })[];
  /** BFT: the longest time without a message of the leader until the consenters change the view, in milliseconds; undefined: unknown. */
  readonly leaderHeartbeatTimeout?: number | undefined;
  /** The address of the consenter that is the node itself, by its TLS certificate. */
  readonly own?: string | undefined;
}

/** The TLS certificate in the file of a node. */
export interface NodeCertificate {
  /** SHA-256 of its public key. */
  readonly key: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
  /** When it expires, in milliseconds since the epoch. */
  readonly notAfter: number;
}

/** What the orderers of a channel responded to the last requests for blocks. */
export interface ChannelResponses {
  readonly channel: string;
  readonly responses: readonly OrdererResponse[];
}

/** What an orderer responded. */
export interface OrdererResponse {
  /** `host:port` that was asked. */
  readonly address: string;
  /** The address of the consenter that it is, in the config of the channel; undefined: unknown. */
  readonly consenter?: string | undefined;
  /**
   * `alive`: it sent a block, or refused this identity. `unavailable`: it does not serve the channel now, as Raft without a leader.
   * `no-channel`: it does not have the channel, or only follows it. `silent`: it refuses connections, or does not respond. `unknown`: the request failed for
   * another reason.
   */
  readonly state: 'alive' | 'unavailable' | 'no-channel' | 'silent' | 'unknown';
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
  /** Set when the source only did not respond in time. */
  readonly isLate?: true;
  /** When restarts of the process were noticed in the last hour, in milliseconds since the epoch. */
  readonly restarts?: readonly number[];
  /** The channels that were removed from the node, sorted; `reading` does not have their series. */
  readonly removedChannels?: readonly string[];
  /** What a checker has read in the ledger folder of the node; also while the node is down. */
  readonly consenters?: readonly ChannelConsenters[];
  /** The TLS certificate of the node, as a checker has read it; undefined: unknown. */
  readonly certificate?: NodeCertificate;
  /** What the orderers of the channels of the node responded to a checker; also while the node is down. */
  readonly responses?: readonly ChannelResponses[];
}

/** The latest readings of all sources. */
export interface SourceReadings {
  /** The states of the sources in the order of their declaration. Reads nothing. */
  latest(): readonly SourceState[];
  /**
   * Reads the sources whose last reading is older than 1 s, and waits at most 5 s for them. Readings are shared with scrapes and
   * flushes; without those, only this reads the sources.
   *
   * @param signal ends the wait
   * @returns the states of all sources; a source that is still being read has its former state
   */
  refresh(signal: AbortSignal): Promise<readonly SourceState[]>;
  /**
   * The last warnings, errors and panics in the log of a node, oldest first. Never rejects.
   *
   * @param source the name of the source of the node
   * @returns none if there is no such source, or its log is unknown or cannot be read
   */
  logLines(source: string): Promise<readonly string[]>;
  /**
   * Says which channels a node has. Series of others, with the label `channel`, end.
   *
   * @param source the name of the source; without effect if there is none
   * @param requestedAt when the list was requested, as `performance.now()`: a channel in a newer reading may be new
   */
  recordChannels(source: string, channels: readonly string[], requestedAt: number): void;
  /**
   * Says who the consenters of the channels of a node are, by its ledger folder.
   *
   * @param source the name of the source of the node; without effect if there is none
   * @param channels all that are known; they replace those before
   * @param certificate the TLS certificate of the node; undefined: unknown
   */
  recordConsenters(
    source: string,
    channels: readonly ChannelConsenters[],
    certificate?: NodeCertificate,
  ): void;
  /**
   * Says what the orderers of the channels of a node respond.
   *
   * @param source the name of the source of the node; without effect if there is none
   * @param channels all that are known; they replace those before
   */
  recordResponses(source: string, channels: readonly ChannelResponses[]): void;
}
