import type { Counter, Histogram, MetricFactory } from '../../../core/contract/index.js';

/** What a sink counts of itself. */
export interface SinkMetrics {
  readonly bytes: Counter;
  readonly reconnects: Counter;
  readonly duration: Histogram;
  readonly flushes: (result: 'succeeded' | 'failed') => void;
  /** @param reason queue: it was full; timings: there were too many; value: no line can carry it; length: longer than a datagram */
  readonly dropped: (reason: 'queue' | 'timings' | 'value' | 'length', samples: number) => void;
}

/** The metrics of the sink of a name. */
export function createSinkMetrics(metrics: MetricFactory, sink: string): SinkMetrics {
  const family = { namespace: 'statsd' };
  const flushes = metrics.counter({
    ...family,
    name: 'flushes_total',
    help: 'Pushes to the StatsD daemon.',
    labelNames: ['sink', 'result'],
  });
  const dropped = metrics.counter({
    ...family,
    name: 'dropped_total',
    help: 'Samples that were not sent, by reason.',
    labelNames: ['sink', 'reason'],
  });
  return {
    bytes: metrics
      .counter({
        ...family,
        name: 'sent_bytes_total',
        help: 'Bytes handed to the system for the StatsD daemon.',
        labelNames: ['sink'],
      })
      .with({ sink }),
    reconnects: metrics
      .counter({
        ...family,
        name: 'reconnects_total',
        help: 'Connections made to the StatsD daemon after the first attempt.',
        labelNames: ['sink'],
      })
      .with({ sink }),
    duration: metrics
      .histogram({
        ...family,
        name: 'flush_duration_seconds',
        help: 'How long pushes to the StatsD daemon took.',
        labelNames: ['sink'],
      })
      .with({ sink }),
    flushes: (result) => flushes.with({ sink, result }).inc(),
    dropped: (reason, samples) => {
      if (samples > 0) dropped.with({ sink, reason }).inc(samples);
    },
  };
}
