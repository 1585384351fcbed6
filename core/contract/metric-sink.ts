// The contract of a metric sink: pull sinks read families, push sinks get batches.

import type { Labels } from './instruments.js';
import type { Lifecycle } from './lifecycle.js';
import type { AgentEvent } from './notifier.js';

/** The parts of a family name. A Prometheus name joins them with underscores, a StatsD bucket with dots; a part may be empty. */
export interface FamilyParts {
  readonly namespace: string;
  readonly subsystem: string;
  readonly name: string;
}

/**
 * One value of a family. A counter or gauge has one per series; a histogram or summary has several: one per bucket or quantile,
 * the sum and the count.
 */
export interface SeriesValue {
  /** The labels of this value, without those in `sharedLabels`. */
  readonly labels: Labels;
  readonly value: number;
  /** The name of the exposition line if it differs from the family name: with `_bucket`, `_sum` or `_count` at the end. */
  readonly metricName?: string;
  /** The labels that the values of one relayed histogram or summary have in common; the same object for all of them. */
  readonly sharedLabels?: Labels;
}

/** A metric family. Read its values at once: they change while other code runs. */
export interface FamilySnapshot {
  /** The Prometheus name: the parts joined by `_`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';
  readonly parts: FamilyParts;
  /** The values, with the series in the order of their first use. */
  values(): Iterable<SeriesValue>;
}

/** Reads all metrics of the agent. Sources that were not read within the timeout are omitted. */
export interface MetricReader {
  /**
   * The families of the agent, then the families of the sources sorted by name.
   *
   * @param timeout how long to wait for the sources, in milliseconds. @default 6000
   */
  families(timeout?: number): AsyncIterable<FamilySnapshot>;
}

/** A request to a pull sink. Header names are lower case. */
export interface SinkRequest {
  readonly headers: ReadonlyMap<string, string>;
}

/** The response of a pull sink. The host adds `Content-Length`, `Date` and `X-Request-Id`. */
export interface SinkReply {
  /** @default 200 */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A sink that is scraped: it serves one route of the agent, behind the client-certificate rule. */
export interface PullSink extends Lifecycle {
  readonly route: {
    /** The exact path, such as `/metrics`. */
    readonly path: string;
    handle(request: SinkRequest): Promise<SinkReply>;
  };
}

/** Identifies the source of values. */
export interface SampleSource {
  /** The name of the source; if it reads a node, the name of the node. */
  readonly name: string;
  /** The kind of the node, if the source reads a node. */
  readonly nodeKind?: 'peer' | 'orderer';
  /** Start time of the process that the values come from, in seconds since the epoch; undefined if unknown. */
  readonly startTime?: number;
}

/** The family of a value in a batch of totals; the same object for all values of a family and source in one batch. */
export interface SampleFamily {
  /** The Prometheus name, also if the parts joined by `_` differ. */
  readonly name: string;
  readonly help: string;
  /** Undefined for the families of the agent itself. */
  readonly source?: SampleSource;
}

/** One value in a batch. */
export interface Sample extends FamilyParts {
  /** Label values in the order in which the family declared its labels. */
  readonly labels: Labels;
  readonly value: number;
  /** The name of the node, for a relayed value if there are several nodes. */
  readonly node?: string;
  /** True for a value of a Fabric node. */
  readonly isOfNode?: true;
  /** Set in batches of totals. */
  readonly family?: SampleFamily;
}

/** The growth of one relayed histogram since the last accepted batch. In a batch of totals: its values since the start of its process. */
export interface HistogramGrowth extends FamilyParts {
  readonly labels: Labels;
  readonly node?: string;
  readonly isOfNode?: true;
  /** Set in batches of totals. */
  readonly family?: SampleFamily;
  /** Upper bounds in ascending order; the last one is Infinity. */
  readonly bounds: readonly number[];
  /** The new observations in each bucket, without the observations in lower buckets. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** One observation in a batch; `value` is in the unit it was observed in, seconds for durations. */
export type Timing = Sample;

/** The changes since the last batch that the sink accepted. */
export interface MetricBatch {
  /**
   * The growth of each counter since the last accepted batch, rounded to six decimals. Counters that did not grow are omitted;
   * growth below the sixth decimal is part of a later batch.
   */
  readonly counters: readonly Sample[];
  /** The relayed histograms that grew. In batches of totals: all histograms, including the histograms of the agent. */
  readonly histograms: readonly HistogramGrowth[];
  /** The current value of each gauge. */
  readonly gauges: readonly Sample[];
  /** Every observation of every histogram of the agent, oldest first, up to `maxTimings`; empty in batches of totals. */
  readonly timings: readonly Timing[];
  /** The number of observations that were dropped since the last accepted batch because of `maxTimings`; the oldest are dropped. */
  readonly droppedTimings: number;
  /** The current failures and warnings, oldest first. */
  readonly checks: readonly AgentEvent[];
}

/** A sink that pushes: the host calls `flush` every `interval` and a last time before `stop`. */
export interface PushSink extends Lifecycle {
  readonly push: {
    /** Milliseconds between two flushes. */
    readonly interval: number;
    /**
     * The values of counters and histograms in a batch: their growth since the last accepted batch, or totals, which include
     * series that did not grow. The histograms of the agent are observations (`timings`) in batches of growth.
     *
     * @default growth
     */
    readonly values?: 'growth' | 'totals';
    /** How many observations to keep between two flushes. @default 100000 */
    readonly maxTimings?: number;
    /**
     * Sends a batch. If it resolves, the batch is accepted; if it rejects, the growth and timings are part of the next batch. Flushes of
     * one sink never overlap.
     *
     * @param signal aborted after 10 s, or 2 s after the agent began to stop
     */
    flush(batch: MetricBatch, signal: AbortSignal): Promise<void>;
    /**
     * For a sink that accepts batches before it has delivered them, such as one with a queue. Called after each accepted flush.
     *
     * @returns why nothing was delivered since the last call; undefined if something was delivered
     */
    rejected?(): string | undefined;
  };
}

/** Delivers the metrics of the agent to a monitoring system. */
export type MetricSink = PullSink | PushSink;
