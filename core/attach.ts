// Attaches checkers to the health registry, and sinks to a route or to a push schedule.

import type { HealthChecker, MetricSink, PullSink, PushSink } from './contract/index.js';
import type { Health } from './health/index.js';
import type { PluginInstance } from './host/index.js';
import type { Route } from './http/index.js';
import { PushRunner, sinkRoute, type MetricStore } from './metrics/index.js';

/** An attached plugin instance. */
export interface Attachment {
  readonly instance: PluginInstance;
  /** The route that the plugin serves. */
  readonly route?: Route;
  /** Called after `start`, whether it succeeded, is retried or left the plugin disabled. */
  readonly onStarted: () => void;
  /** Called before `stop`. */
  readonly beforeStop: () => Promise<void>;
}

/** Registers a checker as a component. While its plugin is not running, the component fails with the reason. */
export function attachChecker(instance: PluginInstance<HealthChecker>, health: Health): Attachment {
  let unregister: (() => void) | undefined;
  return {
    instance,
    onStarted() {
      if (instance.isDisabled) return;
      unregister = health.register(instance.name, (signal) => {
        instance.requireRunning();
        return instance.plugin.check(signal);
      });
    },
    beforeStop: async () => unregister?.(),
  };
}

/** Attaches a pull sink to its route, or a push sink to its schedule. */
export function attachSink(instance: PluginInstance<MetricSink>, store: MetricStore): Attachment {
  const { route, push } = instance.plugin as Partial<PullSink & PushSink>;
  // The host checked that a sink has one of the two.
  return route ? attachRoute(instance, route) : attachPush(instance, push as PushSink['push'], store);
}

function attachRoute(instance: PluginInstance, route: PullSink['route']): Attachment {
  return {
    instance,
    route: sinkRoute(instance, route),
    onStarted: () => undefined,
    beforeStop: async () => undefined,
  };
}

function attachPush(instance: PluginInstance, push: PushSink['push'], store: MetricStore): Attachment {
  const { interval, maxTimings } = push;
  const guarded: PushSink['push'] = {
    // Not a copy by spread, which omits the getters of a class.
    interval,
    ...(maxTimings !== undefined && { maxTimings }),
    flush: async (batch, signal) => {
      instance.requireRunning();
      await push.flush(batch, signal);
    },
  };
  const runner = new PushRunner(guarded, store, instance.log, () => instance.countFault('flush'));
  return {
    instance,
    onStarted: () => {
      if (instance.isDisabled) void runner.stop();
      else runner.start();
    },
    beforeStop: () => runner.stop(),
  };
}
