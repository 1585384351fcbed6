// The verdict about a channel: a table of facts and verdicts.

import test from 'ava';
import { DOWN, judge, type VerdictFacts } from '../../../core/channels/verdict.js';
import type { Consenter } from '../../../core/fabric/channel.js';

/** The state of a monitored consenter: active, down, electing, or with another outage. */
type State = 'up' | 'down' | 'electing' | (string & {});

interface Case extends Partial<
  Pick<
    VerdictFacts,
    | 'others'
    | 'reached'
    | 'electingFor'
    | 'hasOrdered'
    | 'hadStopped'
    | 'isAwaited'
    | 'leaderHeartbeatTimeout'
    | 'lostLeader'
    | 'stalledFor'
    | 'maintenance'
    | 'outdated'
  >
> {
  readonly nodes: readonly State[];
  /** @default the number of `nodes` */
  readonly size?: number;
  /** The verdict and the reason. */
  readonly is: string;
}

function consenterIn(state: State, name: string): Consenter {
  const own = { name, node: name };
  if (state === 'up') return { ...own, state: 'active' };
  if (state === 'electing') return { ...own, state: 'electing' };
  return state === 'down'
    ? { ...own, state: 'down', outage: DOWN }
    : { ...own, state: 'absent', outage: state };
}

const RAFT: readonly Case[] = [
  { nodes: ['up'], reached: 1, is: 'working: its only consenter is active' },
  { nodes: ['down'], is: 'stopped: its only consenter is down (o1)' },
  { nodes: ['electing'], is: 'working: its only consenter is active; an election is in progress' },
  { nodes: ['up', 'up'], reached: 2, is: 'at-risk: 2 of 2 consenters are active, one more failure stops it' },
  { nodes: ['up', 'down'], reached: 2, is: 'stopped: 1 of 2 consenters is down (o2)' },
  { nodes: ['up', 'up', 'up'], reached: 3, is: 'working: 3 of 3 consenters are active' },
  {
    nodes: ['up', 'up', 'down'],
    reached: 3,
    is: 'at-risk: 2 of 3 consenters are active, one more failure stops it; o3 is down',
  },
  { nodes: ['up', 'down', 'down'], reached: 3, is: 'stopped: 2 of 3 consenters are down (o2, o3)' },
  { nodes: ['electing', 'down', 'down'], is: 'stopped: 2 of 3 consenters are down (o2, o3)' },
  { nodes: ['down', 'down', 'down'], is: 'stopped: 3 of 3 consenters are down (o1, o2, o3)' },
  {
    nodes: ['down', 'has failed in the channel', 'up'],
    is: 'stopped: 2 of 3 consenters are not active (o1 is down, o2 has failed in the channel)',
  },
  {
    nodes: ['up', 'up', 'up', 'up', 'down'],
    reached: 4,
    is: 'working: 4 of 5 consenters are active; o5 is down',
  },
  {
    nodes: ['up', 'up', 'up', 'down', 'down'],
    reached: 3,
    is: 'at-risk: 3 of 5 consenters are active, one more failure stops it; o4 is down; o5 is down',
  },
  {
    nodes: ['up', 'up', 'down', 'down', 'down'],
    reached: 5,
    is: 'stopped: 3 of 5 consenters are down (o3, o4, o5)',
  },
  // The leader reports how many of the other consenters it reaches.
  { nodes: ['up'], size: 3, reached: 3, is: 'working: 3 of 3 consenters are active' },
  {
    nodes: ['up'],
    size: 3,
    reached: 2,
    others: ['b:1', 'c:1'],
    is: 'at-risk: 2 of 3 consenters are active, one more failure stops it; one of b:1, c:1 is not active',
  },
  {
    nodes: ['up', 'up'],
    size: 3,
    reached: 2,
    others: ['c:1'],
    is: 'at-risk: 2 of 3 consenters are active, one more failure stops it; c:1 is not active',
  },
  { nodes: ['up'], size: 3, reached: 1, is: 'stopped: 1 of 3 consenters is active; 2 must be active' },
  {
    nodes: ['up', 'down'],
    size: 3,
    reached: 3,
    is: 'at-risk: 2 of 3 consenters are active, one more failure stops it; o2 is down',
  },
  {
    nodes: ['up', 'up', 'up'],
    reached: 2,
    is: 'at-risk: 2 of 3 consenters are active, one more failure stops it',
  },
  {
    nodes: ['down'],
    size: 3,
    others: ['b:1', 'c:1'],
    is: 'unknown: 0 of 3 consenters are active; o1 is down; b:1, c:1 are not monitored by this agent',
  },
  { nodes: [], size: 3, is: 'unknown: none of its 3 consenters is monitored by this agent' },
  { nodes: [], size: 1, is: 'unknown: its only consenter is not monitored by this agent' },
  // Elections.
  {
    nodes: ['electing', 'electing', 'electing'],
    is: 'working: 3 of 3 consenters are active; an election is in progress',
  },
  {
    nodes: ['down', 'electing', 'electing'],
    electingFor: 29_999,
    is: 'at-risk: 2 of 3 consenters are active, one more failure stops it; an election is in progress; o1 is down',
  },
  {
    nodes: ['down', 'electing', 'electing'],
    electingFor: 30_000,
    is: 'stopped: 2 of 3 consenters are active; no leader for 30s; o1 is down',
  },
  {
    nodes: ['up', 'up', 'electing'],
    reached: 2,
    is: 'at-risk: 2 of 3 consenters are active, one more failure stops it; o3 knows no leader',
  },
  {
    // A leader that was frozen still reports that it is the leader.
    nodes: ['up', 'electing', 'electing'],
    reached: 3,
    is: 'working: 3 of 3 consenters are active; an election is in progress',
  },
  {
    nodes: ['electing'],
    size: 3,
    is: 'unknown: 1 of 3 consenters is active; an election is in progress; 2 are not monitored by this agent',
  },
  {
    nodes: ['electing'],
    size: 3,
    electingFor: 31_900,
    is: 'stopped: 1 of 3 consenters is active; no leader for 31s; 2 are not monitored by this agent',
  },
  // A consenter that is not monitored may be active: one more failure does not certainly stop the channel.
  {
    nodes: ['up', 'up', 'up', 'up'],
    size: 5,
    is: 'working: 4 of 5 consenters are active; 1 is not monitored by this agent',
  },
  {
    nodes: ['electing', 'electing', 'electing', 'electing', 'electing', 'down'],
    size: 7,
    is: 'working: 5 of 7 consenters are active; an election is in progress; o6 is down; 1 is not monitored by this agent',
  },
  {
    nodes: ['electing', 'down'],
    size: 3,
    is: 'unknown: 1 of 3 consenters is active; an election is in progress; o2 is down; 1 is not monitored by this agent',
  },
  {
    nodes: ['up', 'up', 'up'],
    reached: 1,
    is: 'working: 3 of 3 consenters are active; the leader reaches 1 of them',
  },
  {
    nodes: ['up', 'up', 'up'],
    reached: 1,
    electingFor: 40_000,
    is: 'stopped: 3 of 3 consenters are active; the leader reaches 1 of them for 40s',
  },
];

const LOST: Consenter = { name: 'o1', state: 'down', outage: DOWN };

const BFT: readonly Case[] = [
  { nodes: ['up'], is: 'working: its only consenter is active' },
  { nodes: ['up', 'up', 'up', 'up'], is: 'working: 4 of 4 consenters are active' },
  {
    nodes: ['down', 'up', 'up', 'up'],
    is: 'at-risk: 3 of 4 consenters are active, one more failure stops it; o1 is down',
  },
  {
    nodes: ['down', 'down', 'up', 'up'],
    is: 'stopped: 2 of 4 consenters are down (o1, o2), 3 must be active',
  },
  {
    nodes: ['down', 'down', 'up', 'up', 'up', 'up', 'up'],
    is: 'at-risk: 5 of 7 consenters are active, one more failure stops it; o1 is down; o2 is down',
  },
  {
    nodes: ['down', 'up', 'up', 'up', 'up', 'up', 'up'],
    is: 'working: 6 of 7 consenters are active; o1 is down',
  },
  {
    nodes: ['down', 'down', 'down', 'up', 'up', 'up', 'up'],
    is: 'stopped: 3 of 7 consenters are down (o1, o2, o3), 5 must be active',
  },
  {
    nodes: ['down', 'electing', 'electing', 'electing'],
    electingFor: 59_000,
    is: 'at-risk: 3 of 4 consenters are active, one more failure stops it; a change of the view is in progress; o1 is down',
  },
  {
    nodes: ['up', 'electing', 'electing', 'electing'],
    electingFor: 60_000,
    is: 'stopped: 4 of 4 consenters are active; no agreed view for 60s',
  },
  {
    nodes: ['up', 'up', 'electing', 'down'],
    electingFor: 60_000,
    hasOrdered: true,
    is: 'at-risk: 3 of 4 consenters are active, one more failure stops it; o4 is down; o3 waits for the next view',
  },
  {
    nodes: ['down', 'up', 'up', 'up'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    is: 'at-risk: orders nothing: its leader o1 is down; the view changes within LeaderHeartbeatTimeout 1m0s; 3 of 4 consenters are active, one more failure stops it',
  },
  {
    // The config is unknown.
    nodes: ['down', 'up', 'up', 'up'],
    lostLeader: LOST,
    is: 'at-risk: orders nothing: its leader o1 is down; 3 of 4 consenters are active, one more failure stops it',
  },
  {
    nodes: ['down', 'up', 'up', 'up', 'up', 'up', 'down'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 90_000,
    electingFor: 59_999,
    is: 'at-risk: orders nothing: its leader o1 is down; the view changes within LeaderHeartbeatTimeout 1m30s; 5 of 7 consenters are active, one more failure stops it; o7 is down',
  },
  {
    nodes: ['down', 'up', 'up', 'up', 'up', 'up', 'up'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 90_000,
    electingFor: 60_000,
    is: 'stopped: orders nothing for 60s: its leader o1 is down; the view changes within LeaderHeartbeatTimeout 1m30s; 6 of 7 consenters are active',
  },
  {
    // One consenter that has asked for the next view is too few.
    nodes: ['down', 'electing', 'up', 'up'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    electingFor: 27_000,
    is: 'at-risk: orders nothing: its leader o1 is down; the view changes within LeaderHeartbeatTimeout 1m0s; 3 of 4 consenters are active, one more failure stops it; o2 waits for the next view',
  },
  {
    nodes: ['down', 'electing', 'electing', 'up'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    electingFor: 59_000,
    is: 'at-risk: orders nothing: its leader o1 is down; a change of the view is in progress; 3 of 4 consenters are active, one more failure stops it',
  },
  {
    nodes: ['down', 'electing', 'electing', 'electing'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    electingFor: 63_900,
    is: 'stopped: orders nothing for 63s: its leader o1 is down; a change of the view is in progress; 3 of 4 consenters are active',
  },
  {
    // The others get heartbeats of a leader that does not respond to the agent.
    nodes: ['down', 'up', 'up', 'up'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 20_000,
    electingFor: 30_000,
    is: 'at-risk: 3 of 4 consenters are active, one more failure stops it; o1 is down',
  },
  {
    nodes: ['down', 'up', 'up', 'up'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    electingFor: 65_000,
    is: 'at-risk: orders nothing: its leader o1 is down; 3 of 4 consenters are active, one more failure stops it',
  },
  {
    // The timeout is over: the view should change now.
    nodes: ['down', 'up', 'up', 'up'],
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    electingFor: 60_000,
    is: 'at-risk: orders nothing: its leader o1 is down; 3 of 4 consenters are active, one more failure stops it',
  },
  {
    nodes: ['down', 'up', 'up', 'up', 'up', 'up', 'up', 'up', 'up'],
    size: 10,
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    is: 'at-risk: orders nothing: its leader o1 is down; the view changes within LeaderHeartbeatTimeout 1m0s; 8 of 10 consenters are active; 1 is not monitored by this agent',
  },
  {
    // They also work if there are new blocks.
    nodes: ['down', 'up', 'up', 'up'],
    lostLeader: LOST,
    hasOrdered: true,
    is: 'at-risk: 3 of 4 consenters are active, one more failure stops it; o1 is down',
  },
  {
    nodes: ['down', 'up', 'up', 'up'],
    hadStopped: true,
    lostLeader: LOST,
    leaderHeartbeatTimeout: 60_000,
    electingFor: 12_000,
    is: 'stopped: orders nothing for 12s: its leader o1 is down; the view changes within LeaderHeartbeatTimeout 1m0s; 3 of 4 consenters are active',
  },
  {
    nodes: ['down', 'up', 'up', 'up'],
    isAwaited: true,
    leaderHeartbeatTimeout: 120_000,
    electingFor: 75_000,
    is: 'stopped: orders nothing for 75s: its leader makes no block, and envelopes wait; 3 of 4 consenters are active; o1 is down',
  },
  {
    nodes: ['down', 'up', 'up', 'up'],
    isAwaited: true,
    electingFor: 59_000,
    is: 'at-risk: 3 of 4 consenters are active, one more failure stops it; o1 is down',
  },
  {
    nodes: ['up', 'up', 'up', 'up'],
    stalledFor: 4_999,
    is: 'working: 4 of 4 consenters are active',
  },
  {
    nodes: ['up', 'up', 'up', 'up'],
    stalledFor: 5_000,
    is: 'working: 4 of 4 consenters are active; envelopes wait and no block comes',
  },
  {
    nodes: ['up', 'up', 'electing', 'down'],
    stalledFor: 60_000,
    is: 'stopped: 3 of 4 consenters are active; envelopes wait and no block comes for 60s; o4 is down',
  },
  {
    nodes: ['up', 'up', 'up', 'electing'],
    is: 'at-risk: 3 of 4 consenters are active, one more failure stops it; o4 waits for the next view',
  },
  {
    nodes: ['up', 'up', 'up'],
    size: 4,
    others: ['d:1'],
    is: 'working: 3 of 4 consenters are active; d:1 is not monitored by this agent',
  },
  { nodes: ['up'], size: 4, is: 'unknown: 1 of 4 consenters is active; 3 are not monitored by this agent' },
  {
    nodes: ['up', 'down', 'up'],
    size: 4,
    is: 'unknown: 2 of 4 consenters are active; o2 is down; 1 is not monitored by this agent',
  },
  {
    nodes: ['down', 'down'],
    size: 4,
    is: 'stopped: 2 of 4 consenters are down (o1, o2), 3 must be active',
  },
];

const PAUSED = { maintenance: { since: 2 } } as const;
/** Consenters in maintenance after the type changed, of which some run Raft. */
const outdated = (...names: readonly string[]): Pick<Case, 'maintenance' | 'outdated'> => ({
  ...PAUSED,
  outdated: names.map((name) => ({ name, state: 'active' })),
});

const IN_MAINTENANCE: readonly Case[] = [
  {
    nodes: ['up', 'up', 'up', 'up'],
    ...PAUSED,
    is: 'maintenance: no transaction is accepted (since block 2)',
  },
  { nodes: ['up', 'up', 'up', 'up'], maintenance: {}, is: 'maintenance: no transaction is accepted' },
  {
    nodes: ['up', 'up', 'up', 'down'],
    ...PAUSED,
    is: 'maintenance: no transaction is accepted (since block 2); 3 of 4 consenters are active, one more failure stops it; o4 is down',
  },
  {
    nodes: ['up'],
    size: 4,
    ...PAUSED,
    is: 'maintenance: no transaction is accepted (since block 2); 1 of 4 consenters is active; 3 are not monitored by this agent',
  },
  {
    nodes: ['up', 'up', 'down', 'down'],
    ...PAUSED,
    is: 'stopped: 2 of 4 consenters are down (o3, o4), 3 must be active',
  },
  {
    nodes: ['electing', 'electing', 'electing', 'electing'],
    electingFor: 60_000,
    ...PAUSED,
    is: 'stopped: 4 of 4 consenters are active; no agreed view for 60s',
  },
  {
    nodes: ['electing', 'electing', 'up', 'up'],
    electingFor: 60_000,
    ...outdated('o3', 'o4'),
    is: 'maintenance: no transaction is accepted (since block 2); o3 and o4 still run Raft, the channel is BFT: restart them before maintenance ends',
  },
  {
    nodes: ['electing', 'up', 'electing', 'down'],
    ...outdated('o2'),
    is: 'maintenance: no transaction is accepted (since block 2); o2 still runs Raft, the channel is BFT: restart it before maintenance ends; o4 is down',
  },
  {
    nodes: ['electing', 'up', 'down', 'down'],
    ...outdated('o2'),
    is: 'stopped: 2 of 4 consenters are down (o3, o4), 3 must be active',
  },
];

const TABLES = { etcdraft: RAFT, BFT: [...BFT, ...IN_MAINTENANCE] } as const;

for (const type of ['etcdraft', 'BFT'] as const)
  for (const {
    nodes,
    is,
    size = nodes.length,
    others = [],
    electingFor = 0,
    stalledFor = 0,
    ...more
  } of TABLES[type])
    test(`${type} with ${size} consenters: ${JSON.stringify({ nodes, others, electingFor, stalledFor, ...more })}`, (t) => {
      const observed = nodes.map((state, index) => consenterIn(state, `o${index + 1}`));
      const { verdict, reason } = judge({
        type,
        size,
        observed,
        others,
        electingFor,
        stalledFor,
        hasOrdered: false,
        ...more,
      });
      t.is(`${verdict}: ${reason}`, is);
    });

for (const [what, type, size] of [
  ['of an unknown consensus type', undefined, 3],
  ['without a number of consenters', 'etcdraft', undefined],
  ['without consenters', 'BFT', 0],
] as const)
  test(`nothing is said of a channel ${what}`, (t) => {
    t.deepEqual(
      judge({ type, size, observed: [], others: [], electingFor: 0, hasOrdered: false, stalledFor: 0 }),
      {
        verdict: 'unknown',
        reason: 'its consenters are unknown',
        isElecting: false,
        inactive: [],
        isUnnamed: false,
      },
    );
  });

const ACTIVE = { name: 'o1', node: 'o1', state: 'active' } as const;
for (const [what, facts, expected] of [
  [
    '2 of 3 participate and the third is one of two',
    { size: 3, observed: [ACTIVE], others: ['b:1', 'c:1'], reached: 2 },
    true,
  ],
  [
    '1 of 3 participates and the others are known',
    { size: 3, observed: [ACTIVE], others: ['b:1', 'c:1'], reached: 1 },
    false,
  ],
  [
    '1 of 3 participates and the others are unknown',
    { size: 3, observed: [ACTIVE], others: [], reached: 1 },
    true,
  ],
  [
    'all of 2 participate',
    { size: 2, observed: [ACTIVE, { ...ACTIVE, name: 'o2' }], others: [], reached: 2 },
    false,
  ],
  [
    '2 of 3 participate and one is down',
    {
      size: 3,
      observed: [ACTIVE, { ...ACTIVE, name: 'o2' }, { name: 'o3', state: 'down', outage: 'is down' }],
      others: [],
      reached: 2,
    },
    false,
  ],
  [
    '2 of 3 participate, and a report that is not newer than the loss has one of the others as active',
    {
      size: 3,
      observed: [ACTIVE, { name: 'o3', state: 'active' }],
      others: ['b:1'],
      reached: 2,
      unreachedFor: 19_999,
    },
    true,
  ],
  [
    '2 of 3 participate, and a report that is newer than the loss has one of the others as active',
    {
      size: 3,
      observed: [ACTIVE, { name: 'o3', state: 'active' }],
      others: ['b:1'],
      reached: 2,
      unreachedFor: 20_000,
    },
    false,
  ],
  ['5 of 5 participate', { size: 5, observed: [ACTIVE], others: [], reached: 5 }, false],
  ['4 of 5 participate, which is no risk', { size: 5, observed: [ACTIVE], others: [], reached: 4 }, false],
  [
    'all run but elect no leader',
    { size: 1, observed: [{ name: 'o1', state: 'electing' }], others: [], electingFor: 60_000 },
    false,
  ],
] as const)
  test(`a channel names ${expected ? 'none' : 'all'} of the consenters that do not participate: ${what}`, (t) => {
    const judgement = judge({ type: 'etcdraft', electingFor: 0, hasOrdered: false, stalledFor: 0, ...facts });
    t.is(judgement.isUnnamed, expected);
  });
