// The public API for plugins: `fabric-ops-agent/plugin`. The host imports its own helpers from their files.

export {
  defineHealthChecker,
  defineLoggingBackend,
  defineMetricSink,
  defineMetricSource,
  defineNotifier,
  type CheckContext,
  type SimpleHealthChecker,
  type PluginParts,
  type StatefulHealthChecker,
  type StatefulPlugin,
} from './plugin.js';
export { AgentError, errorCodeOf, ERROR_CODES, reasonOf, type ErrorCode } from './errors.js';
export {
  CheckWarning,
  FailedChecks,
  type FailedPart,
  type FailureDetails,
  type Severity,
  type SharedCause,
} from './errors.js';
export type { Step } from './step.js';
export type { HealthChecker } from './lifecycle.js';
export type {
  CertificateDocument,
  ChangeDocument,
  ChannelDocument,
  ConfigDocument,
  ConsenterDocument,
  FindingDocument,
  OrganisationDocument,
} from './channel-document.js';
export type { ConfigBlock, LedgerChannel, LedgerReader, Ledgers } from './ledgers.js';
export type { CheckerEvent, CheckerEvents } from './checker-events.js';
export type {
  Counter,
  Family,
  FamilyOptions,
  Gauge,
  GaugeFamily,
  Histogram,
  HistogramOptions,
  Labels,
  MetricFactory,
} from './instruments.js';
export { LeveledLoggers, type LeveledLoggersOptions } from './logging.js';
export {
  checkLoggerName,
  LEVEL_NAMES,
  LEVELS,
  LogSpec,
  parseLevel,
  parseLogSpec,
  type LevelName,
} from './log-spec.js';
export type { LogEntry, LogFields, Logger, LogMethod } from './logging.js';
export type { LoggingBackend } from './logging.js';
export type {
  ChannelConsenters,
  ChannelList,
  ChannelResponses,
  Fact,
  FactKind,
  Facts,
  FactValues,
  FoundCertificate,
  FoundEngine,
  Maintenance,
  NodeCertificate,
  OrdererResponse,
} from './facts.js';
export type {
  MetricSource,
  NodeEndpoint,
  NodeRequest,
  NodeResponse,
  SourceFamily,
  SourceHistogram,
  SourceReading,
  SkippedPart,
  SourceReadings,
  SourceSeries,
  SourceState,
  SourceSummary,
} from './metric-source.js';
export { SourceError, type SourceFailure } from './errors.js';
export type { FamilyParts, FamilySnapshot, MetricReader, Scrape, SeriesValue } from './metric-sink.js';
export type {
  HistogramGrowth,
  MetricBatch,
  MetricSink,
  PullSink,
  PushSink,
  Sample,
  SampleFamily,
  SampleSource,
  SinkReply,
  SinkRequest,
  Timing,
} from './metric-sink.js';
export type { AgentEvent, DeliveryReport, Notification, Notifier, NotifierSchedule } from './notifier.js';
export type { HostClock, TimeEvidence } from './host-clock.js';
export type { HostPort } from '../common/text/host-port.js';
export type { OptionFormat, OptionSchema, OptionSpec, OptionValues } from './plugin.js';
export { within } from './within.js';
export { createYielder } from '../common/flow/yielder.js';
export type { ConfiguredAgent, ConfiguredNode, NodeOptions, NodePlugin, WithOrigin } from './for-node.js';
export { API_VERSION, type Lifecycle } from './lifecycle.js';
export type { PluginContext, PluginDefinition, PluginKind } from './plugin.js';
