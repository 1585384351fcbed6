import type { Labels } from './instruments.js';
import type { Lifecycle } from './lifecycle.js';

/** Text formats a reader can render: Prometheus text 0.0.4 or OpenMetrics 1.0.0. */
export type ExpositionFormat = 'text' | 'openmetrics';

/** The metrics of the agent, rendered. */
export interface Exposition {
  /** The media type of the format, with its version. */
  readonly contentType: string;
  readonly body: string;
}

/** Renders the store of the agent; families sorted by name, series in the order of their first use. */
export interface MetricReader {
  render(format: ExpositionFormat): Promise<Exposition>;
}

/** What a pull sink is asked with. Header names are lower case. */
export interface SinkRequest {
  readonly headers: ReadonlyMap<string, string>;
}

/** What a pull sink answers. The host adds `Content-Length`, `Date` and `X-Request-Id`. */
export interface SinkReply {
  /** @default 200 */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A sink that is read: it serves one route of the operations service, behind the client-certificate rule. */
export interface PullSink extends Lifecycle {
  readonly route: {
    /** The exact path, such as `/metrics`. */
    readonly path: string;
    handle(request: SinkRequest): Promise<SinkReply>;
  };
}

/** One value in a batch. */
export interface Sample {
  readonly namespace: string;
  readonly subsystem: string;
  readonly name: string;
  /** Label values in the order the family declared its labels. */
  readonly labels: Labels;
  readonly value: number;
}

/** One observation in a batch; `value` is in the unit it was observed in, seconds for durations. */
export type Timing = Sample;

/** What happened since the last batch the sink accepted. */
export interface MetricBatch {
  /**
   * Growth of each counter since the last accepted batch, to six decimals; those that did not grow are left out. What is less
   * comes with a later batch.
   */
  readonly counters: readonly Sample[];
  /** The present value of each gauge that exists. */
  readonly gauges: readonly Sample[];
  /** Every observation of every histogram, oldest first, up to `maxTimings`. */
  readonly timings: readonly Timing[];
  /** Observations dropped since the last accepted batch because there were more than `maxTimings`; the oldest go first. */
  readonly droppedTimings: number;
}

/** A sink that pushes: the host calls `flush` every `interval` and once more before `stop`. */
export interface PushSink extends Lifecycle {
  readonly push: {
    /** Milliseconds between two flushes. */
    readonly interval: number;
    /** How many observations to keep between two flushes. @default 100000 */
    readonly maxTimings?: number;
    /**
     * Sends a batch. Resolving accepts it; rejecting keeps its counter growth and its timings for the next one. Flushes of
     * one sink never overlap.
     *
     * @param signal aborted when the flush takes too long or the agent stops
     */
    flush(batch: MetricBatch, signal: AbortSignal): Promise<void>;
  };
}

/** Takes the metrics of the agent somewhere. */
export type MetricSink = PullSink | PushSink;
