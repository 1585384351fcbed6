// The StatsD sink with a store, without an agent around it.

import type { ExecutionContext } from 'ava';
import { parseHostPort } from '../../config/host-port.js';
import {
  LeveledLoggers,
  type LogEntry,
  type MetricBatch,
  type OptionValues,
  type PushSink,
  type Sample,
} from '../../core/contract/index.js';
import { createMetricReader, MetricStore, PushRunner } from '../../core/metrics/index.js';
import statsd from '../../plugins/metrics/statsd/index.js';
import { valuesOf } from './snapshot.js';

/** Every option of the sink, in the form the plugin gets it. */
export type StatsdOptions = OptionValues<typeof statsd.options>;

/** The sink and what surrounds it. */
export interface SinkUnderTest {
  readonly sink: PushSink;
  readonly store: MetricStore;
  /** What was logged, as `level message`. */
  readonly log: readonly string[];
  /** Starts the sink and its flushes, both stopped at the end of the test. */
  readonly start: () => Promise<void>;
  /** Flushes a last time and stops. */
  readonly stop: () => Promise<void>;
  /** The value of a counter with a label value, 0 without it. */
  readonly counted: (family: string, label?: string) => Promise<number>;
}

/** Options as a test gives them: the address as `host:port`. */
export type GivenOptions = Partial<Omit<StatsdOptions, 'address'> & { readonly address: string }>;

/** Values of all options. */
export function statsdOptions({ address = '127.0.0.1:8125', ...options }: GivenOptions): StatsdOptions {
  return {
    network: 'udp',
    address: parseHostPort(address),
    writeInterval: 20,
    prefix: '',
    maxDatagram: 1432,
    timingUnit: 'milliseconds',
    tags: 'none',
    maxQueuedBytes: 8_388_608,
    maxTimings: 100_000,
    ...options,
  };
}

/** Creates the sink as the host would. */
export function createSink(t: ExecutionContext, options: GivenOptions): SinkUnderTest {
  const store = new MetricStore(200_000);
  const log: string[] = [];
  const write = ({ level, message }: LogEntry): void => void log.push(`${level} ${message}`);
  const logger = new LeveledLoggers({ write }).logger('plugins.statsd');
  const reader = createMetricReader(store);
  const context = { name: 'statsd', options: statsdOptions(options), log: logger, metrics: store, reader };
  const sink = statsd.create(context) as PushSink;
  const runner = new PushRunner(sink.push, store, logger, () => undefined);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= runner.stop().then(() => sink.stop?.()));
  return {
    sink,
    store,
    log,
    stop,
    start: async () => {
      t.teardown(stop);
      await sink.init?.();
      await sink.start?.(new AbortController().signal);
      runner.start();
    },
    counted: async (family, label) => {
      const found = (await valuesOf(store, family)).find(
        ({ labels, metricName }) =>
          metricName === undefined && (label === undefined || Object.values(labels).includes(label)),
      );
      return found?.value ?? 0;
    },
  };
}

/** A sample of a batch. */
export function sample(
  name: string,
  value: number,
  labels: Readonly<Record<string, string>> = {},
  [namespace = '', subsystem = '']: readonly string[] = [],
): Sample {
  return { namespace, subsystem, name, labels, value };
}

/** A batch. */
export function batchOf(parts: Partial<MetricBatch>): MetricBatch {
  return { counters: [], gauges: [], timings: [], droppedTimings: 0, ...parts };
}
