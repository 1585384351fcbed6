// The StatsD sink with a metric store, without an agent.

import type { ExecutionContext } from 'ava';
import { parseHostPort } from '../../core/common/text/host-port.js';
import {
  LeveledLoggers,
  type LogEntry,
  type MetricBatch,
  type OptionValues,
  type PushSink,
  type Sample,
} from '../../core/contract/index.js';
import { MetricStore, PushRunner } from '../../core/metrics/index.js';
import statsd from '../../plugins/metrics/statsd/index.js';
import { valuesOf } from './snapshot.js';

/** The options of the sink, in the form the plugin gets them. */
export type StatsdOptions = OptionValues<typeof statsd.options>;

/** A sink under test and its store. */
export interface SinkUnderTest {
  readonly sink: PushSink;
  readonly store: MetricStore;
  /** The log lines, as `level message`. */
  readonly log: readonly string[];
  /** Starts the sink and its flushes; the end of the test stops both. */
  readonly start: () => Promise<void>;
  /** Flushes a last time and stops. */
  readonly stop: () => Promise<void>;
  /** The value of the counter series with this label value; 0 when there is none. */
  readonly counted: (family: string, label?: string) => Promise<number>;
}

/** Options with the address as `host:port`. */
export type GivenOptions = Partial<Omit<StatsdOptions, 'address'> & { readonly address: string }>;

/** Returns all options, with defaults for tests. */
export function statsdOptions({ address = '127.0.0.1:8125', ...options }: GivenOptions): StatsdOptions {
  return {
    network: 'udp',
    address: parseHostPort(address),
    writeInterval: 20,
    prefix: '',
    maxDatagram: 1432,
    timingUnit: 'milliseconds',
    tags: 'none',
    nodePrefix: 'escaped',
    maxQueuedBytes: 8_388_608,
    unacknowledged: 'drop',
    maxTimings: 100_000,
    histograms: 'timings',
    ...options,
  };
}

/** Creates the sink as the host does. */
export function createSink(t: ExecutionContext, options: GivenOptions): SinkUnderTest {
  const store = new MetricStore(200_000);
  const log: string[] = [];
  const write = ({ level, message }: LogEntry): void => void log.push(`${level} ${message}`);
  const logger = new LeveledLoggers({ write }).logger('plugins.statsd');
  const context = {
    name: 'statsd',
    options: statsdOptions(options),
    log: logger,
    metrics: store,
    reader: store,
  };
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

/** Creates a sample. */
export function sample(
  name: string,
  value: number,
  labels: Readonly<Record<string, string>> = {},
  [namespace = '', subsystem = '']: readonly string[] = [],
): Sample {
  return { namespace, subsystem, name, labels, value };
}

/** Creates a batch. */
export function batchOf(parts: Partial<MetricBatch>): MetricBatch {
  return { counters: [], histograms: [], gauges: [], timings: [], droppedTimings: 0, checks: [], ...parts };
}
