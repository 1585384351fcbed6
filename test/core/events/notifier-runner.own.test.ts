import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { AgentError, CheckWarning, LeveledLoggers, type AgentEvent } from '../../../core/contract/index.js';
import type { NotifierSchedule } from '../../../core/contract/notifier.js';
import { createNotifierMetrics, Events, NotifierRunner } from '../../../core/events/index.js';
import type { EventListener } from '../../../core/events/new-event.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { stopClock } from '../../helpers/clock.js';
import { textOf } from '../../helpers/exposition.js';
import { until } from '../../helpers/until.js';

interface Fixture {
  readonly events: Events;
  readonly runner: NotifierRunner;
  /** Each call as its cause and `state component` of its events. */
  readonly calls: string[][];
  readonly logged: string[];
  readonly series: (name: string) => Promise<string | undefined>;
}

function startRunner(
  t: ExecutionContext,
  schedule: NotifierSchedule,
  notify: ConstructorParameters<typeof NotifierRunner>[0]['notify'] = () => undefined,
  events = new Events(() => []),
  describe: ConstructorParameters<typeof NotifierRunner>[0]['describe'] = async (all) => all,
): Fixture {
  const store = new MetricStore(1000);
  const calls: string[][] = [];
  const logged: string[] = [];
  const loggers = new LeveledLoggers({
    write: ({ level, message }) => void logged.push(`${level} ${message}`),
  });
  const runner = new NotifierRunner({
    agent: 'host1',
    component: 'own (notifier)',
    schedule: { groupFor: 5, ...schedule },
    notify: (notification, signal, report) => {
      const { cause, events: sent } = notification;
      calls.push([cause, ...sent.map(({ state, component }) => `${state} ${component}`)]);
      return notify(notification, signal, report);
    },
    events,
    describe,
    metrics: createNotifierMetrics(store, 'own'),
    log: loggers.logger('plugins.own'),
    retry: { first: 10, longest: 20 },
  });
  t.teardown(() => runner.stop());
  const series = async (name: string): Promise<string | undefined> =>
    (await textOf(store)).split('\n').find((line) => line.startsWith(`fabric_ops_agent_notifier_${name} `));
  return { events, runner, calls, logged, series };
}

const fail = (events: Events, component: string): void => events.checked(component, 'broken', 'critical');
const recover = (events: Events, component: string): void => events.checked(component, undefined, 'critical');

test('events are grouped, those before the start included', async (t) => {
  const { events, runner, calls } = startRunner(t, { groupFor: 50 });
  fail(events, 'a');
  await sleep(80);
  t.deepEqual(calls, []);
  runner.start();
  fail(events, 'b');
  recover(events, 'a');
  await until(() => calls.length > 0);
  t.deepEqual(calls, [['change', 'failed b']]);
});

test('a notifier gets events with words, and its report about them is about the queued events', async (t) => {
  const got: (string | undefined)[] = [];
  const { events, runner, calls } = startRunner(
    t,
    {},
    ({ agent, events: all }, _signal, report) => {
      got.push(...all.map(({ headline }) => `${agent}: ${headline}`));
      for (const event of all) report.accepted(event);
      throw new Error('after the report');
    },
    undefined,
    async (all) => all.map((event) => ({ ...event, headline: `${event.component} is down` })),
  );
  runner.start();
  fail(events, 'a');
  await until(() => calls.length > 0);
  await sleep(60);
  t.deepEqual(got, ['host1: a is down']);
});

for (const [what, code, expected] of [
  ['has not accepted', 'NOTIFICATION_NOT_ACCEPTED', ['recovered a', 'info d', 'failed c']],
  ['may have accepted', undefined, ['recovered a', 'recovered b', 'info d', 'failed c']],
] as const)
  test(`a receiver that ${what} events gets what differs from what it knew, and the failure is logged once`, async (t) => {
    let isDown = false;
    const { events, runner, calls, logged, series } = startRunner(t, {}, () => {
      if (!isDown) return;
      throw code === undefined ? new Error('no response') : new AgentError(code, 'no response');
    });
    runner.start();
    fail(events, 'a');
    await until(() => calls.length === 1);
    isDown = true;
    recover(events, 'a');
    fail(events, 'b');
    await until(() => calls.length > 2);
    recover(events, 'b');
    events.restarted('d');
    fail(events, 'c');
    const queued = 'queued_events{notifier="own"}';
    t.is(await series(queued), `fabric_ops_agent_notifier_${queued} ${expected.length}`);
    isDown = false;
    const before = calls.length;
    await until(() => calls.length > before);
    t.deepEqual(calls.at(-1), ['change', ...expected]);
    await sleep(50);
    t.is(calls.length, before + 1);
    t.is(await series(queued), `fabric_ops_agent_notifier_${queued} 0`);
    t.deepEqual(logged, [
      'warn not delivered, will be sent again: no response',
      'info notifications are delivered again',
    ]);
  });

test.serial('a failure that ends before it could be delivered leaves nothing undelivered', async (t) => {
  const clock = stopClock(t);
  const { events, runner, calls, logged } = startRunner(t, {}, () => {
    throw new AgentError('NOTIFICATION_NOT_ACCEPTED', 'down');
  });
  runner.start();
  fail(events, 'a');
  await until(() => calls.length > 0);
  clock.tick(90_000);
  t.throws(() => runner.check(), { message: 'not delivered for 1m30s: down' });
  recover(events, 'a');
  t.notThrows(() => runner.check());
  t.is(runner.delivery.queued, 0);
  t.is(logged.at(-1), 'info the events that were not delivered are obsolete: the queue is empty');
});

test('events that the receiver refuses are dropped, and later ones are delivered', async (t) => {
  let isRefusing = true;
  const { events, runner, calls, logged, series } = startRunner(t, {}, () => {
    if (isRefusing) throw new AgentError('NOTIFICATION_REFUSED', 'HTTP status 400');
  });
  runner.start();
  fail(events, 'a');
  await until(() => calls.length === 1);
  isRefusing = false;
  fail(events, 'b');
  await until(() => calls.length === 2);
  t.deepEqual(calls[1], ['change', 'failed b']);
  t.deepEqual(logged, ['error 1 event dropped: HTTP status 400', 'info notifications are delivered again']);
  t.is(
    await series('events_dropped_total{notifier="own"}'),
    'fabric_ops_agent_notifier_events_dropped_total{notifier="own"} 1',
  );
});

test('more than 100 events are delivered in several calls', async (t) => {
  const { events, runner, calls } = startRunner(t, {});
  for (let count = 0; count < 250; count += 1) fail(events, String(count));
  runner.start();
  await until(() => calls.length === 3);
  t.deepEqual(
    calls.map(({ length }) => length - 1),
    [100, 100, 50],
  );
});

test('a failure is repeated with its latest reason until it recovers', async (t) => {
  const sent: AgentEvent[] = [];
  const { events, runner, calls } = startRunner(
    t,
    { repeat: 30 },
    ({ events: some }) => void sent.push(...some),
  );
  runner.start();
  fail(events, 'a');
  fail(events, 'b');
  recover(events, 'b');
  events.checked('a', 'still broken', 'critical');
  await until(() => calls.length > 2);
  t.deepEqual(calls.slice(0, 3), [
    ['change', 'failed a'],
    ['reminder', 'failed a'],
    ['reminder', 'failed a'],
  ]);
  t.is(sent.at(-1)?.reason, 'still broken');
  recover(events, 'a');
  await until(() => calls.at(-1)?.[1] === 'recovered a');
  const { length } = calls;
  await sleep(80);
  t.is(calls.length, length);
});

test('with critical, warnings and restarts are omitted, and a failure that becomes a warning recovers', async (t) => {
  const { events, runner, calls } = startRunner(t, { events: 'critical' });
  runner.start();
  events.checked('a', 'soon', 'warning');
  events.checked('a', 'now', 'critical');
  events.restarted('a');
  await until(() => calls.length === 1);
  events.checked('a', 'soon', 'warning');
  events.checked('a', undefined, 'critical');
  await until(() => calls.length === 2);
  t.deepEqual(calls, [
    ['change', 'failed a'],
    ['change', 'recovered a'],
  ]);
});

for (const [receives, expected] of [
  ['all', ['failed b', 'failed c']],
  ['critical', ['failed a', 'failed b', 'failed c']],
] as const)
  test(`a failure that a warning explains is sent only to receivers that do not get the warning, and only once: ${receives}`, async (t) => {
    const listeners: EventListener[] = [];
    class Published extends Events {
      override subscribe(listener: EventListener): () => void {
        listeners.push(listener);
        return () => undefined;
      }
    }
    const { runner, calls } = startRunner(t, { events: receives }, undefined, new Published(() => []));
    runner.start();
    const publish = (component: string, state: 'failed' | 'recovered', explained?: 'warning'): void => {
      const common = { severity: 'critical', reason: 'broken', since: 0, fields: {} } as const;
      for (const each of listeners)
        each({
          event: { id: component, component, state, ...common },
          subject: new Events(() => []).subjectOf(component),
          explained,
          beganAt: performance.now(),
        });
    };
    publish('a', 'failed', 'warning');
    publish('b', 'failed', 'warning');
    publish('b', 'failed');
    publish('c', 'failed');
    await until(() => calls.length === 1);
    publish('a', 'recovered', 'warning');
    publish('b', 'recovered');
    publish('c', 'recovered');
    await until(() => calls.length === 2);
    t.deepEqual(calls, [
      ['change', ...expected],
      ['change', ...expected.map((event) => event.replace('failed', 'recovered'))],
    ]);
  });

test('with none only the heartbeat is sent, at once and at its interval', async (t) => {
  const { events, runner, calls } = startRunner(t, { events: 'none', heartbeat: 20 });
  runner.start();
  fail(events, 'a');
  await until(() => calls.length > 2);
  t.deepEqual(new Set(calls.map((call) => call.join(' '))), new Set(['heartbeat info heartbeat']));
});

test('a heartbeat that fails is not queued', async (t) => {
  const { runner, calls, series } = startRunner(t, { heartbeat: 20 }, () => {
    throw new Error('down');
  });
  runner.start();
  await until(() => calls.length > 2);
  t.is(
    await series('queued_events{notifier="own"}'),
    'fabric_ops_agent_notifier_queued_events{notifier="own"} 0',
  );
});

test('a notifier does not report itself', async (t) => {
  const { events, runner, calls } = startRunner(t, {});
  runner.start();
  events.checked('own (notifier)', 'not delivered', 'warning');
  fail(events, 'a');
  await until(() => calls.length > 0);
  t.deepEqual(calls, [['change', 'failed a']]);
});

test.serial('a wall clock that jumps does not make calls fail for longer', async (t) => {
  const clock = stopClock(t);
  const { events, runner, calls } = startRunner(t, {}, () => {
    throw new Error('down');
  });
  runner.start();
  fail(events, 'a');
  await until(() => calls.length > 1);
  clock.setSystemTime(Date.now() + 3_600_000);
  t.notThrows(() => runner.check());
  clock.tick(90_500);
  t.throws(() => runner.check(), { message: 'not delivered for 1m30s: down' });
});

test('queued events are delivered at the stop', async (t) => {
  const { events, runner, calls } = startRunner(t, { groupFor: 60_000 });
  runner.start();
  fail(events, 'a');
  await runner.stop();
  fail(events, 'b');
  t.deepEqual(calls, [['change', 'failed a']]);
});

test('events that cannot be delivered at the stop are logged', async (t) => {
  const { events, runner, logged } = startRunner(t, { groupFor: 60_000 }, () => {
    throw new Error('down');
  });
  runner.start();
  fail(events, 'a');
  await runner.stop();
  t.is(logged.at(-1), 'warn 1 event not delivered before the stop');
});

test('of more than 1,000 waiting events the oldest are dropped and counted, and one warning is logged each time', async (t) => {
  const { events, runner, calls, logged, series } = startRunner(t, { groupFor: 60_000 });
  const dropped = 'events_dropped_total{notifier="own"}';
  const warning =
    'warn more than 1000 events wait: the oldest are dropped and counted, events of the state info first';
  for (let n = 1; n <= 1000; n += 1) fail(events, `c${n}`);
  t.is(runner.delivery.queued, 1000);
  t.is(await series(dropped), undefined);
  fail(events, 'd1');
  fail(events, 'd2');
  t.is(runner.delivery.queued, 1000);
  t.deepEqual(logged, [warning]);
  // Its failure was not sent.
  recover(events, 'c1000');
  t.is(runner.delivery.queued, 999);
  fail(events, 'd3');
  fail(events, 'd4');
  t.deepEqual(logged, [warning, warning]);
  t.is(await series(dropped), `fabric_ops_agent_notifier_${dropped} 3`);
  t.deepEqual(calls, []);
});

test('a reminder that fails after one accepted and one refused event goes on with the others', async (t) => {
  const { events, runner, calls } = startRunner(
    t,
    { repeat: 30 },
    ({ cause, events: sent }, _signal, report) => {
      if (cause !== 'reminder' || sent.length !== 3) return;
      report.accepted(sent[0]!);
      report.refused(sent[1]!, new Error('HTTP status 400'));
      throw new Error('down');
    },
  );
  runner.start();
  for (const component of ['a', 'b', 'c']) fail(events, component);
  await until(() => calls.length > 2);
  t.deepEqual(calls.slice(0, 3), [
    ['change', 'failed a', 'failed b', 'failed c'],
    ['reminder', 'failed a', 'failed b', 'failed c'],
    ['reminder', 'failed c'],
  ]);
});

test.serial('calls that fail are a warning after a minute', async (t) => {
  const clock = stopClock(t);
  const { events, runner, calls } = startRunner(t, {}, () => {
    throw new Error('down');
  });
  runner.start();
  fail(events, 'a');
  await until(() => calls.length > 1);
  clock.tick(59_999);
  t.notThrows(() => runner.check());
  clock.tick(1);
  t.throws(() => runner.check(), { instanceOf: CheckWarning, message: 'not delivered for 1m: down' });
  t.is(runner.delivery.problem, 'down');
});

test('several events that cannot be delivered at the stop are counted in one line', async (t) => {
  const { events, runner, logged } = startRunner(t, { groupFor: 60_000 }, () => {
    throw new Error('down');
  });
  runner.start();
  for (const component of ['a', 'b']) fail(events, component);
  await runner.stop();
  t.is(logged.at(-1), 'warn 2 events not delivered before the stop');
});

test('a notifier that was never started is not called at its stop, and its events are counted', async (t) => {
  const { events, runner, calls, logged } = startRunner(t, {});
  fail(events, 'a');
  await runner.stop();
  t.deepEqual([calls, logged], [[], ['warn 1 event not delivered before the stop']]);
});

test('an event that is sent again is delivered although the receiver has its state, and a repeated one is not', async (t) => {
  const events = new Events(() => []);
  const listeners: EventListener[] = [];
  const subscribe = events.subscribe.bind(events);
  events.subscribe = (listener) => {
    listeners.push(listener);
    return subscribe(listener);
  };
  const { runner, calls } = startRunner(t, {}, undefined, events);
  runner.start();
  fail(events, 'a');
  await until(() => calls.length === 1);
  const send = (isAgain: boolean): void =>
    listeners[0]!({
      event: events.open[0]!,
      subject: events.subjectOf('a'),
      beganAt: performance.now(),
      isAgain,
    });
  send(false);
  send(true);
  await until(() => calls.length === 2);
  await runner.stop();
  t.deepEqual(calls, [
    ['change', 'failed a'],
    ['change', 'failed a'],
  ]);
});
