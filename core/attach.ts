// Attaches checkers to the health registry, sources to the readers of metrics, sinks to a route or to a push schedule, and notifiers to
// the events.

import type {
  HealthChecker,
  MetricFactory,
  MetricSink,
  MetricSource,
  Notifier,
  PullSink,
  PushSink,
} from './contract/index.js';
import { createNotifierMetrics, NotifierRunner, type Events } from './events/index.js';
import type { Health } from './health/index.js';
import type { PluginInstance } from './host/index.js';
import type { Route } from './http/index.js';
import {
  createSourceMetrics,
  PushRunner,
  sinkRoute,
  SourceRunner,
  SourceTotals,
  type MetricStore,
  type Sources,
} from './metrics/index.js';

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

/** The sources of an agent, and what a new one needs. */
export interface SourceParts {
  readonly sources: Sources;
  readonly metrics: MetricFactory;
  /** When the agent started, in seconds since the epoch. */
  readonly agentStart: number;
  readonly events: Events;
}

/** Adds a source to those that are read on demand. While its plugin is not running, its readings fail with the reason. */
export function attachSource(
  instance: PluginInstance<MetricSource>,
  { sources, metrics, agentStart, events }: SourceParts,
): Attachment {
  const { name, log, plugin } = instance;
  const runner = new SourceRunner({
    name,
    nodeKind: plugin.node?.kind,
    read: async (signal) => {
      instance.requireRunning();
      return plugin.read(signal);
    },
    totals: new SourceTotals(agentStart),
    metrics: createSourceMetrics(metrics, name),
    log,
    onRestart: () => events.restarted(name),
  });
  sources.add(runner);
  return {
    instance,
    onStarted: () => undefined,
    beforeStop: async () => runner.stop(),
  };
}

/** What a notifier is attached to. */
export interface NotifierParts {
  readonly events: Events;
  readonly health: Health;
  readonly metrics: MetricFactory;
  readonly sources: Sources;
}

/** Passes events on to a notifier, which is a component that needs attention while they cannot be delivered. */
export function attachNotifier(
  instance: PluginInstance<Notifier>,
  { events, health, metrics, sources }: NotifierParts,
): Attachment {
  const { name, component, log, plugin } = instance;
  const runner = new NotifierRunner({
    component,
    schedule: plugin.schedule ?? {},
    notify: (notification, signal, report) => {
      instance.requireRunning();
      return plugin.notify(notification, signal, report);
    },
    events,
    metrics: createNotifierMetrics(metrics, name),
    log,
  });
  // A restart is noticed by reading the node before and after, also when nothing scrapes the agent.
  const unsubscribe = events.subscribe((event) => {
    if (event.state === 'recovered' && event.component === event.node) void sources.live();
  });
  let unregister: (() => void) | undefined;
  return {
    instance,
    onStarted() {
      if (instance.isDisabled) {
        void runner.stop();
        return;
      }
      unregister = health.register(component, () => runner.check());
      runner.start();
      void sources.live();
    },
    async beforeStop() {
      unregister?.();
      unsubscribe();
      await runner.stop();
    },
  };
}

/** What a sink is attached to. */
export type SinkParts = Pick<SourceParts, 'sources' | 'events'> & { readonly health: Health };

/** Attaches a pull sink to its route, or a push sink to its schedule. A push sink is a component that needs attention while it delivers nothing. */
export function attachSink(
  instance: PluginInstance<MetricSink>,
  store: MetricStore,
  parts: SinkParts,
): Attachment {
  const { route, push } = instance.plugin as Partial<PullSink & PushSink>;
  // The host checked that a sink has one of the two.
  return route ? attachRoute(instance, route) : attachPush(instance, push as PushSink['push'], store, parts);
}

function attachRoute(instance: PluginInstance, route: PullSink['route']): Attachment {
  return {
    instance,
    route: sinkRoute(instance, route),
    onStarted: () => undefined,
    beforeStop: async () => undefined,
  };
}

function attachPush(
  instance: PluginInstance,
  push: PushSink['push'],
  store: MetricStore,
  { sources, events, health }: SinkParts,
): Attachment {
  const { interval, values, maxTimings } = push;
  const guarded: PushSink['push'] = {
    // Not a copy by spread, which omits the getters of a class.
    interval,
    ...(values !== undefined && { values }),
    ...(maxTimings !== undefined && { maxTimings }),
    flush: async (batch, signal) => {
      instance.requireRunning();
      await push.flush(batch, signal);
    },
    undelivered: () => push.undelivered?.(),
  };
  const runner = new PushRunner(guarded, store, instance.log, () => instance.countFault('flush'), {
    sources,
    checks: () => events.open,
  });
  let unregister: (() => void) | undefined;
  return {
    instance,
    onStarted: () => {
      if (instance.isDisabled) {
        void runner.stop();
        return;
      }
      runner.start();
      unregister = health.register(instance.component, () => runner.check());
    },
    async beforeStop() {
      unregister?.();
      await runner.stop();
    },
  };
}
