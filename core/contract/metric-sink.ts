import type { Labels } from './instruments.js';
import type { Lifecycle } from './lifecycle.js';
import type { FamilyParts } from './metric-reader.js';

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

/** A sink that is scraped: it serves one route of the operations service, behind the client-certificate rule. */
export interface PullSink extends Lifecycle {
  readonly route: {
    /** The exact path, such as `/metrics`. */
    readonly path: string;
    handle(request: SinkRequest): Promise<SinkReply>;
  };
}

/** One value in a batch. */
export interface Sample extends FamilyParts {
  /** Label values in the order in which the family declared its labels. */
  readonly labels: Labels;
  readonly value: number;
  /** Of a relayed value with several nodes: the name of its node, which precedes the bucket name as `<node>.`. */
  readonly node?: string;
}

/** The growth of one relayed histogram since the last accepted batch. */
export interface HistogramGrowth extends FamilyParts {
  readonly labels: Labels;
  readonly node?: string;
  /** Upper bounds in ascending order; the last one is Infinity. */
  readonly bounds: readonly number[];
  /** By how much the number of observations in each bucket grew; a bucket excludes those of lower buckets. */
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
  /** The growth of each relayed histogram that grew. */
  readonly histograms: readonly HistogramGrowth[];
  /** The current value of each gauge. */
  readonly gauges: readonly Sample[];
  /** Every observation of every histogram, oldest first, up to `maxTimings`. */
  readonly timings: readonly Timing[];
  /** The number of observations, the oldest ones, that were dropped since the last accepted batch because of `maxTimings`. */
  readonly droppedTimings: number;
}

/** A sink that pushes: the host calls `flush` every `interval` and once more before `stop`. */
export interface PushSink extends Lifecycle {
  readonly push: {
    /** Milliseconds between two flushes. */
    readonly interval: number;
    /**
     * What the counters and relayed histograms of a batch contain: their growth since the last accepted batch, or the totals, which
     * include series that did not grow.
     *
     * @default growth
     */
    readonly values?: 'growth' | 'totals';
    /** How many observations to keep between two flushes. @default 100000 */
    readonly maxTimings?: number;
    /**
     * Sends a batch. Resolving accepts it; rejecting keeps its counter growth and its timings for the next batch. Flushes of
     * one sink never overlap.
     *
     * @param signal aborted after 10 s, or 2 s after the agent began to stop
     */
    flush(batch: MetricBatch, signal: AbortSignal): Promise<void>;
  };
}

/** Delivers the metrics of the agent to a monitoring system. */
export type MetricSink = PullSink | PushSink;
