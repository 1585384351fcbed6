import type { Counter, Histogram, MetricFactory } from '../contract/index.js';

/** The metrics that a push sink has of itself. */
export interface PushMetrics<DropReason extends string> {
  readonly bytes: Counter;
  readonly duration: Histogram;
  /** `queued`: accepted, but not sent yet. */
  readonly flushes: (result: 'succeeded' | 'queued' | 'failed') => void;
  readonly dropped: (reason: DropReason, samples: number) => void;
}

/** What the metrics are called. */
export interface PushMetricsOptions {
  readonly namespace: string;
  /** What the sink pushes to, for the help texts. */
  readonly receiver: string;
  /** The name of the instance. */
  readonly sink: string;
}

/** Creates the metrics of a push sink. */
export function createPushMetrics<DropReason extends string>(
  metrics: MetricFactory,
  { namespace, receiver, sink }: PushMetricsOptions,
): PushMetrics<DropReason> {
  const flushes = metrics.counter({
    namespace,
    name: 'flushes_total',
    help: `Pushes to ${receiver}.`,
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
    help: `Bytes sent to ${receiver}.`,
    labelNames: ['sink'],
  });
  const duration = metrics.histogram({
    namespace,
    name: 'flush_duration_seconds',
    help: `Duration of pushes to ${receiver}.`,
    labelNames: ['sink'],
  });
  return {
    bytes: bytes.with({ sink }),
    duration: duration.with({ sink }),
    flushes: (result) => flushes.with({ sink, result }).inc(),
    dropped: (reason, samples) => {
      if (samples > 0) dropped.with({ sink, reason }).inc(samples);
    },
  };
}

/** Creates the counter of the connections of a push sink. */
export function createReconnects(
  metrics: MetricFactory,
  { namespace, receiver, sink }: PushMetricsOptions,
): Counter {
  return metrics
    .counter({
      namespace,
      name: 'reconnects_total',
      help: `Connections to ${receiver} after the first attempt.`,
      labelNames: ['sink'],
    })
    .with({ sink });
}
