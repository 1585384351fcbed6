// The channels of the monitored nodes: verdicts, events and reports.

import test from 'ava';
import { FactStore } from '../../../core/nodes/index.js';
import { Channels } from '../../../core/channels/index.js';
import type { FailedChecks, SourceState } from '../../../core/contract/index.js';
import type {
  ChannelConsenters,
  ChannelResponses,
  NodeCertificate,
  OrdererResponse,
} from '../../../core/contract/internal/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { channelReading } from '../../helpers/checker.js';

const LATE = { reason: 'the reading took longer than 5s', isLate: true } as const;

/**
 * The state that an orderer reports for the channel `ch1`; `down`: it refuses connections; `late`: it does not respond in time; `unread`: it
 * was not read yet; undefined: nothing.
 */
type Said = 'down' | 'late' | 'unresolved' | 'unread' | undefined | Readonly<Record<string, number>>;

/** A Raft orderer that knows a leader. */
const follower = { relation: 1, status: 1, size: 3, active: 3, leads: 0 };
const leader = { ...follower, leads: 1 };
/** A BFT orderer in a view. */
const inView = { relation: 1, status: 1, bftSize: 4, view: 1, next: 1, viewLeader: 1 };

const FAMILIES: Readonly<Record<string, string>> = {
  relation: 'participation_consensus_relation',
  status: 'participation_status',
  size: 'consensus_etcdraft_cluster_size',
  active: 'consensus_etcdraft_active_nodes',
  leads: 'consensus_etcdraft_is_leader',
  bftSize: 'consensus_BFT_cluster_size',
  view: 'consensus_smartbft_viewchange_current_view',
  next: 'consensus_smartbft_viewchange_next_view',
  realView: 'consensus_smartbft_viewchange_real_view',
  viewLeader: 'consensus_smartbft_view_leader_id',
  waiting: 'consensus_smartbft_pool_count_of_elements',
  height: 'ledger_blockchain_height',
};

/** The config of the channel in the ledger directory of the node with the address `own`. */
const config = (
  own: string,
  block: number,
  addresses: readonly string[],
  type = 'etcdraft',
): ChannelConsenters => ({
  channel: 'ch1',
  block,
  consensus: type,
  consenters: addresses.map((address, index) => ({ address, id: index + 1, key: `key of ${address}` })),
  ...(type === 'BFT' && { leaderHeartbeatTimeout: 60_000 }),
  own: addresses.find((address) => address === own),
});

type State = OrdererResponse['state'];

/** The responses of the orderers at the addresses of the consenters, in their order. */
const responses = (...states: readonly State[]): ChannelResponses => ({
  channel: 'ch1',
  responses: states.map((state, index) => ({
    address: ADDRESSES[index]!,
    consenter: ADDRESSES[index],
    state,
  })),
});

const ADDRESSES = ['a:1', 'b:1', 'c:1', 'd:1'];

/** The channels of nodes with states that a test sets: orderers, and peers with names that begin with `peer`. */
function subject(
  names: readonly string[],
  beforeRead: (signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
) {
  const asked = new Map<string, ChannelResponses>();
  const said = new Map<string, Said>();
  const configs = new Map<string, ChannelConsenters>();
  const removed = new Map<string, readonly string[]>();
  const listed = new Map<string, readonly string[]>();
  const certificates = new Map<string, NodeCertificate>();
  const sent: string[] = [];
  const metrics = new MetricStore(1000);
  const host: { isSlow: boolean; problem: string | undefined } = { isSlow: false, problem: undefined };
  /** The readings: `all`, or the kind of the nodes. */
  const reads: string[] = [];
  let now = 0;
  const states = async (): Promise<SourceState[]> =>
    names.map((name) => {
      const values = said.get(name);
      const families = Object.entries(typeof values === 'string' ? {} : (values ?? {}));
      const reading = channelReading(
        Object.fromEntries(families.map(([fact, value]) => [FAMILIES[fact]!, { ch1: value }])),
      );
      return {
        name,
        isUp: typeof values !== 'string',
        ...(values === 'down'
          ? { reason: 'connection refused' }
          : values === 'unresolved'
            ? ({ reason: 'no such host', isUnresolved: true } as const)
            : values === 'late'
              ? LATE
              : values !== 'unread' && { reading }),
        removedChannels: removed.get(name) ?? [],
      };
    });
  const facts = new FactStore();
  const publish = (): void => {
    for (const name of names) {
      const own = facts.of(`${name}/checker`, name);
      const [consenters, answers] = [configs.get(name), asked.get(name)];
      own.publish('consenters', consenters && [consenters]);
      own.publish('responses', answers && [answers]);
      own.publish('tls', certificates.get(name));
      const list = listed.get(name);
      own.publish('channels', list && { names: list, requestedAt: 0 });
    }
  };
  const channels = new Channels({
    nodes: () =>
      names.map((name) => ({
        name,
        kind: name.startsWith('peer') ? ('peer' as const) : ('orderer' as const),
        hasMetrics: !name.startsWith('silent'),
      })),
    sources: {
      read: ({ kind, signal }) => {
        reads.push(kind ?? 'all');
        return kind === undefined ? beforeRead(signal).then(states) : states();
      },
    },
    facts,
    events: { happened: (component, reason) => void sent.push(`${component}: ${reason}`) },
    metrics,
    clock: host,
    lag: { hasLaggedSince: () => host.isSlow },
    interval: 2_000,
    now: () => now,
  });
  return {
    host,
    reads,
    said,
    asked,
    configs,
    removed,
    listed,
    certificates,
    sent,
    metrics,
    channels,
    /** Checks the channels after some time. @returns the verdict, and the failures of the check */
    check: async (after = 0, signal = new AbortController().signal): Promise<string> => {
      now += after;
      publish();
      let failed = '';
      try {
        await channels.check(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        failed = (error as FailedChecks).parts
          .map(({ component, severity = 'critical' }) => ` (${severity}: ${component})`)
          .join('');
      }
      return `${[...channels.verdicts].map(([name, { verdict, reason }]) => `${name} ${verdict}: ${reason}`).join()}${failed}`;
    },
  };
}

test('orderers that are killed one after the other: at risk, stopped, and back', async (t) => {
  const { said, check, metrics } = subject(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) said.set(name, name === 'a' ? leader : follower);
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
  said.set('c', 'down');
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; c is down (warning: ch1)',
  );
  said.set('b', 'down');
  t.is(await check(), 'ch1 stopped: 2 of 3 consenters are down (b, c) (critical: ch1)');
  const states: Record<string, number> = {};
  for await (const family of metrics.families())
    if (family.name === 'fabric_ops_agent_channel_state')
      for (const { labels, value } of family.values()) states[String(labels['state'])] = value;
  t.deepEqual(states, { working: 0, 'at-risk': 0, maintenance: 0, stopped: 1, unknown: 0 });
  for (const name of ['b', 'c']) said.set(name, follower);
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
});

/** Three orderers that work; then the orderers in `outages` do not. */
async function failing(outages: Readonly<Record<string, Said>>, isSlow: boolean) {
  const started = subject(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) started.said.set(name, name === 'a' ? leader : follower);
  await started.check();
  started.host.isSlow = isSlow;
  for (const [name, said] of Object.entries(outages)) started.said.set(name, said);
  return started;
}

const WORKING = 'ch1 working: 3 of 3 consenters are active';

test('while the agent lags, orderers that do not respond in time stop no channel; after the lag they do', async (t) => {
  const { check, host, channels, metrics } = await failing({ a: 'late', b: 'late', c: 'late' }, true);
  for (const after of [0, 2_000, 60_000]) t.is(await check(after), WORKING);
  t.deepEqual(channels.unconfirmed, [
    { component: 'channels/ch1', reason: '3 of 3 consenters are down (a, b, c)' },
  ]);
  for await (const family of metrics.families())
    if (family.name === 'fabric_ops_agent_channel_state')
      for (const { labels, value } of family.values()) if (labels['state'] === 'stopped') t.is(value, 0);
  host.isSlow = false;
  t.is(await check(2_000), 'ch1 stopped: 3 of 3 consenters are down (a, b, c) (critical: ch1)');
  t.deepEqual(channels.unconfirmed, []);
});

test('orderers that do not respond for five minutes stop a channel although the agent lags', async (t) => {
  const { check } = await failing({ b: 'late', c: 'late' }, true);
  t.is(await check(), WORKING);
  t.is(await check(299_999), WORKING);
  t.is(await check(1), 'ch1 stopped: 2 of 3 consenters are down (b, c) (critical: ch1)');
});

test('while the agent lags, orderers that refuse connections stop a channel at the second check, also with one that is late', async (t) => {
  const { check } = await failing({ a: 'late', b: 'down', c: 'down' }, true);
  t.is(await check(), WORKING);
  t.is(await check(2_000), 'ch1 stopped: 3 of 3 consenters are down (a, b, c) (critical: ch1)');
});

for (const [state, isCertain] of [
  ['silent', false],
  ['no-channel', true],
] as const)
  test(`while the agent lags, orderers with the state ${state} for a peer ${isCertain ? 'stop a channel at the second check' : 'stop no channel'}`, async (t) => {
    const { asked, configs, host, check } = subject(['peer0']);
    configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
    asked.set('peer0', responses('alive', 'alive', 'alive'));
    await check();
    host.isSlow = true;
    asked.set('peer0', responses('alive', state, state));
    t.is(await check(2_000), WORKING);
    t.regex(await check(20_000), isCertain ? /^ch1 stopped: / : /^ch1 working: /);
  });

test('a channel that seems to have stopped when the agent starts is unknown while the agent lags', async (t) => {
  const { said, configs, check, host } = subject(['a', 'b', 'c']);
  host.isSlow = true;
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
    said.set(name, 'late');
  }
  t.is(
    await check(),
    'ch1 unknown: it is checked again, because this host is slow: 3 of 3 consenters are down (a, b, c)',
  );
});

for (const [what, outages] of [
  ['all orderers that refuse connections at once', { a: 'down', b: 'down', c: 'down' }],
  ['two orderers that refuse connections, of three', { b: 'down', c: 'down' }],
] as const)
  test(`on a host that is not slow, ${what} stop a channel ${'a' in outages ? 'at the second look' : 'at once'}`, async (t) => {
    const { check } = await failing(outages, false);
    const first = await check();
    if ('a' in outages) t.is(first, WORKING);
    t.regex('a' in outages ? await check(2_000) : first, /^ch1 stopped: /);
  });

test('two orderers that do not respond in time at once stop a channel when they were read again', async (t) => {
  const { check } = await failing({ b: 'late', c: 'late' }, false);
  t.is(await check(), WORKING);
  t.is(await check(6_999), WORKING);
  t.regex(await check(1), /^ch1 stopped: /);
});

test('one orderer that does not respond in time stops a channel at once if another one already did not respond', async (t) => {
  const { check, said } = await failing({ c: 'late' }, false);
  t.regex(await check(), /^ch1 at-risk: /);
  said.set('b', 'late');
  t.is(await check(), 'ch1 stopped: 2 of 3 consenters are down (b, c) (critical: ch1)');
});

test('the only orderer of a channel stops it at once', async (t) => {
  const { check, said } = subject(['a']);
  said.set('a', { ...leader, size: 1, active: 1 });
  await check();
  said.set('a', 'down');
  t.is(await check(), 'ch1 stopped: its only consenter is down (a) (critical: ch1)');
});

for (const [after, expected] of [
  [2_000, WORKING],
  [10_000, 'ch1 stopped: 3 of 3 consenters are down (a, b, c) (critical: ch1)'],
] as const)
  test(`all orderers refuse connections ${after} ms after the last reading of a peer: ${expected}`, async (t) => {
    const { said, check } = subject(['a', 'b', 'c', 'peer0']);
    for (const name of ['a', 'b', 'c']) said.set(name, name === 'a' ? leader : follower);
    said.set('peer0', {});
    t.is(await check(), WORKING);
    for (const name of ['a', 'b', 'c']) said.set(name, 'down');
    // A peer that responds at the same time shows that this host is not the cause.
    t.is(await check(after), expected);
  });

test('orderers are read at each check, other nodes every 10 s', async (t) => {
  const { reads, check } = subject(['a', 'peer0']);
  for (const after of [0, 9_999, 1, 9_999, 1]) await check(after);
  t.deepEqual(reads, ['all', 'orderer', 'all', 'orderer', 'all']);
});

test('a check that is aborted while it reads the nodes changes nothing, and the next one reads all nodes', async (t) => {
  const stopping = new AbortController();
  const { reads, said, channels, check } = subject(['a'], async () => stopping.abort(new Error('stopped')));
  said.set('a', { ...leader, size: 1, active: 1 });
  await t.throwsAsync(check(0, stopping.signal), { message: 'stopped' });
  t.is(channels.verdicts.size, 0);
  t.is(await check(), 'ch1 working: its only consenter is active');
  t.deepEqual(reads, ['all', 'all']);
});

test('an orderer whose name was never resolved is unknown, not down', async (t) => {
  const { said, configs, check } = subject(['a', 'b']);
  said.set('a', { ...leader, size: 2, active: 2 });
  said.set('b', 'unresolved');
  configs.set('a', config('a:1', 1, ADDRESSES.slice(0, 2)));
  t.regex(await check(), /^ch1 at-risk: 2 of 2 consenters are active/);
});

test('orderers that were not read yet are not down', async (t) => {
  const { said, configs, check } = subject(['a', 'b', 'c']);
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
    said.set(name, 'unread');
  }
  t.is(await check(), 'ch1 unknown: none of its 3 consenters is monitored by this agent');
});

test('without nodes there is no check of the channels; with nodes it confirms failures itself, and a slow reading is a warning', (t) => {
  const registered: unknown[] = [];
  const health = {
    register: (component: string, _check: unknown, options: unknown) => {
      registered.push([component, options]);
      return () => undefined;
    },
  };
  subject([]).channels.register(health);
  t.deepEqual(registered, []);
  subject(['a']).channels.register(health);
  t.deepEqual(registered, [['channels', { looksAgain: true, onTimeout: 'warning' }]]);
});

test('while the clock of the host is wrong, a channel that does not seem to work is unknown', async (t) => {
  const { check, host, said } = await failing({}, false);
  host.problem = 'the clock of this host is 3h behind';
  t.is(await check(), WORKING);
  for (const name of ['a', 'b', 'c']) said.set(name, 'down');
  t.is(await check(), 'ch1 unknown: the clock of this host is 3h behind');
});

test('an orderer that is down when the agent starts is a consenter by its ledger directory', async (t) => {
  const { said, configs, check } = subject(['a', 'b', 'c']);
  for (const [index, name] of ['a', 'b', 'c'].entries())
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  said.set('a', leader);
  said.set('b', 'down').set('c', 'down');
  t.is(await check(), 'ch1 stopped: 2 of 3 consenters are down (b, c) (critical: ch1)');
});

test('all orderers are down when the agent starts: the ledger directories have the channel', async (t) => {
  const { said, configs, check } = subject(['a', 'b', 'c']);
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
    said.set(name, 'down');
  }
  t.is(await check(), 'ch1 stopped: 3 of 3 consenters are down (a, b, c) (critical: ch1)');
});

test('an orderer that is down and no consenter of the newest config any more does not count', async (t) => {
  const { said, configs, check } = subject(['a', 'b', 'c']);
  configs.set('a', config('a:1', 7, ADDRESSES.slice(0, 2)));
  configs.set('b', config('b:1', 7, ADDRESSES.slice(0, 2)));
  configs.set('c', config('c:1', 3, ADDRESSES.slice(0, 3)));
  said.set('a', { ...leader, size: 2, active: 2 });
  said.set('b', { ...follower, size: 2, active: 2 });
  said.set('c', 'down');
  t.is(await check(), 'ch1 at-risk: 2 of 2 consenters are active, one more failure stops it (warning: ch1)');
});

test('consenters that are not monitored count as the leader reports, with their addresses', async (t) => {
  const { said, configs, check } = subject(['a', 'b']);
  configs.set('a', config('a:1', 0, ADDRESSES.slice(0, 3)));
  configs.set('b', config('b:1', 0, ADDRESSES.slice(0, 3)));
  said.set('a', leader).set('b', follower);
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
  said.set('a', { ...leader, active: 2 });
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; c:1 is not active (warning: ch1)',
  );
});

test('an election is no stop until it has lasted 30 s', async (t) => {
  const { said, check } = subject(['a', 'b', 'c']);
  said.set('a', leader).set('b', follower).set('c', follower);
  await check();
  said.set('a', 'down');
  for (const name of ['b', 'c']) said.set(name, { ...follower, active: 0 });
  t.regex(await check(), /^ch1 at-risk: .*; an election is in progress; a is down/);
  t.regex(await check(29_999), /^ch1 at-risk: /);
  t.regex(await check(1), /^ch1 stopped: .*; no leader for 30s; a is down \(critical: ch1\)$/);
  said.set('b', { ...leader, active: 2 }).set('c', { ...follower, active: 2 });
  t.regex(await check(), /^ch1 at-risk: 2 of 3/);
});

test('a second election on a channel without new blocks is judged from its own start', async (t) => {
  const { said, check } = subject(['a', 'b', 'c']);
  const elect = (): void => {
    for (const name of ['b', 'c']) said.set(name, { ...follower, active: 0 });
  };
  said.set('a', leader).set('b', follower).set('c', follower);
  await check();
  said.set('a', 'down');
  elect();
  t.regex(await check(), /^ch1 at-risk: .*; an election is in progress/);
  said.set('b', { ...leader, active: 2 }).set('c', { ...follower, active: 2 });
  t.regex(await check(1_000), /^ch1 at-risk: 2 of 3/);
  elect();
  t.regex(await check(7_200_000), /^ch1 at-risk: .*; an election is in progress/);
  t.regex(await check(29_999), /^ch1 at-risk: /);
  t.regex(await check(1), /^ch1 stopped: .*; no leader for 30s/);
});

test('a channel that has stopped works again once there is a leader', async (t) => {
  const { said, check } = subject(['a', 'b', 'c']);
  said.set('a', leader).set('b', follower).set('c', follower);
  await check();
  said.set('b', 'down').set('c', 'down');
  await check();
  for (const name of ['a', 'b']) said.set(name, { ...follower, active: 0 });
  t.is(
    await check(12_000),
    'ch1 stopped: 2 of 3 consenters are active; no leader for 12s; c is down (critical: ch1)',
  );
  said.set('a', { ...leader, active: 2 }).set('b', { ...follower, active: 2 });
  t.regex(await check(), /^ch1 at-risk: 2 of 3/);
});

test('a BFT channel is judged by its quorum, whatever leader the survivors name', async (t) => {
  const names = ['a', 'b', 'c', 'd'];
  const { said, configs, check } = subject(names);
  for (const [index, name] of names.entries()) {
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES, 'BFT'));
    said.set(name, inView);
  }
  t.is(await check(), 'ch1 working: 4 of 4 consenters are active');
  said.set('a', 'down');
  for (const name of ['b', 'c', 'd']) said.set(name, { ...inView, next: 2 });
  t.regex(await check(), /^ch1 at-risk: orders nothing: .*; a change of the view is in progress; 3 of 4 /);
  for (const name of ['c', 'd']) said.set(name, inView);
  said.set('b', 'down');
  t.is(await check(), 'ch1 stopped: 2 of 4 consenters are down (a, b), 3 must be active (critical: ch1)');
});

/** The channels of four BFT orderers in a view with the leader `a`. */
function bftSubject() {
  const names = ['a', 'b', 'c', 'd'];
  const channels = subject(names);
  for (const [index, name] of names.entries()) {
    channels.configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES, 'BFT'));
    channels.said.set(name, { ...inView, height: 7 });
  }
  /** The state that the other orderers report when the leader is down. */
  const say = (facts: Readonly<Record<string, number>>, speakers = ['b', 'c', 'd']): void =>
    speakers.forEach((name) => channels.said.set(name, { ...inView, height: 7, ...facts }));
  return { ...channels, say };
}

const NOTHING = 'orders nothing: its leader a is down';
const COUNT = '3 of 4 consenters are active, one more failure stops it';

test('a BFT channel with a leader that is down orders nothing, at once; after 60 s it has stopped, with and without envelopes', async (t) => {
  const { said, say, check } = bftSubject();
  await check();
  said.set('a', 'down');
  // A client has sent an envelope to one orderer.
  say({ waiting: 1 }, ['b']);
  t.is(
    await check(2_000),
    `ch1 at-risk: ${NOTHING}; the view changes within LeaderHeartbeatTimeout 1m0s; ${COUNT} (warning: ch1)`,
  );
  say({ waiting: 1, next: 2 }, ['b']);
  t.is(
    await check(25_000),
    `ch1 at-risk: ${NOTHING}; the view changes within LeaderHeartbeatTimeout 1m0s; ${COUNT}; b waits for the next view (warning: ch1)`,
  );
  say({ next: 2 }, ['c', 'd']);
  t.is(
    await check(30_000),
    `ch1 at-risk: ${NOTHING}; a change of the view is in progress; ${COUNT} (warning: ch1)`,
  );
  // A quorum has asked for the view, and its leader has not begun it.
  say({ view: 2, next: 2, realView: 1 });
  t.is(
    await check(5_000),
    'ch1 stopped: orders nothing for 60s: its leader a is down; a change of the view is in progress; 3 of 4 consenters are active (critical: ch1)',
  );
  say({ view: 2, next: 2, realView: 2, viewLeader: 2, waiting: 1 }, ['b']);
  say({ view: 2, next: 2, realView: 2, viewLeader: 2 }, ['c', 'd']);
  t.is(
    await check(2_000),
    'ch1 stopped: orders nothing for 62s: its leader makes no block, and envelopes wait; 3 of 4 consenters are active; a is down (critical: ch1)',
  );
  say({ view: 2, next: 2, realView: 2, viewLeader: 2, height: 8 });
  t.is(await check(2_000), `ch1 at-risk: ${COUNT}; a is down (warning: ch1)`);
  t.is(await check(600_000), `ch1 at-risk: ${COUNT}; a is down (warning: ch1)`);
});

test('a BFT channel that has another leader and no envelopes works again without a block', async (t) => {
  const { said, say, check } = bftSubject();
  await check();
  said.set('a', 'down');
  t.regex(await check(), /^ch1 at-risk: orders nothing: /);
  say({ next: 2 });
  t.regex(await check(65_000), /^ch1 stopped: orders nothing for 65s: /);
  // While one of them has not reported the new view, the leader is unknown.
  say({ view: 2, next: 2, viewLeader: 2 }, ['b', 'c']);
  t.regex(await check(), /^ch1 stopped: /);
  say({ view: 2, next: 2, viewLeader: 2 });
  t.is(await check(), `ch1 at-risk: ${COUNT}; a is down (warning: ch1)`);
});

test('a BFT channel without envelopes works, also when an orderer fails that is not its leader', async (t) => {
  const { said, check } = bftSubject();
  await check();
  t.is(await check(600_000), 'ch1 working: 4 of 4 consenters are active');
  said.set('d', 'down');
  for (const time of [2_000, 60_000, 600_000])
    t.is(await check(time), `ch1 at-risk: ${COUNT}; d is down (warning: ch1)`);
});

test('a BFT leader that only the agent does not reach is no lost leader: the others miss no heartbeat', async (t) => {
  const { said, check } = bftSubject();
  await check();
  said.set('a', 'down');
  t.regex(await check(), /^ch1 at-risk: orders nothing: /);
  t.regex(await check(60_000), /^ch1 at-risk: orders nothing: /);
  for (const time of [10_000, 600_000])
    t.is(await check(time), `ch1 at-risk: ${COUNT}; a is down (warning: ch1)`);
});

test('a BFT leader that is not monitored is lost if it responds to no peer', async (t) => {
  const { said, asked, configs, check } = subject(['b', 'c', 'd', 'peer0']);
  for (const [index, name] of ['b', 'c', 'd'].entries()) {
    configs.set(name, config(ADDRESSES[index + 1]!, 0, ADDRESSES, 'BFT'));
    said.set(name, { ...inView, height: 7 });
  }
  asked.set('peer0', responses('alive', 'alive', 'alive', 'alive'));
  t.is(await check(), 'ch1 working: 4 of 4 consenters are active');
  asked.set('peer0', responses('silent', 'alive', 'alive', 'alive'));
  t.regex(await check(), /^ch1 at-risk: orders nothing: its leader a:1 does not respond; the view changes /);
});

test('a BFT orderer that reports that it waits for the next view participates if there are new blocks that need it', async (t) => {
  const names = ['a', 'b', 'c', 'd'];
  const { said, check } = subject(names);
  const say = (height: number): void => {
    said.set('a', { ...inView, height }).set('b', { ...inView, height });
    said.set('c', { ...inView, height, next: 2 });
  };
  say(7);
  said.set('d', { ...inView, height: 7 });
  await check();
  said.set('d', 'down');
  const inProgress = /^ch1 at-risk: 3 of 4 .*; a change of the view is in progress; d is down/;
  t.regex(await check(), inProgress);
  say(8);
  const works =
    /^ch1 at-risk: 3 of 4 consenters are active, one more failure stops it; d is down; c waits for the next view \(/;
  t.regex(await check(3_000), works);
  // Without envelopes no block comes.
  t.regex(await check(100_000), works);
  said.set('b', { ...inView, height: 8, next: 2 });
  t.regex(await check(3_000), inProgress);
  t.regex(await check(60_000), /^ch1 stopped: .*; no agreed view for 60s; d is down/);
});

test('envelopes that wait in a quorum of BFT while the channel does not grow are in the reason, after 60 s it has stopped', async (t) => {
  const names = ['a', 'b', 'c', 'd'];
  const { said, check } = subject(names);
  const say = (waiting: readonly number[], height: number): void =>
    waiting.forEach((count, index) => said.set(names[index]!, { ...inView, waiting: count, height }));
  const working = 'ch1 working: 4 of 4 consenters are active';
  say([1, 1, 1, 0], 7);
  t.is(await check(), working);
  t.is(await check(4_999), working);
  t.is(await check(1), `${working}; envelopes wait and no block comes`);
  t.is(
    await check(55_000),
    'ch1 stopped: 4 of 4 consenters are active; envelopes wait and no block comes for 60s (critical: ch1)',
  );
  say([1, 1, 1, 1], 8);
  t.is(await check(), working);
  // An envelope in less than a quorum may be invalid for the others.
  say([1, 1, 0, 0], 8);
  t.is(await check(60_000), working);
  say([0, 0, 0, 0], 8);
  t.is(await check(60_000), working);
});

test('a consenter that has failed in the channel, or has left it, does not participate', async (t) => {
  const { said, configs, removed, check } = subject(['a', 'b', 'c']);
  for (const [index, name] of ['a', 'b', 'c'].entries())
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  said
    .set('a', leader)
    .set('b', { ...follower, status: 3 })
    .set('c', follower);
  await check();
  said.set('c', undefined);
  removed.set('c', ['ch1']);
  t.is(
    await check(),
    'ch1 stopped: 2 of 3 consenters are not active (b has failed in the channel, c does not have the channel) (critical: ch1)',
  );
});

test('a consenter that is removed from the channel while it is down is no consenter', async (t) => {
  const { said, configs, check } = subject(['a', 'b', 'peer0']);
  for (const [index, name] of ['a', 'b'].entries())
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  said.set('a', { ...follower, leader: 1 }).set('b', leader);
  await check();
  said.set('a', 'down').set('b', { ...leader, size: 2, active: 2 });
  configs.set('peer0', config('none', 1, ADDRESSES.slice(1, 3)));
  t.is(await check(), 'ch1 at-risk: 2 of 2 consenters are active, one more failure stops it (warning: ch1)');
  said.set('b', 'down');
  t.is(await check(), 'ch1 stopped: 1 of 2 consenters is down (b) (critical: ch1)');
});

test('followers are no consenters', async (t) => {
  const { said, check } = subject(['a', 'b']);
  said.set('a', { ...leader, size: 1, active: 1 }).set('b', { relation: 2, status: 1 });
  t.is(await check(), 'ch1 working: its only consenter is active');
  said.set('b', 'down');
  t.is(await check(), 'ch1 working: its only consenter is active');
});

test('a channel that was removed before the agent started is no event, although the first reading has it', async (t) => {
  const { said, removed, sent, check } = subject(['a', 'b']);
  said.set('a', leader).set('b', follower);
  await check();
  // The first list of its channels can be late.
  await check(60_000);
  removed.set('b', ['ch1']);
  await check(10_000);
  await check(60_000);
  t.deepEqual(sent, []);
});

test('joins and removals are events, but not what the first reading has, nor a restart', async (t) => {
  const { said, removed, listed, sent, check } = subject(['a', 'b']);
  said.set('a', leader).set('b', undefined);
  await check();
  said.set('b', follower);
  await check(15_000);
  t.deepEqual(sent, ['channels/ch1: b has joined ch1']);
  said.set('a', 'down');
  await check(60_000);
  // It has just started, and does not report its channels yet.
  said.set('a', undefined);
  await check(3_000);
  said.set('a', leader);
  await check(3_000);
  t.is(sent.length, 1);
  listed.set('b', ['ch1']);
  await check(3_000);
  listed.set('b', []);
  await check(1_000);
  said.set('b', undefined);
  removed.set('b', ['ch1']);
  await check(2_000);
  t.deepEqual(sent.slice(1), ['channels/ch1: ch1 was removed from b']);
  said.set('a', undefined);
  await check(3_000);
  t.is(sent.length, 2);
  await check(15_000);
  t.deepEqual(sent.slice(2), ['channels/ch1: a no longer has ch1']);
});

test('channels that a node names soon after its start were there before', async (t) => {
  const { said, sent, check } = subject(['a']);
  said.set('a', undefined);
  await check();
  said.set('a', leader);
  await check(14_999);
  t.deepEqual(sent, []);
});

test('an orderer that has just started participates when it reports the channel', async (t) => {
  const { said, configs, check } = subject(['a']);
  configs.set('a', config('a:1', 0, ['a:1']));
  said.set('a', undefined);
  t.is(await check(), 'ch1 unknown: its only consenter is not monitored by this agent');
  said.set('a', { ...leader, size: 1, active: 1 });
  t.is(await check(3_000), 'ch1 working: its only consenter is active');
  said.set('a', undefined);
  t.is(
    await check(3_000),
    'ch1 stopped: its only consenter is not active (a does not have the channel) (critical: ch1)',
  );
});

test('another leader is an event, at most once in 10 s', async (t) => {
  const { said, sent, check } = subject(['a', 'b', 'c']);
  const lead = async (name: string, after: number): Promise<void> => {
    for (const each of ['a', 'b', 'c']) said.set(each, each === name ? leader : follower);
    await check(after);
  };
  await lead('a', 0);
  await lead('b', 3_000);
  t.deepEqual(sent, ['channels/ch1: b is the leader of ch1; before it was a']);
  await lead('c', 3_000);
  await lead('a', 3_000);
  t.is(sent.length, 1);
  await lead('a', 4_000);
  t.deepEqual(sent.slice(1), ['channels/ch1: a is the leader of ch1; before it was b']);
});

test('a migration to BFT with the same leader is no other leader', async (t) => {
  const { said, sent, configs, check } = subject(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'b', 'c', 'd']) said.set(name, name === 'a' ? leader : follower);
  await check();
  for (const name of ['a', 'b', 'c', 'd']) {
    said.set(name, inView);
    configs.set(name, config(`${name}:1`, 3, ADDRESSES, 'BFT'));
  }
  await check(20_000);
  t.deepEqual(sent, []);
});

test('the leader of a BFT view is reported by the name of its node, or by its address', async (t) => {
  const { said, configs, sent, check } = subject(['a', 'b', 'c']);
  for (const [index, name] of ['a', 'b', 'c'].entries())
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES, 'BFT'));
  for (const [viewLeader, after] of [
    [1, 0],
    [2, 10_000],
    [4, 10_000],
  ] as const) {
    for (const name of ['a', 'b', 'c']) said.set(name, { ...inView, viewLeader });
    await check(after);
  }
  t.deepEqual(sent, [
    'channels/ch1: b is the leader of ch1; before it was a',
    'channels/ch1: d:1 is the leader of ch1; before it was b',
  ]);
});

test('a BFT leader is the same when its name becomes known later', async (t) => {
  const { said, configs, sent, check } = subject(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) said.set(name, inView);
  await check();
  for (const [index, name] of ['a', 'b', 'c'].entries())
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES, 'BFT'));
  await check(10_000);
  for (const name of ['a', 'b', 'c']) said.set(name, { ...inView, viewLeader: 2 });
  await check(10_000);
  t.deepEqual(sent, ['channels/ch1: b is the leader of ch1; before it was a']);
});

test('the series of a channel end when no node has it any more', async (t) => {
  const { said, removed, check, metrics } = subject(['a']);
  said.set('a', { ...leader, size: 1, active: 1 });
  await check();
  said.set('a', undefined);
  removed.set('a', ['ch1']);
  t.is(await check(), '');
  for await (const family of metrics.families())
    if (family.name === 'fabric_ops_agent_channel_state') t.deepEqual([...family.values()], []);
});

/** Removes the channel from all nodes, and checks. */
async function removeChannel({ said, removed, configs, check }: ReturnType<typeof subject>): Promise<void> {
  configs.clear();
  for (const name of said.keys()) {
    said.set(name, undefined);
    removed.set(name, ['ch1']);
  }
  await check();
  removed.clear();
}

test('a channel that was removed and created again has another leader without an event', async (t) => {
  const found = subject(['a', 'b']);
  const { said, sent, check } = found;
  const [leads, follows] = [
    { ...leader, size: 2, active: 2 },
    { ...follower, size: 2, active: 2 },
  ];
  said.set('a', leads).set('b', follows);
  await check();
  await removeChannel(found);
  said.set('a', follows).set('b', leads);
  await check(60_000);
  t.deepEqual(
    sent.filter((text) => text.includes('leader')),
    [],
  );
});

test('a channel that was removed and created again counts its blocks from the beginning', async (t) => {
  const found = subject(['a']);
  const alone = { ...leader, size: 1, active: 1 };
  for (const height of [3, 5]) {
    found.said.set('a', { ...alone, height });
    await found.check(60_000);
  }
  await removeChannel(found);
  found.said.set('a', { ...alone, height: 6 });
  await found.check(60_000);
  const { blocks, lastBlockAt } = found.channels.verdicts.get('ch1')!;
  t.deepEqual([blocks, lastBlockAt], [[], undefined]);
});

const BFT_NAMES = ['a', 'b', 'c', 'd'];
for (const [what, names, facts, expected] of [
  [
    'an election',
    ['a', 'b', 'c'],
    { ...follower, active: 0 },
    /^ch1 working: .*; an election is in progress$/,
  ],
  ['waiting envelopes', BFT_NAMES, { ...inView, waiting: 1, height: 7 }, /^ch1 working: .*; envelopes wait/],
  [
    'a leader that reaches too few',
    ['a', 'b', 'c'],
    { ...leader, active: 2 },
    /^ch1 working: 3 of 3 [a-z ]+$/,
  ],
] as const)
  test(`in a channel that was removed and created again the time of ${what} begins again`, async (t) => {
    const found = subject(names);
    const seconds = what === 'waiting envelopes' ? 40_000 : what === 'an election' ? 20_000 : 5_000;
    const say = async (): Promise<string> => {
      for (const name of names) found.said.set(name, facts);
      await found.check();
      return found.check(seconds);
    };
    t.regex(await say(), expected);
    await removeChannel(found);
    t.regex(await say(), expected);
  });

test('a removed channel is not checked again before its stop is reported', async (t) => {
  const found = await failing({ a: 'late', b: 'late', c: 'late' }, true);
  t.is(await found.check(), WORKING);
  t.not(found.channels.unconfirmed.length, 0);
  await removeChannel(found);
  t.deepEqual(found.channels.unconfirmed, []);
});

test('the first height that a node reports is no new block, also after a time without any', async (t) => {
  const { said, check, channels } = subject(['a']);
  said.set('a', { ...leader, size: 1, active: 1 });
  await check();
  said.set('a', { ...leader, size: 1, active: 1, height: 5 });
  await check(1_000);
  t.is(channels.verdicts.get('ch1')?.lastBlockAt, undefined);
});

test('if only a peer is monitored, the orderers that respond to it are counted', async (t) => {
  const { asked, configs, check } = subject(['peer0']);
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  t.is(await check(), 'ch1 unknown: none of its 3 consenters is monitored by this agent');
  asked.set('peer0', responses('alive', 'alive', 'alive'));
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
  asked.set('peer0', responses('alive', 'silent', 'alive'));
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; b:1 does not respond (warning: ch1)',
  );
  asked.set('peer0', responses('silent', 'silent', 'unavailable'));
  t.is(await check(), 'ch1 stopped: 2 of 3 consenters do not respond (a:1, b:1) (critical: ch1)');
  asked.set('peer0', responses('silent', 'no-channel', 'unavailable'));
  t.is(
    await check(),
    'ch1 stopped: 2 of 3 consenters are not active (a:1 does not respond, b:1 has not joined the channel, or only follows it) (critical: ch1)',
  );
  asked.set('peer0', responses('alive', 'alive', 'alive'));
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
});

test('Raft orderers that serve no blocks know no leader, which is a stop after 30 s', async (t) => {
  const { asked, configs, check } = subject(['peer0']);
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  asked.set('peer0', responses('unavailable', 'unavailable', 'silent'));
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; an election is in progress; c:1 does not respond (warning: ch1)',
  );
  t.is(
    await check(30_000),
    'ch1 stopped: 2 of 3 consenters are active; no leader for 30s; c:1 does not respond (critical: ch1)',
  );
});

test('if only a peer is monitored, a BFT channel is judged by its quorum', async (t) => {
  const { asked, configs, check } = subject(['peer0']);
  configs.set('peer0', config('', 0, ADDRESSES, 'BFT'));
  asked.set('peer0', responses('alive', 'alive', 'alive', 'silent'));
  t.is(
    await check(),
    'ch1 at-risk: 3 of 4 consenters are active, one more failure stops it; d:1 does not respond (warning: ch1)',
  );
  asked.set('peer0', responses('alive', 'alive', 'unavailable', 'silent'));
  t.is(
    await check(),
    'ch1 stopped: 2 of 4 consenters are not active (c:1 does not serve the channel, d:1 does not respond), 3 must be active (critical: ch1)',
  );
});

test('a consenter that the leader does not reach is named before it is reported, if the agent finds it within 8 s', async (t) => {
  const { said, check } = subject(['a', 'b', 'c']);
  said.set('a', leader).set('b', follower).set('c', follower);
  await check();
  // It is frozen, and its metrics are still being read.
  said.set('a', { ...leader, active: 2 });
  t.is(await check(4_000), 'ch1 working: 3 of 3 consenters are active');
  said.set('c', 'down');
  t.is(
    await check(4_000),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; c is down (warning: ch1)',
  );
  said.set('c', follower);
  await check();
  t.is(await check(7_999), 'ch1 working: 3 of 3 consenters are active');
  t.is(await check(1), 'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it (warning: ch1)');
});

test('an orderer that responds to one of several peers is active', async (t) => {
  const { asked, configs, check } = subject(['peer0', 'peer1']);
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  asked.set('peer0', responses('silent', 'silent', 'alive'));
  asked.set('peer1', responses('alive', 'unknown', 'silent'));
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; b:1 does not respond (warning: ch1)',
  );
});

test('an orderer is unknown if the request fails for a reason that does not tell its state', async (t) => {
  const { asked, configs, check } = subject(['peer0']);
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  asked.set('peer0', responses('alive', 'unknown', 'unknown'));
  t.is(await check(), 'ch1 unknown: 1 of 3 consenters is active; b:1, c:1 are not monitored by this agent');
});

test('orderers at addresses that no consenter has are unknown consenters, which the reason says', async (t) => {
  const { asked, configs, check } = subject(['peer0']);
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  const unmatched = (address: string): OrdererResponse => ({ address, state: 'alive' });
  asked.set('peer0', { channel: 'ch1', responses: ['x:1', 'y:1'].map(unmatched) });
  t.is(
    await check(),
    'ch1 unknown: none of its 3 consenters is monitored by this agent; it is unknown which consenters x:1, y:1 are',
  );
  const { responses: matched } = responses('alive', 'alive');
  asked.set('peer0', { channel: 'ch1', responses: [...matched, unmatched('z:1')] });
  t.is(
    await check(),
    'ch1 working: 2 of 3 consenters are active; c:1 is not monitored by this agent; it is unknown which consenter z:1 is',
  );
});

test('with an orderer and a peer, the Raft leader reports how many consenters are active, and the responses tell which', async (t) => {
  const { said, asked, configs, check } = subject(['a', 'peer0']);
  configs.set('a', config('a:1', 0, ADDRESSES.slice(0, 3)));
  said.set('a', leader);
  asked.set('peer0', responses('alive', 'alive', 'alive'));
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
  said.set('a', { ...leader, active: 2 });
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; one of b:1, c:1 is not active (warning: ch1)',
  );
  asked.set('peer0', responses('alive', 'alive', 'silent'));
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; c:1 does not respond (warning: ch1)',
  );
  // The monitored orderer no longer knows a leader.
  said.set('a', { ...follower, active: 0 });
  asked.set('peer0', responses('alive', 'silent', 'silent'));
  t.is(await check(), 'ch1 stopped: 2 of 3 consenters do not respond (b:1, c:1) (critical: ch1)');
  // The data of the node itself takes precedence over its response to the peer.
  said.set('a', 'down');
  asked.set('peer0', responses('alive', 'alive', 'alive'));
  t.is(
    await check(),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; a is down (warning: ch1)',
  );
});

test('responses are not counted if the address of an orderer is unknown, which they could count twice', async (t) => {
  const { said, asked, configs, check } = subject(['a', 'peer0']);
  configs.set('peer0', config('', 0, ADDRESSES, 'BFT'));
  said.set('a', inView);
  asked.set('peer0', responses('alive', 'alive', 'alive', 'alive'));
  t.is(await check(), 'ch1 unknown: 1 of 4 consenters is active; 3 are not monitored by this agent');
});

test('an orderer that was removed from its channel keeps its name, also for the responses to a peer', async (t) => {
  const { said, configs, asked, removed, check } = subject(['a', 'b', 'c', 'peer0']);
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    said.set(name, name === 'a' ? leader : follower);
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  }
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
  configs.delete('c');
  asked.set('peer0', responses('alive', 'alive', 'no-channel'));
  said.set('c', undefined);
  removed.set('c', ['ch1']);
  for (const after of [3_000, 60_000])
    t.is(
      await check(after),
      'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; c does not have the channel (warning: ch1)',
    );
});

test('an orderer that was removed before the agent started is known by the key of its certificate', async (t) => {
  const { said, configs, asked, removed, certificates, check } = subject(['a', 'b', 'c', 'peer0']);
  for (const [index, name] of ['a', 'b'].entries()) {
    said.set(name, name === 'a' ? { ...leader, active: 2 } : { ...follower, active: 2 });
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  }
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  asked.set('peer0', responses('alive', 'alive', 'no-channel'));
  said.set('c', undefined);
  removed.set('c', ['ch1']);
  certificates.set('c', { key: `key of ${ADDRESSES[2]}`, fingerprint: 'f', notAfter: 0 });
  t.is(
    await check(60_000),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; c does not have the channel (warning: ch1)',
  );
});

test('an orderer only follows the channel if its TLS key is no longer in it', async (t) => {
  const { said, configs, asked, certificates, check } = subject(['a', 'b', 'c', 'peer0']);
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    said.set(name, name === 'a' ? leader : follower);
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  }
  configs.set('peer0', config('', 0, ADDRESSES.slice(0, 3)));
  await check();
  said.set('a', { ...leader, active: 2 });
  said.set('c', { relation: 2, status: 1 });
  configs.set('c', config('', 0, ADDRESSES.slice(0, 3)));
  certificates.set('c', { key: 'another', fingerprint: 'f', notAfter: 0 });
  asked.set('peer0', responses('alive', 'alive', 'no-channel'));
  t.is(
    await check(3_000),
    'ch1 at-risk: 2 of 3 consenters are active, one more failure stops it; c only follows the channel, because its certificate has another key (warning: ch1)',
  );
});

for (const [type, fact, key, reason] of [
  [
    'etcdraft',
    { hasOtherKey: true },
    undefined,
    'only follows the channel, because its certificate has another key',
  ],
  [
    'BFT',
    { hasOtherKey: true },
    'key of a:1',
    'only follows the channel, because its certificate has another key',
  ],
  ['etcdraft', {}, 'key of a:1', 'only follows the channel'],
  ['BFT', {}, 'another TLS key', 'only follows the channel'],
] as const)
  test(`the only consenter of ${type} that follows its channel, ${JSON.stringify({ ...fact, key })}: the channel is stopped, a ${reason}`, async (t) => {
    const { said, configs, certificates, check } = subject(['a']);
    said.set('a', { relation: 2, status: 1 });
    configs.set('a', { ...config('a:1', 0, ['a:1'], type), ...fact });
    if (key !== undefined) certificates.set('a', { key, fingerprint: 'f', notAfter: 0 });
    t.is(await check(), `ch1 stopped: its only consenter is not active (a ${reason}) (critical: ch1)`);
  });

test('a channel in maintenance is one warning, and its orderers that run Raft after the migration are named until they run BFT', async (t) => {
  const { said, configs, check } = subject(['a', 'b', 'c', 'd']);
  const raft = { ...follower, size: 4, active: 4 };
  for (const name of ['a', 'b', 'c', 'd']) said.set(name, raft);
  const publish = (block: number, type: string, maintenance?: ChannelConsenters['maintenance']): void =>
    ['a', 'b', 'c', 'd'].forEach((name) =>
      configs.set(name, { ...config(`${name}:1`, block, ADDRESSES, type), maintenance }),
    );
  publish(2, 'etcdraft', { since: 2 });
  const maintenance = 'ch1 maintenance: no transaction is accepted (since block 2)';
  t.is(await check(), `${maintenance} (warning: ch1)`);
  publish(3, 'BFT', { since: 2 });
  const restart = 'still run Raft, the channel is BFT: restart them before maintenance ends';
  t.is(await check(), `${maintenance}; a, b, c and d ${restart} (warning: ch1)`);
  for (const name of ['a', 'b']) said.set(name, inView);
  t.is(await check(), `${maintenance}; c and d ${restart} (warning: ch1)`);
  said.set('c', inView);
  publish(4, 'BFT');
  t.is(
    await check(),
    'ch1 at-risk: 3 of 4 consenters are active, one more failure stops it; d still runs Raft, the channel is BFT: restart it (warning: ch1)',
  );
  said.set('d', inView);
  t.is(await check(), 'ch1 working: 4 of 4 consenters are active');
});

test('an orderer whose metrics are not read names the maintenance in its ledger directory', async (t) => {
  const { said, configs, check } = subject(['silent']);
  said.set('silent', {});
  configs.set('silent', { ...config('a:1', 7, ADDRESSES.slice(0, 3)), maintenance: { since: 7 } });
  t.is(
    await check(),
    'ch1 maintenance: no transaction is accepted (since block 7); none of its 3 consenters is monitored by this agent (warning: ch1)',
  );
  configs.set('silent', config('a:1', 8, ADDRESSES.slice(0, 3)));
  t.is(await check(), '');
});

test('an orderer whose metrics are not read says nothing about a channel, whatever is in its ledger directory', async (t) => {
  const { said, configs, check } = subject(['silent', 'b']);
  said.set('silent', {});
  configs.set('silent', config('a:1', 7, ADDRESSES.slice(0, 3)));
  t.is(await check(), '');
  said.set('b', leader);
  t.is(await check(), 'ch1 working: 3 of 3 consenters are active');
});

/** The consenters of the channel, as `name state`, with `*` for the leader. */
const consentersIn = ({ channels }: ReturnType<typeof subject>): string[] => {
  const { consenters = [], leader: leaderName } = channels.verdicts.get('ch1') ?? {};
  return consenters.map(
    ({ name, node, address, state }) =>
      `${name}${name === leaderName ? '*' : ''} ${state} ${node ?? '-'} ${address ?? '-'}`,
  );
};

test('the consenters have their nodes, addresses and states, also those that are down or not monitored', async (t) => {
  const known = subject(['a', 'b', 'peer']);
  const { said, configs, channels, check } = known;
  said
    .set('a', { ...leader, active: 2 })
    .set('b', follower)
    .set('peer', {});
  for (const [index, name] of ['a', 'b'].entries())
    configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  await check();
  t.deepEqual(consentersIn(known), ['a* active a a:1', 'b active b b:1', 'c:1 unknown - c:1']);
  t.like(channels.verdicts.get('ch1'), { needed: 2, mayFail: undefined });
  said.set('a', leader);
  await check();
  t.deepEqual(consentersIn(known), ['a* active a a:1', 'b active b b:1', 'c:1 active - c:1']);
  t.like(channels.verdicts.get('ch1'), { needed: 2, mayFail: 1 });
  said.set('b', 'late');
  await check();
  t.deepEqual(consentersIn(known)[1], 'b silent b b:1');
  said.set('b', 'down');
  await check();
  t.deepEqual(consentersIn(known)[1], 'b down b b:1');
});

test('a consenter without the channel is absent, and one without a leader is electing', async (t) => {
  const known = subject(['a', 'b', 'c']);
  for (const [index, name] of ['a', 'b', 'c'].entries())
    known.configs.set(name, config(ADDRESSES[index]!, 0, ADDRESSES.slice(0, 3)));
  known.said
    .set('a', { ...follower, active: 0 })
    .set('b', { ...follower, relation: 2 })
    .set('c', 'down');
  await known.check();
  t.deepEqual(consentersIn(known), ['a electing a a:1', 'b absent b b:1', 'c down c c:1']);
});

test('a peer that does not reach an orderer says that it is silent', async (t) => {
  const known = subject(['peer']);
  known.said.set('peer', {});
  known.configs.set('peer', config('', 0, ADDRESSES.slice(0, 3)));
  known.asked.set('peer', responses('alive', 'silent', 'unavailable'));
  await known.check();
  t.deepEqual(consentersIn(known), ['a:1 active - a:1', 'b:1 silent - b:1', 'c:1 electing - c:1']);
});

test('the verdict has the time of its beginning, and the channel its new blocks', async (t) => {
  const { said, check, channels } = subject(['a']);
  said.set('a', { ...leader, size: 1, active: 1, height: 3 });
  await check();
  const first = channels.verdicts.get('ch1')!;
  t.true(Date.now() - first.since < 60_000);
  t.deepEqual([first.blocks, first.lastBlockAt], [[], undefined]);
  said.set('a', { ...leader, size: 1, active: 1, height: 5 });
  await check(60_000);
  const next = channels.verdicts.get('ch1')!;
  t.is(next.since, first.since);
  t.deepEqual(next.blocks, [0]);
  t.is(typeof next.lastBlockAt, 'number');
});
