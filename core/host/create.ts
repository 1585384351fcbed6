// Creates plugin instances and checks the results of `create`.

import { nearest } from '../common/text/nearest.js';
import {
  LeveledLoggers,
  type Logger,
  type MetricFactory,
  type Notifier,
  type PluginContext,
  type PullSink,
  type PushSink,
} from '../contract/index.js';
import type { NodeChecker } from '../contract/internal/index.js';
import type { Lifecycle } from '../contract/lifecycle.js';
import type { NotifierSchedule } from '../contract/notifier.js';
import type { PluginKind } from '../contract/plugin.js';
import { PluginInstance, type PluginMetrics } from './instance.js';
import { failedError, pluginError, type LoadedPlugin } from './load.js';

/** The parts for creating any plugin. */
export interface InstanceParts {
  readonly metrics: MetricFactory;
  readonly pluginMetrics: PluginMetrics;
  /**
   * Creates the members of the context that only its kind has.
   *
   * @param name of the instance
   * @param log its logger
   */
  readonly contextOf: (kind: PluginKind, name: string, log: Logger) => object;
  /** Undefined for the logging backend itself, which logs nothing. */
  readonly logger: ((name: string) => Logger) | undefined;
}

/**
 * Creates the instance of a plugin.
 *
 * @throws SettingsError
 */
export function createInstance<Plugin extends Lifecycle>(
  loaded: LoadedPlugin,
  { metrics, pluginMetrics, contextOf, logger = discardingLogger }: InstanceParts,
): PluginInstance<Plugin> {
  const { definition, name, options } = loaded;
  const log = logger(`plugins.${name.replaceAll('/', '.')}`);
  const ofKind = contextOf(definition.kind, name, log);
  const context = { name, options, log, metrics, ...ofKind } as PluginContext<'sink'>;
  let plugin: unknown;
  let problem: string | undefined;
  try {
    plugin = definition.create(context);
    problem = memberProblem(definition.kind, plugin);
  } catch (error) {
    throw failedError(loaded, 'create', error);
  }
  if (problem !== undefined)
    throw pluginError(loaded, `create did not return a valid ${definition.kind} plugin: ${problem}`);
  return new PluginInstance(loaded, plugin as Plugin, log, pluginMetrics);
}

const discardingLogger = (name: string): Logger =>
  new LeveledLoggers({ write: () => undefined }).logger(name);

/** Longest interval of a push sink, in milliseconds: the longest delay of a Node timer. */
const MAX_INTERVAL = 2 ** 31 - 1;

type Members = Readonly<Record<string, unknown>>;

const CHECKS: Readonly<Record<PluginKind, (plugin: Members) => string | undefined>> = {
  source: (plugin) => missingFunction(plugin, ['read']),
  checker: checkerProblem,
  sink: sinkProblem,
  notifier: notifierProblem,
  logging: (plugin) => missingFunction(plugin, ['spec', 'activate', 'logger']),
};

/**
 * Checks the members of a plugin of some kind.
 *
 * @returns the problem, or undefined when there is none
 */
export function memberProblem(kind: PluginKind, plugin: unknown): string | undefined {
  if (typeof plugin !== 'object' || plugin === null)
    return `it returned ${plugin === null ? 'null' : typeof plugin}`;
  if (plugin instanceof Promise)
    return 'it returned a promise; create has no I/O: open files and connections in start';
  return (
    CHECKS[kind](plugin as Members) ??
    // A number or a text is data of the plugin itself.
    misspelledMember(plugin, [...LIFECYCLE, ...MEMBERS[kind]], ['function', 'object'])
  );
}

/** The optional functions of each plugin. */
const LIFECYCLE = ['init', 'start', 'stop'];
const MEMBERS: Readonly<Record<PluginKind, readonly string[]>> = {
  source: ['read', 'node'],
  checker: ['check', 'onTimeout'],
  sink: ['route', 'push'],
  notifier: ['notify', 'schedule'],
  logging: ['spec', 'activate', 'logger'],
};

/** A member whose name differs by one letter from a missing one: it would never be used. @param types of the members that are compared */
function misspelledMember(
  members: object,
  known: readonly string[],
  types = ['function', 'object', 'number', 'string'],
): string | undefined {
  for (const [name, value] of Object.entries(members)) {
    if (known.includes(name) || !types.includes(typeof value)) continue;
    const near = nearest(name, known, 1.5).find(
      (each) => !(each in members) && Math.abs(each.length - name.length) <= 1,
    );
    if (near !== undefined) return `unknown member ${name}; did you mean ${near}?`;
  }
  return undefined;
}

function missingFunction(plugin: Members, names: readonly string[]): string | undefined {
  const missing = names.find((name) => typeof plugin[name] !== 'function');
  return missing === undefined ? undefined : `${missing} is not a function`;
}

function checkerProblem(plugin: Members): string | undefined {
  const { onTimeout = 'critical', kind = 'files' } = plugin as Partial<NodeChecker>;
  if (onTimeout !== 'critical' && onTimeout !== 'warning')
    return "onTimeout is neither 'critical' nor 'warning'";
  if (kind !== 'files') return "kind is not 'files'";
  return missingFunction(plugin, ['check']);
}

function notifierProblem(plugin: Members): string | undefined {
  const { schedule = {} } = plugin as Partial<Notifier>;
  for (const name of ['groupFor', 'repeat', 'heartbeat'] as const) {
    const { [name]: time = 0 } = schedule;
    if (!(typeof time === 'number' && time >= 0 && time <= MAX_INTERVAL))
      return `schedule.${name} is not a number of milliseconds from 0 to ${MAX_INTERVAL}`;
  }
  if (!['all', 'critical', 'none'].includes(schedule.events ?? 'all'))
    return "schedule.events is none of 'all', 'critical' and 'none'";
  const misspelled = misspelledMember(schedule, SCHEDULE);
  if (misspelled !== undefined) return `schedule has the ${misspelled}`;
  return missingFunction(plugin, ['notify']);
}

const SCHEDULE: readonly string[] = [
  'events',
  'groupFor',
  'repeat',
  'heartbeat',
] satisfies (keyof NotifierSchedule)[];
const PUSH: readonly string[] = [
  'interval',
  'flush',
  'rejected',
  'values',
  'maxTimings',
] satisfies (keyof PushSink['push'])[];

function sinkProblem({ route, push }: Partial<PullSink & PushSink>): string | undefined {
  if (route !== undefined && route !== null) {
    if (typeof route.path !== 'string') return 'route.path is not a string';
    return typeof route.handle === 'function' ? undefined : 'route.handle is not a function';
  }
  if (push === undefined || push === null) return 'it has neither route nor push';
  if (typeof push.flush !== 'function') return 'push.flush is not a function';
  const { interval, values = 'growth', maxTimings = 0 } = push;
  const misspelled = misspelledMember(push, PUSH);
  if (misspelled !== undefined) return `push has the ${misspelled}`;
  if (!(typeof interval === 'number' && interval >= 1 && interval <= MAX_INTERVAL))
    return `push.interval is not a number of milliseconds from 1 to ${MAX_INTERVAL}`;
  if (values !== 'growth' && values !== 'totals') return "push.values is neither 'growth' nor 'totals'";
  return Number.isSafeInteger(maxTimings) && maxTimings >= 0
    ? undefined
    : 'push.maxTimings is not a non-negative integer';
}
