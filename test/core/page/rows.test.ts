// The rows, lanes and last lines of the page, for states that were recorded from real networks.

import test from 'ava';
import { footerOf } from '../../../core/page/footer.js';
import { isOpen, rowsOf, type Rows } from '../../../core/page/rows.js';
import { pageState, type StateName } from '../../helpers/page-states.js';

function rowsIn(name: StateName, lostAfter?: number): Rows {
  const { document, events, now } = pageState(name);
  const lost = lostAfter === undefined ? {} : { lostAt: now + lostAfter };
  return rowsOf({ document, events, now, zone: 'UTC', ...lost });
}

const nodesIn = (name: StateName): unknown =>
  rowsIn(name).channels[0]!.nodes.map(({ name: node, state, words, height, badges }) =>
    [node, state, words, height, ...badges.map(({ text }) => `[${text}]`)].join(' '),
  );

for (const [name, expected] of [
  [
    'quorum-lost',
    [
      'orderer1 risk  2 blocks [no leader]',
      'orderer2 stopped down for 40 s had 2 blocks',
      'orderer3 stopped down for 1 min had 2 blocks',
      'peer1 works  2 blocks',
      'peer2 works  2 blocks',
    ],
  ],
  [
    'peer-frozen',
    [
      'orderer1 works follower 2 blocks',
      'orderer2 works follower 2 blocks',
      'orderer3 works leader 2 blocks',
      'peer1 works  2 blocks',
      'peer2 silent no response for 40 s had 2 blocks',
    ],
  ],
  [
    'certificate',
    [
      'orderer1 works follower 2 blocks',
      'orderer2 works follower 2 blocks',
      'orderer3 works leader 2 blocks',
      'peer1 risk  2 blocks [certificate expires in 4 days]',
      'peer2 works  2 blocks',
    ],
  ],
  [
    'level-raised',
    [
      'orderer1 works follower 2 blocks [log: debug, 9 min left]',
      'orderer2 works leader 2 blocks',
      'orderer3 works follower 2 blocks',
      'peer1 works  2 blocks',
      'peer2 works  2 blocks',
    ],
  ],
] as const)
  test(`the nodes of the state ${name}, also those that are down`, (t) => {
    t.deepEqual(nodesIn(name), expected);
  });

for (const [name, expected] of [
  ['healthy', false],
  ['orderer-killed', true],
  ['peer-frozen', true],
  ['certificate', true],
  ['level-raised', true],
  ['starved', false],
] as const)
  test(`the nodes of the state ${name} are ${expected ? '' : 'not '}shown without a click`, (t) => {
    t.is(isOpen(rowsIn(name).channels[0]!), expected);
  });

test('a channel shows its consenters, also those that are down, and how many it needs', (t) => {
  const [channel] = rowsIn('quorum-lost').channels;
  t.deepEqual(
    channel!.consenters.map(({ name, state, words }) => `${name} ${words}: ${state}`),
    ['orderer1 knows no leader: risk', 'orderer2 is down: stopped', 'orderer3 is down: stopped'],
  );
  t.deepEqual(
    [channel!.needs, channel!.height, channel!.rate],
    ['2 of 3 needed', '2 blocks', '0 blocks/min'],
  );
  t.deepEqual(
    channel!.others.map(({ name }) => name),
    ['peer1', 'peer2'],
  );
});

test('a lane has outages and restarts, and not the checks that failed because of them', (t) => {
  const { axis, channels } = rowsIn('certificate');
  t.regex(axis.text, /^since \d\d:\d\d$/);
  t.deepEqual(
    channels[0]!.nodes.map(({ lane }) => lane.text),
    [
      'no failure',
      'orderer2 16:51 to 16:52 (42 s); restart at 16:52',
      'orderer3 16:51 to 16:52 (1 min); restart at 16:52',
      'peer1/certificates/server.crt 16:53 to now (1 s)',
      'peer2 16:52 to 16:53 (41 s)',
    ],
  );
});

test('a late agent has the last known states, and only the time that it has lost is uncertain', (t) => {
  const { isUncertain, channels } = rowsIn('starved');
  const [{ state, consenters, others, lane }] = channels as [(typeof channels)[0]];
  t.true(isUncertain);
  t.deepEqual([...new Set([{ state }, ...consenters, ...others].map((each) => each.state))], ['works']);
  t.is(lane.text, 'uncertain 16:40 to now (12 s); ch1 16:40 to 16:40 (1 s); ch1 16:40 to 16:40 (3 s)');
  t.deepEqual(
    lane.spans.map((span) => [span.state, span.isOver]),
    [
      ['unknown', false],
      ['risk', true],
      ['stopped', true],
    ],
  );
});

test('a late agent that does not say how late it was is uncertain since its warning, and certain about failures', (t) => {
  const { document, events, now } = pageState('quorum-lost');
  const since = new Date(now - 5000).toISOString();
  const late = { component: 'agent', reason: '', state: 'warning', severity: 'warning', since, steps: [] };
  const rows = rowsOf({
    document: { ...document, problems: [...document.problems, late] },
    events,
    now,
    zone: 'UTC',
  });
  t.false(rows.isUncertain);
  t.is(rows.channels[0]!.nodes[3]!.lane.text, 'uncertain 16:52 to now (5 s)');
});

test('failures that have ended are drawn before those that last', (t) => {
  const { document, events, now } = pageState('orderer-killed');
  const [channel] = document.channels as [(typeof document.channels)[0]];
  const agent = { ...document.agent, started_at: '2026-11-26T16:00:00Z' };
  const span = { component: 'channels/ch1', severity: 'critical' };
  const past = [{ ...span, from: '2026-11-26T16:50:52Z', to: '2026-11-26T16:50:54Z' }];
  const channels = [{ ...channel, past }];
  const rows = rowsOf({ document: { ...document, agent, channels }, events, now });
  t.deepEqual(
    rows.channels[0]!.lane.spans.map(({ state, isOver }) => [state, isOver]),
    [
      ['stopped', true],
      ['risk', false],
    ],
  );
});

test('an orderer without a leader is at risk everywhere', (t) => {
  const [channel] = rowsIn('quorum-lost').channels;
  const [{ state, isFine, lane }] = channel!.nodes as [Rows['nodes'][0]];
  t.deepEqual([channel!.consenters[0]!.state, state, isFine], ['risk', 'risk', false]);
  t.is(lane.text, 'ch1 16:51 to now (40 s)');
});

test('an orderer that has no leader in another channel than the one of its row says in which one', (t) => {
  const { document, events, now } = pageState('healthy');
  const [channel] = document.channels as [(typeof document.channels)[0]];
  const electing = {
    ...channel,
    name: 'ch2',
    consenters: channel.consenters.map((each) => ({ ...each, state: 'electing', leader: false })),
  };
  const { channels } = rowsOf({ document: { ...document, channels: [channel, electing] }, events, now });
  const [{ name, state, words, badges }] = channels[0]!.nodes as [Rows['nodes'][0]];
  t.deepEqual(
    [name, state, words, badges],
    ['orderer1', 'risk', 'follower', [{ text: 'no leader in ch2', isWarning: true }]],
  );
});

test('an agent that runs for longer than a day has lanes of 24 hours', (t) => {
  const { document, now } = pageState('healthy');
  const later = now + 25 * 3_600_000;
  const { axis } = rowsOf({ document, events: [], now: later });
  t.deepEqual([axis.text, axis.to - axis.from], ['−24 h', 86_400_000]);
});

test('the lane of an agent that runs for an hour begins with its start', (t) => {
  const { document, now } = pageState('healthy');
  const { axis } = rowsOf({ document, events: [], now: now + 3_600_000, zone: 'UTC' });
  const started = Date.parse(document.agent.started_at);
  t.is(axis.from, started);
  t.regex(axis.text, /^since \d\d:\d\d$/);
});

test('the lane of an agent that has just started begins with its start, and is at least a second', (t) => {
  const { document, now } = pageState('healthy');
  for (const [age, length] of [
    [60_000, 60_000],
    [0, 1000],
    [-5000, 1000],
  ] as const) {
    const agent = { ...document.agent, started_at: new Date(now - age).toISOString() };
    const { axis } = rowsOf({ document: { ...document, agent }, events: [], now, zone: 'UTC' });
    t.is(axis.to - axis.from, length);
  }
});

for (const [name, changes, expected] of [
  [
    'transactions of the last minute, if a peer counts them',
    { blocks: [3, 1], transactions: [30, 12] },
    ['12 tx/min', '42 transactions in the last 2 minutes'],
  ],
  [
    'blocks of the last minute without a peer',
    { blocks: [3, 1], transactions: [] },
    ['1 block/min', '4 blocks in the last 2 minutes'],
  ],
  [
    'nothing while the channel has stopped',
    { blocks: [3], transactions: [1], verdict: 'stopped' },
    ['0 tx/min', '1 transaction in the last 1 minute'],
  ],
] as const)
  test(`a channel has the number: ${name}`, (t) => {
    const { document, now } = pageState('healthy');
    const channels = [{ ...document.channels[0]!, ...changes }];
    const [row] = rowsOf({ document: { ...document, channels }, events: [], now }).channels;
    t.deepEqual([row?.rate, row?.minutes.words], [...expected]);
  });

for (const [age, expected] of [
  [0, 'newest just now'],
  [12_000, 'newest 12 s ago'],
  [undefined, ''],
] as const)
  test(`a channel whose newest block is ${age ?? 'unknown'} ms old has the text '${expected}'`, (t) => {
    const { document, now } = pageState('healthy');
    const last = age === undefined ? undefined : new Date(now - age).toISOString();
    const channels = [{ ...document.channels[0]!, last_block_at: last }];
    t.is(rowsOf({ document: { ...document, channels }, events: [], now }).channels[0]?.newest, expected);
  });

test('without word from the agent every state is old', (t) => {
  const { channels } = rowsIn('quorum-lost', 0);
  const [{ state, consenters, others, nodes }] = channels as [(typeof channels)[0]];
  t.deepEqual(
    [...new Set([{ state }, ...consenters, ...others, ...nodes].map((each) => each.state))],
    ['stale'],
  );
});

test('a channel that is not fine comes first and has the nodes; the others show them as dots', (t) => {
  const { document, events, now } = pageState('quorum-lost');
  const fine = { ...pageState('healthy').document.channels[0]!, name: 'ch0' };
  const { channels, nodes } = rowsOf({
    document: { ...document, channels: [fine, ...document.channels] },
    events,
    now,
  });
  t.deepEqual(
    channels.map((channel) => [channel.name, channel.nodes.length, channel.consenters.length]),
    [
      ['ch1', 5, 3],
      ['ch0', 0, 3],
    ],
  );
  t.deepEqual(nodes, []);
});

test('a node without a channel has a row of its own', (t) => {
  const { document, events, now } = pageState('healthy');
  const { channels, nodes } = rowsOf({ document: { ...document, channels: [] }, events, now });
  t.deepEqual([channels.length, nodes.map(({ name }) => name)], [0, document.nodes.map(({ name }) => name)]);
});

for (const [name, expected] of [
  ['no-node', ['no events', '1 check runs']],
  [
    'healthy',
    [
      '25 certificates, the next one expires Sun 23 Nov 2036',
      'all log levels info',
      'no events',
      'agent 0.1.0',
    ],
  ],
  ['certificate', ['25 certificates', 'all log levels info', '14 events', 'agent 0.1.0']],
  [
    'level-raised',
    [
      '25 certificates, the next one expires Sun 23 Nov 2036',
      'orderer1 at debug, 9 min left',
      '1 event',
      'agent 0.1.0',
    ],
  ],
] as const)
  test(`the last lines of the state ${name}`, (t) => {
    const { document, events, now } = pageState(name);
    t.deepEqual(
      footerOf(document, events, { now, zone: 'UTC' }).map(({ text }) => text),
      expected,
    );
  });

const SILENCE = {
  id: 's1',
  from: '2026-11-26T15:00:00Z',
  until: '2026-11-26T15:30:00Z',
  by: 'CN=alice',
  why: 'upgrade',
};
for (const [silences, expected] of [
  [[SILENCE], 'planned work until 15:30'],
  [[SILENCE, { ...SILENCE, until: '2026-11-26T16:00:00Z' }], 'planned work until 16:00'],
] as const)
  test(`with ${silences.length} silences the last lines have: ${expected}`, (t) => {
    const { document, events, now } = pageState('healthy');
    const line = footerOf({ ...document, silences }, events, { now, zone: 'UTC' }).at(-2);
    t.deepEqual(line, { text: expected, opens: { of: 'silences' } });
  });

test('a node that is down because of planned work has the state and a badge of it, and its channel, too', (t) => {
  const { document, events, now } = pageState('orderer-killed');
  const problems = document.problems.map((each) => ({ ...each, silenced: true as const }));
  const silences = [{ ...SILENCE, node: 'orderer3', why: 'upgrade to 3.1.5' }];
  const { channels } = rowsOf({ document: { ...document, problems, silences }, events, now });
  const node = channels[0]?.nodes.find(({ name }) => name === 'orderer3');
  t.deepEqual(
    [channels[0]?.state, channels[0]?.consenters.map(({ state }) => state), node?.state, node?.badges],
    [
      'planned',
      ['works', 'works', 'planned'],
      'planned',
      [{ text: 'planned: upgrade to 3.1.5', isWarning: false }],
    ],
  );
});

const HOST = {
  name: 'host2',
  url: 'https://host2:9543',
  since: '2026-11-26T15:00:00Z',
  reachable: true,
  healthy: true,
  nodes: [
    { name: 'peer2', kind: 'peer', state: 'up' },
    { name: 'orderer2', kind: 'orderer', state: 'up' },
  ],
  channels: [{ name: 'trade', verdict: 'working' }],
};
const PEER_DOWN = { nodes: [{ name: 'peer2', kind: 'peer', state: 'down' }], healthy: false };
const STOPPED = { channels: [{ name: 'trade', verdict: 'stopped' }], healthy: false };

for (const [changes, problems, expected] of [
  [{}, [], 'works: trade · 2 nodes'],
  [{ channels: [] }, [], 'works: 2 nodes'],
  [STOPPED, [], 'stopped: trade has stopped'],
  [{ ...PEER_DOWN, ...STOPPED }, [], 'stopped: trade has stopped, peer2 is down'],
  [PEER_DOWN, [], 'risk: peer2 is down'],
  [{ healthy: false }, [], 'risk: a check fails'],
  [
    {
      nodes: ['down', 'silent', 'unreadable', 'ailing', 'down'].map((state, index) => ({
        name: `p${index}`,
        kind: 'peer',
        state,
      })),
    },
    [],
    'risk: p0 is down, p1 does not respond, p2 cannot be read, 2 more',
  ],
  [{ reachable: false, reason: 'not read yet' }, [], 'unknown: not read yet'],
  [{ reachable: false, reason: 'refused' }, [], 'unknown: not reachable for 12 s: refused'],
  [{ reachable: false, reason: 'refused' }, ['agents/host2'], 'risk: not reachable for 12 s: refused'],
] as const)
  test(`the row of another host: ${expected}`, (t) => {
    const { document, events } = pageState('healthy');
    const warnings = problems.map((component) => ({
      component,
      state: 'warning',
      severity: 'warning',
      since: '2026-11-26T15:00:00Z',
      reason: 'no',
      steps: [],
    }));
    const agents = [{ ...HOST, ...changes }];
    const now = Date.parse('2026-11-26T15:00:12Z');
    const source = { document: { ...document, agents, problems: warnings }, events };
    const [row] = rowsOf({ ...source, now }).hosts;
    t.is(`${row?.state}: ${row?.words}`, expected);
    t.is(rowsOf({ ...source, now, lostAt: now }).hosts[0]?.state, 'stale');
  });

test('of the other hosts the worst one comes first', (t) => {
  const { document, events, now } = pageState('healthy');
  const agents = [HOST, { ...HOST, ...PEER_DOWN, name: 'host3' }, { ...HOST, ...STOPPED, name: 'host4' }];
  t.deepEqual(
    rowsOf({ document: { ...document, agents }, events, now }).hosts.map(({ name }) => name),
    ['host4', 'host3', 'host2'],
  );
});
