// Events of channels that several agents monitor or that name no node, and of a slow agent, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { Events, onlySlow, Outbox, sentElsewhere, unnamed } from '../../../core/events/index.js';

/** Events of an agent with two earlier agents; `deliverer` and `senders` are what they do. */
function agents(t: ExecutionContext) {
  const clock = useFakeTimers({
    now: 0,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const others: { deliverer?: string | undefined; senders: readonly string[] } = { senders: [] };
  /** What the rule asks the agents about. */
  const asked = new Set<string>();
  const unnamedChannels = new Set<string>();
  const slow = { heldAt: -Infinity };
  const events = new Events(() => [{ name: 'o1', kind: 'orderer' }]);
  const outbox = new Outbox(events, [
    sentElsewhere({
      delivererOf(...question) {
        asked.add(question.join(' '));
        return others.deliverer;
      },
      senders: () => others.senders,
      sendEventsOf(channel) {
        asked.add(channel);
        return others.senders.length > 0;
      },
    }),
    unnamed((channel) => unnamedChannels.has(channel)),
    onlySlow(() => slow.heldAt),
  ]);
  const sent: string[] = [];
  outbox.subscribe(({ event: { state, component, reason }, isAgain }) =>
    sent.push(
      state === 'info'
        ? `info ${component}: ${reason}`
        : `${state} ${component}${isAgain === true ? ` again: ${reason}` : ''}`,
    ),
  );
  const pass = (seconds: number): Promise<number> => clock.tickAsync(1_000 * seconds);
  return { others, asked, unnamedChannels, slow, events, outbox, sent, clock, pass };
}

test.serial('without an earlier agent in the channel its failure is sent at once', (t) => {
  const { events, sent } = agents(t);
  events.checked('channels/ch1', 'stopped', 'critical');
  t.deepEqual(sent, ['failed channels/ch1']);
});

test.serial(
  'the recovery of a failure that was sent is sent, although the other agent now sends those',
  (t) => {
    const { others, events, sent } = agents(t);
    events.checked('channels/ch1', 'stopped', 'critical');
    others.deliverer = 'a';
    events.checked('channels/ch1', undefined, 'critical');
    t.deepEqual(sent, ['failed channels/ch1', 'recovered channels/ch1']);
  },
);

test.serial('a failure that waits is not sent after the warning that replaces it', async (t) => {
  const { others, events, sent, pass } = agents(t);
  others.senders = ['a'];
  events.checked('channels/ch1', 'stopped', 'critical');
  others.senders = [];
  events.checked('channels/ch1', 'at risk', 'warning');
  await pass(30);
  t.deepEqual(sent, ['warning channels/ch1']);
});

test.serial('a failure that the other agent sends is not sent here', async (t) => {
  const { others, asked, events, sent, pass } = agents(t);
  others.senders = ['a'];
  events.checked('channels/ch1', 'stopped', 'critical');
  await pass(6);
  others.deliverer = 'a';
  await pass(3600);
  t.deepEqual(sent, []);
  t.deepEqual([...asked], ['ch1 channels/ch1 critical']);
});

test.serial('a failure that the other agent does not report within 20 s is sent', async (t) => {
  const { others, events, sent, pass } = agents(t);
  others.senders = ['a'];
  events.checked('channels/ch1', 'stopped', 'critical');
  await pass(19);
  t.deepEqual(sent, []);
  await pass(3);
  t.deepEqual(sent, ['failed channels/ch1']);
});

for (const [senders, seconds] of [
  [[], 2],
  [['a'], 21],
] as const)
  test.serial(
    `a failure that remains while no other agent has delivered it any more is sent after ${seconds} s at most; it could be sent by ${senders.join() || 'none'}`,
    async (t) => {
      const { others, events, sent, pass } = agents(t);
      Object.assign(others, { deliverer: 'a', senders: ['a'] });
      events.checked('channels/ch1', 'stopped', 'critical');
      await pass(60);
      t.deepEqual(sent, []);
      Object.assign(others, { deliverer: undefined, senders });
      await pass(seconds - 2);
      t.deepEqual(sent, []);
      await pass(2);
      t.deepEqual(sent, ['failed channels/ch1']);
      events.checked('channels/ch1', undefined, 'critical');
      t.deepEqual(sent.slice(1), ['recovered channels/ch1']);
    },
  );

for (const [count, seconds] of [
  [1, 20],
  [2, 40],
  [3, 40],
] as const)
  test.serial(
    `a failure that ${count} other ${count === 1 ? 'agent lists' : 'agents list'} and none delivers is sent after ${seconds} s, and /status shows for whom it waits`,
    async (t) => {
      const { others, events, outbox, sent, pass } = agents(t);
      others.senders = ['a', 'b', 'c'].slice(0, count);
      events.checked('channels/ch1', 'stopped', 'critical');
      await pass(seconds - 1);
      t.deepEqual(sent, []);
      t.is(outbox.whyWaiting('channels/ch1'), 'the agent a may deliver it');
      await pass(2);
      t.deepEqual(sent, ['failed channels/ch1']);
      t.is(outbox.whyWaiting('channels/ch1'), undefined);
    },
  );

test.serial(
  'a channel that stops while its warning waits for another agent waits from then on',
  async (t) => {
    const { others, events, outbox, sent, pass } = agents(t);
    others.senders = ['a'];
    events.checked('channels/ch1', 'at risk', 'warning');
    others.deliverer = 'a';
    await pass(60);
    t.is(outbox.whyWaiting('channels/ch1'), 'the agent a has delivered it');
    others.deliverer = undefined;
    events.checked('channels/ch1', 'stopped', 'critical');
    await pass(15);
    t.deepEqual(sent, []);
    await pass(7);
    t.deepEqual(sent, ['failed channels/ch1']);
  },
);

for (const [first, second] of [
  ['warning', 'critical'],
  ['critical', 'warning'],
] as const)
  test.serial(
    `a receiver has the failure of a channel, which was ${first} and becomes ${second}: it is sent, although another agent has delivered it`,
    async (t) => {
      const { others, events, outbox, sent, pass } = agents(t);
      events.checked('channels/ch1', 'first', first);
      Object.assign(others, { deliverer: 'a', senders: ['a'] });
      const [before] = events.open;
      events.checked('channels/ch1', 'second', second);
      await pass(3);
      t.is(sent.length, 1);
      // It was on its way.
      outbox.accepted(before!);
      await pass(1);
      t.deepEqual(sent.slice(1), [`${second === 'critical' ? 'failed' : 'warning'} channels/ch1`]);
    },
  );

test.serial(
  'an earlier process of the agent told that a channel is at risk, which stops: it is sent, although another agent has delivered it',
  (t) => {
    const { others, events, outbox, sent } = agents(t);
    others.deliverer = 'a';
    events.checked('channels/ch1', 'at risk', 'warning');
    outbox.restore(events.open);
    events.checked('channels/ch1', 'stopped', 'critical');
    t.deepEqual(sent, ['failed channels/ch1']);
  },
);

test.serial('a channel that names no node waits 22 s for names', async (t) => {
  const { unnamedChannels, events, outbox, sent, pass } = agents(t);
  unnamedChannels.add('ch1');
  events.checked('channels/ch1', '2 of 3', 'warning');
  await pass(21);
  t.deepEqual(sent, []);
  t.is(outbox.whyWaiting('channels/ch1'), 'it is not known yet which consenters do not participate');
  await pass(2);
  t.deepEqual(sent, ['warning channels/ch1']);
});

test.serial('a channel is sent as soon as its nodes are known', async (t) => {
  const { unnamedChannels, events, sent, pass } = agents(t);
  unnamedChannels.add('ch1');
  events.checked('channels/ch1', '2 of 3', 'warning');
  await pass(5);
  unnamedChannels.clear();
  events.checked('channels/ch1', '2 of 3; o2 is down', 'warning');
  await pass(1);
  t.deepEqual(sent, ['warning channels/ch1']);
});

test.serial(
  'a channel that was sent without names is sent again once they are known, and not twice',
  async (t) => {
    const { unnamedChannels, events, sent, pass } = agents(t);
    unnamedChannels.add('ch1');
    events.checked('channels/ch1', '2 of 3', 'warning');
    await pass(60);
    unnamedChannels.clear();
    events.checked('channels/ch1', '2 of 3; o2 is down', 'warning');
    await pass(60);
    t.deepEqual(sent, ['warning channels/ch1', 'warning channels/ch1 again: 2 of 3; o2 is down']);
  },
);

test.serial('a channel that ends without names is not sent again', async (t) => {
  const { unnamedChannels, events, clock, sent, pass } = agents(t);
  unnamedChannels.add('ch1');
  events.checked('channels/ch1', '2 of 3', 'warning');
  await pass(60);
  events.checked('channels/ch1', undefined, 'critical');
  unnamedChannels.clear();
  await pass(60);
  t.deepEqual(sent, ['warning channels/ch1', 'recovered channels/ch1']);
  t.is(clock.countTimers(), 0);
});

test.serial('a slow agent is sent if a check was held because of it, also later', async (t) => {
  const { slow, events, outbox, sent, pass } = agents(t);
  events.checked('agent', 'late by 3s', 'warning');
  await pass(60);
  t.deepEqual(sent, []);
  t.is(outbox.whyWaiting('agent'), 'no check was held because of it');
  slow.heldAt = performance.now();
  await pass(1);
  t.deepEqual(sent, ['warning agent']);
});

test.serial('only what a receiver has accepted in its current state is delivered', (t) => {
  const { events, outbox } = agents(t);
  const accept = (state: 'failed' | 'recovered' | 'warning'): void =>
    outbox.accepted({ ...events.open[0]!, state });
  const isDelivered = (state: 'failed' | 'warning'): boolean =>
    outbox.isDelivered({ id: 'channels/ch1', state });
  events.checked('channels/ch1', 'at risk', 'warning');
  t.false(isDelivered('warning'));
  accept('warning');
  t.true(isDelivered('warning'));
  events.checked('channels/ch1', 'stopped', 'critical');
  t.false(isDelivered('failed'));
  // It was on its way.
  accept('warning');
  t.false(isDelivered('failed'));
  accept('failed');
  t.true(isDelivered('failed'));
  events.checked('channels/ch1', undefined, 'critical');
  events.checked('channels/ch1', 'stopped', 'critical');
  t.false(isDelivered('failed'));
});

test.serial('failures of nodes are sent by their own agent', (t) => {
  const { others, events, sent } = agents(t);
  others.deliverer = 'a';
  events.checked('disk', 'full', 'critical');
  t.deepEqual(sent, ['failed disk']);
});

test.serial(
  'another leader and a config block are sent by one agent, other events of a channel by each',
  (t) => {
    const { others, asked, events, sent } = agents(t);
    others.senders = ['a'];
    events.happened('channels/ch1', 'o2 is the leader', { channel: 'ch1', leader: 'o2' });
    events.happened('o1/channel-config/ch1', 'config block 3', { channel: 'ch1', block: '3' });
    events.happened('channels/ch1', 'o1 has joined ch1', { channel: 'ch1', node: 'o1' });
    t.deepEqual(sent, ['info channels/ch1: o1 has joined ch1']);
    t.deepEqual([...asked], ['ch1']);
  },
);

test.serial('after a stop a failure is held without a timer', async (t) => {
  const { others, events, outbox, sent, clock } = agents(t);
  others.senders = ['a'];
  events.checked('channels/ch1', 'stopped', 'critical');
  t.is(clock.countTimers(), 1);
  outbox.stop();
  t.is(clock.countTimers(), 0);
  events.checked('channels/ch2', 'stopped', 'critical');
  t.is(clock.countTimers(), 0);
  t.deepEqual(sent, []);
});
