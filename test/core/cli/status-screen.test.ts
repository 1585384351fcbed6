// The screen of the command `status`: bounds, ages and rare states.

import test from 'ava';
import { hasWarnings, reportOf } from '../../../core/cli/status-report.js';
import { formatScreen, formatStatus } from '../../../core/cli/status-screen.js';
import { readStatus } from '../../../core/status/read.js';
import { pageState, STATES, type StateName } from '../../helpers/page-states.js';

const TIME = '2026-11-24T10:00:00.000Z';
const [HOUR, DAY] = [3_600_000, 86_400_000];
const after = (milliseconds: number): string => new Date(Date.parse(TIME) + milliseconds).toISOString();

/** The lines of the screen of a document; the columns of tables are separated by ` | `. */
function screenOf(members: object, hasAll = false): string[] {
  const document = readStatus(JSON.stringify({ time: TIME, agent: { healthy: true }, ...members }));
  return formatScreen(reportOf(document, 'http://a:1/'), { hasAll })
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' | '));
}

/** The lines that begin with a word. */
const linesOf = (word: string, members: object, hasAll = false): string[] =>
  screenOf(members, hasAll).filter((line) => line.startsWith(word));

const PEER = { name: 'peer0', kind: 'peer', up: true, healthy: true };

for (const [age, shown] of [
  [-60_000, '0s'],
  [59_499, '59s'],
  [59_500, '1m'],
  [HOUR - 1_000, '59m59s'],
  [HOUR, '1h0m'],
  [5 * HOUR + 600_000, '5h10m'],
  [2 * DAY - 1, '47h59m'],
  [2 * DAY, '2d'],
  [12.9 * DAY, '12d'],
] as const)
  test(`a node that started ${age} ms before the status, and was read then, is up for ${shown}`, (t) => {
    const node = { ...PEER, started_at: after(-age), last_reading: after(-age) };
    t.deepEqual(linesOf('peer0', { nodes: [node] }), [`peer0 | peer | up | - | ${shown} | ${shown} ago | -`]);
  });

test('one restart is not several restarts', (t) => {
  const node = { ...PEER, started_at: after(-HOUR), restarts_last_hour: 1 };
  t.deepEqual(linesOf('peer0', { nodes: [node] }), ['peer0 | peer | up | - | 1h0m, 1 restart in 1h | - | -']);
});

for (const [length, shown] of [
  [60, 'x'.repeat(60)],
  [61, `${'x'.repeat(60)}…`],
] as const)
  test(`a log level of ${length} characters is shown ${length > 60 ? 'up to the 60th' : 'completely'}`, (t) => {
    const levels = [{ name: 'peer0', spec: 'x'.repeat(length) }];
    t.is(linesOf('peer0', { nodes: [PEER], levels })[0], `peer0 | peer | up | - | - | - | ${shown}`);
  });

test('the last level of a node that is down is not shown', (t) => {
  const levels = [{ name: 'peer0', spec: 'debug' }];
  const nodes = [{ ...PEER, up: false }];
  t.is(linesOf('peer0 |', { nodes, levels })[0], 'peer0 | peer | down | - | - | - | -');
});

for (const [what, notAfter, left, isAlwaysShown] of [
  ['in 30 days', after(30 * DAY), 'in 30 days', false],
  ['a moment before 30 days have passed', after(30 * DAY - 1), 'in 29 days', true],
  ['in one day', after(DAY), 'in 1 day', true],
  ['in one hour', after(HOUR), 'in 0 days', true],
  ['now', TIME, 'in 0 days', true],
  ['a moment ago', after(-1), 'expired 2026-11-24', true],
  ['at an unknown time', 'soon', '-', false],
] as const)
  test(`a certificate that expires ${what} is '${left}'${isAlwaysShown ? '' : ', only with --all'}`, (t) => {
    const certificates = [
      { subject: 'O=Test, CN=a, OU=x', kind: 'tls', path: '/a.pem', not_after: notAfter },
    ];
    const line = `CN=a | tls | ${left} | /a.pem`;
    t.deepEqual(linesOf('CN=', { certificates }, true), [line]);
    t.deepEqual(linesOf('CN=', { certificates }), isAlwaysShown ? [line] : []);
  });

test('a certificate without a common name has its whole subject', (t) => {
  const certificates = [{ subject: 'O=MyCN=b', kind: 'ca', path: '/a.pem', not_after: TIME }];
  t.deepEqual(linesOf('O=', { certificates }), ['O=MyCN=b | ca | in 0 days | /a.pem']);
});

for (const [count, more] of [
  [10, ''],
  [11, ' and 1 more'],
] as const)
  test(`of ${count} channels with the same verdict and reason ten are named`, (t) => {
    const channels = Array.from({ length: count }, (_, index) => ({
      name: `c${index}`,
      verdict: 'at-risk',
      reason: 'x',
      nodes: [],
    }));
    t.is(screenOf({ channels })[0], `c0, c1, c2, c3, c4, c5, c6, c7, c8, c9${more} at risk: x`);
  });

test('the agents of other hosts have their states, and how many of their nodes are up', (t) => {
  const nodes = ['up', 'ailing', 'down', 'silent'].map((state) => ({ name: state, kind: 'peer', state }));
  const agents = [
    { name: 'h1', url: 'http://h1', reachable: true, healthy: true, nodes },
    { name: 'h2', url: 'http://h2', reachable: true, healthy: false, nodes: [] },
    { name: 'h3', url: 'http://h3', reachable: false, healthy: true, reason: 'refused', nodes },
  ];
  t.deepEqual(linesOf('h', { agents }).slice(1), [
    'h1 | healthy | 2 of 4 up | http://h1',
    'h2 | not healthy | 0 of 0 up | http://h2',
    'h3 | not reachable: refused | - | http://h3',
  ]);
});

for (const [facts, role] of [
  [{ consensus: { type: 'etcdraft' } }, 'etcdraft'],
  [{ consensus: { type: 'etcdraft', is_leader: true } }, 'etcdraft, leader'],
  [{ consensus: { type: 'etcdraft', active_nodes: 2 } }, 'etcdraft, 2 of ? nodes active'],
  [{ consensus: { type: 'BFT', leader_id: 3, cluster_size: 4 } }, 'BFT, leader id 3, 4 nodes'],
  [{ relation: 'config-tracker' }, 'config-tracker of the channel'],
  [{ relation: 'consenter', status: 'failed' }, 'failed'],
  [{ removed: true, relation: 'follower', status: 'failed' }, 'removed'],
] as const)
  test(`the role of an orderer with ${JSON.stringify(facts)} is ${role}`, (t) => {
    const channels = [{ name: 'ch1', nodes: [{ node: 'o1', kind: 'orderer', height: 7, ...facts }] }];
    t.deepEqual(linesOf('ch1', { channels }), [`ch1 | o1 | 7 | ${role}`]);
  });

test('the height of a node that is down is its last one', (t) => {
  const channels = [{ name: 'ch1', nodes: [{ node: 'p1', kind: 'peer', height: 7, stale: true }] }];
  t.is(linesOf('ch1', { channels })[0]?.trim(), 'ch1 | p1 | last 7');
});

test('while the clock of the host is wrong, it comes first, and what depends on it is neither a problem nor a note', (t) => {
  const certificate = 'GET https://127.0.0.1:9443/metrics: its certificate is not yet valid';
  const clock = 'the clock of this host is 3h behind (no certificate is valid yet)';
  const lines = screenOf({
    agent: { healthy: false, notes: ['node p1: CN=p1 expired on 2026-01-01T00:00:00Z', 'a note'] },
    problems: [
      { component: 'clock', state: 'failed', reason: clock },
      { component: 'disk', state: 'failed', reason: 'full' },
      { component: 'queue', state: 'warning', reason: 'nearly full' },
    ],
    nodes: [
      { name: 'p1', kind: 'peer', up: false, reason: certificate },
      { name: 'p2', kind: 'peer', up: false, reason: 'connection refused' },
    ],
  });
  t.deepEqual(
    lines.filter((line) => line !== '' && !/^(?:http|NODE)/.test(line)),
    [
      clock,
      'PROBLEMS',
      'p2 is down: connection refused',
      'disk: full',
      'p1 | peer | unknown | - | - | - | -',
      'p2 | peer | down | - | - | - | -',
      'NOTES',
      'a note',
    ],
  );
});

test('without a wrong clock a certificate that is not valid is a problem, and notes about certificates are shown', (t) => {
  const reason = 'GET https://127.0.0.1:9443/metrics: its certificate is not yet valid';
  const lines = screenOf({
    agent: { healthy: false, notes: ['CN=p1 expired on 2026-01-01T00:00:00Z'] },
    problems: [{ component: 'p1', state: 'failed', reason: reason.replace('metrics', 'healthz') }],
    nodes: [{ name: 'p1', kind: 'peer', up: false, reason }],
  });
  t.deepEqual(
    lines.filter((line) => line !== '' && !/^(?:http|NODE)/.test(line)),
    [
      'PROBLEMS',
      `p1 is down: ${reason}`,
      'p1 | peer | down | - | - | - | -',
      'NOTES',
      'CN=p1 expired on 2026-01-01T00:00:00Z',
    ],
  );
});

for (const [members, headline] of [
  [{}, 'http://a:1/ at 10:00:00 UTC: healthy'],
  [{ agent: { healthy: false } }, 'http://a:1/ at 10:00:00 UTC: not healthy'],
  [{ nodes: [{ ...PEER, healthy: false }] }, 'http://a:1/ at 10:00:00 UTC: not healthy'],
  [{ nodes: [{ ...PEER, up: false }] }, 'http://a:1/ at 10:00:00 UTC: not healthy'],
  [{ levels: [{ name: 'self', spec: 'info' }] }, 'http://a:1/ at 10:00:00 UTC: healthy (level info)'],
  [{ agent: { healthy: true, version: '1.0.0' } }, 'http://a:1/ at 10:00:00 UTC: healthy (version 1.0.0)'],
] as const)
  test(`the line of an agent with ${JSON.stringify(members)} is ${headline}`, (t) => {
    t.deepEqual(linesOf('http', members), [headline]);
  });

const WARNING = { component: 'disk', reason: 'nearly full' };
for (const [members, expected] of [
  [{}, false],
  [{ nodes: [PEER] }, false],
  [{ warnings: [WARNING] }, true],
  [{ nodes: [PEER, { ...PEER, warnings: [WARNING] }] }, true],
] as const)
  test(`a status with ${JSON.stringify(members)} ${expected ? 'needs' : 'does not need'} attention`, (t) => {
    t.is(hasWarnings(readStatus(JSON.stringify(members))), expected);
  });

/** The status of a recorded network on a terminal of 80 columns. */
const recorded = (name: StateName, hasAll = false): string =>
  formatStatus([reportOf(pageState(name).document, 'http://127.0.0.1:9443')], { hasAll, columns: 80 });

for (const name of STATES)
  test(`the status of a real network with five nodes, ${name}, fits on a terminal of 24 rows`, (t) => {
    const lines = recorded(name).trimEnd().split('\n');
    t.true(lines.length <= 23, lines.join('\n'));
  });

test('two of three orderers were killed: the answer, the channel, the nodes, and what --all shows', (t) => {
  t.is(
    recorded('quorum-lost'),
    `ch1 has stopped: orderer2 and orderer3 are down (for 40 s)
No transaction is accepted. Peers still answer queries.
1. Start orderer2 or orderer3: one of them is enough.
   orderer2 refuses connections · no panic logged
   orderer3 refuses connections · no panic logged
2. If neither starts … see FabricChannelStopped in the runbook

http://127.0.0.1:9443 at 16:52:23 UTC: not healthy (version 0.1.0, level info)

CHANNEL  STATE    HEIGHT  LEADER  ORDERERS       PEERS
ch1      stopped  2       -       1 of 3 active  2

NODE      KIND     STATE            VERSION  UPTIME  READ       LEVEL
orderer1  orderer  up, not healthy  v3.1.5   1m33s   0s ago     info
orderer2  orderer  down             v3.1.5   -       42s ago    -
orderer3  orderer  down             v3.1.5   -       1m24s ago  -
peer1     peer     up, not healthy  v3.1.5   1m33s   0s ago     info
peer2     peer     up, not healthy  v3.1.5   1m33s   0s ago     info

status --all also shows 9 checks that fail for these reasons and the log of
  orderer1, orderer2, orderer3 and 2 more
`,
  );
  const all = recorded('quorum-lost', true);
  t.true(
    all.includes('\n\nPROBLEMS\norderer2 is down: GET http://127.0.0.1:10205/metrics: connection refused\n'),
  );
  t.is(all.match(/^LOG of /gm)?.length, 5);
});

test('a peer that does not respond is not called down, and its channel says that one peer is late', (t) => {
  const lines = recorded('peer-frozen').split('\n');
  t.true(
    lines.includes('peer2     peer     silent  v3.1.5   -                       46s ago  -'),
    lines.join('\n'),
  );
  t.true(lines.includes('ch1      working  2       orderer3  3 of 3 active  1 of 2 up to date'));
});

test('a path to copy is on one line, however long it is', (t) => {
  const path =
    '   /var/fabric/crypto/peerOrganizations/org1.example.com/peers/peer0.org1.example.com/tls/server.crt';
  t.true(recorded('certificate').split('\n').includes(path));
});

for (const [what, channelSteps, expected] of [
  ['a cause with steps explains the problems that it causes', [{ text: 'Start o2.' }], ['Start o2.']],
  ['the problems that a cause without steps causes have their own', [], ['Free space: df', 'Wait.']],
] as const)
  test(`what to do: ${what}`, (t) => {
    const problem = { state: 'failed', severity: 'critical', reason: 'x', since: TIME };
    const problems = [
      { ...problem, component: 'channels/ch1', steps: channelSteps },
      {
        ...problem,
        component: 'o2',
        cause: 'channels/ch1',
        steps: [{ text: 'Free space:', command: 'df' }, { text: 'Wait.' }],
      },
      { ...problem, component: 'o3', cause: 'channels/ch1', steps: [] },
    ];
    const lines = screenOf({ problems });
    const start = lines.indexOf('TO DO');
    t.deepEqual(lines.slice(start + 1, lines.indexOf('', start)), [...expected]);
  });
