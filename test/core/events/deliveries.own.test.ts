// The outcomes of single events, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import {
  AgentError,
  LeveledLoggers,
  type AgentEvent,
  type NotifierSchedule,
} from '../../../core/contract/index.js';
import { createNotifierMetrics, Events, NotifierRunner } from '../../../core/events/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { textOf } from '../../helpers/exposition.js';

type Notify = ConstructorParameters<typeof NotifierRunner>[0]['notify'];

interface Fixture {
  readonly clock: SinonFakeTimers;
  readonly events: Events;
  readonly runner: NotifierRunner;
  /** Each call: its start in seconds, its cause, and the components of its events. */
  readonly calls: readonly {
    readonly at: number;
    readonly cause: string;
    readonly sent: readonly string[];
  }[];
  readonly logged: readonly string[];
  /** The value of a series of the notifier. */
  readonly value: (series: string) => Promise<string | undefined>;
}

/** Starts a runner. Failed calls are repeated after 1 s, 2 s and so on, without a random part. */
function startRunner(t: ExecutionContext, schedule: NotifierSchedule, notify: Notify): Fixture {
  const clock = useFakeTimers({
    now: Date.UTC(2026, 0, 1),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const began = Date.now();
  const events = new Events(() => []);
  const store = new MetricStore(1000);
  const calls: { at: number; cause: string; sent: string[] }[] = [];
  const logged: string[] = [];
  const loggers = new LeveledLoggers({
    write: ({ level, message }) => void logged.push(`${level} ${message}`),
  });
  const runner = new NotifierRunner({
    component: 'own (notifier)',
    schedule: { groupFor: 0, ...schedule },
    notify: (notification, signal, report) => {
      const sent = notification.events.map(({ component }) => component);
      calls.push({ at: (Date.now() - began) / 1000, cause: notification.cause, sent });
      return notify(notification, signal, report);
    },
    events,
    metrics: createNotifierMetrics(store, 'own'),
    log: loggers.logger('plugins.own'),
    retry: { first: 1_000, longest: 60_000 },
  });
  const value = async (series: string): Promise<string | undefined> =>
    (await textOf(store))
      .split('\n')
      .find((line) => line.startsWith(`fabric_ops_agent_notifier_${series}`))
      ?.split(' ')
      .at(-1);
  runner.start();
  return { clock, events, runner, calls, logged, value };
}

function failMany(events: Events, count: number): void {
  for (let index = 0; index < count; index += 1) events.checked(`c${index}`, 'broken', 'critical');
}

const refuse = (): never => {
  throw new AgentError('NOTIFICATION_REFUSED', 'HTTP status 400: invalid routing key');
};

/** Sends events one by one, each in this time, as PagerDuty needs it. */
const oneByOne =
  (milliseconds: number, onSent: (event: AgentEvent) => void = () => undefined): Notify =>
  async ({ events }, signal, report) => {
    for (const event of events) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      signal.throwIfAborted();
      try {
        onSent(event);
        report.accepted(event);
      } catch (error) {
        report.refused(event, error);
      }
    }
  };

/** The warning of the component of the notifier. */
function warningOf(runner: NotifierRunner): string | undefined {
  try {
    runner.check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test.serial('a notifier is a warning while its calls are refused, until one is accepted', async (t) => {
  let isRefusing = true;
  const { clock, events, runner, logged } = startRunner(t, {}, () => (isRefusing ? refuse() : undefined));
  events.checked('a', 'broken', 'critical');
  await clock.tickAsync(1);
  t.is(
    warningOf(runner),
    'refused since 2026-01-01T00:00:00.000Z, 1 event dropped: HTTP status 400: invalid routing key',
  );
  events.checked('b', 'broken', 'critical');
  events.checked('c', 'broken', 'critical');
  await clock.tickAsync(60_000);
  t.is(
    warningOf(runner),
    'refused since 2026-01-01T00:00:00.000Z, 3 events dropped: HTTP status 400: invalid routing key',
  );
  isRefusing = false;
  events.checked('d', 'broken', 'critical');
  await clock.tickAsync(1);
  t.is(warningOf(runner), undefined);
  t.deepEqual(logged, [
    'error 1 event dropped: HTTP status 400: invalid routing key',
    'error 2 events dropped: HTTP status 400: invalid routing key',
    'info notifications are delivered again',
  ]);
});

test.serial('a call in which nothing is sent does not end the warning', async (t) => {
  const { clock, events, runner } = startRunner(t, {}, ({ events: sent }, _signal, report) => {
    if (sent[0]?.state !== 'info') refuse();
    for (const event of sent) report.omitted(event);
  });
  events.checked('a', 'broken', 'critical');
  await clock.tickAsync(1);
  const warning = warningOf(runner);
  t.not(warning, undefined);
  events.restarted('a');
  await clock.tickAsync(1);
  t.is(warningOf(runner), warning);
});

test.serial('refused heartbeats need attention, are logged once, and are no dropped events', async (t) => {
  const { clock, runner, logged, value } = startRunner(t, { heartbeat: 1_000 }, refuse);
  await clock.tickAsync(5_000);
  t.is(warningOf(runner), 'refused since 2026-01-01T00:00:00.000Z: HTTP status 400: invalid routing key');
  t.deepEqual(logged, ['error heartbeat refused: HTTP status 400: invalid routing key']);
  t.is(await value('events_dropped_total'), undefined);
});

test.serial('of events that are sent one by one, only the refused one is dropped', async (t) => {
  const sent: string[] = [];
  const { clock, events, calls, logged, value } = startRunner(
    t,
    {},
    oneByOne(1, ({ component }) => {
      if (component === 'c1') refuse();
      sent.push(component);
    }),
  );
  failMany(events, 4);
  await clock.tickAsync(1_000);
  t.deepEqual(sent, ['c0', 'c2', 'c3']);
  t.is(calls.length, 1);
  t.is(await value('events_dropped_total'), '1');
  t.is(await value('queued_events'), '0');
  t.is(await value('notifications_total{notifier="own",outcome="refused"}'), '1');
  t.deepEqual(logged, ['error 1 event dropped: HTTP status 400: invalid routing key']);
});

test.serial('100 events of 0.45 s each are sent once, although a call has 30 s', async (t) => {
  const sent: string[] = [];
  const { clock, events, calls, runner } = startRunner(
    t,
    {},
    oneByOne(450, ({ component }) => void sent.push(component)),
  );
  failMany(events, 100);
  await clock.tickAsync(120_000);
  t.deepEqual(
    sent,
    Array.from({ length: 100 }, (_, index) => `c${index}`),
  );
  t.deepEqual(
    calls.map(({ at, sent: components }) => [at, components.length]),
    [
      [0, 100],
      [31, 34],
    ],
  );
  t.is(warningOf(runner), undefined);
});

test.serial('an event that was accepted before the call failed is not sent again', async (t) => {
  let isDown = true;
  const { clock, events, calls } = startRunner(t, {}, ({ events: [first] }, _signal, report) => {
    if (!isDown) return;
    isDown = false;
    report.accepted(first!);
    throw new Error('connection refused');
  });
  failMany(events, 3);
  await clock.tickAsync(10_000);
  t.deepEqual(
    calls.map(({ sent }) => sent),
    [
      ['c0', 'c1', 'c2'],
      ['c1', 'c2'],
    ],
  );
});

test.serial('a reminder of 250 failures has three calls, and changes come between them', async (t) => {
  const { clock, events, calls } = startRunner(t, { repeat: 60_000 }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  });
  failMany(events, 250);
  await clock.tickAsync(60_500);
  events.checked('new', 'broken', 'critical');
  await clock.tickAsync(10_000);
  t.deepEqual(
    calls.slice(3).map(({ cause, sent }) => `${cause} ${sent.length}`),
    ['reminder 100', 'change 1', 'reminder 100', 'reminder 50'],
  );
});

test.serial('a reminder that cannot be sent is not continued', async (t) => {
  let isDown = false;
  const { clock, events, calls } = startRunner(t, { repeat: 60_000 }, () => {
    if (isDown) throw new Error('connection refused');
  });
  failMany(events, 250);
  await clock.tickAsync(10_000);
  isDown = true;
  await clock.tickAsync(60_000);
  t.deepEqual(
    calls.slice(3).map(({ cause, sent }) => `${cause} ${sent.length}`),
    ['reminder 100'],
  );
});

test.serial('an event during a failing call waits as long as the others', async (t) => {
  const { clock, events, calls } = startRunner(t, {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    throw new Error('connection refused');
  });
  failMany(events, 1);
  await clock.tickAsync(250);
  events.checked('during', 'broken', 'critical');
  await clock.tickAsync(5_000);
  t.deepEqual(
    calls.map(({ at, sent }) => [at, ...sent]),
    [
      [0, 'c0'],
      [1.5, 'c0', 'during'],
      [4, 'c0', 'during'],
    ],
  );
});

test.serial(
  'for critical events only, a failure that becomes a warning is a recovery that says so',
  async (t) => {
    const reasons: string[] = [];
    const { clock, events } = startRunner(t, { events: 'critical' }, ({ events: sent }) => {
      for (const { state, reason } of sent) reasons.push(`${state} ${reason}`);
    });
    events.checked('disk', '1% left', 'critical');
    await clock.tickAsync(60_000);
    events.checked('disk', '7% left', 'warning');
    await clock.tickAsync(1);
    t.deepEqual(reasons, [
      'failed 1% left',
      'recovered now a warning (7% left) after 1m; failed since 2026-01-01T00:00:00Z, former reason: 1% left',
    ]);
  },
);
