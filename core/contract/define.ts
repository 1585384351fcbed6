import type { HealthChecker } from './health-checker.js';
import { API_VERSION } from './lifecycle.js';
import type { LoggingBackend } from './logging-backend.js';
import type { MetricSink } from './metric-sink.js';
import type { MetricSource } from './metric-source.js';
import type { Notifier } from './notifier.js';
import type { OptionSchema } from './options.js';
import type { PluginContext, PluginDefinition } from './plugin.js';

/** The argument of a stateless check. */
export type CheckContext<Schema extends OptionSchema> = PluginContext<'health', Schema> & {
  readonly signal: AbortSignal;
};

/** A checker that keeps no state between checks. */
export interface SimpleHealthChecker<Schema extends OptionSchema> {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  check(context: CheckContext<Schema>): void | Promise<void>;
}

/** A checker that keeps state, such as a client, between checks. */
export interface StatefulHealthChecker<Schema extends OptionSchema> {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  create(context: PluginContext<'health', Schema>): HealthChecker;
}

/**
 * Defines a health checker.
 *
 * @example
 * export default defineHealthChecker({
 *   name: 'disk',
 *   options: { path: { format: String, default: '/', doc: 'mount point' } },
 *   async check({ options, signal }) { // throw new Error('reason') when unhealthy
 *   },
 * });
 */
export function defineHealthChecker<const Schema extends OptionSchema = Record<never, never>>(
  checker: SimpleHealthChecker<Schema> | StatefulHealthChecker<Schema>,
): PluginDefinition<'health', Schema> {
  return {
    apiVersion: `^${API_VERSION}`,
    kind: 'health',
    name: checker.name,
    options: checker.options ?? ({} as Schema),
    create:
      'create' in checker
        ? (context) => checker.create(context)
        : (context) => ({ check: (signal) => checker.check({ ...context, signal }) }),
  };
}

/** Defines a metric source. */
export function defineMetricSource<const Schema extends OptionSchema = Record<never, never>>(source: {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  create(context: PluginContext<'source', Schema>): MetricSource;
}): PluginDefinition<'source', Schema> {
  return {
    apiVersion: `^${API_VERSION}`,
    kind: 'source',
    name: source.name,
    options: source.options ?? ({} as Schema),
    create: (context) => source.create(context),
  };
}

/** Defines a metric sink. */
export function defineMetricSink<const Schema extends OptionSchema = Record<never, never>>(sink: {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  create(context: PluginContext<'metrics', Schema>): MetricSink;
}): PluginDefinition<'metrics', Schema> {
  return {
    apiVersion: `^${API_VERSION}`,
    kind: 'metrics',
    name: sink.name,
    options: sink.options ?? ({} as Schema),
    create: (context) => sink.create(context),
  };
}

/** Defines a notifier. */
export function defineNotifier<const Schema extends OptionSchema = Record<never, never>>(notifier: {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  create(context: PluginContext<'notifier', Schema>): Notifier;
}): PluginDefinition<'notifier', Schema> {
  return {
    apiVersion: `^${API_VERSION}`,
    kind: 'notifier',
    name: notifier.name,
    options: notifier.options ?? ({} as Schema),
    create: (context) => notifier.create(context),
  };
}

/** Defines a logging backend. An agent has exactly one. */
export function defineLoggingBackend<const Schema extends OptionSchema = Record<never, never>>(backend: {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  create(context: PluginContext<'logging', Schema>): LoggingBackend;
}): PluginDefinition<'logging', Schema> {
  return {
    apiVersion: `^${API_VERSION}`,
    kind: 'logging',
    name: backend.name,
    options: backend.options ?? ({} as Schema),
    create: (context) => backend.create(context),
  };
}
