// Checks what `create` of a plugin returns.

import type { Notifier, PluginKind, PullSink, PushSink } from '../contract/index.js';

/** Longest interval of a push sink, in milliseconds: the longest delay of a Node timer. */
const MAX_INTERVAL = 2 ** 31 - 1;

type Members = Readonly<Record<string, unknown>>;

const CHECKS: Readonly<Record<PluginKind, (plugin: Members) => string | undefined>> = {
  source: (plugin) => missingFunction(plugin, ['read']),
  health: (plugin) => missingFunction(plugin, ['check']),
  metrics: sinkProblem,
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
  if (plugin instanceof Promise) return 'it returned a promise';
  return CHECKS[kind](plugin as Members);
}

function missingFunction(plugin: Members, names: readonly string[]): string | undefined {
  const missing = names.find((name) => typeof plugin[name] !== 'function');
  return missing === undefined ? undefined : `${missing} is not a function`;
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
  return missingFunction(plugin, ['notify']);
}

function sinkProblem({ route, push }: Partial<PullSink & PushSink>): string | undefined {
  if (route !== undefined && route !== null) {
    if (typeof route.path !== 'string') return 'route.path is not a string';
    return typeof route.handle === 'function' ? undefined : 'route.handle is not a function';
  }
  if (push === undefined || push === null) return 'it has neither route nor push';
  if (typeof push.flush !== 'function') return 'push.flush is not a function';
  const { interval, values = 'growth', maxTimings = 0 } = push;
  if (!(typeof interval === 'number' && interval > 0 && interval <= MAX_INTERVAL))
    return `push.interval is not a number of milliseconds from 1 to ${MAX_INTERVAL}`;
  if (values !== 'growth' && values !== 'totals') return "push.values is neither 'growth' nor 'totals'";
  return Number.isSafeInteger(maxTimings) && maxTimings >= 0
    ? undefined
    : 'push.maxTimings is not a non-negative integer';
}
