// What connects a notifier to the agent: its events, its own check, and the reading of nodes.

import test, { type ExecutionContext } from 'ava';
import { LeveledLoggers, type Notification } from '../../../core/contract/index.js';
import {
  attachNotifier,
  Events,
  Outbox,
  SilenceRule,
  Silences,
  ToldFailures,
} from '../../../core/events/index.js';
import type { PluginInstance } from '../../../core/host/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { until } from '../../helpers/until.js';

/** A notifier `mail`, attached to an agent with the node `peer0`. */
function attached(t: ExecutionContext, isDisabled = false) {
  const silences = new Silences();
  const events = new Events(() => [{ name: 'peer0', kind: 'peer' }], undefined, silences);
  const sent: Notification[] = [];
  const registered = new Set<string>();
  let reads = 0;
  const instance = {
    name: 'mail',
    component: 'mail (notifier)',
    log: new LeveledLoggers({ write: () => undefined }).logger('plugins.mail'),
    isDisabled,
    requireRunning: () => undefined,
    plugin: {
      schedule: { groupFor: 1 },
      notify: (notification: Notification) => void sent.push(notification),
    },
  } as unknown as PluginInstance<never>;
  const attachment = attachNotifier(instance, {
    agent: 'host1',
    describe: async (all) => all,
    events,
    told: new ToldFailures(undefined, instance.log),
    outbox: new Outbox(events, [new SilenceRule(events, silences)]),
    health: {
      components: [],
      register(component) {
        registered.add(component);
        return () => void registered.delete(component);
      },
    },
    metrics: new MetricStore(100),
    readSources: () => (reads += 1),
  });
  t.teardown(() => attachment.beforeStop?.());
  return { attachment, events, sent, registered, reads: () => reads };
}

test('a notifier that has started is checked, and gets the events since before the start', async (t) => {
  const { attachment, events, sent, registered, reads } = attached(t);
  events.checked('peer0/disk', 'full', 'critical');
  t.deepEqual([...registered], []);
  attachment.onStarted?.();
  t.deepEqual([...registered], ['mail (notifier)']);
  t.is(reads(), 1);
  await until(() => sent.length === 1);
  t.deepEqual(
    sent[0]?.events.map(({ component }) => component),
    ['peer0/disk'],
  );
});

test('nodes are read when a node is up again, not when something of it recovers', (t) => {
  const { events, reads } = attached(t);
  for (const component of ['peer0', 'peer0/disk', 'docker']) events.checked(component, 'broken', 'critical');
  t.is(reads(), 0);
  events.checked('peer0/disk', undefined, 'critical');
  events.checked('docker', undefined, 'critical');
  t.is(reads(), 0);
  events.checked('peer0', undefined, 'critical');
  t.is(reads(), 1);
});

test('before the stop its check ends, the last events are sent, and later ones are not', async (t) => {
  const { attachment, events, sent, registered, reads } = attached(t);
  attachment.onStarted?.();
  events.checked('peer0', 'down', 'critical');
  await attachment.beforeStop?.();
  t.deepEqual([...registered], []);
  t.is(sent.length, 1);
  events.checked('peer0', undefined, 'critical');
  t.is(reads(), 1);
  t.is(attachment.delivery?.().queued, 0);
});

test('a notifier that is disabled is not checked, and keeps no events', (t) => {
  const { attachment, events, sent, registered, reads } = attached(t, true);
  attachment.onStarted?.();
  events.checked('docker', 'broken', 'critical');
  t.deepEqual([[...registered], reads(), sent, attachment.delivery?.().queued], [[], 0, [], 0]);
});
