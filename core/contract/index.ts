// The public API for plugins: `fabric-ops-agent/plugin`. The agent imports other names from their files; what else built-in plugins
// import is in internal/.

// Definitions
export {
  defineHealthChecker,
  defineLoggingBackend,
  defineMetricSink,
  defineMetricSource,
  defineNotifier,
  type OptionSchema,
  type OptionValues,
  type PluginContext,
  type PluginDefinition,
} from './plugin.js';
export type { HostPort } from '../common/text/host-port.js';
export type { ConfiguredAgent, ConfiguredNode } from './for-node.js';

// Plugins by kind
export type { HealthChecker } from './lifecycle.js';
export type { LoggingBackend } from './logging.js';
export type { PullSink, PushSink } from './metric-sink.js';
export type { MetricSource } from './metric-source.js';
export type { Notifier } from './notifier.js';

// Failures
export {
  AgentError,
  CheckWarning,
  errorCodeOf,
  FailedChecks,
  reasonOf,
  SourceError,
  type FailedPart,
} from './errors.js';
export type { Step } from './step.js';

// Checkers and notifiers
export type { CheckerEvent } from './checker-events.js';
export type { AgentEvent, DeliveryReport, Notification } from './notifier.js';

// Metrics
export type { Counter, Gauge, Histogram, Labels, MetricFactory } from './instruments.js';
export type { FamilySnapshot, HistogramGrowth, MetricBatch, MetricReader, Sample } from './metric-sink.js';
export type { SourceFamily, SourceReading, SourceReadings, SourceState } from './metric-source.js';

// Logs
export { LEVELS, parseLogSpec, type LevelName } from './log-spec.js';
export { LeveledLoggers, type LogEntry, type Logger } from './logging.js';

// Time
export { within } from './within.js';
export { createYielder } from '../common/flow/yielder.js';
