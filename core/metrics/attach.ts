// Attaches sources to the readers of metrics, and sinks to a route or to a schedule.

import type { AgentEvent, MetricFactory, MetricSource, PullSink, PushSink } from '../contract/index.js';
import type { MetricSink } from '../contract/metric-sink.js';
import type { Attachment, PluginInstance } from '../host/index.js';
import type { Route } from '../http/route.js';
import { PushRunner } from './push.js';
import { sinkRoute } from './route.js';
import { createSourceMetrics } from './source-metrics.js';
import { SourceRunner } from './source-runner.js';
import { SourceTotals } from './source-totals.js';
import type { Sources } from './sources.js';
import type { MetricStore } from './store.js';

/** The sources of an agent, and the parts that a new source needs. */
export interface SourceParts {
  readonly sources: Sources;
  readonly metrics: MetricFactory;
  /** When the agent started, in seconds since the epoch. */
  readonly agentStart: number;
  /** Called after the first reading of the process behind a source, and after each of its restarts. */
  readonly onStart: (source: string, isRestart: boolean) => void;
}

/** Adds a source, which is read on demand. While its plugin is not running, its readings fail with the reason. */
export function attachSource(
  instance: PluginInstance<MetricSource>,
  { sources, metrics, agentStart, onStart }: SourceParts,
): Attachment {
  const { name, log, plugin } = instance;
  const runner = new SourceRunner({
    name,
    nodeKind: plugin.node?.kind,
    read: async (signal) => {
      instance.requireRunning();
      return plugin.read(signal);
    },
    isChecked: instance.isBuiltIn,
    totals: new SourceTotals(agentStart),
    metrics: createSourceMetrics(metrics, name),
    log,
    onStart: (isRestart) => onStart(name, isRestart),
  });
  sources.add(runner);
  return {
    instance,
    onStarted: () => undefined,
    beforeStop: async () => runner.stop(),
  };
}

/** The parts that a sink is attached to. */
interface SinkParts {
  readonly store: MetricStore;
  readonly sources: Sources;
  /** The failed checks. */
  readonly checks: () => readonly AgentEvent[];
  readonly health: {
    /** @returns a function that removes the check */
    register(component: string, check: () => void): () => void;
  };
}

/** An attached sink. */
export interface SinkAttachment extends Attachment {
  /** The route of a pull sink. */
  readonly route?: Route;
}

/** Attaches a pull sink to its route, or a push sink to its schedule. A push sink is a component with a warning while it delivers nothing. */
export function attachSink(instance: PluginInstance<MetricSink>, parts: SinkParts): SinkAttachment {
  const { route, push } = instance.plugin as Partial<PullSink & PushSink>;
  // The host has checked that a sink has one of the two.
  return route ? attachRoute(instance, route) : attachPush(instance, push as PushSink['push'], parts);
}

function attachRoute(instance: PluginInstance, route: PullSink['route']): SinkAttachment {
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
  { store, sources, checks, health }: SinkParts,
): Attachment {
  const { interval, values, maxTimings } = push;
  const guarded: PushSink['push'] = {
    // No spread: it would omit the getters of a class.
    interval,
    ...(values !== undefined && { values }),
    ...(maxTimings !== undefined && { maxTimings }),
    flush: async (batch, signal) => {
      instance.requireRunning();
      await push.flush(batch, signal);
    },
    rejected: () => push.rejected?.(),
  };
  const runner = new PushRunner(guarded, store, instance.log, () => instance.countFault('flush'), {
    sources,
    checks,
  });
  let unregister: (() => void) | undefined;
  return {
    instance,
    delivery: () => runner.delivery,
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
