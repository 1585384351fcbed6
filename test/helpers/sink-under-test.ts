// A push sink with a metric store, without an agent.

import type { ExecutionContext } from 'ava';
import {
  LeveledLoggers,
  type LogEntry,
  type OptionSchema,
  type OptionValues,
  type PluginDefinition,
  type PushSink,
} from '../../core/contract/index.js';
import { MetricStore } from '../../core/metrics/index.js';
import { valuesOf } from './snapshot.js';

/** A sink and what it did. */
export interface PushSinkUnderTest {
  readonly sink: PushSink;
  readonly store: MetricStore;
  /** The log lines, as `level message`. */
  readonly log: readonly string[];
  /** The value of the counter series with this label value; 0 when there is none. */
  readonly counted: (family: string, label?: string) => Promise<number>;
}

/** Creates and starts a sink as the host does; the end of the test stops it. */
export async function startPushSink<Schema extends OptionSchema>(
  t: ExecutionContext,
  definition: PluginDefinition<'sink', Schema>,
  options: NoInfer<OptionValues<Schema>>,
): Promise<PushSinkUnderTest> {
  const store = new MetricStore(10_000);
  const log: string[] = [];
  const write = ({ level, message }: LogEntry): void => void log.push(`${level} ${message}`);
  const logger = new LeveledLoggers({ write }).logger(`plugins.${definition.name}`);
  const context = { name: definition.name, options, log: logger, metrics: store, reader: store };
  const sink = definition.create(context) as PushSink;
  t.teardown(() => sink.stop?.());
  await sink.init?.();
  await sink.start?.(new AbortController().signal);
  return {
    sink,
    store,
    log,
    counted: async (family, label) => {
      const found = (await valuesOf(store, family)).find(
        ({ labels }) => label === undefined || Object.values(labels).includes(label),
      );
      return found?.value ?? 0;
    },
  };
}
