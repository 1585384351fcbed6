// Connects plugins of each kind with the part of the agent that calls them.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Health } from './health/index.js';
import {
  reasonOf,
  within,
  type HealthChecker,
  type Lifecycle,
  type Logger,
  type LoggingBackend,
  type MetricReader,
  type MetricSink,
  type PluginContext,
  type PluginKind,
  type PullSink,
  type PushSink,
  type SinkReply,
} from './contract/index.js';
import { PluginInstance, refusalOf, type LoadedPlugin, type PluginMetrics } from './host/index.js';
import { errorReply, type Reply, type Route } from './http/index.js';
import type { Logging } from './logging/index.js';
import { PushRunner, type MetricStore } from './metrics/index.js';

/** A plugin instance and what the agent does with it. */
export interface Attachment {
  readonly instance: PluginInstance;
  /** The resource that the plugin serves. */
  readonly route?: Route;
  /** Called once it has started, or is being tried again, or is left out. */
  readonly onStarted: () => void;
  /** Called before it is stopped. */
  readonly beforeStop: () => Promise<void>;
}

/** What every plugin is created with. */
export interface InstanceParts {
  readonly metrics: MetricStore;
  readonly reader: MetricReader;
  readonly pluginMetrics: PluginMetrics;
}

/** Longest time that a pull sink may take to answer, in milliseconds. */
const ANSWER_TIMEOUT = 10_000;
/** Longest time that a logging backend may take to show or change its specification, in milliseconds. */
const BACKEND_TIMEOUT = 5_000;
/** Longest interval of a push sink, in milliseconds: a timer of Node cannot wait longer. */
const MAX_INTERVAL = 2 ** 31 - 1;

const isPull = ({ route }: Partial<PullSink>): boolean =>
  typeof route?.handle === 'function' && typeof route.path === 'string';

function isPush({ push }: Partial<PushSink>): boolean {
  if (typeof push?.flush !== 'function') return false;
  const { interval, maxTimings = 0 } = push;
  return (
    typeof interval === 'number' &&
    interval > 0 &&
    interval <= MAX_INTERVAL &&
    Number.isSafeInteger(maxTimings) &&
    maxTimings >= 0
  );
}

/** What each kind of plugin must have, besides its life. */
const MEMBERS: Readonly<Record<PluginKind, (plugin: never) => boolean>> = {
  health: ({ check }: Partial<HealthChecker>) => typeof check === 'function',
  metrics: (plugin: Partial<PullSink & PushSink>) => isPull(plugin) || isPush(plugin),
  logging: ({ spec, activate, logger }: Record<string, unknown>) =>
    [spec, activate, logger].every((member) => typeof member === 'function'),
};

/**
 * Creates the instance of a plugin.
 *
 * @param logging where it logs; undefined for the logging backend itself
 * @throws SettingsError
 */
export function createInstance<Plugin extends Lifecycle>(
  loaded: LoadedPlugin,
  { metrics, reader, pluginMetrics }: InstanceParts,
  logging: Logging | undefined,
): PluginInstance<Plugin> {
  const { definition, name, options } = loaded;
  const log = logging?.logger(`plugins.${name.replaceAll('/', '.')}`) ?? NO_LOG;
  const context = { name, options, log, metrics, reader } as PluginContext<'metrics'>;
  try {
    const instance = new PluginInstance(
      loaded,
      () => definition.create(context) as Lifecycle as Plugin,
      log,
      pluginMetrics,
    );
    const created: unknown = instance.plugin;
    if (typeof created !== 'object' || created === null || !MEMBERS[definition.kind](created as never))
      throw new Error(`create returned nothing that a plugin of kind ${definition.kind} is`);
    return instance;
  } catch (error) {
    throw refusalOf(loaded, error);
  }
}

/** The backend of an instance, with an end to the time that it may take. */
export function boundBackend({ plugin }: PluginInstance<LoggingBackend>): LoggingBackend {
  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    within(BACKEND_TIMEOUT, 'the logging backend', undefined, work);
  return {
    spec: () => inTime(async () => plugin.spec()),
    activate: (spec) => inTime(async () => plugin.activate(spec)),
    logger: (name) => plugin.logger(name),
  };
}

/** Registers a checker as a component; it fails while its plugin has not started, and is not there when it was left out. */
export function attachChecker(instance: PluginInstance<HealthChecker>, health: Health): Attachment {
  let unregister: (() => void) | undefined;
  return {
    instance,
    onStarted() {
      if (instance.isLeftOut) return;
      unregister = health.register(instance.name, (signal) => {
        instance.requireRunning();
        return instance.plugin.check(signal);
      });
    },
    beforeStop: async () => unregister?.(),
  };
}

/** Gives a pull sink its route, or a push sink its batches. */
export function attachSink(instance: PluginInstance<MetricSink>, store: MetricStore): Attachment {
  const { plugin } = instance;
  if (isPull(plugin)) {
    const { route } = plugin as PullSink;
    return {
      instance,
      route: sinkRoute(instance, route),
      onStarted: () => undefined,
      beforeStop: async () => undefined,
    };
  }
  const { push } = plugin as PushSink;
  const { interval, maxTimings } = push;
  const guarded: PushSink['push'] = {
    // One by one: of an object of a class, a copy has not everything.
    interval,
    ...(maxTimings !== undefined && { maxTimings }),
    flush: async (batch, signal) => {
      instance.requireRunning();
      await push.flush(batch, signal);
    },
  };
  const runner = new PushRunner(guarded, store, instance.log, () => instance.fault('flush'));
  return {
    instance,
    onStarted: () => {
      if (instance.isLeftOut) void runner.stop();
      else runner.start();
    },
    beforeStop: () => runner.stop(),
  };
}

function sinkRoute(instance: PluginInstance, route: PullSink['route']): Route {
  let isFailing = false;
  return {
    path: route.path,
    handlers: {
      GET: async ({ headers }) => {
        if (instance.state !== 'running')
          return errorReply(503, `the metric sink ${instance.name} is ${instance.state}`);
        try {
          const work = async (): Promise<Reply> => replyOf(await route.handle({ headers }));
          const reply = await within(ANSWER_TIMEOUT, 'its answer', undefined, work);
          if (isFailing) instance.log.info('answering works again');
          isFailing = false;
          return reply;
        } catch (error) {
          instance.fault('scrape');
          if (!isFailing) instance.log.warn(`answering failed: ${reasonOf(error)}`);
          isFailing = true;
          return errorReply(500, 'internal error');
        }
      },
    },
  };
}

/** What a sink answered, once it is known to be an answer that can be sent. */
function replyOf({ status = 200, headers, body }: SinkReply): Reply {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`${String(status)} is not the status of an answer`);
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('the body is neither text nor bytes');
  const checked = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return [name, value] as const;
  });
  return { status, headers: Object.fromEntries(checked), body };
}

const drop = (): void => undefined;
/** For a logging backend, which cannot log before it is there. */
const NO_LOG: Logger = {
  name: '',
  enabled: () => false,
  payload: drop,
  debug: drop,
  info: drop,
  warn: drop,
  error: drop,
  dpanic: drop,
  panic: drop,
  fatal: drop,
};
