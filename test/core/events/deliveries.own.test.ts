// The outcomes of single events, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { AgentError, LeveledLoggers, type AgentEvent } from '../../../core/contract/index.js';
import type { NotifierSchedule } from '../../../core/contract/notifier.js';
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

const RETRY = { first: 1_000, longest: 60_000 };

/** Starts a runner. By default failed calls are repeated after 1 s, 2 s and so on, without a random part. */
function startRunner(
  t: ExecutionContext,
  schedule: NotifierSchedule,
  notify: Notify,
  options: Pick<ConstructorParameters<typeof NotifierRunner>[0], 'onAccepted' | 'retry'> = {
    retry: RETRY,
  },
): Fixture {
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
    agent: 'host1',
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
    ...options,
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
      'recovered now a warning (7% left) after 1m; failed since 2026-01-01T00:00:00Z, reason: 1% left',
    ]);
  },
);

test.serial('after the stop no timer is left, and nothing is called', async (t) => {
  const { clock, events, runner, calls } = startRunner(
    t,
    { groupFor: 1_000, repeat: 60_000, heartbeat: 60_000 },
    () => undefined,
  );
  events.checked('a', 'broken', 'critical');
  await clock.tickAsync(90_000);
  events.checked('b', 'broken', 'critical');
  await runner.stop();
  t.is(clock.countTimers(), 0);
  await clock.tickAsync(600_000);
  t.deepEqual(
    calls.map(({ at, cause }) => [at, cause]),
    [
      [0, 'heartbeat'],
      [1, 'change'],
      [60, 'heartbeat'],
      [60, 'reminder'],
      [90, 'change'],
    ],
  );
});

test.serial(
  'the last call at the stop has 3 s; that it is aborted is no further line in the log',
  async (t) => {
    const { clock, events, runner, logged } = startRunner(
      t,
      { groupFor: 60_000 },
      () => new Promise(() => undefined),
    );
    events.checked('a', 'broken', 'critical');
    let isStopped = false;
    const stopped = runner.stop().then(() => (isStopped = true));
    await clock.tickAsync(2_999);
    t.false(isStopped);
    await clock.tickAsync(1);
    await stopped;
    t.deepEqual(logged, ['warn 1 event not delivered before the stop']);
    t.is(clock.countTimers(), 0);
  },
);

test.serial(
  'at the stop a call in progress ends first, then the events since its start are sent',
  async (t) => {
    const { clock, events, runner, calls } = startRunner(t, {}, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    });
    events.checked('a', 'broken', 'critical');
    await clock.tickAsync(500);
    events.checked('b', 'broken', 'critical');
    const stopped = runner.stop();
    await clock.tickAsync(2_000);
    await stopped;
    t.deepEqual(
      calls.map(({ at, sent }) => [at, ...sent]),
      [
        [0, 'a'],
        [1, 'b'],
      ],
    );
  },
);

test.serial('at the stop the rest of a reminder is not sent', async (t) => {
  const { clock, events, runner, calls } = startRunner(t, { repeat: 60_000 }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  });
  failMany(events, 250);
  await clock.tickAsync(60_500);
  const stopped = runner.stop();
  await clock.tickAsync(10_000);
  await stopped;
  t.deepEqual(
    calls.slice(3).map(({ cause, sent }) => `${cause} ${sent.length}`),
    ['reminder 100'],
  );
});

test.serial('a call that misses its deadline and does not end is not repeated until it ends', async (t) => {
  let end: () => void = () => undefined;
  const { clock, events, runner, calls, logged, value } = startRunner(t, {}, () =>
    calls.length > 1 ? undefined : new Promise((resolve) => (end = resolve)),
  );
  events.checked('a', 'broken', 'critical');
  await clock.tickAsync(29_999);
  t.is(runner.delivery.problem, undefined);
  await clock.tickAsync(1);
  t.is(runner.delivery.problem, 'the notification took longer than 30s');
  await clock.tickAsync(10_000);
  t.is(runner.delivery.problem, 'an earlier call is still running');
  t.is(calls.length, 1);
  end();
  await clock.tickAsync(60_000);
  t.is(calls.length, 2);
  t.like(runner.delivery, { queued: 0, problem: undefined });
  t.deepEqual(logged, [
    'warn not delivered, will be sent again: the notification took longer than 30s',
    'info notifications are delivered again',
  ]);
  t.is(await value('notifications_total{notifier="own",outcome="succeeded"}'), '1');
});

test.serial('a call with any outcome, and a successful call, make the next wait short again', async (t) => {
  const { clock, events, calls } = startRunner(t, {}, ({ events: sent }, _signal, report) => {
    const { length } = calls;
    if (length === 3) {
      report.accepted(sent[0]!);
      report.refused(sent[1]!, new Error('HTTP status 400'));
    }
    if (length !== 4 && length !== 6) throw new Error('connection refused');
  });
  failMany(events, 3);
  await clock.tickAsync(10_000);
  events.checked('new', 'broken', 'critical');
  await clock.tickAsync(10_000);
  t.deepEqual(
    calls.map(({ at, sent }) => [at, sent.length]),
    [
      [0, 3],
      [1, 3],
      [3, 3],
      [4, 1],
      [10, 1],
      [11, 1],
    ],
  );
});

test.serial(
  'a call in which one event is accepted and one is refused ends the failure of the calls',
  async (t) => {
    const { clock, events, runner, calls } = startRunner(t, {}, ({ events: sent }, _signal, report) => {
      if (calls.length === 1) throw new Error('connection refused');
      report.accepted(sent[0]!);
      report.refused(sent[1]!, new Error('HTTP status 400'));
    });
    failMany(events, 2);
    await clock.tickAsync(120_000);
    t.is(warningOf(runner), 'refused since 2026-01-01T00:00:01.000Z, 1 event dropped: HTTP status 400');
  },
);

test.serial('only events that the receiver accepted are a delivery', async (t) => {
  let isOmitting = true;
  const accepted: string[] = [];
  const { clock, events, runner } = startRunner(
    t,
    {},
    ({ events: sent }, _signal, report) => {
      if (isOmitting) for (const event of sent) report.omitted(event);
    },
    { retry: RETRY, onAccepted: ({ state, component }) => accepted.push(`${state} ${component}`) },
  );
  events.checked('a', 'broken', 'critical');
  await clock.tickAsync(1_000);
  t.deepEqual(runner.delivery, { deliveredAt: undefined, queued: 0, problem: undefined, events: 'all' });
  t.deepEqual(accepted, []);
  isOmitting = false;
  events.checked('b', 'broken', 'critical');
  await clock.tickAsync(1_000);
  t.is(runner.delivery.deliveredAt, Date.UTC(2026, 0, 1, 0, 0, 1));
  t.deepEqual(accepted, ['failed b']);
});

test.serial('a failure that a receiver refuses or does not get is not accepted', async (t) => {
  const accepted: string[] = [];
  const { clock, events } = startRunner(
    t,
    { events: 'critical' },
    ({ events: sent }, _signal, report) => {
      for (const event of sent) report.refused(event, new Error('HTTP status 400'));
    },
    { retry: RETRY, onAccepted: ({ component }) => accepted.push(component) },
  );
  events.checked('a', 'broken', 'critical');
  events.checked('b', 'attention', 'warning');
  await clock.tickAsync(60_000);
  t.deepEqual(accepted, []);
});

test.serial(
  'by default up to half of a wait is random, so that many agents do not call at the same time',
  async (t) => {
    const { random } = Math;
    t.teardown(() => (Math.random = random));
    Math.random = () => 0;
    const fail: Notify = () => {
      throw new Error('connection refused');
    };
    const { clock, events, calls } = startRunner(t, {}, fail, {});
    failMany(events, 1);
    await clock.tickAsync(2_000);
    t.deepEqual(
      calls.map(({ at }) => at),
      [0, 0.5, 1.5],
    );
  },
);
