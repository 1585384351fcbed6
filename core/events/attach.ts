// Passes events on to a notifier.

import { ownerOf } from '../common/text/component.js';
import type { MetricFactory, Notifier } from '../contract/index.js';
import type { Health } from '../health/index.js';
import type { Attachment, PluginInstance } from '../host/index.js';
import type { Events } from './events.js';
import { createNotifierMetrics } from './notifier-metrics.js';
import { NotifierRunner, type DescribeEvents } from './notifier-runner.js';
import type { Outbox } from './outbox.js';
import type { ToldFailures } from './told-failures.js';

/** The parts that a notifier is attached to. */
export interface NotifierParts {
  readonly events: Events;
  /** The events for notifiers. */
  readonly outbox: Pick<Outbox, 'accepted' | 'latest' | 'restore' | 'subscribe'>;
  /** The name of the agent. */
  readonly agent: string;
  readonly describe: DescribeEvents;
  /** What its receiver was told. */
  readonly told: Pick<ToldFailures, 'of' | 'record'>;
  readonly health: Pick<Health, 'components' | 'register'>;
  readonly metrics: MetricFactory;
  /** Reads the sources, so that a restart is detected. */
  readonly readSources: () => void;
}

/** Passes events on to a notifier. The notifier is a component with a warning while events cannot be delivered. */
export function attachNotifier(
  instance: PluginInstance<Notifier>,
  { agent, describe, events, outbox, told, health, metrics, readSources }: NotifierParts,
): Attachment {
  const { name, component, log, plugin } = instance;
  const runner = new NotifierRunner({
    component,
    schedule: plugin.schedule ?? {},
    notify: (notification, signal, report) => {
      instance.requireRunning();
      return plugin.notify(notification, signal, report);
    },
    events: outbox,
    agent,
    describe,
    checkOf: (of) => ownerOf(of, health.components),
    onAccepted: (event) => outbox.accepted(event),
    onTold: (failures) => told.record(component, failures),
    metrics: createNotifierMetrics(metrics, name),
    log,
  });
  // A restart is detected only if the node is read before and after it; without scrapes nothing else may read it.
  const unsubscribe = events.subscribe(({ event }) => {
    if (event.state === 'recovered' && event.component === event.node) readSources();
  });
  let unregister: (() => void) | undefined;
  return {
    instance,
    delivery: () => runner.delivery,
    onStarted() {
      if (instance.isDisabled) {
        void runner.stop();
        return;
      }
      unregister = health.register(component, () => runner.check());
      const failures = told.of(component);
      runner.restore(failures);
      outbox.restore(failures);
      runner.start();
      readSources();
    },
    async beforeStop() {
      unregister?.();
      unsubscribe();
      await runner.stop();
    },
  };
}
