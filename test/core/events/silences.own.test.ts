// Silences of planned work, from the checks to a notifier, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { LeveledLoggers } from '../../../core/contract/index.js';
import type { NotifierSchedule } from '../../../core/contract/notifier.js';
import type { Consenter } from '../../../core/fabric/channel.js';
import {
  createNotifierMetrics,
  Events,
  measureSilences,
  NotifierRunner,
  Outbox,
  SilenceRule,
  Silences,
} from '../../../core/events/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { textOf } from '../../helpers/exposition.js';

const MINUTE = 60_000;
const BY = 'CN=alice';

test.serial('each active silence has a metric with its end, until it ends', async (t) => {
  const silences = new Silences();
  const store = new MetricStore(1000);
  measureSilences(silences, store);
  const valuesOf = async (): Promise<string[]> => {
    return (await textOf(store)).split('\n').filter((line) => line.startsWith('fabric_ops_agent_silence_'));
  };
  const until = Date.UTC(2100, 0, 1);
  const { id } = silences.begin({ node: 'peer0', until, by: BY, why: 'upgrade' });
  const other = silences.begin({ channel: 'ch1', until: until + 1_500, by: BY, why: 'upgrade' });
  const line = (labels: string, value: number): string =>
    `fabric_ops_agent_silence_end_timestamp_seconds{${labels}} ${value}`;
  t.deepEqual(await valuesOf(), [
    line(`channel="",id="${id}",node="peer0"`, 4102444800),
    line(`channel="ch1",id="${other.id}",node=""`, 4102444801.5),
  ]);
  silences.end(id, BY);
  t.deepEqual(await valuesOf(), [line(`channel="ch1",id="${other.id}",node=""`, 4102444801.5)]);
  silences.stop();
});

test.serial('only a silence of the channel itself, for all its nodes, is a silence of the channel', (t) => {
  const silences = new Silences();
  const begin = (scope: { node?: string; channel?: string }) =>
    silences.begin({ ...scope, until: Date.now() + MINUTE, by: BY, why: 'upgrade' });
  for (const scope of [{}, { node: 'p1' }, { node: 'p1', channel: 'ch1' }, { channel: 'ch2' }]) begin(scope);
  t.is(silences.ofChannel('ch1'), undefined);
  const own = begin({ channel: 'ch1' });
  t.is(silences.ofChannel('ch1'), own);
  silences.stop();
});

/** Three orderers, a peer and one channel, with a notifier for all events and one for critical ones. */
function network(t: ExecutionContext, peers: readonly string[] = ['p1']) {
  const clock = useFakeTimers({
    now: Date.UTC(2026, 0, 2, 3, 0, 0),
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const inactive: Consenter[] = [];
  const silences = new Silences();
  const events = new Events(
    () => [
      ...['o1', 'o2', 'o3'].map((name) => ({ name, kind: 'orderer' as const })),
      ...peers.map((name) => ({ name, kind: 'peer' as const })),
    ],
    () => new Map([['ch1', inactive]]),
    silences,
  );
  const silenced = new Outbox(events, [new SilenceRule(events, silences)]);
  const receive = (schedule: NotifierSchedule): string[][] => {
    const messages: string[][] = [];
    const runner = new NotifierRunner({
      agent: 'host1',
      component: 'own (notifier)',
      schedule: { groupFor: 1_000, ...schedule },
      notify: (notification) => {
        messages.push(
          notification.events.map(({ state, component, reason }) =>
            state === 'info' ? `info ${component}: ${reason}` : `${state} ${component}`,
          ),
        );
      },
      events: silenced,
      metrics: createNotifierMetrics(new MetricStore(1000), `n${messages.length}${JSON.stringify(schedule)}`),
      log: new LeveledLoggers({ write: () => undefined }).logger('plugins.own'),
    });
    runner.start();
    return messages;
  };
  const messages = receive({});
  const critical = receive({ events: 'critical' });
  const silence = (scope: { node?: string; channel?: string }, minutes = 30): string =>
    silences.begin({ ...scope, until: Date.now() + minutes * MINUTE, by: BY, why: 'upgrade' }).id;
  /** Kills an orderer or restores it, as the checks find it. */
  const kill = (name: string): void => {
    events.checked(name, 'connection refused', 'critical');
    events.checked(`${name}/consensus`, 'cannot be read', 'warning', { follows: name });
    inactive.push({ name, state: 'down', outage: 'is down' });
    events.checked('channels/ch1', 'at risk: …', inactive.length > 1 ? 'critical' : 'warning');
    events.checked('p1/orderer-link/ch1', 'connection refused', 'warning', { follows: 'channels/ch1' });
  };
  const revive = (name: string): void => {
    events.checked(name, undefined, 'critical');
    events.checked(`${name}/consensus`, undefined, 'critical');
    inactive.splice(
      inactive.findIndex((each) => each.name === name),
      1,
    );
    if (inactive.length === 0) events.checked('channels/ch1', undefined, 'critical');
    else events.checked('channels/ch1', 'at risk: …', 'warning');
    events.checked('p1/orderer-link/ch1', undefined, 'critical');
    events.restarted(name);
  };
  const pass = (milliseconds: number): Promise<number> => clock.tickAsync(milliseconds);
  return { events, silences, inactive, messages, critical, receive, silence, kill, revive, pass };
}

const BEGAN = (scope: string, until = '03:30:00'): string =>
  `info silence: silence began: ${scope}, until 2026-01-02T${until}.000Z, by ${BY}: upgrade`;

test.serial(
  'a rolling restart of all nodes under one silence is two messages: its beginning and its end',
  async (t) => {
    const { events, messages, critical, silence, kill, revive, pass } = network(t);
    silence({});
    for (const name of ['o1', 'o2', 'o3']) {
      kill(name);
      await pass(2 * MINUTE);
      revive(name);
      events.happened('channels/ch1', `${name} is the leader of ch1`, { leader: name });
      await pass(MINUTE);
    }
    events.checked('p1', 'connection refused', 'critical');
    await pass(MINUTE);
    events.checked('p1', undefined, 'critical');
    events.restarted('p1', { before: 'v2.5.16', now: 'v3.1.5' });
    await pass(30 * MINUTE);
    t.deepEqual(messages, [
      [BEGAN('all nodes and channels')],
      [
        'info silence: silence ended after 30m: all nodes and channels; restarted: o1, o2, o3, p1 v2.5.16 → v3.1.5; nothing fails that it covered',
      ],
    ]);
    t.deepEqual(critical, []);
  },
);

test.serial(
  'the failure of a silenced node, and of the channel because of it, is sent only if it remains at the end',
  async (t) => {
    const { events, messages, critical, silence, kill, revive, pass } = network(t);
    silence({ node: 'o1' });
    kill('o1');
    await pass(10 * MINUTE);
    revive('o1');
    await pass(10 * MINUTE);
    t.deepEqual(messages, [[BEGAN('o1')]]);
    kill('o1');
    await pass(MINUTE);
    events.checked('o1', 'connection refused', 'critical');
    await pass(10 * MINUTE);
    t.deepEqual(messages.slice(1), [
      ['info silence: silence ended after 30m: o1; restarted: o1; 1 failure remains', 'warning channels/ch1'],
    ]);
    t.deepEqual(critical, [['failed o1']]);
  },
);

test.serial(
  'another node that fails, and the channel that stops because of both, is sent at once',
  async (t) => {
    const { messages, silence, kill, pass } = network(t);
    silence({ node: 'o1' });
    kill('o1');
    await pass(MINUTE);
    kill('o2');
    await pass(5_000);
    t.deepEqual(messages.slice(1), [['failed channels/ch1']]);
  },
);

test.serial(
  'a channel that stays at risk because another node fails than the silenced one is sent',
  async (t) => {
    const { inactive, messages, silence, kill, pass } = network(t);
    silence({ node: 'o1' });
    kill('o1');
    await pass(MINUTE);
    inactive.splice(0, 1, { name: 'o3', state: 'down', outage: 'is down' });
    await pass(5_000);
    t.deepEqual(messages.slice(1), [['warning channels/ch1']]);
  },
);

test.serial(
  'a channel is covered until it works again, also when its silenced node is already up',
  async (t) => {
    const { events, inactive, messages, silence, kill, pass } = network(t);
    silence({ node: 'o1' });
    kill('o1');
    await pass(MINUTE);
    inactive.splice(0);
    await pass(10_000);
    events.checked('channels/ch1', 'stopped: no leader', 'critical');
    await pass(10_000);
    events.checked('channels/ch1', undefined, 'critical');
    await pass(MINUTE);
    t.deepEqual(messages, [[BEGAN('o1')]]);
  },
);

test.serial('a silence of a channel hides its failures, but no node that is down', async (t) => {
  const { events, messages, silence, kill, pass } = network(t);
  silence({ channel: 'ch1' });
  events.checked('o3/participation/ch1', 'inactive', 'warning');
  kill('o1');
  kill('o2');
  await pass(20_000);
  // Both need a second check run.
  events.checked('o1', 'connection refused', 'critical');
  events.checked('o2', 'connection refused', 'critical');
  await pass(20_000);
  t.deepEqual(messages, [[BEGAN('the channel ch1')], ['failed o1', 'failed o2']]);
});

test.serial(
  'a channel that failed before its silence explains its nodes still: the silence sends nothing about them',
  async (t) => {
    const { events, messages, silence, kill, pass } = network(t);
    kill('o1');
    await pass(20_000);
    const before = messages.length;
    silence({ channel: 'ch1' });
    events.checked('o1', 'connection refused', 'critical');
    await pass(30_000);
    t.deepEqual(messages.slice(before), [[BEGAN('the channel ch1', '03:30:20')]]);
  },
);

test.serial('a failure that was sent before the silence: its recovery is sent at once', async (t) => {
  const { events, messages, silence, pass } = network(t);
  events.checked('p1', 'connection refused', 'critical');
  await pass(5_000);
  silence({ node: 'p1' });
  await pass(MINUTE);
  events.checked('p1', undefined, 'critical');
  await pass(5_000);
  events.checked('p1', 'connection refused', 'critical');
  events.checked('p1', undefined, 'critical');
  await pass(5_000);
  t.deepEqual(messages, [['failed p1'], [BEGAN('p1', '03:30:05')], ['recovered p1']]);
});

test.serial('what is about no node is sent also while all nodes are silenced', async (t) => {
  const { events, messages, silence, pass } = network(t);
  silence({});
  events.checked('disk', '1% left', 'critical');
  await pass(5_000);
  t.deepEqual(messages.flat().slice(1), ['failed disk']);
});

test.serial('a silence of a node in a channel covers neither the node nor its other channels', async (t) => {
  const { events, messages, silence, pass } = network(t);
  silence({ node: 'p1', channel: 'ch1' });
  events.checked('p1/height/ch1', 'behind', 'critical');
  events.checked('p1/disk', '1% left', 'critical');
  await pass(30_000);
  t.deepEqual(messages.flat().slice(1), ['failed p1/disk']);
});

test.serial('a config block and a changed level are sent at the end of the silence', async (t) => {
  const { events, silences, messages, silence, pass } = network(t);
  const id = silence({});
  events.happened('p1/channel-config/ch1', 'config block 7', {}, 'ch1#7');
  events.happened('p1/level', "the log level is 'debug', set by CN=bob", {});
  events.happened('channels/ch1', 'p1 has joined ch1', { node: 'p1' });
  // Another leader is a consequence of restarts.
  events.happened('channels/ch1', 'o2 is the leader of ch1', { leader: 'o2' });
  events.happened('p1/vote', 'o2 is the leader', { leader: 'o2' });
  await pass(MINUTE);
  t.is(messages.length, 1);
  silences.end(id, 'CN=bob');
  await pass(5_000);
  t.deepEqual(messages[1], [
    'info silence: silence ended after 1m: all nodes and channels; ended by CN=bob; nothing fails that it covered',
    'info p1/channel-config/ch1: config block 7',
    "info p1/level: the log level is 'debug', set by CN=bob",
    'info channels/ch1: p1 has joined ch1',
    'info p1/vote: o2 is the leader',
  ]);
});

test.serial('of two silences of a node the failure waits for the end of the second', async (t) => {
  const { messages, silence, events, pass } = network(t);
  silence({ node: 'p1' }, 10);
  silence({ node: 'p1' }, 20);
  events.checked('p1', 'connection refused', 'critical');
  await pass(15 * MINUTE);
  t.false(messages.flat().includes('failed p1'));
  await pass(6 * MINUTE);
  t.true(messages.flat().includes('failed p1'));
});

test.serial('a silence ends at its time, and after a stop none ends', async (t) => {
  const { silences, silence, pass } = network(t);
  silence({ node: 'p1' }, 1);
  await pass(MINUTE - 1);
  t.is(silences.active.length, 1);
  await pass(1);
  t.is(silences.active.length, 0);
  silence({ node: 'p1' }, 1);
  silences.stop();
  await pass(2 * MINUTE);
  t.is(silences.active.length, 1);
});

test.serial('of more than 200 events during a silence the last 200 are sent at its end', async (t) => {
  const { events, silences, messages, silence, pass } = network(t);
  const id = silence({});
  for (let count = 1; count <= 201; count += 1) events.happened('p1/level', `change ${count}`, {});
  silences.end(id, BY);
  await pass(5_000);
  const changes = messages.flat().filter((text) => text.startsWith('info p1/level'));
  t.is(changes.length, 200);
  t.is(changes[0], 'info p1/level: change 2');
});

test.serial('a silence ends at its time also when the wall clock jumps', async (t) => {
  const { silences, silence, pass } = network(t);
  silence({ node: 'p1' }, 120);
  await pass(1);
  t.is(silences.active.length, 1);
  // The clock of the test cannot jump without its timers: a jump is a later end.
  Date.now = (
    (now) => () =>
      now() + 121 * MINUTE
  )(Date.now);
  await pass(MINUTE);
  t.is(silences.active.length, 0);
});

test.serial('more than 50 silences are refused, and one that has ended cannot be ended', (t) => {
  const { silences, silence } = network(t);
  const ids = Array.from({ length: 50 }, () => silence({}));
  t.throws(() => silence({}), { message: '50 silences are active, more are not allowed: end one of them' });
  for (const id of ids.slice(1)) silences.end(id, BY);
  t.throws(() => silences.end('x', BY), { message: `there is no silence 'x': active are ${ids[0]}` });
  silences.end(ids[0]!, BY);
  t.throws(() => silences.end(ids[0]!, BY), {
    message: `there is no silence '${ids[0]}': no silence is active`,
  });
});

for (const [count, shown] of [
  [20, 'p19, p20'],
  [21, 'p19, p20 and 1 more'],
] as const)
  test.serial(
    `of ${count} nodes that restart during a silence the last ones are named as ${shown}`,
    async (t) => {
      const peers = Array.from({ length: count }, (_, index) => `p${index + 1}`);
      const { events, messages, silence, pass } = network(t, peers);
      silence({});
      for (const name of peers) events.restarted(name);
      await pass(31 * MINUTE);
      t.true(messages[1]?.[0]?.includes(`; restarted: p1, p2, `), messages[1]?.[0]);
      t.true(messages[1]?.[0]?.endsWith(`, ${shown}; nothing fails that it covered`), messages[1]?.[0]);
    },
  );

for (const [names, words] of [
  [['p1'], '1 failure remains'],
  [['p1', 'p2'], '2 failures remain'],
] as const)
  test.serial(`at the end of a silence ${words} and ${names.length === 1 ? 'is' : 'are'} sent`, async (t) => {
    const { events, messages, silence, pass } = network(t, ['p1', 'p2']);
    silence({});
    for (const name of names) events.checked(name, 'connection refused', 'critical');
    await pass(31 * MINUTE);
    t.deepEqual(messages[1], [
      `info silence: silence ended after 30m: all nodes and channels; ${words}`,
      ...names.map((name) => `failed ${name}`),
    ]);
  });

test.serial('a reminder has no failure that a silence covers', async (t) => {
  const { events, silence, receive, pass } = network(t, ['p1', 'p2']);
  const messages = receive({ repeat: 5 * MINUTE });
  for (const name of ['p1', 'p2']) events.checked(name, 'connection refused', 'critical');
  await pass(MINUTE);
  t.deepEqual(messages, [['failed p1', 'failed p2']]);
  silence({ node: 'p1' }, 6);
  await pass(5 * MINUTE);
  t.deepEqual(messages.at(-1), ['failed p2']);
  await pass(5 * MINUTE);
  t.deepEqual(messages.at(-1), ['failed p1', 'failed p2']);
});
