// The metrics of one notifier.

import type { MetricFactory } from '../contract/index.js';

/** The outcome of a call of a notifier; `refused`: at least one event was refused. */
export type Outcome = 'succeeded' | 'failed' | 'refused';

/** The metrics of one notifier. */
export interface NotifierMetrics {
  countCall(outcome: Outcome): void;
  countDropped(events?: number): void;
  setQueued(events: number): void;
}

/** Creates the metrics of one notifier. */
export function createNotifierMetrics(metrics: MetricFactory, notifier: string): NotifierMetrics {
  const calls = metrics.counter({
    namespace: 'notifier',
    name: 'notifications_total',
    help: 'Notifications by outcome; the events of a failed one are sent again, events that the receiver refused are dropped.',
    labelNames: ['notifier', 'outcome'],
  });
  const dropped = metrics
    .counter({
      namespace: 'notifier',
      name: 'events_dropped_total',
      help: 'Events that were not delivered: too many waited, or the receiver refused them.',
      labelNames: ['notifier'],
    })
    .with({ notifier });
  const queued = metrics
    .gauge({
      namespace: 'notifier',
      name: 'queued_events',
      help: 'Events that wait to be delivered.',
      labelNames: ['notifier'],
    })
    .with({ notifier });
  return {
    countCall: (outcome) => calls.with({ notifier, outcome }).inc(),
    countDropped: (events = 1) => dropped.inc(events),
    setQueued: (events) => queued.set(events),
  };
}
