import test from 'ava';
import { mergeChannels } from '../../../core/channels/merge.js';
import type { ChannelStatus } from '../../../core/status/document.js';

/** The channel as one agent reports it: each consenter as `1 active`; a `!` marks the consenters that it monitors. */
const channel = (verdict: string, reason: string, consenters: readonly string[]): ChannelStatus => ({
  name: 'ch1',
  verdict,
  reason,
  height: 7,
  blocks: [],
  consenters: consenters.map((text) => {
    const [, number, state = '', isOwn] = /^(\d) (\w+)(!?)$/.exec(text) ?? [];
    const address = `127.0.0.1:705${number}`;
    const name = isOwn === '!' ? `orderer${number}` : address;
    return {
      name,
      ...(isOwn === '!' && { node: name }),
      address,
      state,
      ...(state === 'down' && { outage: 'is down' }),
      ...(state === 'silent' && { outage: 'does not respond' }),
      leader: false,
    };
  }),
  needed: Math.floor(consenters.length / 2) + 1,
  nodes: [],
  past: [],
});

const unknown = (own: string, ...others: readonly string[]): ChannelStatus =>
  channel('unknown', '1 of 3 consenters is active; 2 are not monitored by this agent', [own, ...others]);

const CASES: readonly (readonly [string, readonly ChannelStatus[], string])[] = [
  [
    'three agents with one orderer each',
    [
      unknown('1 active!', '2 unknown', '3 unknown'),
      unknown('1 unknown', '2 active!', '3 unknown'),
      unknown('1 unknown', '2 unknown', '3 active!'),
    ],
    'working: 3 of 3 consenters are active',
  ],
  [
    'two agents; the orderer of the second one is down',
    [unknown('1 active!', '2 active!', '3 unknown'), unknown('1 unknown', '2 unknown', '3 down!')],
    'at-risk: 2 of 3 consenters are active, one more failure stops it; orderer3 is down',
  ],
  [
    'two orderers of three are down',
    [unknown('1 active!', '2 down!', '3 unknown'), unknown('1 unknown', '2 unknown', '3 down!')],
    'stopped: 2 of 3 consenters are down (orderer2, orderer3)',
  ],
  [
    'one agent cannot be reached, and no leader is known',
    [unknown('1 active!', '2 unknown', '3 unknown'), unknown('1 unknown', '2 silent', '3 unknown')],
    'unknown: 1 of 3 consenters is active; 127.0.0.1:7052 does not respond; 127.0.0.1:7053 is not monitored by this agent',
  ],
  [
    'an orderer that does not respond to the peers of one host, but is monitored by another agent',
    [
      channel('stopped', '3 of 3 consenters do not respond', ['1 silent', '2 silent', '3 silent']),
      channel('working', '3 of 3 consenters are active', ['1 active!', '2 active!', '3 active!']),
    ],
    'working: 3 of 3 consenters are active',
  ],
  [
    'a channel without a leader, which only one agent knows',
    [
      channel('stopped', '3 of 3 consenters are active; no leader for 30s', [
        '1 active!',
        '2 active!',
        '3 unknown',
      ]),
      unknown('1 unknown', '2 unknown', '3 active!'),
    ],
    'stopped: 3 of 3 consenters are active; no leader for 30s',
  ],
  [
    'the leader reaches two of three consenters: its agent knows the verdict, not the consenter',
    [
      channel('at-risk', '2 of 3 consenters are active, one more failure stops it', [
        '1 active!',
        '2 unknown',
        '3 unknown',
      ]),
      channel('unknown', 'no orderer is monitored', ['1 unknown', '2 unknown', '3 unknown']),
    ],
    'at-risk: 2 of 3 consenters are active, one more failure stops it',
  ],
  [
    'an agent with a wrong clock',
    [
      channel('unknown', 'the clock of this host is wrong', ['1 active!', '2 unknown', '3 unknown']),
      channel('working', '3 of 3 consenters are active', ['1 active', '2 active!', '3 active!']),
    ],
    'working: 3 of 3 consenters are active',
  ],
  [
    'agents that know different addresses of a consenter',
    [
      channel('working', '3 of 3 consenters are active', ['1 active!', '2 active', '3 active']),
      channel('unknown', 'none is monitored', ['1 unknown', '2 unknown', '4 unknown']),
    ],
    'working: 3 of 3 consenters are active',
  ],
  [
    'an agent with an older config of the channel, in which a consenter is missing',
    [
      unknown('1 active!', '2 unknown', '3 unknown'),
      channel('working', '2 of 2 consenters are active', ['2 active!', '3 active!']),
    ],
    'working: 3 of 3 consenters are active',
  ],
  [
    'a state that this version does not have',
    [unknown('1 active!', '2 active!', '3 unknown'), unknown('1 unknown', '2 unknown', '3 paused!')],
    'at-risk: 2 of 3 consenters are active, one more failure stops it; orderer3 is not active',
  ],
  [
    'the agent of a consenter does not know its state, but it does not respond to the peers of another host',
    [unknown('1 active!', '2 active!', '3 unknown!'), unknown('1 unknown', '2 unknown', '3 silent')],
    'at-risk: 2 of 3 consenters are active, one more failure stops it; 127.0.0.1:7053 does not respond',
  ],
  [
    'BFT, according to the number of consenters that must be active',
    [
      { ...unknown('1 down!', '2 down!', '3 unknown', '4 active!', '5 active!'), needed: 4 },
      { ...unknown('1 unknown', '2 unknown', '3 active!', '4 unknown', '5 unknown'), needed: 4 },
    ],
    'stopped: 2 of 5 consenters are down (orderer1, orderer2), 4 must be active',
  ],
  [
    'maintenance: each agent names its orderer that still runs Raft',
    [
      channel(
        'maintenance',
        'no transaction is accepted (since block 2); orderer1 still runs Raft, the channel is BFT: restart it before maintenance ends',
        ['1 active!', '2 unknown', '3 unknown'],
      ),
      channel('maintenance', 'no transaction is accepted (since block 2)', [
        '1 unknown',
        '2 active!',
        '3 active!',
      ]),
    ],
    'maintenance: no transaction is accepted (since block 2); orderer1 still runs Raft, the channel is BFT: restart it before maintenance ends',
  ],
  [
    'maintenance, and two orderers of three are down',
    [
      channel('maintenance', 'no transaction is accepted', ['1 active!', '2 down!', '3 unknown']),
      unknown('1 unknown', '2 unknown', '3 down!'),
    ],
    'stopped: 2 of 3 consenters are down (orderer2, orderer3)',
  ],
  [
    'BFT, according to a node',
    [
      {
        ...unknown('1 down!', '2 down!', '3 unknown'),
        nodes: [{ node: 'orderer1', kind: 'orderer', consensus: { type: 'BFT' } }],
      },
      unknown('1 unknown', '2 unknown', '3 active!'),
    ],
    'stopped: 2 of 3 consenters are down (orderer1, orderer2), 2 must be active',
  ],
];

for (const [title, documents, expected] of CASES)
  test(`the verdict over several agents: ${title}`, (t) => {
    for (const order of [documents, documents.toReversed()]) {
      const [merged] = mergeChannels(order.map((each) => ({ channels: [each] })));
      t.is(`${merged?.verdict}: ${merged?.reason}`, expected);
    }
  });

test('a channel that one agent has is unchanged, and channels are sorted by name', (t) => {
  const one = { ...channel('stopped', 'x', ['1 down!']), name: 'b' };
  const other = { ...channel('working', 'y', ['1 active!']), name: 'a' };
  t.deepEqual(mergeChannels([{ channels: [one] }, { channels: [other] }]), [other, one]);
});

test('how many may still fail is known when all consenters are', (t) => {
  const first = unknown('1 active!', '2 active!', '3 unknown');
  const mayFail = (second: ChannelStatus): number | undefined =>
    mergeChannels([{ channels: [first] }, { channels: [second] }])[0]?.may_fail;
  t.is(mayFail(unknown('1 unknown', '2 unknown', '3 active!')), 1);
  t.is(mayFail(unknown('1 unknown', '2 unknown', '3 unknown')), undefined);
});

for (const [states, expected] of [
  [['1 active!', '2 down!'], 0],
  [['1 electing!', '2 electing!'], 1],
] as const)
  test(`of consenters in the states ${states.join(', ')} and a third one that is ${states[0].slice(2)} ${expected} more may fail`, (t) => {
    const third = expected === 0 ? '3 down!' : '3 electing!';
    const documents = [unknown(states[0], states[1], '3 unknown'), unknown('1 unknown', '2 unknown', third)];
    t.is(mergeChannels(documents.map((each) => ({ channels: [each] })))[0]?.may_fail, expected);
  });

test('a merged channel has the greatest height, the newest block, the start of its verdict, and all nodes and consenters', (t) => {
  const one: ChannelStatus = {
    ...channel('working', '3 of 3 consenters are active', ['3 active!', '1 active', '2 unknown']),
    height: 9,
    last_block_at: '2026-01-02T00:00:00Z',
    since: '2026-01-01T00:00:00Z',
    nodes: [{ node: 'orderer3', kind: 'orderer' }],
    past: [{ component: 'channels/ch1', severity: 'warning', from: '', to: '' }],
  };
  const other: ChannelStatus = {
    ...channel('unknown', 'the clock of this host is wrong', ['2 active!', '3 unknown', '1 unknown']),
    height: 8,
    last_block_at: '2026-01-01T00:00:00Z',
    since: '2026-01-03T00:00:00Z',
    nodes: [{ node: 'orderer2', kind: 'orderer' }],
  };
  for (const documents of [
    [one, other],
    [other, one],
  ]) {
    const [merged] = mergeChannels(documents.map((each) => ({ channels: [each] })));
    t.like(merged, {
      verdict: 'working',
      height: 9,
      last_block_at: '2026-01-02T00:00:00Z',
      since: '2026-01-01T00:00:00Z',
      needed: 2,
      past: [],
    });
    t.deepEqual(merged?.nodes.map(({ node }) => node).toSorted(), ['orderer2', 'orderer3']);
    t.deepEqual(
      merged?.consenters.map(({ name }) => name),
      ['127.0.0.1:7051', 'orderer2', 'orderer3'],
    );
  }
});

test('a channel of which no agent knows a height has none', (t) => {
  const { height: _height, ...one } = unknown('1 active!', '2 unknown', '3 unknown');
  const [merged] = mergeChannels([{ channels: [one] }, { channels: [one] }]);
  t.is(merged?.height, undefined);
});

const merged = (...documents: readonly ChannelStatus[]): ChannelStatus =>
  mergeChannels(documents.map((each) => ({ channels: [each] })))[0]!;

for (const [first, second] of [
  ['active', 'electing'],
  ['electing', 'absent'],
  ['absent', 'silent'],
  ['silent', 'down'],
  ['down', 'unknown'],
  ['unknown', 'paused'],
] as const)
  test(`a consenter that no agent monitors and that is ${first} for one and ${second} for another is ${first}`, (t) => {
    const [one, other] = [first, second].map((state) => unknown('1 active!', `2 ${state}`));
    for (const documents of [
      [one!, other!],
      [other!, one!],
    ])
      t.is(merged(...documents).consenters[1]?.state, first);
  });

test('of two agents with the same state of a consenter, the first one names it', (t) => {
  const named = (name: string): ChannelStatus => {
    const { consenters, ...rest } = unknown('1 active!', '2 down');
    return { ...rest, consenters: [consenters[0]!, { ...consenters[1]!, name }] };
  };
  t.is(merged(named('a'), named('b')).consenters[1]?.name, 'a');
  t.is(merged(named('b'), named('a')).consenters[1]?.name, 'b');
});

test('merged consenters are in the order of their addresses, not of their names, and those without one of their names', (t) => {
  const { consenters, ...rest } = unknown('1 active!', '2 active!', '3 active!');
  const names = ['z', 'y', '127.0.0.1:70515'];
  const found = consenters.map((each, index) => ({
    ...each,
    name: names[index]!,
    ...(index === 2 && { address: undefined }),
  }));
  const { consenters: sorted } = merged(
    { ...rest, consenters: found.toReversed() },
    { ...rest, consenters: found },
  );
  t.deepEqual(
    sorted.map(({ name }) => name),
    ['z', '127.0.0.1:70515', 'y'],
  );
});

test('of several agents that know more than the states of consenters, the worst verdict counts', (t) => {
  const others = ['1 unknown', '2 unknown', '3 unknown'];
  const [risk, stopped] = [channel('at-risk', 'x', others), channel('stopped', 'y', others)];
  for (const documents of [
    [risk, stopped],
    [stopped, risk],
  ])
    t.is(`${merged(...documents).verdict}: ${merged(...documents).reason}`, 'stopped: y');
});

test('of agents with different configs, the greater number of needed consenters counts', (t) => {
  const [one, other] = [unknown('1 active!', '2 active!'), unknown('1 unknown', '2 unknown')];
  for (const documents of [
    [
      { ...one, needed: 3 },
      { ...other, needed: 2 },
    ],
    [
      { ...one, needed: 2 },
      { ...other, needed: 3 },
    ],
  ])
    t.is(merged(...documents).needed, 3);
});
