// The definition of a plugin: its options, its context, and a define function for each kind.

import { suggestion } from '../common/text/nearest.js';
import { showValue } from '../common/text/value.js';
import type { CheckerEvents } from './checker-events.js';
import type { ConfiguredPlugin } from './for-node.js';
import type { HostPort } from '../common/text/host-port.js';
import type { MetricFactory } from './instruments.js';
import { API_VERSION, type HealthChecker } from './lifecycle.js';
import type { Logger, LoggingBackend } from './logging.js';
import type { MetricReader, MetricSink } from './metric-sink.js';
import type { MetricSource, SourceReadings } from './metric-source.js';
import type { Notifier } from './notifier.js';

/**
 * The format of an option:
 *
 * - `String`: a string
 * - `Number`: a number, also as a string
 * - `Boolean`: true or false, also as a string such as `yes` or `off`
 * - a list of strings: one of them
 * - `'duration'`: a string such as `10s`, `1m30s` or `500ms`; becomes milliseconds
 * - `'host-port'`: a string `host:port`, where the host may be empty or an IPv6 address in brackets; becomes a {@link HostPort}
 * - `'path'`: a path, resolved against the directory of the file; the empty string means none
 * - `'path-list'`: a list of such paths
 * - a function: throws an `Error` that names what is allowed if the value is not valid
 */
export type OptionFormat =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | readonly string[]
  | 'duration'
  | 'host-port'
  | 'path'
  | 'path-list'
  | ((value: unknown) => void);

/** One option of a plugin. */
export interface OptionSpec {
  readonly format: OptionFormat;
  /** In the form of a file (`10s` for a duration). Undefined: the option is required. */
  readonly default?: unknown;
  /** The meaning in one line, with the unit. */
  readonly doc: string;
  /**
   * Whether the value is masked in output and messages. `path`: a URL; only its host is shown. `arguments`: a command line; only the
   * program is shown.
   */
  readonly sensitive?: boolean | 'path' | 'arguments';
  /**
   * Returns why a valid value is probably a mistake, or undefined. `config check` prints it as a warning, and the agent logs it at startup.
   *
   * @param value in the form that the plugin gets
   */
  readonly warn?: (value: unknown) => string | undefined;
}

/** The options of a plugin by name. */
export type OptionSchema = Readonly<Record<string, OptionSpec>>;

type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

type ValueOf<Spec extends OptionSpec> = Spec['format'] extends StringConstructor | 'path'
  ? string
  : Spec['format'] extends 'host-port'
    ? HostPort
    : Spec['format'] extends NumberConstructor | 'duration'
      ? number
      : Spec['format'] extends BooleanConstructor
        ? boolean
        : Spec['format'] extends 'path-list'
          ? readonly string[]
          : Spec['format'] extends readonly (infer Choice)[]
            ? Choice
            : Spec extends { readonly default: infer Default }
              ? Widened<Default>
              : unknown;

/** The values that a plugin receives for its option schema: complete, checked and converted. */
export type OptionValues<Schema extends OptionSchema> = {
  readonly [Name in keyof Schema]: ValueOf<Schema[Name]>;
};

/** The result of `create` for each kind of plugin. */
export interface PluginsByKind {
  source: MetricSource;
  checker: HealthChecker;
  sink: MetricSink;
  notifier: Notifier;
  logging: LoggingBackend;
}

/** The kinds of plugins. */
export type PluginKind = keyof PluginsByKind;

/** The members of the context that only some kinds have. */
export interface ContextsByKind {
  source: unknown;
  checker: {
    /** The node of a checker that is named `<node>/<checker>`; undefined: the agent has no source with this name. */
    readonly node: string | undefined;
    /** The latest readings of the metric sources. */
    readonly readings: SourceReadings;
    /** Emits events. */
    readonly events: CheckerEvents;
  };
  sink: { readonly reader: MetricReader };
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
> extends ConfiguredPlugin {
  /** The supported versions of the plugin API: `^1.2` for 1.2 and each later 1.x, or `1` for each 1.x. */
  readonly apiVersion: string | number;
  readonly kind: Kind;
  /** The name of the instance when the declaration sets none: letters, digits, `_` and `-`, in parts joined by `.` or `/`. */
  readonly name: string;
  readonly options: Schema;
  /** As in {@link PluginParts}. */
  readonly headlines?: Headlines;
  /** Creates one instance. All state belongs to the returned object, because a plugin can have several instances. */
  create(context: PluginContext<Kind, Schema>): PluginsByKind[Kind];
}

/** The argument of a stateless check. */
export type CheckContext<Schema extends OptionSchema> = PluginContext<'checker', Schema> & {
  readonly signal: AbortSignal;
};

/**
 * The headlines of any failure of a check: one sentence of at most 12 words for critical failures and one for warnings. `{node}` stands for
 * the names of its nodes, which count as 5 words, `{part}` for the failed part.
 */
export interface Headlines {
  readonly failed: string;
  readonly warning: string;
}

/** The members common to the definitions of all kinds. */
export interface PluginParts<Schema extends OptionSchema> extends ConfiguredPlugin {
  /**
   * The supported versions of the plugin API, see {@link PluginDefinition}.
   *
   * @default `^` and the version of the package that the define function is imported from
   */
  readonly apiVersion?: string | number;
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  /** Only for checkers. @default `The check disk of peer1 fails` */
  readonly headlines?: Headlines;
}

/** A checker that keeps no state between checks. */
export interface SimpleHealthChecker<Schema extends OptionSchema> extends PluginParts<Schema> {
  check(context: CheckContext<Schema>): void | Promise<void>;
}

/** A plugin that keeps state, such as a client, between calls. */
export interface StatefulPlugin<
  Kind extends PluginKind,
  Schema extends OptionSchema,
> extends PluginParts<Schema> {
  create(context: PluginContext<Kind, Schema>): PluginsByKind[Kind];
}

/** A checker that keeps state, such as a client, between checks. */
export type StatefulHealthChecker<Schema extends OptionSchema> = StatefulPlugin<'checker', Schema>;

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
): PluginDefinition<'checker', Schema> {
  return define('checker', checker, ['check', 'create'], (context) =>
    'create' in checker
      ? checker.create(context)
      : { check: (signal) => checker.check({ ...context, signal }) },
  );
}

/** Defines a metric source. */
export function defineMetricSource<const Schema extends OptionSchema = Record<never, never>>(
  source: StatefulPlugin<'source', Schema>,
): PluginDefinition<'source', Schema> {
  return define('source', source, ['create'], (context) => source.create(context));
}

/** Defines a metric sink. */
export function defineMetricSink<const Schema extends OptionSchema = Record<never, never>>(
  sink: StatefulPlugin<'sink', Schema>,
): PluginDefinition<'sink', Schema> {
  return define('sink', sink, ['create'], (context) => sink.create(context));
}

/** Defines a notifier. */
export function defineNotifier<const Schema extends OptionSchema = Record<never, never>>(
  notifier: StatefulPlugin<'notifier', Schema>,
): PluginDefinition<'notifier', Schema> {
  return define('notifier', notifier, ['create'], (context) => notifier.create(context));
}

/** Defines a logging backend. An agent has exactly one. */
export function defineLoggingBackend<const Schema extends OptionSchema = Record<never, never>>(
  backend: StatefulPlugin<'logging', Schema>,
): PluginDefinition<'logging', Schema> {
  return define('logging', backend, ['create'], (context) => backend.create(context));
}

/** The members of a definition that takes options from the configuration. */
const CONFIGURED = ['forNode', 'nodeComponent', 'forAgent', 'fromEnvironment'] as const;

/** The members of each definition, besides its functions. */
const PARTS = ['apiVersion', 'name', 'options', 'headlines', ...CONFIGURED];

/** @param functions the functions of which a definition has one */
function define<Kind extends PluginKind, Schema extends OptionSchema>(
  kind: Kind,
  parts: PluginParts<Schema>,
  functions: readonly string[],
  create: PluginDefinition<Kind, Schema>['create'],
): PluginDefinition<Kind, Schema> {
  checkMembers(parts, functions);
  const { apiVersion = `^${API_VERSION}`, name, options, headlines } = parts;
  return {
    apiVersion,
    kind,
    name,
    options: options ?? ({} as Schema),
    ...(headlines !== undefined && { headlines }),
    create,
    ...Object.fromEntries(
      CONFIGURED.filter((member) => parts[member] !== undefined).map((member) => [member, parts[member]]),
    ),
  };
}

/** @throws TypeError for a member that no definition has, and for none or several of the functions */
function checkMembers(parts: object, functions: readonly string[]): void {
  const known = [...PARTS, ...functions];
  const unknown = Object.keys(parts).find((member) => !known.includes(member));
  if (unknown !== undefined)
    throw new TypeError(
      `unknown member ${showValue(unknown)} of the definition; ${suggestion(unknown, known)}`,
    );
  const given = functions.filter(
    (member) => typeof (parts as Record<string, unknown>)[member] === 'function',
  );
  if (given.length !== 1)
    throw new TypeError(
      `the definition must have ${functions.length === 1 ? 'a function' : 'one of the functions'} ${functions.join(' and ')}; found ${given.join(' and ') || 'none'}`,
    );
}
