// Events of channels that several agents monitor, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { Events, SentElsewhere } from '../../../core/events/index.js';

/** Events of an agent with one peer; `sends` is what the peer does. */
function agents(t: ExecutionContext) {
  const clock = useFakeTimers({
    now: 0,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const peer: { sends: 'sent' | 'expected' | 'none' } = { sends: 'none' };
  /** What the filter asks the peer about. */
  const asked = new Set<string>();
  const events = new Events(() => [{ name: 'o1', kind: 'orderer' }]);
  const elsewhere = new SentElsewhere({
    source: events,
    peers: {
      sends: (...question) => {
        asked.add(question.join(' '));
        return peer.sends;
      },
      sendsEventsOf: (channel) => {
        asked.add(channel);
        return peer.sends !== 'none';
      },
    },
  });
  const sent: string[] = [];
  elsewhere.subscribe(({ state, component, reason }) =>
    sent.push(state === 'info' ? `info ${component}: ${reason}` : `${state} ${component}`),
  );
  const pass = (seconds: number): Promise<number> => clock.tickAsync(1_000 * seconds);
  return { peer, asked, events, elsewhere, sent, clock, pass };
}

test.serial('without an earlier agent in the channel its failure is sent at once', (t) => {
  const { events, sent } = agents(t);
  events.checked('channels/ch1', 'stopped', 'critical');
  t.deepEqual(sent, ['failed channels/ch1']);
});

test.serial(
  'the recovery of a failure that was sent is sent, although the other agent now sends those',
  (t) => {
    const { peer, events, sent } = agents(t);
    events.checked('channels/ch1', 'stopped', 'critical');
    peer.sends = 'sent';
    events.checked('channels/ch1', undefined, 'critical');
    t.deepEqual(sent, ['failed channels/ch1', 'recovered channels/ch1']);
  },
);

test.serial('a failure that waits is not sent after the warning that replaces it', async (t) => {
  const { peer, events, sent, pass } = agents(t);
  peer.sends = 'expected';
  events.checked('channels/ch1', 'stopped', 'critical');
  peer.sends = 'none';
  events.checked('channels/ch1', 'at risk', 'warning');
  await pass(30);
  t.deepEqual(sent, ['warning channels/ch1']);
});

test.serial('a failure that the other agent sends is not sent here', async (t) => {
  const { peer, asked, events, sent, pass } = agents(t);
  peer.sends = 'expected';
  events.checked('channels/ch1', 'stopped', 'critical');
  await pass(6);
  peer.sends = 'sent';
  await pass(3600);
  t.deepEqual(sent, []);
  t.deepEqual([...asked], ['ch1 channels/ch1 critical']);
});

test.serial('a failure that the other agent does not report within 20 s is sent', async (t) => {
  const { peer, events, sent, pass } = agents(t);
  peer.sends = 'expected';
  events.checked('channels/ch1', 'stopped', 'critical');
  await pass(19);
  t.deepEqual(sent, []);
  await pass(3);
  t.deepEqual(sent, ['failed channels/ch1']);
});

for (const sends of ['none', 'expected'] as const)
  test.serial(
    `a failure that remains while the other agent no longer sends it is sent: ${sends}`,
    async (t) => {
      const { peer, events, sent, pass } = agents(t);
      peer.sends = 'sent';
      events.checked('channels/ch1', 'stopped', 'critical');
      await pass(60);
      t.deepEqual(sent, []);
      peer.sends = sends;
      await pass(3);
      t.deepEqual(sent, ['failed channels/ch1']);
      events.checked('channels/ch1', undefined, 'critical');
      t.deepEqual(sent.slice(1), ['recovered channels/ch1']);
    },
  );

test.serial('failures of nodes are sent by their own agent', (t) => {
  const { peer, events, sent } = agents(t);
  peer.sends = 'sent';
  events.checked('disk', 'full', 'critical');
  t.deepEqual(sent, ['failed disk']);
});

test.serial(
  'another leader and a config block are sent by one agent, other events of a channel by each',
  (t) => {
    const { peer, asked, events, sent } = agents(t);
    peer.sends = 'expected';
    events.happened('channels/ch1', 'o2 is the leader', { channel: 'ch1', leader: 'o2' });
    events.happened('o1/channel-config/ch1', 'config block 3', { channel: 'ch1', block: '3' });
    events.happened('channels/ch1', 'o1 has joined ch1', { channel: 'ch1', node: 'o1' });
    t.deepEqual(sent, ['info channels/ch1: o1 has joined ch1']);
    t.deepEqual([...asked], ['ch1']);
  },
);

test.serial('after a stop a failure is held without a timer', async (t) => {
  const { peer, events, elsewhere, sent, clock } = agents(t);
  peer.sends = 'expected';
  events.checked('channels/ch1', 'stopped', 'critical');
  t.is(clock.countTimers(), 1);
  elsewhere.stop();
  t.is(clock.countTimers(), 0);
  events.checked('channels/ch2', 'stopped', 'critical');
  t.is(clock.countTimers(), 0);
  t.deepEqual(sent, []);
});
