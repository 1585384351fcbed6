import type { HealthChecker } from './health-checker.js';
import type { MetricFactory } from './instruments.js';
import type { API_VERSION } from './lifecycle.js';
import type { Logger } from './logger.js';
import type { LoggingBackend } from './logging-backend.js';
import type { MetricReader } from './metric-reader.js';
import type { MetricSink } from './metric-sink.js';
import type { OptionSchema, OptionValues } from './options.js';

/** What the plugin of each kind is. A further kind (a metric source, say) is a further line here; the compiler says what else it needs. */
export interface PluginsByKind {
  health: HealthChecker;
  metrics: MetricSink;
  logging: LoggingBackend;
}

/** The kinds of plugins. */
export type PluginKind = keyof PluginsByKind;

/** What a plugin of each kind is given besides the things every plugin gets. */
export interface ContextsByKind {
  health: unknown;
  metrics: { readonly reader: MetricReader };
  logging: unknown;
}

/** What a plugin is given when it is created. */
export type PluginContext<Kind extends PluginKind, Schema extends OptionSchema = OptionSchema> = {
  /** The name of this instance: the component name of a checker. */
  readonly name: string;
  readonly options: OptionValues<Schema>;
  /** Writes under `plugins.<name>`. A logging backend gets one that drops everything. */
  readonly log: Logger;
  readonly metrics: MetricFactory;
} & ContextsByKind[Kind];

/** What a plugin module exports by default. Make it with the `define…` function of its kind. */
export interface PluginDefinition<
  Kind extends PluginKind = PluginKind,
  Schema extends OptionSchema = OptionSchema,
> {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: Kind;
  /** The name used when the declaration gives none: letters, digits, `_` and `-`, in parts joined by `.` or `/`. */
  readonly name: string;
  readonly options: Schema;
  /** Makes one instance. Keeps no state outside the returned object: two instances of one plugin may run. */
  create(context: PluginContext<Kind, Schema>): PluginsByKind[Kind];
}
