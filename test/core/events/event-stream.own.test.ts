// The messages for listeners of `/events`: the events and the state.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { EventStream } from '../../../core/events/event-stream.js';
import { Events } from '../../../core/events/index.js';
import { stopClock } from '../../helpers/clock.js';

const HOUR = 3_600_000;

/** The stream of an agent after some events, and the messages for a new listener. */
function startStream(t: ExecutionContext) {
  const clock = stopClock(t);
  const events = new Events(() => []);
  const stream = new EventStream(events, async () => ({}));
  events.happened('peer0', 'it was updated', {});
  const received = (): number => {
    const texts: string[] = [];
    stream.subscribe((text) => void texts.push(text))();
    return texts.filter((text) => text.includes('event: event\n')).length;
  };
  return { clock, received };
}

for (const days of [400, -400])
  test.serial(`a wall clock that jumps by ${days} days ends no event, and keeps none`, (t) => {
    const { clock, received } = startStream(t);
    clock.setSystemTime(Date.now() + days * 24 * HOUR);
    t.is(received(), 1);
    clock.tick(24 * HOUR);
    t.is(received(), 1);
    clock.tick(1);
    t.is(received(), 0);
  });

/** A stream with the clock of the test, the number of collected states, and a function that adds a listener. */
function startTimed(t: ExecutionContext, state: () => Promise<object> = async () => ({})) {
  const clock = useFakeTimers({
    now: Date.UTC(2026, 0, 2),
    toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const events = new Events(() => []);
  const counted = { states: 0 };
  const stream = new EventStream(events, () => {
    counted.states += 1;
    return state();
  });
  const listen = (): { texts: string[]; end: () => void } => {
    const texts: string[] = [];
    return { texts, end: stream.subscribe((text) => void texts.push(text)) };
  };
  return { clock, events, counted, listen, pass: (time: number) => clock.tickAsync(time) };
}

const RETRY = 'retry: 2000\n\n';
const STATE = 'event: state\ndata: {}\n\n';

test.serial(
  'a listener gets the time until it may connect again, the numbered events, and the state',
  async (t) => {
    const { events, listen, pass } = startTimed(t);
    events.happened('peer0', 'it was updated', { block: '7' });
    events.checked('queue', 'full', 'warning');
    const { texts } = listen();
    await pass(0);
    const common = { severity: 'info', since: '2026-01-02T00:00:00.000Z', steps: [] };
    const parsed = texts.slice(1, 3).map((text) => {
      const [, head, data] = /^([^]*)data: (.*)\n\n$/.exec(text) ?? [];
      return [head, JSON.parse(data ?? '') as unknown];
    });
    t.deepEqual([texts[0], texts[3], texts.length], [RETRY, STATE, 4]);
    t.deepEqual(parsed, [
      [
        'id: 1\nevent: event\n',
        { ...common, component: 'peer0', state: 'info', reason: 'it was updated', fields: { block: '7' } },
      ],
      [
        'id: 2\nevent: event\n',
        {
          ...common,
          component: 'queue',
          state: 'warning',
          severity: 'warning',
          reason: 'full',
          runbook: 'FabricHealthCheckWarning',
        },
      ],
    ]);
  },
);

test.serial('the state is sent every 5 s, and 0.1 s after the last of several events', async (t) => {
  const { events, counted, listen, pass } = startTimed(t);
  const { texts } = listen();
  await pass(4_999);
  t.is(counted.states, 1);
  await pass(1);
  t.is(counted.states, 2);
  events.happened('peer0', 'a', {});
  await pass(99);
  events.happened('peer0', 'b', {});
  await pass(99);
  t.is(counted.states, 2);
  await pass(1);
  t.is(counted.states, 3);
  t.is(texts.filter((text) => text === STATE).length, 3);
  await pass(4_999);
  t.is(counted.states, 3);
});

test.serial(
  'after an event while the state is collected, the state is collected again after 0.1 s',
  async (t) => {
    let end: (state: object) => void = () => undefined;
    const { events, counted, listen, pass } = startTimed(t, () => new Promise((resolve) => (end = resolve)));
    const { texts } = listen();
    events.happened('peer0', 'a', {});
    // It is not collected twice at the same time.
    await pass(60_000);
    t.is(counted.states, 1);
    end({});
    await pass(99);
    t.is(counted.states, 1);
    await pass(1);
    t.is(counted.states, 2);
    t.is(texts.at(-1), STATE);
  },
);

test.serial(
  'a further listener gets the last state at once; without listeners the state is not collected',
  async (t) => {
    const { clock, counted, listen, pass } = startTimed(t);
    const first = listen();
    await pass(0);
    const second = listen();
    t.deepEqual([second.texts, counted.states], [[RETRY, STATE], 1]);
    first.end();
    await pass(5_000);
    t.deepEqual(
      [first.texts, second.texts],
      [
        [RETRY, STATE],
        [RETRY, STATE, STATE],
      ],
    );
    second.end();
    t.is(clock.countTimers(), 0);
    await pass(60_000);
    t.is(counted.states, 2);
    const third = listen();
    t.deepEqual(third.texts, [RETRY]);
    third.end();
    await pass(60_000);
    t.deepEqual([third.texts, clock.countTimers()], [[RETRY], 0]);
  },
);

test.serial('if the state cannot be collected, listeners get the reason', async (t) => {
  const { listen, pass } = startTimed(t, () => Promise.reject(new Error('no memory')));
  const { texts } = listen();
  await pass(0);
  t.deepEqual(texts, [RETRY, 'event: problem\ndata: {"error":"no memory"}\n\n']);
});

test.serial('of more than 200 events a new listener gets the last 200', (t) => {
  const { events, listen } = startTimed(t);
  for (let count = 1; count <= 201; count += 1) events.happened('peer0', `event ${count}`, {});
  const { texts } = listen();
  t.is(texts.length, 201);
  t.regex(texts[1] ?? '', /^id: 2\n/);
});

test.serial('failures that others explain are not among the events', async (t) => {
  const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  t.teardown(() => clock.restore());
  const listeners: Parameters<Events['subscribe']>[0][] = [];
  const stream = new EventStream(
    {
      subscribe: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    },
    async () => ({}),
  );
  const common = { severity: 'critical', reason: 'broken', since: 0, fields: {}, state: 'failed' } as const;
  for (const explained of ['warning', undefined] as const)
    listeners[0]?.({
      event: { ...common, id: `${explained}`, component: `${explained}` },
      subject: new Events(() => []).subjectOf(`${explained}`),
      explained,
      beganAt: 0,
    });
  const texts: string[] = [];
  stream.subscribe((text) => void texts.push(text))();
  t.is(texts.length, 2);
  t.regex(texts[1] ?? '', /"component":"undefined"/);
});
