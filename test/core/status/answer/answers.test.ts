// The answer of the page, for states that were recorded from real networks.

import test from 'ava';
import { answersOf } from '../../../../core/status/answer/index.js';
import type { ChannelStatus, Problem, StatusDocument } from '../../../../core/status/document.js';
import { readStatus } from '../../../../core/status/read.js';
import { pageState, type StateName } from '../../../helpers/page-states.js';

/** What an answer says: its state, sentence, meaning, steps, and the number of checks that follow. */
const CASES: readonly (readonly [StateName, unknown])[] = [
  [
    'no-node',
    [
      'unknown',
      'This agent monitors no node yet',
      'With a node, the agent says whether its channels work, and what to do if not.',
      [
        'Name the file of a peer or an orderer: $ fabric-ops-agent start --beside /etc/hyperledger/fabric/core.yaml',
        'For several nodes ▸',
      ],
      0,
    ],
  ],
  [
    'healthy',
    [
      'works',
      'ch1 works',
      '3 of 3 orderers, any one may fail; newest block 0 s ago; peers up to date.',
      [],
      0,
    ],
  ],
  [
    'orderer-killed',
    [
      'risk',
      'ch1 works, but one more failure stops it',
      'orderer3 is down. 2 of 3 orderers are needed.',
      [
        'Start orderer3. | orderer3 refuses connections · no panic in its log',
        'Until then, do not restart or upgrade orderer1 and orderer2.',
      ],
      5,
    ],
  ],
  [
    'quorum-lost',
    [
      'stopped',
      'ch1 has stopped: orderer2 and orderer3 are down',
      'No transaction is accepted. Peers still answer queries.',
      [
        'Start orderer2 or orderer3: one of them is enough. | orderer2 refuses connections · no panic in its log | orderer3 refuses connections · no panic in its log',
        'If neither starts … ▸',
      ],
      9,
    ],
  ],
  [
    'peer-frozen',
    [
      'risk',
      'peer2 does not respond',
      'ch1 still works. Applications that use peer2 wait.',
      [
        'Look whether the process of peer2 is frozen, or its host is overloaded.',
        'If it is frozen, restart peer2.',
      ],
      1,
    ],
  ],
  [
    'certificate',
    [
      'risk',
      'TLS certificate of peer1 ends in 4 days (Tue 1 Dec 16:53 UTC)',
      'From then on, nobody connects to peer1. ch1 works.',
      [
        'Renew it: $ /var/fabric/crypto/peerOrganizations/org1.example.com/peers/peer0.org1.example.com/tls/server.crt',
        'Restart peer1.',
      ],
      0,
    ],
  ],
  [
    'level-raised',
    [
      'works',
      'ch1 works',
      '3 of 3 orderers, any one may fail; newest block 0 s ago; peers up to date.',
      [],
      0,
    ],
  ],
  [
    'starved',
    [
      'unknown',
      'The agent was late by 12 s in the last minute',
      'Its host gave it too little CPU, or its disk did not respond. The states below are the last certain ones.',
      ['Look at the load of the host: $ uptime'],
      0,
    ],
  ],
];

const said = ({ first }: ReturnType<typeof answersOf>): unknown => [
  first.state,
  first.sentence,
  first.meaning,
  first.steps.map(({ text, command, clues = [], opens }) =>
    [
      `${text}${command === undefined ? '' : ` $ ${command}`}${opens === undefined ? '' : ' ▸'}`,
      ...clues.map(({ node, text: clue }) => `${node} ${clue}`),
    ].join(' | '),
  ),
  first.follows.length,
];

for (const [name, expected] of CASES)
  test(`the answer for the state ${name}`, (t) => {
    const { document, now } = pageState(name);
    const answers = answersOf(document, { now, zone: 'UTC' });
    t.deepEqual(said(answers), expected);
    t.deepEqual(answers.others, []);
  });

test('without word from the agent the answer says since when, what it said last, and how to look for it', (t) => {
  const { document, now } = pageState('quorum-lost');
  const answers = answersOf(document, { now: now + 60_000, lostAt: now, zone: 'UTC' });
  t.deepEqual(said(answers), [
    'stale',
    'No word from the agent',
    'What you see is old. At 16:52:23 the agent said: “ch1 has stopped: orderer2 and orderer3 are down”.',
    [
      'Look whether the agent runs on host7. This page connects again by itself. $ systemctl status fabric-ops-agent',
    ],
    0,
  ]);
  t.is(answers.first.since, new Date(now).toISOString());
});

test('before the first state the page waits for the agent', (t) => {
  t.is(answersOf(undefined, { now: 0 }).first.sentence, 'Waiting for the agent');
});

test('files of nodes that exist on the host are in the command', (t) => {
  const { document, now } = pageState('no-node');
  const found = ['/srv/peer 1/core.yaml', '/srv/orderer.yaml'];
  const { first } = answersOf({ ...document, agent: { ...document.agent, found } }, { now });
  t.deepEqual(
    first.steps.map(({ text, command }) => [text, command]),
    [
      ['Start it beside the node of this host:', "fabric-ops-agent start --beside '/srv/peer 1/core.yaml'"],
      ['Or beside all 2 nodes of this host', undefined],
    ],
  );
});

/** A recorded state with other failures. */
function withProblems(name: StateName, ...problems: readonly Partial<Problem>[]): StatusDocument {
  const { document } = pageState(name);
  const json = JSON.stringify({ ...document, problems: [...document.problems, ...problems] });
  return readStatus(json);
}

test('another cause is one line below the answer, whatever its time', (t) => {
  const disk = { component: 'peer1/disk', node: 'peer1', kind: 'disk', state: 'warning', reason: '4 % free' };
  const { first, others } = answersOf(withProblems('quorum-lost', disk), { now: 0 });
  t.is(first.sentence, 'ch1 has stopped: orderer2 and orderer3 are down');
  t.deepEqual(
    others.map(({ state, sentence }) => [state, sentence]),
    [['risk', 'peer1: 4 % free']],
  );
});

test('the same failure of several nodes is one cause that names them', (t) => {
  const disk = { kind: 'disk', state: 'warning', reason: '4 % free' };
  const document = withProblems(
    'healthy',
    { ...disk, component: 'peer1/disk', node: 'peer1' },
    { ...disk, component: 'peer2/disk', node: 'peer2' },
  );
  const { first, others } = answersOf(document, { now: 0 });
  t.deepEqual([first.sentence, others.length], ['peer1 and peer2: 4 % free', 0]);
});

test('several channels that miss the same consenters are one answer', (t) => {
  const { document } = pageState('quorum-lost');
  const second = JSON.parse(
    JSON.stringify({ channels: document.channels, problems: document.problems }).replaceAll('ch1', 'ch2'),
  ) as Pick<StatusDocument, 'channels' | 'problems'>;
  const verdicts = second.problems.filter(({ kind }) => kind === 'channel');
  const both = {
    ...document,
    channels: [...document.channels, ...second.channels],
    problems: [...document.problems, ...verdicts],
  };
  const { first, others } = answersOf(both, { now: 0 });
  t.deepEqual(
    [first.sentence, others.length],
    ['ch1 and ch2 have stopped: orderer2 and orderer3 are down', 0],
  );
});

test('while one channel has stopped, the answer says which ones still work', (t) => {
  const { document } = pageState('quorum-lost');
  const other = { ...pageState('healthy').document.channels[0]!, name: 'ch2' };
  const { first } = answersOf({ ...document, channels: [...document.channels, other] }, { now: 0 });
  t.is(first.meaning, 'No transaction is accepted. Peers still answer queries. ch2 still works.');
});

test('a panic in the log of a node that is down is in the answer', (t) => {
  const { document } = pageState('quorum-lost');
  const panic = '2026-11-26 16:51:41.878 UTC 00b6 PANI [orderer.wal] Sync -> wal: no space left on device';
  const nodes = document.nodes.map((node) =>
    node.log === undefined || node.name !== 'orderer2'
      ? node
      : { ...node, log: { ...node.log, cause: panic } },
  );
  const { first } = answersOf({ ...document, nodes }, { now: 0 });
  t.is(first.steps[0]?.clues?.[0]?.text, 'refuses connections · log: “wal: no space left on device”');
});

/** The answer about a channel of a recorded state with other members. */
function answerAbout(name: StateName, members: (channel: ChannelStatus) => Partial<ChannelStatus>): unknown {
  const { document } = pageState(name);
  const [channel] = document.channels as [ChannelStatus];
  const { first } = answersOf(
    { ...document, channels: [{ ...channel, ...members(channel) }] },
    { now: 0, zone: 'UTC' },
  );
  return [first.sentence, first.meaning];
}

test('a stopped channel whose consenters know no leader says so, whatever its reason', (t) => {
  const found = answerAbout('quorum-lost', ({ consenters }) => ({
    consenters: consenters.map((each) => ({ ...each, state: 'electing', outage: undefined })),
    reason: 'any text',
  }));
  t.deepEqual(found, [
    'ch1 has stopped: its orderers agree on no leader',
    'No transaction is accepted. Peers still answer queries.',
  ]);
});

test('a stopped channel whose consenters know a leader says its reason', (t) => {
  const found = answerAbout('quorum-lost', ({ consenters }) => ({
    consenters: consenters.map((each) => ({ ...each, state: 'active', outage: undefined })),
    reason: '3 of 3 consenters are active; envelopes wait and no block comes for 61s',
  }));
  t.deepEqual(found, [
    'ch1 has stopped: 3 of 3 consenters are active; envelopes wait and no block comes for 61s',
    'No transaction is accepted. Peers still answer queries.',
  ]);
});

const LOST_LEADER = ({ consenters }: ChannelStatus): Partial<ChannelStatus> => ({
  consenters: consenters.map((each) => ({ ...each, leader: each.name === 'orderer3' })),
  since: '2026-11-26T16:51:00Z',
  last_block_at: '2026-11-26T16:50:59Z',
});

test('a channel at risk whose leader is down orders nothing', (t) => {
  t.deepEqual(answerAbout('orderer-killed', LOST_LEADER), [
    'ch1 orders nothing: its leader orderer3 is down',
    '2 of 3 orderers are needed.',
  ]);
});

test('a channel at risk with a block after its leader was lost works', (t) => {
  const found = answerAbout('orderer-killed', (channel) => ({
    ...LOST_LEADER(channel),
    last_block_at: '2026-11-26T16:51:01Z',
  }));
  t.deepEqual(found, [
    'ch1 works, but one more failure stops it',
    'orderer3 is down. 2 of 3 orderers are needed.',
  ]);
});

for (const [members, expected] of [
  [
    { refused: true, reason: 'GET http://peer2:9443/metrics: any text' },
    'refuses connections · no panic in its log',
  ],
  [
    { reason: 'GET http://peer2:9443/metrics: connection refused' },
    'connection refused · no panic in its log',
  ],
  [{ state: 'silent' }, 'accepts no request in time'],
  [{ state: 'unreadable', reason: 'the certificate has expired' }, 'the certificate has expired'],
] as const)
  test(`a node with ${JSON.stringify(members)}: ${expected}`, (t) => {
    const { document } = pageState('orderer-killed');
    const nodes = document.nodes.map((node) =>
      node.name === 'orderer3' ? { ...node, refused: undefined, ...members } : node,
    );
    const { first } = answersOf({ ...document, nodes }, { now: 0 });
    t.is(first.steps[0]?.clues?.[0]?.text, expected);
  });

test('the last line of a log is in the answer if it says that the process ended', (t) => {
  const { document } = pageState('orderer-killed');
  const log = { source: 'log', lines: [], last: 'Received signal: 15 (terminated)', ended: true } as const;
  const nodes = document.nodes.map((node) => (node.name === 'orderer3' ? { ...node, log } : node));
  const { first } = answersOf({ ...document, nodes }, { now: 0 });
  t.is(
    first.steps[0]?.clues?.[0]?.text,
    'refuses connections · last log: “Received signal: 15 (terminated)”',
  );
});

test('a wrong clock is named by its reason alone', (t) => {
  const reason = 'the clock of this host is 2h behind';
  const { first } = answersOf(
    withProblems('healthy', { component: 'clock', kind: 'agent', state: 'failed', reason }),
    { now: 0 },
  );
  t.is(first.sentence, reason);
});

const NO_NODE = 'With a node, the agent says whether its channels work, and what to do if not.';
const NAME_FILE = 'Name the file of a peer or an orderer:';
const SEVERAL = 'For several nodes';

/** What an answer about an odd document says. */
const saidAbout = (document: object): readonly unknown[] => {
  const { first } = answersOf(readStatus(JSON.stringify(document)), { now: 0, zone: 'UTC' });
  return [first.state, first.sentence, first.meaning, ...first.steps.map(({ text }) => text)];
};

for (const [what, members, expected] of [
  [
    'an unknown verdict',
    { channels: [{ name: 'ch1', verdict: 'paused', reason: 'an upgrade' }] },
    ['unknown', '1 node is up', 'Whether ch1 works is unknown: an upgrade.'],
  ],
  [
    'a node in an unknown state, and no failure',
    { nodes: [{ name: 'peer1', kind: 'peer', up: false, state: 'draining' }] },
    ['risk', 'peer1 is not up', '', 'Look at peer1'],
  ],
  [
    'a node that is down, and no failure',
    {
      nodes: [{ name: 'peer1', up: false, state: 'down' }],
      channels: [{ name: 'ch1', verdict: 'working' }],
    },
    ['risk', 'peer1 is down', 'ch1 still works.', 'Look at peer1'],
  ],
  [
    'a failure of an unknown kind',
    {
      problems: [
        { component: 'peer1/quota', node: 'peer1', kind: 'quota', state: 'failed', reason: 'too much' },
      ],
    },
    ['stopped', 'peer1: too much', '', 'Look at the checks and the log of peer1'],
  ],
  [
    'a failure without a kind and steps, as of an older agent',
    {
      channels: [{ name: 'ch1', verdict: 'stopped', reason: 'x' }],
      problems: [{ component: 'channels/ch1', state: 'failed', reason: 'stopped: x' }],
    },
    ['stopped', 'channels/ch1: stopped: x', '', 'Look at what the agent found in channels/ch1'],
  ],
  [
    'a certificate without its part',
    {
      certificates: [
        { component: 'peer1/certificates', path: '/tls.crt', not_after: '2026-12-01T00:00:00Z' },
      ],
      problems: [
        {
          component: 'peer1/certificates/tls.crt',
          node: 'peer1',
          kind: 'certificates',
          state: 'warning',
          reason: 'expires soon',
          steps: [{ text: 'Replace it.' }],
        },
      ],
    },
    ['risk', 'peer1: expires soon', '', 'Replace it.'],
  ],
  [
    'a consenter in an unknown state',
    {
      channels: [
        {
          name: 'ch1',
          verdict: 'at-risk',
          reason: 'one is paused',
          consenters: [{ name: 'o1', state: 'paused' }],
        },
      ],
      problems: [{ component: 'channels/ch1', kind: 'channel', state: 'warning', reason: 'at risk' }],
    },
    ['risk', 'ch1 works, but one more failure stops it', 'one is paused.', 'What to check …'],
  ],
  [
    'no member',
    { nodes: undefined },
    ['unknown', 'This agent monitors no node yet', NO_NODE, NAME_FILE, SEVERAL],
  ],
] as const)
  test(`an agent of another version: the answer about ${what}`, (t) => {
    const nodes = [{ name: 'peer1', kind: 'peer', up: true, state: 'up' }];
    t.deepEqual(saidAbout({ time: '2026-11-26T17:00:00Z', nodes, ...members }), expected);
  });
