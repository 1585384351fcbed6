// What the author of a plugin imports: `fabric-ops-agent/plugin`.

export { definitionProblem, isPluginName, NAME_RULE } from './definition.js';
export { AgentError, ERROR_CODES, MAX_REASON_LENGTH, reasonOf, type ErrorCode } from './errors.js';
export {
  defineHealthChecker,
  type CheckContext,
  type HealthChecker,
  type SimpleHealthChecker,
  type StatefulHealthChecker,
} from './health-checker.js';
export type {
  Counter,
  Family,
  FamilyOptions,
  Gauge,
  Histogram,
  HistogramOptions,
  Labels,
  MetricFactory,
} from './instruments.js';
export { LeveledLoggers, neverThrows, type LeveledLoggersOptions } from './leveled-loggers.js';
export { LEVEL_NAMES, LEVELS, parseLevel, type LevelName } from './log-levels.js';
export { checkLoggerName, LogSpec, parseLogSpec } from './log-spec.js';
export type { LogEntry, LogFields, Logger, LogMethod } from './logger.js';
export { defineLoggingBackend, type LoggingBackend } from './logging-backend.js';
export {
  defineMetricSink,
  type Exposition,
  type ExpositionFormat,
  type MetricBatch,
  type MetricReader,
  type MetricSink,
  type PullSink,
  type PushSink,
  type Sample,
  type SinkReply,
  type SinkRequest,
  type Timing,
} from './metric-sink.js';
export type { HostPort, OptionFormat, OptionSchema, OptionSpec, OptionValues } from './options.js';
export { within } from './within.js';
export { createYielder } from './yielder.js';
export { API_VERSION, type Lifecycle } from './lifecycle.js';
export type { ContextsByKind, PluginContext, PluginDefinition, PluginKind, PluginsByKind } from './plugin.js';
