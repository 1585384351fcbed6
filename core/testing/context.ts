// The context of a plugin under test.

import { LeveledLoggers } from '../contract/index.js';
import { limitedEvent } from '../contract/checker-events.js';
import { checkFact } from '../contract/internal/facts.js';
import type { CheckerEvent, LogEntry } from '../contract/index.js';
import type { FactKind, FactValues, NodeKnowledge } from '../contract/internal/index.js';
import type { FamilySnapshot, MetricReader } from '../contract/metric-sink.js';
import { NO_OP_METRICS } from '../contract/instruments.js';
import type { OptionSchema, OptionValues } from '../contract/plugin.js';
import type { PluginContext, PluginDefinition, PluginKind } from '../contract/plugin.js';

/** A context for a plugin under test, with its log entries and events. */
export interface TestContext<Kind extends PluginKind, Schema extends OptionSchema> {
  readonly context: PluginContext<Kind, Schema>;
  /** All log entries of the plugin, at every level. */
  readonly logged: readonly LogEntry[];
  /** The unchanged events of a checker. */
  readonly emitted: readonly CheckerEvent[];
}

/** The same for a built-in checker. */
export interface NodeTestContext<Schema extends OptionSchema> extends TestContext<'checker', Schema> {
  readonly context: PluginContext<'checker', Schema> & NodeKnowledge;
  /** The last fact of each kind that the checker published; undefined: it has ended. */
  readonly published: ReadonlyMap<FactKind, unknown>;
}

/** The family in the reader of a test context. */
const UP: FamilySnapshot = {
  name: 'up',
  help: 'Always 1.',
  type: 'gauge',
  parts: { namespace: '', subsystem: '', name: 'up' },
  values: () => [{ labels: {}, value: 1 }],
};

/**
 * Creates a context for a plugin under test, with the node `peer0`: a logger that records, instruments that ignore every call, and for sinks a reader
 * with one family, a gauge `up` with the value 1. For checkers, events are recorded; invalid ones throw as in the agent.
 *
 * @param options every option, in the form that the plugin gets
 */
export function createTestContext<Kind extends PluginKind, Schema extends OptionSchema>(
  definition: PluginDefinition<Kind, Schema>,
  options: OptionValues<Schema>,
): TestContext<Kind, Schema> {
  return createNodeTestContext(definition as never, options) as unknown as TestContext<Kind, Schema>;
}

/** The same for a built-in checker, with its facts. */
export function createNodeTestContext<Schema extends OptionSchema>(
  definition: PluginDefinition<'checker', Schema>,
  options: OptionValues<Schema>,
): NodeTestContext<Schema> {
  const logged: LogEntry[] = [];
  const emitted: CheckerEvent[] = [];
  const published = new Map<FactKind, unknown>();
  const loggers = new LeveledLoggers({ write: (entry) => void logged.push(entry) });
  loggers.activate('payload');
  const reader: MetricReader = {
    async *families() {
      yield UP;
    },
  };
  const parts = {
    name: definition.name,
    options,
    log: loggers.logger('plugins.test'),
    metrics: NO_OP_METRICS,
    reader,
    node: 'peer0',
    readings: { read: async () => [], logLines: async () => [] },
    facts: {
      publish<Each extends FactKind>(kind: Each, value: FactValues[Each] | undefined) {
        if (value !== undefined) checkFact(kind, value);
        published.set(kind, value);
      },
      latest: () => [],
    },
    ledgers: { readerOf: () => ({ read: async () => [], repeat: () => undefined }) },
    clock: { record: () => undefined },
    events: {
      notice(event: CheckerEvent) {
        limitedEvent(event);
        emitted.push(event);
      },
    },
  };
  return { context: parts, logged, emitted, published };
}
