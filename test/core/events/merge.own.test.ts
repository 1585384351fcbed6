// One event for parts of a check that fail for one reason, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { ownerOf } from '../../../core/common/text/component.js';
import { AgentError, LeveledLoggers, type AgentEvent } from '../../../core/contract/index.js';
import type { NotifierSchedule } from '../../../core/contract/notifier.js';
import { createNotifierMetrics, Events, NotifierRunner } from '../../../core/events/index.js';
import { MetricStore } from '../../../core/metrics/index.js';

const CHECKS = ['channels', 'peer0', 'peer0/certificates'];

/** A notifier that collects events for a second. */
function start(t: ExecutionContext, schedule: NotifierSchedule = {}) {
  const clock = useFakeTimers({
    now: 0,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    shouldClearNativeTimers: true,
  });
  const events = new Events(() => [{ name: 'peer0', kind: 'peer' }]);
  const calls: (readonly AgentEvent[])[] = [];
  const accepted: string[] = [];
  const receiver: { error: Error | undefined } = { error: undefined };
  const runner = new NotifierRunner({
    agent: 'host1',
    component: 'pager (notifier)',
    schedule: { groupFor: 1_000, ...schedule },
    notify({ events: all }) {
      calls.push(all);
      if (receiver.error !== undefined) throw receiver.error;
    },
    events,
    checkOf: (component) => ownerOf(component, CHECKS),
    onAccepted: ({ id }) => accepted.push(id),
    metrics: createNotifierMetrics(new MetricStore(100), 'pager'),
    log: new LeveledLoggers({ write: () => undefined }).logger('plugins.pager'),
    retry: { first: 1_000, longest: 1_000 },
  });
  runner.start();
  t.teardown(async () => {
    await runner.stop();
    clock.restore();
  });
  const set = (
    names: readonly string[],
    reason: string | undefined,
    severity: 'critical' | 'warning' = 'warning',
  ) => names.forEach((name) => events.checked(name, reason, severity));
  /** The events of the calls in the next seconds. */
  const sent = async (seconds = 3): Promise<string[]> => {
    calls.length = 0;
    await clock.tickAsync(seconds * 1_000);
    return calls.flat().map(({ state, id, reason }) => `${state} ${id}: ${reason}`);
  };
  return { events, set, sent, calls, accepted, receiver, runner };
}

const channels = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `channels/ch${from + index}`);

const RISK = 'at risk: orderer2 is down';
const FORMER = `warning since 1970-01-01T00:00:00Z, reason: ${RISK}`;

test.serial(
  '30 channels that lack an orderer are one event with all of them, and their end is one event',
  async (t) => {
    const { set, sent, calls, accepted } = start(t);
    set(channels(1, 30), RISK);
    t.deepEqual(await sent(), [`warning channels/ch1: 30 channels (ch1, ch2, ch3 and 27 more): ${RISK}`]);
    t.deepEqual(calls[0]?.[0]?.components, channels(1, 30));
    t.deepEqual(accepted, channels(1, 30));
    set(channels(1, 30), undefined);
    t.deepEqual(await sent(), [
      `recovered channels/ch1: 30 channels (ch1, ch2, ch3 and 27 more): recovered after 3s; ${FORMER}`,
    ]);
    t.deepEqual(await sent(600), []);
  },
);

test.serial('while some of the channels still fail, the end of the others is not sent', async (t) => {
  const { set, sent } = start(t);
  set(channels(1, 4), RISK);
  await sent();
  set(channels(1, 3), undefined);
  t.deepEqual(await sent(), []);
  set(channels(4, 4), undefined);
  t.deepEqual(await sent(), [
    `recovered channels/ch1: 4 channels (ch1, ch2, ch3 and 1 more): recovered after 6s; ${FORMER}`,
  ]);
});

test.serial('a channel that fails later is an event of its own', async (t) => {
  const { set, sent } = start(t);
  set(channels(1, 3), RISK);
  await sent();
  set(channels(4, 4), RISK);
  t.deepEqual(await sent(), [`warning channels/ch4: ${RISK}`]);
  set(channels(4, 4), undefined);
  t.deepEqual(await sent(), [
    `recovered channels/ch4: recovered after 3s; warning since 1970-01-01T00:00:03Z, reason: ${RISK}`,
  ]);
});

test.serial('two channels are two events', async (t) => {
  const { set, sent } = start(t);
  set(channels(1, 2), RISK);
  t.deepEqual(await sent(), [`warning channels/ch1: ${RISK}`, `warning channels/ch2: ${RISK}`]);
});

test.serial('all channels of an event that stop remain one event', async (t) => {
  const { set, sent } = start(t);
  set(channels(1, 3), RISK);
  await sent();
  set(channels(1, 3), 'stopped: no quorum', 'critical');
  t.deepEqual(await sent(), ['failed channels/ch1: 3 channels (ch1, ch2, ch3): stopped: no quorum']);
  set(channels(1, 3), undefined);
  t.is((await sent()).length, 1);
});

test.serial('each channel of an event that stops is told, and each id ends', async (t) => {
  const { set, sent } = start(t);
  set(channels(1, 4), RISK);
  await sent();
  set(channels(1, 1), 'stopped: a', 'critical');
  t.deepEqual(await sent(), ['failed channels/ch1#2: stopped: a']);
  set(channels(2, 2), 'stopped: b', 'critical');
  t.deepEqual(await sent(), ['failed channels/ch2: stopped: b']);
  set(channels(3, 4), 'stopped: c', 'critical');
  t.deepEqual(await sent(), ['failed channels/ch1: 2 channels (ch3, ch4): stopped: c']);
  set(channels(1, 4), undefined);
  const ended = await sent();
  t.deepEqual(
    ended.map((text) => text.split(':', 1)[0]),
    ['recovered channels/ch1#2', 'recovered channels/ch2', 'recovered channels/ch1'],
  );
});

test.serial(
  'the first channel of an event recovers and fails for another reason while the others fail',
  async (t) => {
    const { set, sent } = start(t);
    set(channels(1, 3), RISK);
    await sent();
    set(channels(1, 1), undefined);
    t.deepEqual(await sent(), []);
    set(channels(1, 1), 'at risk: orderer3 is down');
    t.deepEqual(await sent(), ['warning channels/ch1#2: at risk: orderer3 is down']);
    set(channels(2, 3), undefined);
    t.regex((await sent()).join(), /^recovered channels\/ch1: 3 channels/);
    set(channels(1, 1), undefined);
    t.regex((await sent()).join(), /^recovered channels\/ch1#2: recovered/);
  },
);

test.serial('40 files of a slow disk are one event, also if the reasons name the files', async (t) => {
  const { set, sent } = start(t);
  for (let count = 1; count <= 40; count += 1)
    set([`peer0/certificates//msp/${count}.pem`], `/msp/${count}.pem: it did not respond within 5s`);
  t.deepEqual(await sent(), [
    'warning peer0/certificates//msp/1.pem: 40 parts of peer0/certificates (/msp/1.pem, /msp/2.pem, /msp/3.pem and 37 more): /msp/1.pem: it did not respond within 5s',
  ]);
});

test.serial(
  'parts with other reasons, states or checks, and whole components, are separate events',
  async (t) => {
    const { set, sent } = start(t);
    set(channels(1, 2), RISK);
    set(channels(3, 4), RISK, 'critical');
    set(['channels/ch5', 'channels/ch6'], 'at risk: orderer3 is down');
    set(['peer0/certificates/a', 'peer0', 'docker'], RISK);
    t.is((await sent()).length, 9);
  },
);

test.serial('28 joined channels of five nodes are one event, 27 of another node another one', async (t) => {
  const { events, sent, calls } = start(t);
  for (const node of ['peer0', 'peer1', 'peer2', 'peer3', 'peer4', 'peer5'])
    for (let count = node === 'peer5' ? 2 : 1; count <= 28; count += 1)
      events.happened(`channels/ch${count}`, `${node} has joined ch${count}`, {
        channel: `ch${count}`,
        node,
      });
  t.deepEqual(
    (await sent()).map((text) => text.replace(/ \S+: /, ' ')),
    [
      'info 28 channels, 5 nodes (peer0, peer1, peer2 and 2 more): peer0 has joined ch1, ch2, ch3 and 25 more',
      'info 27 channels: peer5 has joined ch2, ch3, ch4 and 24 more',
    ],
  );
  t.is(calls[0]?.[0]?.components?.length, 28);
});

test.serial('events of several nodes about one channel are not merged', async (t) => {
  const { events, sent } = start(t);
  for (const node of ['o1', 'o2', 'o3'])
    events.happened('channels/ch1', 'ch1 has block 5', { channel: 'ch1', node });
  for (let count = 1; count <= 3; count += 1)
    events.happened('channels/ch1', 'again', { channel: 'ch1', node: 'o1' });
  t.is((await sent()).length, 6);
});

test.serial(
  'a receiver that refuses the event of three channels for a while gets what remains',
  async (t) => {
    const { set, sent, receiver } = start(t);
    receiver.error = new AgentError('NOTIFICATION_NOT_ACCEPTED', 'HTTP status 503');
    set(channels(1, 4), RISK);
    await sent();
    set(channels(1, 1), undefined);
    receiver.error = undefined;
    t.deepEqual(await sent(), [`warning channels/ch2: 3 channels (ch2, ch3, ch4): ${RISK}`]);
    set(channels(2, 4), undefined);
    t.regex((await sent()).join(), /^recovered channels\/ch2: 3 channels/);
  },
);

test.serial('a receiver that may have the event of three channels gets their end as one event', async (t) => {
  const { set, sent, receiver } = start(t);
  receiver.error = new Error('no response');
  set(channels(1, 3), RISK);
  await sent(2);
  set(channels(1, 3), undefined);
  receiver.error = undefined;
  t.deepEqual(await sent(), [
    `recovered channels/ch1: 3 channels (ch1, ch2, ch3): recovered after 2s; ${FORMER}`,
  ]);
});

test.serial('a reminder has one event for three channels', async (t) => {
  const { set, sent } = start(t, { repeat: 60_000 });
  set(channels(1, 3), RISK);
  await sent();
  t.deepEqual(await sent(60), [`warning channels/ch1: 3 channels (ch1, ch2, ch3): ${RISK}`]);
});
