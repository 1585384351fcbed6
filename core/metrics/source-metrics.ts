// The metrics of the relay itself.

import type { MetricFactory } from '../contract/index.js';
import type { SourceFailure } from '../contract/errors.js';

/** Records the readings of one source. */
export interface SourceMetrics {
  /**
   * @param duration seconds
   * @param time seconds since the epoch
   */
  recordSuccess(duration: number, samples: number, time: number): void;
  /** @param duration seconds */
  recordFailure(duration: number, reason: SourceFailure): void;
  /** Counts a part of a reading that is not relayed. */
  countSkipped(): void;
  /** Records that a caller stopped waiting for a reading. */
  recordLate(): void;
  /** Records that the process behind the source has restarted. */
  recordRestart(): void;
}

/** Creates the metrics of a source; the sources share their families. */
export function createSourceMetrics(metrics: MetricFactory, node: string): SourceMetrics {
  const namespace = 'source';
  const up = metrics.gauge({
    namespace,
    name: 'up',
    help: 'Whether the source was read in time (1) or not (0).',
    labelNames: ['node'],
  });
  const duration = metrics.gauge({
    namespace,
    name: 'scrape_duration_seconds',
    help: 'Duration of the last reading of the source.',
    labelNames: ['node'],
  });
  const samples = metrics.gauge({
    namespace,
    name: 'scrape_samples',
    help: 'Values in the last reading of the source, 0 when it failed.',
    labelNames: ['node'],
  });
  const failures = metrics.counter({
    namespace,
    name: 'failures_total',
    help: 'Failed readings of the source, by reason.',
    labelNames: ['node', 'reason'],
  });
  const lastSuccess = metrics.gauge({
    namespace,
    name: 'last_success_timestamp_seconds',
    help: 'When the last successful reading of the source ended, as a Unix timestamp.',
    labelNames: ['node'],
  });
  const skipped = metrics.counter({
    namespace,
    name: 'skipped_families_total',
    help: 'Families of the source that are not relayed because they are not valid or conflict with others, each counted once.',
    labelNames: ['node'],
  });
  const restarts = metrics
    .counter({
      namespace: 'node',
      name: 'restarts_total',
      help: 'Restarts of the process that the source reads, since the agent started.',
      labelNames: ['node'],
    })
    .with({ node });
  return {
    countSkipped: () => skipped.with({ node }).inc(),
    recordSuccess(seconds, count, time) {
      up.with({ node }).set(1);
      duration.with({ node }).set(seconds);
      samples.with({ node }).set(count);
      lastSuccess.with({ node }).set(time);
    },
    recordFailure(seconds, reason) {
      up.with({ node }).set(0);
      duration.with({ node }).set(seconds);
      samples.with({ node }).set(0);
      failures.with({ node, reason }).inc();
    },
    recordLate: () => up.with({ node }).set(0),
    recordRestart: () => restarts.inc(),
  };
}
