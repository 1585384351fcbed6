import type { Counter, Histogram, MetricFactory } from '../../../core/contract/index.js';

/**
 * Why samples were dropped: more than `maxTimings` observations, more than `maxQueuedBytes` queued, a value that StatsD cannot
 * represent, a line longer than a datagram.
 */
export type DropReason = 'timings' | 'queue' | 'value' | 'length';

/** The metrics that a sink has of itself. */
export interface SinkMetrics {
  readonly bytes: Counter;
  readonly reconnects: Counter;
  readonly duration: Histogram;
  readonly flushes: (result: 'succeeded' | 'failed') => void;
  readonly dropped: (reason: DropReason, samples: number) => void;
}

/**
 * Creates the metrics of a sink.
 *
 * @param sink the name of the instance
 */
export function createSinkMetrics(metrics: MetricFactory, sink: string): SinkMetrics {
  const namespace = 'statsd';
  const flushes = metrics.counter({
    namespace,
    name: 'flushes_total',
    help: 'Pushes to the StatsD daemon.',
    labelNames: ['sink', 'result'],
  });
  const dropped = metrics.counter({
    namespace,
    name: 'dropped_total',
    help: 'Samples dropped, by reason.',
    labelNames: ['sink', 'reason'],
  });
  const bytes = metrics.counter({
    namespace,
    name: 'sent_bytes_total',
    help: 'Bytes sent to the StatsD daemon.',
    labelNames: ['sink'],
  });
  const reconnects = metrics.counter({
    namespace,
    name: 'reconnects_total',
    help: 'Connections to the StatsD daemon after the first attempt.',
    labelNames: ['sink'],
  });
  const duration = metrics.histogram({
    namespace,
    name: 'flush_duration_seconds',
    help: 'Duration of pushes to the StatsD daemon.',
    labelNames: ['sink'],
  });
  return {
    bytes: bytes.with({ sink }),
    reconnects: reconnects.with({ sink }),
    duration: duration.with({ sink }),
    flushes: (result) => flushes.with({ sink, result }).inc(),
    dropped: (reason, samples) => {
      if (samples > 0) dropped.with({ sink, reason }).inc(samples);
    },
  };
}
