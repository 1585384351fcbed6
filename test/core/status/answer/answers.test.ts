// The answer of the page, for states that were recorded from real networks.

import test from 'ava';
import { answersOf } from '../../../../core/status/answer/index.js';
import type { ChannelStatus, Problem, StatusDocument } from '../../../../core/status/document.js';
import { readStatus } from '../../../../core/status/read.js';
import { pageState, type StateName } from '../../../helpers/page-states.js';

/** An answer in short: its state, sentence, meaning, steps, and the number of checks that follow. */
const CASES: readonly (readonly [StateName, unknown])[] = [
  [
    'no-node',
    [
      'unknown',
      'This agent monitors no node yet',
      'With a node, the agent reports whether its channels work, and what to do if not.',
      [
        'Start the agent again with the file of a peer (core.yaml) or an orderer (orderer.yaml): $ fabric-ops-agent start --node /etc/hyperledger/fabric/core.yaml',
        'Or for several nodes ▸',
      ],
      0,
    ],
  ],
  [
    'healthy',
    [
      'works',
      'ch1 works',
      '3 of 3 orderers, any one may fail; newest block just now; peers up to date.',
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
        'Start orderer3. | orderer3 refuses connections · no panic logged',
        'Until then, do not restart or upgrade orderer1 or orderer2.',
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
        'Start orderer2 or orderer3: one of them is enough. | orderer2 refuses connections · no panic logged | orderer3 refuses connections · no panic logged',
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
        'Check whether the process of peer2 is frozen, or its host is overloaded.',
        'If it is frozen, restart peer2; if the host is overloaded, find what uses its CPU.',
      ],
      1,
    ],
  ],
  [
    'certificate',
    [
      'risk',
      'TLS certificate of peer1 expires in 4 days',
      'It ends on Tue 1 Dec 16:53 UTC. From then on, nobody can connect to peer1 (peer0.org1.example.com). ch1 works.',
      [
        'Replace this file by a renewed certificate: $ /var/fabric/crypto/peerOrganizations/org1.example.com/peers/peer0.org1.example.com/tls/server.crt',
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
      '3 of 3 orderers, any one may fail; newest block just now; peers up to date.',
      [],
      0,
    ],
  ],
  [
    'starved',
    [
      'unknown',
      'The agent was late by 12 s in the last minute',
      'Its host gave it too little CPU, or its disk did not respond. ch1 worked at the last check.',
      ['Check the load of the host: $ uptime'],
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

test('the answer about a channel has the time of the failure of its orderer, as the row of the orderer', (t) => {
  for (const [name, node] of [
    ['orderer-killed', 'orderer3'],
    ['quorum-lost', 'orderer2'],
  ] as const) {
    const { document, now } = pageState(name);
    const since = document.problems.find(({ component }) => component === node)?.since;
    t.not(document.problems.find(({ kind }) => kind === 'channel')?.since, since);
    t.is(answersOf(document, { now }).first.since, since);
  }
});

test('the answer about a channel has its own time if no orderer failed within 10 s of it', (t) => {
  const { document, now } = pageState('orderer-killed');
  const since = '2026-11-26T16:51:11.695Z';
  const problems = document.problems.map((each) => (each.kind === 'channel' ? { ...each, since } : each));
  t.is(answersOf({ ...document, problems }, { now }).first.since, since);
});

test('when the warning about a late agent began is not in the answer', (t) => {
  const { document, now } = pageState('starved');
  t.is(answersOf(document, { now }).first.since, undefined);
});

test('if the agent does not respond, the answer has since when, the last verdict, and how to check the agent', (t) => {
  const { document, now } = pageState('quorum-lost');
  const answers = answersOf(document, { now: now + 60_000, lostAt: now, zone: 'UTC' });
  t.deepEqual(said(answers), [
    'stale',
    'The agent does not respond',
    'What you see is old. At 16:52:23 the agent reported: “ch1 has stopped: orderer2 and orderer3 are down”.',
    [
      'Check whether the agent runs on host7. This page connects again by itself. $ systemctl status fabric-ops-agent',
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
    first.steps.map(({ text, command, isAlternative = false }) => [text, command, isAlternative]),
    [
      [
        'Start the agent again beside the node of this host:',
        "fabric-ops-agent start --node '/srv/peer 1/core.yaml'",
        false,
      ],
      ['Or beside all 2 nodes of this host', undefined, true],
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
    [['risk', 'The check disk of peer1 reports a warning']],
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
  t.deepEqual([first.sentence, others.length], ['The check disk of peer1 and peer2 reports a warning', 0]);
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

test('while one channel has stopped, the answer reports which ones still work', (t) => {
  const { document } = pageState('quorum-lost');
  const other = { ...pageState('healthy').document.channels[0]!, name: 'ch2' };
  const { first } = answersOf({ ...document, channels: [...document.channels, other] }, { now: 0 });
  t.is(first.meaning, 'No transaction is accepted. Peers still answer queries. ch2 still works.');
});

for (const [what, member, clue] of [
  [
    'a panic in the log of a node that is down is in the answer',
    { cause: '2026-11-26 16:51:41.878 UTC 00b6 PANI [orderer.wal] Sync -> wal: no space left on device' },
    'refuses connections · log: “wal: no space left on device”',
  ],
  [
    'of a log in a format that is not known, the answer does not say that there is no panic',
    { unknown: 'x' },
    'refuses connections',
  ],
] as const)
  test(what, (t) => {
    const { document } = pageState('quorum-lost');
    const nodes = document.nodes.map((node) =>
      node.log === undefined || node.name !== 'orderer2'
        ? node
        : { ...node, log: { ...node.log, ...member } },
    );
    const { first } = answersOf({ ...document, nodes }, { now: 0 });
    t.is(first.steps[0]?.clues?.[0]?.text, clue);
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

test('a stopped channel whose consenters know no leader names this, whatever its reason', (t) => {
  const found = answerAbout('quorum-lost', ({ consenters }) => ({
    consenters: consenters.map((each) => ({ ...each, state: 'electing', outage: undefined })),
    reason: 'any text',
  }));
  t.deepEqual(found, [
    'ch1 has stopped: its orderers agree on no leader',
    'No transaction is accepted. Peers still answer queries.',
  ]);
});

test('a stopped channel whose consenters know a leader has its reason', (t) => {
  const found = answerAbout('quorum-lost', ({ consenters }) => ({
    consenters: consenters.map((each) => ({ ...each, state: 'active', outage: undefined })),
    reason: '3 of 3 consenters are active; envelopes wait and no block comes for 61s',
  }));
  t.deepEqual(found, [
    'ch1 has stopped',
    'No transaction is accepted. 3 of 3 consenters are active; envelopes wait and no block comes for 61s. Peers still answer queries.',
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
    'refuses connections · no panic logged',
  ],
  [{ reason: 'GET http://peer2:9443/metrics: connection refused' }, 'connection refused · no panic logged'],
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

for (const line of [
  '2026-11-28 10:00:00.000 UTC 0007 ERRO [orderer.common.server] Main -> no key',
  '{"level":"error","ts":1,"msg":"no key"}',
])
  test(`the error in the last line of a process that has ended is in the answer: ${line}`, (t) => {
    const { document } = pageState('orderer-killed');
    const log = { source: 'log', lines: [line, 'WARN x'], last: line };
    const nodes = document.nodes.map((node) => (node.name === 'orderer3' ? { ...node, log } : node));
    const { first } = answersOf({ ...document, nodes }, { now: 0 });
    t.regex(first.steps[0]?.clues?.[0]?.text ?? '', /^refuses connections · last log: “.*no key”$/);
  });

test('the last line of a log is in the answer if it reports that the process ended', (t) => {
  const { document } = pageState('orderer-killed');
  const log = { source: 'log', lines: [], last: 'Received signal: 15 (terminated)', ended: true } as const;
  const nodes = document.nodes.map((node) => (node.name === 'orderer3' ? { ...node, log } : node));
  const { first } = answersOf({ ...document, nodes }, { now: 0 });
  t.is(
    first.steps[0]?.clues?.[0]?.text,
    'refuses connections · last log: “Received signal: 15 (terminated)”',
  );
});

test('the answer about a wrong clock has the reason in its meaning', (t) => {
  const reason = 'the clock of this host is 2h behind';
  const { first } = answersOf(
    withProblems('healthy', { component: 'clock', kind: 'agent', state: 'failed', reason }),
    { now: 0 },
  );
  t.deepEqual(
    [first.sentence, first.meaning],
    ['The clock of this host is wrong', 'The clock of this host is 2h behind. ch1 still works.'],
  );
});

const NO_NODE = 'With a node, the agent reports whether its channels work, and what to do if not.';
const NAME_FILE = 'Start the agent again with the file of a peer (core.yaml) or an orderer (orderer.yaml):';
const SEVERAL = 'Or for several nodes';

/** The answer to an odd document in short. */
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
    ['risk', 'peer1 is not up', '', 'Open peer1'],
  ],
  [
    'a node that is down, and no failure',
    {
      nodes: [{ name: 'peer1', up: false, state: 'down' }],
      channels: [{ name: 'ch1', verdict: 'working' }],
    },
    ['risk', 'peer1 is down', 'ch1 still works.', 'Open peer1'],
  ],
  [
    'a failure of an unknown kind',
    {
      problems: [
        { component: 'peer1/quota', node: 'peer1', kind: 'quota', state: 'failed', reason: 'too much' },
      ],
    },
    ['stopped', 'The check quota of peer1 fails', 'Too much.', 'Open the checks and the log of peer1'],
  ],
  [
    'a failure without a kind and steps, as of an older agent',
    {
      channels: [{ name: 'ch1', verdict: 'stopped', reason: 'x' }],
      problems: [{ component: 'channels/ch1', state: 'failed', reason: 'stopped: x' }],
    },
    ['stopped', 'The check channels/ch1 fails', 'Stopped: x.', 'Open the checks of channels/ch1'],
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
    ['risk', 'The check certificates of peer1 reports a warning', 'Expires soon.', 'Replace it.'],
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

const UP = { name: 'peer1', kind: 'peer', up: true, state: 'up' };
const consenters = (...states: readonly string[]) =>
  states.map((state, index) => ({ name: `o${index + 1}`, node: `o${index + 1}`, state }));

/** The answer to an odd document in short, with times in 2026. */
const saidAt = (document: object): readonly unknown[] => {
  const now = Date.parse('2026-11-26T17:00:00Z');
  const { first } = answersOf(readStatus(JSON.stringify({ nodes: [UP], ...document })), { now, zone: 'UTC' });
  return [first.state, first.sentence, first.meaning, ...first.steps.map(({ text }) => text)];
};

for (const [what, channel, meaning] of [
  ['one orderer', { consenters: consenters('active'), may_fail: 0 }, '1 of 1 orderer.'],
  [
    'two orderers',
    { consenters: consenters('active', 'active'), may_fail: 0 },
    '2 of 2 orderers, none may fail.',
  ],
  [
    'three orderers',
    { consenters: consenters('active', 'electing', 'unknown'), may_fail: 1 },
    '2 of 3 orderers, any one may fail.',
  ],
  [
    'five orderers',
    { consenters: consenters(...Array<string>(5).fill('active')), may_fail: 2 },
    '5 of 5 orderers, any 2 may fail.',
  ],
  [
    'orderers of which an unknown number may fail',
    { consenters: consenters('active', 'active') },
    '2 of 2 orderers.',
  ],
  ['orderers that are not monitored', { consenters: consenters('unknown') }, ''],
  ['no orderers', {}, ''],
  ['a newest block', { last_block_at: '2026-11-26T16:59:48Z' }, 'Newest block 12 s ago.'],
  [
    'a peer that has all blocks',
    { height: 9, nodes: [{ node: 'peer1', kind: 'peer', height: 9 }] },
    'Peers up to date.',
  ],
  [
    'a peer that lacks one block',
    { height: 9, nodes: [{ node: 'peer1', kind: 'peer', height: 8 }] },
    'Peers up to date.',
  ],
  [
    'a peer that lacks two blocks',
    { height: 9, nodes: [{ node: 'peer1', kind: 'peer', height: 7 }] },
    'Peer1 behind.',
  ],
  [
    'a peer whose height is unknown',
    { height: 9, nodes: [{ node: 'peer1', kind: 'peer' }] },
    'Peers up to date.',
  ],
  ['an orderer that lacks blocks', { height: 9, nodes: [{ node: 'o1', kind: 'orderer', height: 2 }] }, ''],
] as const)
  test(`a channel that works, with ${what}: ${meaning || 'no more'}`, (t) => {
    const channels = [{ name: 'ch1', verdict: 'working', ...channel }];
    t.deepEqual(saidAt({ channels }), ['works', 'ch1 works', meaning]);
  });

for (const [what, document, expected] of [
  ['no channel', {}, ['works', '1 node is up', 'No node has a channel yet.']],
  [
    'two nodes and no channel',
    { nodes: [UP, UP] },
    ['works', '2 nodes are up', 'No node has a channel yet.'],
  ],
  [
    'two channels, with the time of the newest block of both, and a peer that is behind in both',
    {
      channels: ['ch1', 'ch2'].map((name, index) => ({
        name,
        verdict: 'working',
        height: 9,
        may_fail: 1,
        consenters: consenters('active'),
        last_block_at: `2026-11-26T16:59:4${index}Z`,
        nodes: [{ node: 'peer1', kind: 'peer', height: 2 }],
      })),
    },
    ['works', '2 channels work', 'Newest block 19 s ago; peer1 behind.'],
  ],
  [
    'a channel that works beside two unknown ones',
    {
      channels: [{ name: 'ch1', verdict: 'working' }, { name: 'ch2', verdict: 'unknown' }, { name: 'ch3' }],
    },
    ['works', 'ch1 works', 'Whether ch2 or ch3 work is unknown: its consenters are unknown.'],
  ],
  [
    'a plugin that has not started, and a node that is not up',
    { plugins: [{ name: 'docker' }], nodes: [{ ...UP, up: false, state: 'unknown' }] },
    ['unknown', 'The agent is starting', '1 plugin has not started yet: docker.'],
  ],
  [
    'plugins that have not started',
    { plugins: [{ name: 'a' }, { name: 'b' }] },
    ['unknown', 'The agent is starting', '2 plugins have not started yet: a and b.'],
  ],
  [
    'nodes that were not read yet',
    { nodes: ['a', 'b'].map((name) => ({ ...UP, name, up: false, state: 'unknown' })) },
    ['unknown', 'a and b were not read yet', '', 'Open a'],
  ],
  [
    'a node that was not read yet, and one that does not respond',
    {
      nodes: [
        { ...UP, name: 'a', up: false, state: 'silent' },
        { ...UP, name: 'b', up: false, state: 'unknown' },
      ],
    },
    ['risk', 'a does not respond', '', 'Open a'],
  ],
  [
    'no node, one file, and a plugin that has not started',
    { nodes: [], agent: { found: ['/a/core.yaml'] }, plugins: [{ name: 'a' }] },
    [
      'unknown',
      'This agent monitors no node yet',
      NO_NODE,
      'Start the agent again beside the node of this host:',
      '1 plugin has not started yet',
    ],
  ],
  [
    'no node, and nodes that run on the host',
    { nodes: [], agent: { found: ['/a/core.yaml'], running: 2, program: 'fabric-ops-agent' } },
    [
      'unknown',
      'This agent monitors no node yet',
      NO_NODE,
      '2 nodes of Fabric run on this host. Write a configuration for them, and start the agent with that:',
      'Or name the files of nodes',
    ],
  ],
  [
    'no node, and a warning, which comes after it',
    {
      nodes: [],
      problems: [{ component: 'docker', severity: 'warning', state: 'warning', reason: 'no engine' }],
    },
    ['unknown', 'This agent monitors no node yet', NO_NODE, NAME_FILE, SEVERAL],
  ],
  [
    'no node and no file, and plugins that have not started',
    { nodes: [], plugins: [{ name: 'a' }, { name: 'b' }] },
    [
      'unknown',
      'This agent monitors no node yet',
      NO_NODE,
      NAME_FILE,
      SEVERAL,
      '2 plugins have not started yet',
    ],
  ],
  [
    'an agent that was late by an unknown time',
    { problems: [{ component: 'agent', state: 'warning' }] },
    [
      'unknown',
      'The agent was late in the last minute',
      'Its host gave it too little CPU, or its disk did not respond.',
      'Check the load of the host:',
    ],
  ],
] as const)
  test(`the answer about ${what}: ${expected[1]}`, (t) => {
    t.deepEqual(saidAt(document), expected);
  });

const down = (name: string, state = 'down') => ({ ...UP, name, up: false, state });
const nodeProblem = (node: string, kind: string, more: object = {}) => ({
  component: node,
  node,
  kind,
  state: 'failed',
  reason: `${kind}: x`,
  ...more,
});
const START = { steps: [{ text: 'Start a.', command: 'systemctl start a' }] };

for (const [what, document, expected] of [
  [
    'the only node is down',
    { nodes: [down('a')], problems: [nodeProblem('a', 'down', START)] },
    ['stopped', 'a is down', 'No other node is up.', 'Start a.'],
  ],
  [
    'the only node does not respond',
    { nodes: [down('a', 'silent')], problems: [nodeProblem('a', 'silent', START)] },
    ['silent', 'a does not respond', 'No other node is up.', 'Start a.'],
  ],
  [
    'all nodes are down, but a channel works for another agent',
    {
      nodes: [down('a')],
      channels: [{ name: 'ch1', verdict: 'working' }],
      problems: [nodeProblem('a', 'down', START)],
    },
    ['risk', 'a is down', 'ch1 still works. Applications that use a fail.', 'Start a.'],
  ],
  [
    'one of two nodes is down',
    { nodes: [down('a'), UP], problems: [nodeProblem('a', 'down', START)] },
    ['risk', 'a is down', 'Applications that use a fail.', 'Start a.'],
  ],
  [
    'two nodes are down',
    {
      nodes: [down('a'), down('b'), UP],
      problems: [nodeProblem('a', 'down', START), nodeProblem('b', 'down')],
    },
    ['risk', 'a and b are down', 'Applications that use a and b fail.', 'Start a and b.'],
  ],
  [
    'two nodes do not respond',
    {
      nodes: [down('a', 'silent'), down('b', 'silent'), UP],
      problems: [nodeProblem('a', 'silent'), nodeProblem('b', 'silent')],
    },
    ['risk', 'a and b do not respond', 'Applications that use a and b wait.', 'Check the hosts of a and b.'],
  ],
  [
    'a node cannot be read',
    { nodes: [down('a', 'unreadable'), UP], problems: [nodeProblem('a', 'unreadable')] },
    ['risk', 'a responds, but the agent cannot read it', '', 'What to check on a …'],
  ],
  [
    'a check fails while a channel works',
    {
      channels: [{ name: 'ch1', verdict: 'at-risk' }],
      problems: [
        { ...nodeProblem('peer1', 'disk'), component: 'peer1/disk', reason: 'GET http://h/x: full' },
      ],
    },
    [
      'risk',
      'The check disk of peer1 fails',
      'Full. ch1 still works.',
      'Open the checks and the log of peer1',
    ],
  ],
  [
    'a check of no node warns',
    { problems: [{ component: 'docker', kind: 'docker', state: 'warning', reason: 'slow' }] },
    ['risk', 'The check docker reports a warning', 'Slow.', 'Open the checks of docker'],
  ],
] as const)
  test(`if ${what}: ${expected[1]}`, (t) => {
    t.deepEqual(saidAt(document), expected);
  });

/** A failed channel. */
const channelProblem = (name: string, state: string, steps: readonly object[] = []) => ({
  component: `channels/${name}`,
  kind: 'channel',
  state,
  reason: 'x',
  steps,
});
const STOPPED = 'No transaction is accepted.';
const ANSWER = 'Peers still answer queries.';
const CHECK = 'Check that the orderers reach each other: addresses, ports and TLS certificates …';

for (const [what, document, expected] of [
  [
    'one orderer of one',
    { channels: [{ name: 'ch1', verdict: 'stopped', needed: 1, consenters: consenters('down') }] },
    ['ch1 has stopped: o1 is down', `${STOPPED} ${ANSWER}`, 'If o1 does not start …'],
  ],
  [
    'three orderers of three in different states',
    {
      channels: [
        { name: 'ch1', verdict: 'stopped', needed: 2, consenters: consenters('down', 'silent', 'absent') },
      ],
    },
    [
      'ch1 has stopped: o1, o2 and o3 do not participate',
      `${STOPPED} o1 is down, o2 does not respond, o3 does not participate. ${ANSWER}`,
      'If they do not start …',
    ],
  ],
  [
    'one orderer of three, which are enough, and no leader',
    {
      channels: [
        { name: 'ch1', verdict: 'stopped', needed: 2, consenters: consenters('down', 'electing', 'active') },
      ],
    },
    ['ch1 has stopped: its orderers agree on no leader', `${STOPPED} ${ANSWER}`, CHECK],
  ],
  [
    'no orderer, for no known reason, while all peers are down',
    { nodes: [down('peer1')], channels: [{ name: 'ch1', verdict: 'stopped' }] },
    ['ch1 has stopped', `${STOPPED} The reason is unknown.`, CHECK],
  ],
  [
    'no orderer, while one of two peers is up',
    { nodes: [down('peer1'), UP], channels: [{ name: 'ch1', verdict: 'stopped', reason: 'r' }] },
    ['ch1 has stopped', `${STOPPED} R. ${ANSWER}`, CHECK],
  ],
  [
    'no orderer, without a peer',
    { nodes: [{ ...UP, kind: 'orderer' }], channels: [{ name: 'ch1', verdict: 'stopped', reason: 'r' }] },
    ['ch1 has stopped', `${STOPPED} R. ${ANSWER}`, CHECK],
  ],
] as const)
  test(`a stopped channel that lacks ${what}: ${expected[0]}`, (t) => {
    const answer = saidAt({ problems: [channelProblem('ch1', 'failed')], ...document });
    t.deepEqual(answer, ['stopped', ...expected]);
  });

test('a channel at risk without a quorum and a reason names what to check', (t) => {
  const channels = [{ name: 'ch1', verdict: 'at-risk', reason: 'r' }];
  t.deepEqual(saidAt({ channels, problems: [channelProblem('ch1', 'warning')] }), [
    'risk',
    'ch1 works, but one more failure stops it',
    'r.',
    'What to check …',
  ]);
});

test('channels in maintenance for the same reason are one answer, also beside a channel at risk that misses the same orderer', (t) => {
  const states = consenters('active', 'active', 'down');
  const reason =
    'no transaction is accepted (since block 2); o1 still runs Raft, the channel is BFT: restart it';
  const channels = ['ch1', 'ch2', 'ch3'].map((name) => ({
    name,
    verdict: name === 'ch3' ? 'at-risk' : 'maintenance',
    reason: name === 'ch3' ? 'r' : reason,
    needed: 2,
    consenters: states,
  }));
  const problems = channels.map(({ name }) => channelProblem(name, 'warning', [{ text: 'Go on.' }]));
  t.deepEqual(saidAt({ channels, problems }), [
    'risk',
    'ch1 and ch2 are in maintenance: no transaction is accepted',
    'No transaction is accepted (since block 2); o1 still runs Raft, the channel is BFT: restart it. Peers get no blocks of them. ch3 still works.',
    'Go on.',
    'What to check …',
  ]);
});

test('two channels at risk that miss the same orderer are one answer, with the others that work', (t) => {
  const states = consenters('active', 'electing', 'down');
  const channels = ['ch1', 'ch2'].map((name) => ({
    name,
    verdict: 'at-risk',
    needed: 2,
    consenters: states,
  }));
  const problems = [
    channelProblem('ch1', 'warning', [{ text: 'Start o3.' }]),
    channelProblem('ch2', 'warning'),
  ];
  t.deepEqual(saidAt({ channels: [...channels, { name: 'ch3', verdict: 'working' }], problems }), [
    'risk',
    'ch1 and ch2 work, but one more failure stops them',
    'o3 is down. 2 of 3 orderers are needed. ch3 still works.',
    'Start o3.',
    'Until then, do not restart or upgrade o1 or o2.',
  ]);
});

test('two channels at risk that miss the same leader order nothing', (t) => {
  const states = consenters('active', 'active', 'active', 'down').map((each) => ({
    ...each,
    leader: each.name === 'o4',
  }));
  const channels = ['ch1', 'ch2'].map((name) => ({
    name,
    verdict: 'at-risk',
    since: '2026-11-26T16:51:00Z',
    last_block_at: '2026-11-26T16:51:00Z',
    consenters: states,
  }));
  const problems = channels.map(({ name }) => channelProblem(name, 'warning'));
  t.deepEqual(saidAt({ channels, problems }).slice(0, 3), [
    'risk',
    'ch1 and ch2 order nothing: its leader o4 is down',
    '',
  ]);
});

test('channels that still work are named up to three, and counted from four on', (t) => {
  const working = ['a', 'b', 'c', 'd'].map((name) => ({ name, verdict: 'working' }));
  const problems = [{ component: 'x', state: 'warning', reason: 'r' }];
  const meaningWith = (count: number) => saidAt({ channels: working.slice(0, count), problems })[2];
  t.deepEqual([1, 3, 4].map(meaningWith), [
    'R. a still works.',
    'R. a, b and c still work.',
    'R. 4 channels still work.',
  ]);
});

test('causes are in the order of what they stop: the clock, stopped channels, failures, a late agent, warnings', (t) => {
  const channels = [
    { name: 'ch1', verdict: 'stopped', consenters: consenters('active') },
    { name: 'ch2', verdict: 'unknown' },
    { name: 'ch3', verdict: 'at-risk' },
  ];
  const problems = [
    { component: 'disk', state: 'warning', reason: 'disk' },
    channelProblem('ch3', 'warning'),
    { component: 'agent', state: 'warning', reason: 'late' },
    { component: 'docker', state: 'failed', reason: 'docker' },
    channelProblem('ch2', 'failed'),
    channelProblem('ch1', 'failed'),
    { component: 'clock', state: 'failed', reason: 'clock' },
  ];
  const document = readStatus(JSON.stringify({ nodes: [UP], channels, problems }));
  const { first, others } = answersOf(document, { now: 0 });
  t.deepEqual(
    [first, ...others].map(({ cause }) => cause?.problem.component),
    ['clock', 'channels/ch1', 'channels/ch2', 'docker', 'agent', 'channels/ch3', 'disk'],
  );
});

test('failures that explain each other are causes', (t) => {
  const problems = [
    { component: 'a', cause: 'b', state: 'warning', reason: 'a' },
    { component: 'b', cause: 'a', state: 'failed', reason: 'b' },
    { component: 'c', cause: 'b', state: 'failed', reason: 'c' },
  ];
  const document = readStatus(JSON.stringify({ nodes: [UP], problems }));
  const { first, others } = answersOf(document, { now: 0 });
  t.deepEqual(
    [first, ...others].map(({ cause, follows }) => [
      cause?.problem.component,
      follows.map(({ component }) => component),
    ]),
    [
      ['b', ['a']],
      ['a', ['b', 'c']],
    ],
  );
});

/** A certificate that ends at a time, and its warning. */
const certificateSaid = (members: object, problem: object = {}): readonly unknown[] => {
  const part = 'peer1/certificates/tls.crt';
  return saidAt({
    channels: [{ name: 'ch1', verdict: 'working' }],
    nodes: [UP, { ...UP, name: 'o1', kind: 'orderer' }],
    certificates: [
      {
        component: 'peer1/certificates',
        part,
        subject: 'CN=x',
        path: '/tls.crt',
        kind: 'tls',
        not_after: '2026-11-28T17:00:00Z',
        ...members,
      },
    ],
    problems: [
      { component: part, node: 'peer1', kind: 'certificates', state: 'warning', reason: 'soon', ...problem },
    ],
  });
};

for (const [what, members, problem, expected] of [
  [
    'that expires',
    {},
    {},
    [
      'risk',
      'TLS certificate of peer1 expires in 2 days',
      'It ends on Sat 28 Nov 17:00 UTC. From then on, nobody can connect to peer1. ch1 works.',
      'Replace this file by a renewed certificate:',
      'Restart peer1.',
    ],
  ],
  [
    'that expires now',
    { not_after: '2026-11-26T17:00:00Z' },
    {},
    [
      'risk',
      'TLS certificate of peer1 expires in 0 s',
      'It ends on Thu 26 Nov 17:00 UTC. From then on, nobody can connect to peer1. ch1 works.',
      'Replace this file by a renewed certificate:',
      'Restart peer1.',
    ],
  ],
  [
    'that has expired',
    { not_after: '2026-11-26T16:00:00Z', kind: 'consenter_server_tls' },
    { state: 'failed' },
    [
      'stopped',
      'TLS certificate of peer1 expired 1 h ago',
      'It ended on Thu 26 Nov 16:00 UTC. Now nobody can connect to peer1. ch1 works.',
      'Replace this file by a renewed certificate:',
      'Restart peer1.',
    ],
  ],
  [
    'for signing, of a peer',
    { kind: 'signing' },
    {},
    [
      'risk',
      'Signing certificate of peer1 expires in 2 days',
      'It ends on Sat 28 Nov 17:00 UTC. From then on, orderers refuse peer1. ch1 works.',
      'Replace this file by a renewed certificate:',
      'Restart peer1.',
    ],
  ],
  [
    'for signing, of an orderer',
    { kind: 'signing' },
    { node: 'o1' },
    [
      'risk',
      'Signing certificate of o1 expires in 2 days',
      'It ends on Sat 28 Nov 17:00 UTC. From then on, other orderers send o1 no blocks. ch1 works.',
      'Replace this file by a renewed certificate:',
      'Restart o1.',
    ],
  ],
  [
    'of another use',
    { kind: 'ca' },
    {},
    [
      'risk',
      'Certificate of peer1 expires in 2 days',
      'It ends on Sat 28 Nov 17:00 UTC.',
      'Replace this file by a renewed certificate:',
      'Restart peer1.',
    ],
  ],
  [
    'whose path has the name of the node',
    { path: '/peer1.org1.example.com/tls.crt', subject: 'CN=peer1.org1.example.com' },
    {},
    [
      'risk',
      'TLS certificate of peer1 expires in 2 days',
      'It ends on Sat 28 Nov 17:00 UTC. From then on, nobody can connect to peer1. ch1 works.',
      'Replace this file by a renewed certificate:',
      'Restart peer1.',
    ],
  ],
  [
    'of another use, whose path has another name',
    { path: '/ca.org1.example.com.crt', subject: 'CN=ca.org1.example.com', kind: 'ca' },
    {},
    [
      'risk',
      'Certificate of peer1 expires in 2 days',
      'It ends on Sat 28 Nov 17:00 UTC.',
      'Replace this file by a renewed certificate:',
      'Restart peer1.',
    ],
  ],
  [
    'of no node',
    {},
    { node: undefined },
    [
      'risk',
      'TLS certificate expires in 2 days',
      'It ends on Sat 28 Nov 17:00 UTC.',
      'Replace this file by a renewed certificate:',
    ],
  ],
] as const)
  test(`the answer about a certificate ${what}: ${expected[1]}`, (t) => {
    t.deepEqual(certificateSaid(members, problem), expected);
  });

test('the begin of a certificate warning is not in the answer, but the begin of another failure is', (t) => {
  const since = '2026-11-26T16:00:00Z';
  const problem = { component: 'x', state: 'warning', reason: 'r', since };
  const answer = (more: object) =>
    answersOf(readStatus(JSON.stringify({ nodes: [UP], problems: [{ ...problem, ...more }] })), { now: 0 })
      .first;
  t.is(answer({}).since, since);
  t.deepEqual(
    ['FabricHealthCheckFailing', 'FabricHealthCheckWarning', '', 'FabricNodeDown'].map(
      (runbook) => answer({ runbook }).runbook,
    ),
    [undefined, undefined, undefined, 'FabricNodeDown'],
  );
});

test('without word from the agent since the page was opened the answer names this', (t) => {
  const { first } = answersOf(undefined, { now: 5000, lostAt: 0 });
  t.deepEqual(
    [first.state, first.meaning, first.since, first.steps[0]?.text],
    [
      'stale',
      'It has not answered since this page was opened.',
      '1970-01-01T00:00:00.000Z',
      'Check whether the agent runs. This page connects again by itself.',
    ],
  );
});

for (const [unchecked, meaning] of [
  [['peer1'], '1 of 3 checks has no result yet: peer1. No failure has been found so far.'],
  [['peer1', 'disk'], '2 of 3 checks have no result yet: peer1 and disk. No failure has been found so far.'],
] as const)
  test(`while the first checks run, the answer is not that all is well: ${meaning}`, (t) => {
    const { document, now } = pageState('healthy');
    const { first } = answersOf({ ...document, checks: ['disk', 'peer1', 'peer2'], unchecked }, { now });
    t.like(first, { state: 'unknown', sentence: 'The first checks still run', meaning });
  });

test('a failure is the answer, also while the first checks run', (t) => {
  const { document, now } = pageState('quorum-lost');
  const { first } = answersOf({ ...document, unchecked: ['peer1'] }, { now });
  t.is(first.sentence, 'ch1 has stopped: orderer2 and orderer3 are down');
});
