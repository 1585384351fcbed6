// Connects plugins of each kind with the part of the agent that calls them.

import type { Health } from './health/index.js';
import {
  type HealthChecker,
  type Lifecycle,
  type Logger,
  type MetricReader,
  type MetricSink,
  type PluginContext,
  type PluginKind,
  type PullSink,
} from './contract/index.js';
import { PluginInstance, refusalOf, type LoadedPlugin, type PluginMetrics } from './host/index.js';
import { errorReply, type Route } from './http/index.js';
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

/** What each kind of plugin must have, besides its life. */
const MEMBERS: Readonly<Record<PluginKind, (plugin: never) => boolean>> = {
  health: ({ check }: Partial<HealthChecker>) => typeof check === 'function',
  metrics: ({ route, push }: { route?: PullSink['route']; push?: { flush?: unknown; interval?: unknown } }) =>
    (typeof route?.handle === 'function' && typeof route.path === 'string') ||
    (typeof push?.flush === 'function' && typeof push.interval === 'number' && push.interval > 0),
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
    if (!MEMBERS[definition.kind](Object(instance.plugin) as never))
      throw new Error(`create returned nothing that a plugin of kind ${definition.kind} is`);
    return instance;
  } catch (error) {
    throw refusalOf(loaded, error);
  }
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
  if ('route' in plugin) {
    return {
      instance,
      route: sinkRoute(instance, plugin.route),
      onStarted: () => undefined,
      beforeStop: async () => undefined,
    };
  }
  const guarded = {
    ...plugin.push,
    flush: (...[batch, signal]: Parameters<typeof plugin.push.flush>) => {
      instance.requireRunning();
      return plugin.push.flush(batch, signal);
    },
  };
  const runner = new PushRunner(guarded, store, instance.log, () => instance.fault('flush'));
  return {
    instance,
    onStarted: () => {
      if (!instance.isLeftOut) runner.start();
    },
    beforeStop: () => runner.stop(),
  };
}

function sinkRoute(instance: PluginInstance, route: PullSink['route']): Route {
  return {
    path: route.path,
    handlers: {
      GET: async ({ headers }) => {
        if (instance.state !== 'running')
          return errorReply(503, `the metric sink ${instance.name} is ${instance.state}`);
        try {
          const { status = 200, ...reply } = await route.handle({ headers });
          return { status, ...reply };
        } catch (error) {
          instance.fault('scrape');
          throw error;
        }
      },
    },
  };
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
