// Push sinks: checks of their options, and metrics about the sink itself.

import { formatHostPort } from '../common/text/host-port.js';
import type { Counter, Histogram, HostPort, MetricFactory } from '../contract/index.js';

/** Shortest time between two pushes, in milliseconds. */
const MIN_INTERVAL = 10;

/**
 * Checks an interval between pushes.
 *
 * @param interval in milliseconds
 * @param name of the option for the message, such as `options.interval`
 * @throws Error naming the option
 */
export function checkInterval(interval: number, name: string): void {
  if (interval < MIN_INTERVAL) throw new Error(`${name}: must be at least 10ms: value was ${interval}ms`);
}

/**
 * Checks the address of a daemon.
 *
 * @param name of the option for the message, such as `options.address`
 * @throws Error naming the option
 */
export function checkDaemonAddress(address: HostPort, name: string): void {
  if (address.port === 0)
    throw new Error(`${name}: the port must not be 0: value was "${formatHostPort(address)}"`);
}

/** @throws Error with the allowed values */
export function checkPrefix(value: unknown): void {
  if (typeof value !== 'string' || /[|:\s\p{Cc}]/u.test(value))
    throw new Error('must be a string without whitespace, control characters, colons or vertical bars');
}

/**
 * Characters that receivers do not keep. StatsD 0.9.0 replaces `/` and removes all but letters, digits and `_-.;=` (`stats.js`,
 * `sanitizeKeyName`). Tags begin at `;` in Graphite, at `,` in InfluxDB's, at `#` in Librato's and at `[` in SignalFx's form of StatsD.
 * Graphite reads `*?{}[]` in queries as patterns.
 */
const NOT_KEPT = /[^A-Za-z0-9_.-]/gu;

/** Returns a warning for a prefix that receivers change or read as tags; otherwise undefined. */
export function warnOfPrefix(value: unknown): string | undefined {
  const found = [...new Set(String(value).match(NOT_KEPT))].join('');
  return found === ''
    ? undefined
    : `receivers remove or replace ${found}, or read it as the start of tags; use letters, digits, '_', '-' and '.'`;
}

/** @throws Error with the allowed values */
export function checkSize(value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw new Error('must be a whole number of 1 or more');
}

/** The metrics about a push sink itself. */
export interface PushMetrics<DropReason extends string> {
  readonly bytes: Counter;
  readonly duration: Histogram;
  /** `queued`: accepted, but not sent yet. */
  readonly flushes: (result: 'succeeded' | 'queued' | 'failed') => void;
  readonly dropped: (reason: DropReason, samples: number) => void;
}

/** The names in the metrics of a push sink. */
interface PushMetricsOptions {
  readonly namespace: string;
  /** The receiver, for the help texts. */
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
