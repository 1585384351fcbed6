// The metrics about the sink itself.

import type { Counter, MetricFactory } from '../../../core/contract/index.js';
import { createPushMetrics, createReconnects, type PushMetrics } from '../../../core/kit/metrics.js';

/**
 * Why samples were dropped: more than `maxTimings` observations, more than `maxQueuedBytes` queued, written before the connection was lost,
 * a value that StatsD cannot represent, or a line longer than a datagram.
 */
type DropReason = 'timings' | 'queue' | 'unacknowledged' | 'value' | 'length';

/** The metrics about the sink itself. */
export interface SinkMetrics extends PushMetrics<DropReason> {
  readonly reconnects: Counter;
}

/**
 * Creates the metrics of a sink.
 *
 * @param sink the name of the instance
 */
export function createSinkMetrics(metrics: MetricFactory, sink: string): SinkMetrics {
  const options = { namespace: 'statsd', receiver: 'the StatsD daemon', sink };
  return {
    ...createPushMetrics<DropReason>(metrics, options),
    reconnects: createReconnects(metrics, options),
  };
}
