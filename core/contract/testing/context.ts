import type { Counter, Gauge, Histogram, MetricFactory } from '../instruments.js';
import { LeveledLoggers } from '../leveled-loggers.js';
import type { LogEntry } from '../logger.js';
import type { OptionSchema, OptionValues } from '../options.js';
import type { ContextsByKind, PluginContext, PluginDefinition, PluginKind } from '../plugin.js';

/** A context for a plugin under test, and what the plugin did with it. */
export interface TestContext<Kind extends PluginKind, Schema extends OptionSchema> {
  readonly context: PluginContext<Kind, Schema>;
  /** Everything the plugin logged, at every level. */
  readonly logged: readonly LogEntry[];
}

/** The text that the reader of a test context renders. */
export const TEST_EXPOSITION = '# TYPE up gauge\nup 1\n';

/**
 * Makes what the host gives a plugin when it creates it: a logger that records, instruments that keep nothing, and for sinks a
 * reader that renders {@link TEST_EXPOSITION}.
 *
 * @param options every option, in the form the plugin gets it
 */
export function createTestContext<Kind extends PluginKind, Schema extends OptionSchema>(
  definition: PluginDefinition<Kind, Schema>,
  options: OptionValues<Schema>,
): TestContext<Kind, Schema> {
  const logged: LogEntry[] = [];
  const loggers = new LeveledLoggers({ write: (entry) => void logged.push(entry) });
  loggers.activate('payload');
  const reader: ContextsByKind['metrics']['reader'] = {
    render: async (format) => ({ contentType: `text/${format}`, body: TEST_EXPOSITION }),
  };
  const parts = {
    name: definition.name,
    options,
    log: loggers.logger('plugins.test'),
    metrics: NO_METRICS,
    reader,
  };
  return { context: parts, logged };
}

const nothing = (): void => undefined;
const instrument: Counter & Gauge & Histogram = {
  inc: nothing,
  set: nothing,
  add: nothing,
  observe: nothing,
};
const family = { ...instrument, with: () => instrument };
const NO_METRICS: MetricFactory = { counter: () => family, gauge: () => family, histogram: () => family };
