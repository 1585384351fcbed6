import type { HealthChecker } from './health-checker.js';
import type { MetricFactory } from './instruments.js';
import type { Logger } from './logger.js';
import type { LoggingBackend } from './logging-backend.js';
import type { MetricReader } from './metric-reader.js';
import type { MetricSink } from './metric-sink.js';
import type { MetricSource, SourceReadings } from './metric-source.js';
import type { Notifier } from './notifier.js';
import type { OptionSchema, OptionValues } from './options.js';

/** What `create` returns for each kind of plugin. */
export interface PluginsByKind {
  source: MetricSource;
  health: HealthChecker;
  metrics: MetricSink;
  notifier: Notifier;
  logging: LoggingBackend;
}

/** The kinds of plugins. */
export type PluginKind = keyof PluginsByKind;

/** What the context of each kind has in addition to the members common to all kinds. */
export interface ContextsByKind {
  source: unknown;
  /** `readings`: the latest readings of the metric sources. */
  health: { readonly readings: SourceReadings };
  metrics: { readonly reader: MetricReader };
  notifier: unknown;
  logging: unknown;
}

/** The argument of `create`. */
export type PluginContext<Kind extends PluginKind, Schema extends OptionSchema = OptionSchema> = {
  /** The name of this instance. For a checker it is also the name of the component. */
  readonly name: string;
  readonly options: OptionValues<Schema>;
  /** Logs as `plugins.<name>`. The logger given to a logging backend discards everything. */
  readonly log: Logger;
  readonly metrics: MetricFactory;
} & ContextsByKind[Kind];

/** The default export of a plugin module, made with the `define…` function of its kind. */
export interface PluginDefinition<
  Kind extends PluginKind = PluginKind,
  Schema extends OptionSchema = OptionSchema,
> {
  /** The versions of the plugin API that it works with: `^1.2` for 1.2 and each later 1.x, or `1` for each 1.x. */
  readonly apiVersion: string | number;
  readonly kind: Kind;
  /** The name of the instance when the declaration sets none: letters, digits, `_` and `-`, in parts joined by `.` or `/`. */
  readonly name: string;
  readonly options: Schema;
  /** Creates one instance. All state belongs to the returned object, because a plugin can have several instances. */
  create(context: PluginContext<Kind, Schema>): PluginsByKind[Kind];
}
