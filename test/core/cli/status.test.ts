import test, { type ExecutionContext } from 'ava';
import { run } from '../../../core/cli/run.js';
import type { Terminal } from '../../../core/cli/command.js';
import { startAgent } from '../../helpers/agent.js';
import { runAgentCommand, type CommandOutcome } from '../../helpers/agent-command.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { freePort } from '../../helpers/free-port.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { send, startStandInNode, type StandInNode } from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

/** Longer than the default, for a busy machine. */
const LONG_TIMEOUT = ['--timeout', '5m'];

/** The lines after the answer. */
const afterAnswer = (text: string): string => text.slice(text.indexOf('\n\n') + 2);

/** Runs the command. */
const status = (...args: string[]): Promise<CommandOutcome> =>
  runAgentCommand(['status', ...LONG_TIMEOUT, ...args]);

test('an agent without nodes: its own health, version and level', async (t) => {
  const { url } = await startAgent(t, { 'logging.spec': 'gossip=debug:warn', plugins: QUIET });
  const outcome = await status('--url', url);
  t.true(outcome.stdout.startsWith('This agent monitors no node yet\n'));
  t.regex(
    afterAnswer(outcome.stdout),
    /^http:\S+ at \S+ UTC: healthy \(version \d+\.\d+\.\d+, level gossip=debug:warn\)\n$/,
  );
  t.is(outcome.status, 0);
  t.is(outcome.stderr, '');
});

test('status without --url: the listen address in the settings is used', async (t) => {
  const { port } = await startAgent(t, { plugins: QUIET });
  const { status: exit, stdout } = await status('--set', `operations.listenAddress=:${port}`);
  t.true(afterAnswer(stdout).startsWith(`http://localhost:${port}/ at `));
  t.is(exit, 0);
});

test('failed checks are listed with their reasons on one line, and the exit status is 1', async (t) => {
  const { agent, url } = await startAgent(t, { plugins: QUIET });
  agent.health.register('disk', () => Promise.reject(new Error('full\nof \u001b[31mlogs')));
  const outcome = await status('--url', url);
  t.is(outcome.status, 1);
  t.regex(
    outcome.stdout,
    /^The check disk fails(?: \(for \d+ s\))?\nFull of \\u001b\[31mlogs\.\nOpen the checks of disk\n\nhttp:\S+ at \S+ UTC: not healthy \(.*\)\n$/,
  );
});

test('a lease of the level is shown with the time that is left', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  await fetch(`${url}/logspec?for=1h`, { method: 'PUT', body: '{"spec":"debug"}' });
  t.regex((await status('--url', url)).stdout, /level debug for (?:1h|59m\d+s)\)\n$/);
});

test('a service that is not reachable: the reason on standard error, and exit status 1', async (t) => {
  const port = await freePort();
  t.deepEqual(await status('--url', `http://127.0.0.1:${port}`), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent status: http://127.0.0.1:${port}/: connection refused\n`,
  });
});

test('--json of a service that is not reachable is a document with the reason', async (t) => {
  const port = await freePort();
  const { status: exit, stdout, stderr } = await status('--url', `http://127.0.0.1:${port}`, '--json');
  t.like(JSON.parse(stdout), { healthy: false, errors: ['connection refused'] });
  t.deepEqual([exit, stderr], [1, '']);
});

test('--url without http:// is a host and a port', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  const address = url.slice('http://'.length);
  for (const given of [address, `${address}/`]) {
    const { status: exit, stdout } = await status('--url', given);
    t.is(exit, 0);
    t.true(afterAnswer(stdout).startsWith(`${url}/ at `), stdout);
  }
});

/** A service with the `/status` of a test. */
async function standIn(t: ExecutionContext, document: object): Promise<StandInNode> {
  const service = await startStandInNode(t);
  service.override = ({ url }, response) => {
    if (url === '/status') send(response, 200, {}, JSON.stringify(document));
    else send(response, 404, {}, '404 page not found\n');
  };
  return service;
}

/** The time in the documents. */
const TIME = '2026-11-24T10:00:00.000Z';
const ago = (milliseconds: number): string => new Date(Date.parse(TIME) - milliseconds).toISOString();
const AGENT = { version: '0.1.0', started_at: ago(60_000), uptime: 60, healthy: false, notes: [] };

const failed = (component: string, reason: string, node?: string): object => ({
  component,
  node,
  state: 'failed',
  severity: 'critical',
  reason,
  since: TIME,
  runbook: 'FabricHealthCheckFailing',
});

const raft = { type: 'etcdraft', is_leader: true, cluster_size: 3, active_nodes: 2 };

const DOCUMENT = {
  time: TIME,
  agent: { ...AGENT, notes: ['node peer0: there is no client certificate'] },
  problems: [
    failed('peer0/couchdb', 'HTTP status 500', 'peer0'),
    failed('orderer', 'connect ECONNREFUSED 127.0.0.1:9443', 'orderer'),
  ],
  checks: ['bft', 'orderer', 'peer0'],
  nodes: [
    {
      name: 'peer0',
      kind: 'peer',
      up: true,
      version: 'v3.0.0',
      healthy: false,
      failed_checks: [{ component: 'peer0/couchdb', reason: 'HTTP status 500' }],
      warnings: ['ledger', 'snapshots'].map((name) => ({
        component: `peer0/disk/${name}`,
        reason: '5.1 GiB of 40.0 GiB are free',
      })),
      started_at: ago(12.5 * 86_400_000),
      restarts_last_hour: 2,
      // The clock of the node is ahead.
      last_reading: ago(-60_000),
      channels: [],
    },
    {
      name: 'orderer',
      kind: 'orderer',
      up: false,
      reason: 'connect ECONNREFUSED 127.0.0.1:9443',
      healthy: false,
      failed_checks: [],
      channels: [],
    },
    { name: 'bft', kind: 'orderer', up: true, version: 'v3.0.0', healthy: true, channels: [] },
  ],
  warnings: [{ component: 'docker', reason: 'the engine is new' }],
  channels: [
    {
      name: 'ch1',
      height: 37,
      nodes: [
        { node: 'peer0', kind: 'peer', height: 37 },
        { node: 'bft', kind: 'orderer', height: 37, consensus: raft },
      ],
    },
    { name: 'ch2', height: 5, nodes: [{ node: 'peer0', kind: 'peer', height: 5 }] },
    {
      name: 'ch3',
      height: 1,
      nodes: [
        {
          node: 'bft',
          kind: 'orderer',
          height: 1,
          consensus: { type: 'BFT', is_leader: false, leader_id: 2, cluster_size: 4 },
          relation: 'consenter',
          status: 'active',
        },
      ],
    },
    {
      name: 'ch4',
      nodes: [{ node: 'bft', kind: 'orderer', relation: 'follower', status: 'onboarding' }],
    },
  ],
  certificates: [],
  engines: [{ component: 'docker', version: '29.0.1' }],
  levels: [
    { name: 'self', spec: 'info' },
    { name: 'peer0', spec: 'debug', reverts_at: ago(-598_000) },
    { name: 'orderer' },
    { name: 'bft', spec: 'info' },
  ],
  plugins: [{ name: 'fleet', kind: 'checker', state: 'starting' }],
  sinks: [
    { name: 'prometheus', state: 'running', path: '/metrics' },
    { name: 'statsd', state: 'running', delivered_at: ago(3_000) },
  ],
  notifiers: [{ name: 'slack', state: 'running', queued: 1, problem: 'HTTP status 500' }],
};

test('--all shows nodes, channels and problems in tables', async (t) => {
  const { url } = await standIn(t, DOCUMENT);
  const { stdout, status: exit, stderr } = await status('--url', url, '--all');
  t.is(
    stdout,
    `The check peer0/couchdb fails
HTTP status 500.
Open the checks and the log of peer0
Also: The check orderer fails

${url}/ at 10:00:00 UTC: not healthy (version 0.1.0, level info)

PROBLEMS
orderer is down: connect ECONNREFUSED 127.0.0.1:9443
peer0/couchdb: HTTP status 500

WARNINGS
docker: the engine is new
peer0/disk/ledger and 1 more: 5.1 GiB of 40.0 GiB are free

PLUGIN  KIND     STATE
fleet   checker  starting

CHANNEL  NODE   HEIGHT  CONSENSUS
ch1      peer0  37
ch1      bft    37      etcdraft, leader, 2 of 3 nodes active
ch2      peer0  5
ch3      bft    1       BFT, follower, leader id 2, 4 nodes
ch4      bft    -       follower of the channel, onboarding

NODE     KIND     STATE            VERSION  UPTIME                 READ    LEVEL
peer0    peer     up, not healthy  v3.0.0   12d, 2 restarts in 1h  0s ago  debug for 9m58s
orderer  orderer  down             -        -                      -       -
bft      orderer  up               v3.0.0   -                      -       info

DOCKER ENGINE  VERSION
docker         29.0.1

SENDS TO  STATE    LAST DELIVERY
statsd    running  3s ago
slack     running  none yet

NOTES
node peer0: there is no client certificate
`,
  );
  t.deepEqual([exit, stderr], [1, '']);
});

test('with --all a node that is down is one problem, its log comes last, and a removed channel is named so', async (t) => {
  const refused = (path: string): string => `GET http://127.0.0.1:9443/${path}: connection refused`;
  const common = { kind: 'orderer', failed_checks: [], channels: [] };
  const { url } = await standIn(t, {
    time: TIME,
    agent: AGENT,
    problems: [failed('orderer', refused('healthz'), 'orderer')],
    nodes: [
      {
        ...common,
        name: 'orderer',
        up: false,
        reason: refused('metrics'),
        log: { source: '/var/log/orderer.log', lines: ['PANI \u001b[31mno certificate'] },
      },
      {
        ...common,
        name: 'second',
        up: true,
        log: { source: 'journal of o', lines: [], problem: 'no such file' },
      },
      { ...common, name: 'third', up: true, log: { source: 'f', lines: [], last: 'INFO a', started: true } },
      { ...common, name: 'rotated', up: true, log: { source: 'g', lines: [], last: 'INFO a' } },
      { ...common, name: 'empty', up: true, log: { source: 'h', lines: [] } },
      {
        ...common,
        name: 'unknown',
        up: true,
        log: { source: 'i', lines: ['WARN b'], last: 'WARN b', started: true, unknown: '\u001b' },
      },
    ],
    channels: [{ name: 'old', nodes: [{ node: 'third', kind: 'orderer', removed: true }] }],
  });
  const { stdout } = await status('--url', url, '--all');
  t.deepEqual(
    afterAnswer(stdout)
      .split('\n')
      .filter(
        (line) => line !== '' && !/^(?:http|NODE|orderer +o|second|third|rotated|empty|unknown)/.test(line),
      ),
    [
      'PROBLEMS',
      `orderer is down: ${refused('metrics')}`,
      'CHANNEL  NODE   HEIGHT  CONSENSUS',
      'old      third  -       removed',
      'LOG of orderer (/var/log/orderer.log), newest first',
      String.raw`PANI \u001b[31mno certificate`,
      'LOG of second (journal of o), newest first',
      'cannot be read: no such file',
      'LOG of third (f), newest first',
      'no warnings and no errors since its last start',
      'LOG of rotated (g), newest first',
      'no warnings and no errors in the end that was read, which does not have the start of the node',
      'LOG of empty (h), newest first',
      'it is empty',
      'LOG of unknown (i), newest first',
      'WARN b',
      String.raw`warnings and errors may be missing, because lines have a format that is not known, such as “\u001b”; known are those of Fabric, also as Docker (json-file), CRI, docker compose, kubectl, syslog and journalctl (short, cat, json) write them`,
    ],
  );
});

test('with --all verdicts come after the answer, the worst first, and are not repeated as problems', async (t) => {
  const warning = (component: string, reason: string): object => ({
    ...failed(component, reason),
    state: 'warning',
    severity: 'warning',
  });
  const channel = (name: string, verdict: string, reason: string): object => ({
    name,
    verdict,
    reason,
    nodes: [],
  });
  const many = Array.from({ length: 12 }, (_, index) =>
    channel(`w${index}`, 'working', '3 of 3 consenters are active'),
  );
  const { url } = await standIn(t, {
    time: TIME,
    agent: AGENT,
    problems: [
      failed('channels/ch3', 'stopped: x'),
      warning('channels/ch2', 'at risk: y'),
      failed('disk', 'full'),
    ],
    warnings: [
      { component: 'channels/ch2', reason: 'at risk: y' },
      { component: 'tls', reason: 'old' },
    ],
    unconfirmed: [{ component: 'peer1', reason: 'took longer than 3s' }],
    channels: [
      ...many,
      channel('ch1', 'unknown', 'its consenters are unknown'),
      channel('ch2', 'at-risk', 'y'),
      channel('ch3', 'stopped', 'x'),
      channel('ch4', 'maintenance', 'z'),
    ],
  });
  const { stdout, status: exit } = await status('--url', url, '--all');
  t.is(
    afterAnswer(stdout),
    `ch3 stopped: x
ch4 is in maintenance: z
ch2 at risk: y
ch1 unknown: its consenters are unknown
w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 2 more working: 3 of 3 consenters are active

${url}/ at 10:00:00 UTC: not healthy (version 0.1.0)

PROBLEMS
disk: full

WARNINGS
tls: old
checked again: peer1: took longer than 3s
`,
  );
  t.is(exit, 1);
  t.is(
    afterAnswer((await status('--url', url)).stdout),
    `${url}/ at 10:00:00 UTC: not healthy (version 0.1.0)
ch1 unknown: its consenters are unknown

WARNINGS
tls: old
checked again: peer1: took longer than 3s

CHANNEL  STATE        HEIGHT  LEADER  ORDERERS  PEERS
ch3      stopped      -       -       -         -
ch4      maintenance  -       -       -         -
ch2      at risk      -       -       -         -
ch1      unknown      -       -       -         -
w0       working      -       -       -         -
w1       working      -       -       -         -
w2       working      -       -       -         -
w3       working      -       -       -         -
w4       working      -       -       -         -
w5       working      -       -       -         -
w6       working      -       -       -         -
w7       working      -       -       -         -

status --all also shows 4 more channels that work
`,
  );
});

test('--json prints the documented document on one line', async (t) => {
  const { url } = await standIn(t, DOCUMENT);
  const { stdout } = await status('--url', url, '--json');
  t.regex(stdout, /^[^\n]+\n$/);
  const report = JSON.parse(stdout) as Record<string, unknown> & { nodes: Record<string, unknown>[] };
  t.deepEqual(Object.keys(report), [
    'time',
    'url',
    'healthy',
    'agent',
    'nodes',
    'channels',
    'certificates',
    'engines',
    'plugins',
    'sinks',
    'notifiers',
    'silences',
    'agents',
    'problems',
    'unconfirmed',
    'warnings',
    'errors',
  ]);
  t.like(report, {
    url: `${url}/`,
    healthy: false,
    agent: {
      reachable: true,
      version: '0.1.0',
      healthy: false,
      failed_checks: [{ component: 'orderer' }, { component: 'peer0/couchdb' }],
      level: { spec: 'info' },
    },
    channels: DOCUMENT.channels,
    plugins: DOCUMENT.plugins,
    sinks: DOCUMENT.sinks,
    notifiers: DOCUMENT.notifiers,
    warnings: ['docker: the engine is new', 'peer0/disk/ledger and 1 more: 5.1 GiB of 40.0 GiB are free'],
    errors: [],
  });
  const [peer] = report.nodes;
  t.deepEqual(Object.keys(peer ?? {}), [
    'name',
    'kind',
    'up',
    'state',
    'version',
    'healthy',
    'failed_checks',
    'warnings',
    'started_at',
    'restarts_last_hour',
    'last_reading',
    'channels',
    'past',
    'level',
  ]);
  t.regex(JSON.stringify(peer?.['level']), /^\{"spec":"debug","reverts_at":"[^"]+Z"\}$/);
});

test('control characters in names, reasons and levels are escaped, also in JSON', async (t) => {
  const evil = 'x\u001b]0;owned\u0007\u009b31m\u2028';
  const { url } = await standIn(t, {
    time: TIME,
    agent: { version: evil, notes: [evil] },
    problems: [failed(evil, evil)],
    levels: [{ name: 'self', spec: evil }],
    nodes: [{ name: evil, kind: evil, up: false, reason: evil, version: evil }],
    channels: [
      {
        name: evil,
        verdict: 'working',
        reason: evil,
        nodes: [{ node: evil, height: 1, consensus: { type: evil } }],
      },
    ],
    sinks: [{ name: evil, state: evil }],
  });
  for (const flags of [[], ['--json']]) {
    const { stdout } = await status('--url', url, ...flags);
    t.true(stdout.includes('\\u001b'));
    t.notRegex(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
  }
});

for (const [body, error] of [
  ['', '/status: the response is not JSON: Unexpected end of JSON input'],
  ['[]', '/status: the response is not from an agent'],
  ['null', '/status: the response is not from an agent'],
  ['{"nodes":{}}', '/status: the response is not from an agent'],
  ['{"time":"now"}', '/status: the response is not from an agent'],
] as const)
  test(`a service whose /status is ${JSON.stringify(body)}: the exit status is 1, with the reason`, async (t) => {
    const service = await startStandInNode(t);
    service.override = (_, response) => send(response, 200, {}, body);
    const { stdout, stderr, status: exit } = await status('--url', service.url);
    t.deepEqual([stdout, stderr, exit], ['', `fabric-ops-agent status: ${service.url}/: ${error}\n`, 1]);
  });

for (const members of [
  { nodes: [null, 1, [], 'x'] },
  { nodes: [{ channels: 1, log: 2 }], channels: [{ nodes: 1 }], levels: 3 },
  { agent: [], problems: {}, certificates: [{ not_after: 1 }] },
])
  test(`a status with ${JSON.stringify(members)} does no harm`, async (t) => {
    const { url } = await standIn(t, { time: TIME, ...members });
    const { stdout, stderr } = await status('--all', '--url', url);
    t.true(afterAnswer(stdout).startsWith(`${url}/ at 10:00:00 UTC: not healthy\n`));
    t.is(stderr, '');
  });

test('with TLS a certificate is needed; without one the reason says what to do', async (t) => {
  const { ca, server, clients } = makeCertificates();
  const { url } = await startAgent(t, {
    plugins: QUIET,
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
  });
  const { cert = '', key = '' } = clients['trusted'] ?? {};
  const trusted = await status('--url', url, '--cacert', ca.cert, '--cert', cert, '--key', key);
  t.is(trusted.status, 0);
  const without = await status('--url', url, '--cacert', ca.cert);
  const refused =
    'HTTP status 401: a verified client certificate is required, but none was sent; set --cert and --key';
  t.deepEqual(without, {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent status: ${url}/: /status: ${refused}\n`,
  });
});

const terminalOf = (columns: number, rows: number): Terminal => ({ size: () => ({ columns, rows }) });

/** Runs the command until it ends; `stop` is SIGINT. */
function startStatus(
  args: readonly string[],
  { terminal, maxWrites = Number.POSITIVE_INFINITY }: { terminal?: Terminal; maxWrites?: number } = {},
): { ended: Promise<number>; writes: string[]; stop: () => void } {
  const writes: string[] = [];
  let stop = (): void => undefined;
  const ended = run(['status', ...LONG_TIMEOUT, ...args], {
    environment: {},
    cwd: process.cwd(),
    nodeVersion: process.version,
    terminal,
    out: (text) => writes.push(text) < maxWrites,
    error: (text) => void writes.push(text),
    onStop: (listener) => (stop = listener),
    onReload: () => undefined,
    onUncaught: () => undefined,
  });
  return { ended, writes, stop: () => stop() };
}

test('--watch repeats until SIGINT; without a terminal the screens are separated by an empty line', async (t) => {
  const { agent, url } = await startAgent(t, { plugins: QUIET });
  const { ended, writes, stop } = startStatus(['--url', url, '--watch', '100ms']);
  await until(() => writes.length >= 2);
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  await until(() => writes.at(-1)?.includes('The check disk fails') === true);
  stop();
  t.is(await ended, 1);
  t.true(writes[0]?.startsWith('This agent '));
  t.true(writes[1]?.startsWith('\nThis agent '));
});

test('SIGINT ends --watch at once, in the interval and during a request', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  const waiting = startStatus(['--url', url, '--watch=24h']);
  await until(() => waiting.writes.length === 1);
  waiting.stop();
  t.is(await waiting.ended, 0);
  const service = await startStandInNode(t);
  service.override = () => undefined;
  const reading = startStatus(['--url', service.url, '--watch']);
  await until(() => service.received.length > 0);
  reading.stop();
  t.is(await reading.ended, 1);
  t.deepEqual(reading.writes, []);
});

test('a closed pipe ends --watch', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  const { ended, writes } = startStatus(['--url', url, '--watch', '100ms'], { maxWrites: 2 });
  t.is(await ended, 0);
  t.is(writes.length, 2);
});

test('--watch redraws a terminal without scrolling', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  const { ended, writes, stop } = startStatus(['--url', url, '--watch', '100ms'], {
    terminal: terminalOf(80, 24),
  });
  await until(() => writes.length >= 2);
  stop();
  await ended;
  for (const text of writes)
    t.regex(text, /^\u001b\[HThis agent (?:[^\n]*\u001b\[K\n)+http:[^\n]*\u001b\[K\n\u001b\[J$/);
});

test('--watch on a terminal that is too small shows the first lines, and how many do not fit', async (t) => {
  const { agent, url } = await startAgent(t, { plugins: QUIET });
  for (let index = 10; index < 16; index += 1)
    agent.health.register(`check${index}`, () => Promise.reject(new Error(`reason ${index}`)));
  const { ended, writes, stop } = startStatus(['--url', url, '--watch', '1h'], {
    terminal: terminalOf(100, 13),
  });
  await until(() => writes.length === 1);
  stop();
  await ended;
  const lines = writes[0]!
    .replaceAll(/\u001b\[[HKJ]/g, '')
    .trimEnd()
    .split('\n');
  t.deepEqual(lines.slice(-3), ['', 'PROBLEMS', '2 more lines; status without --watch shows all']);
});

for (const [what, columns, expected] of [
  [
    'of 40 columns',
    40,
    [
      'PROBLEMS',
      'peer0/disk: 47.9 MiB of 170.0 MiB are',
      '  free; the next segment of a raft WAL',
      '  needs 64 MiB',
      'LOG of peer0 (/var/log/peer.log), newest',
      '  first',
      'WARN [gossip.state] x -> the peer is',
      '  behind × 2',
    ],
  ],
  [
    'that does not know its size has 80 columns:',
    0,
    [
      'PROBLEMS',
      'peer0/disk: 47.9 MiB of 170.0 MiB are free; the next segment of a raft WAL needs',
      '  64 MiB',
      'LOG of peer0 (/var/log/peer.log), newest first',
      'WARN [gossip.state] x -> the peer is behind × 2',
    ],
  ],
] as const)
  test(`a terminal ${what} reasons and log lines are broken at the width, tables are not`, async (t) => {
    const log = { source: '/var/log/peer.log', lines: ['WARN [gossip.state] x -> the peer is behind × 2'] };
    const { url } = await standIn(t, {
      time: TIME,
      agent: AGENT,
      problems: [
        failed('peer0/disk', '47.9 MiB of 170.0 MiB are free; the next segment of a raft WAL needs 64 MiB'),
      ],
      nodes: [{ name: 'peer0', kind: 'peer', up: true, version: 'v3.1.5-a-long-version', channels: [], log }],
    });
    const { ended, writes } = startStatus(['--url', url, '--all'], { terminal: terminalOf(columns, 24) });
    t.is(await ended, 1);
    const lines = writes.join('').split('\n');
    const table = lines.indexOf('NODE   KIND  STATE            VERSION                UPTIME  READ  LEVEL');
    t.not(table, -1, writes.join(''));
    t.deepEqual(
      [...lines.slice(lines.indexOf('PROBLEMS'), table), ...lines.slice(table + 2)].filter(
        (line) => line !== '',
      ),
      [...expected],
    );
  });

test('--watch --json prints one document per line, on a terminal too', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  const flags = ['--url', url, '--watch', '100ms', '--json'];
  const { ended, writes, stop } = startStatus(flags, { terminal: terminalOf(80, 24) });
  await until(() => writes.length >= 2);
  stop();
  await ended;
  for (const text of writes) t.notThrows(() => JSON.parse(text) as unknown);
  t.true(writes.every((text) => text.endsWith('}\n') && !text.slice(0, -1).includes('\n')));
});

test('certificates are shown in their order, with the days that are left', async (t) => {
  const certificate = (name: string, kind: string, days: number): object => ({
    component: 'peer0/certificates',
    subject: `O=Test, CN=${name}`,
    kind,
    path: `/msp/${name}.pem`,
    not_after: ago(-days * 86_400_000),
  });
  const later = Array.from({ length: 20 }, (_, index) => certificate(`ca${index}`, 'ca', 9000.5));
  const certificates = [certificate('a', 'signing', -3), certificate('b', 'tls', 12.5), ...later];
  const { url } = await standIn(t, { time: TIME, agent: { ...AGENT, healthy: true }, certificates });
  const { stdout, status: exit } = await status('--url', url, '--all');
  t.is(exit, 0);
  const lines = stdout.split('\n').map((each) => each.replaceAll(/ {2,}/g, ' | '));
  t.deepEqual(lines.slice(-24, -20), [
    'CERTIFICATE | KIND | EXPIRES | PATH',
    'CN=a | signing | expired 2026-11-21 | /msp/a.pem',
    'CN=b | tls | in 12 days | /msp/b.pem',
    'CN=ca0 | ca | in 9000 days | /msp/ca0.pem',
  ]);
  t.is(lines.at(-2), 'CN=ca19 | ca | in 9000 days | /msp/ca19.pem');
  const soon = (await status('--url', url)).stdout.trimEnd().split('\n');
  t.deepEqual(
    soon.slice(-2).map((each) => each.split(/ {2,}/)[0]),
    ['CN=a', 'CN=b'],
  );
  const report = JSON.parse((await status('--url', url, '--json')).stdout) as { certificates: object };
  t.deepEqual(report.certificates, certificates);
});

for (const [what, metrics] of [
  ['a peer', '# TYPE gossip_state_height gauge\ngossip_state_height{channel="c"} 1\n'],
  ['an orderer', '# TYPE consensus_etcdraft_is_leader gauge\nconsensus_etcdraft_is_leader{channel="c"} 1\n'],
  ['a peer or an orderer', ''],
] as const)
  test(`with a response of ${what}, status says that it is not the agent`, async (t) => {
    const node = await startStandInNode(t);
    node.override = ({ url }, response) => {
      if (url === '/version') send(response, 200, {}, '{"CommitSHA":"abc","Version":"v3.0.0"}');
      else if (url === '/metrics' && metrics !== '') send(response, 200, {}, metrics);
      else send(response, 404, {}, '404 page not found\n');
    };
    t.deepEqual(await status('--url', node.url), {
      status: 1,
      stdout: '',
      stderr: `fabric-ops-agent status: ${node.url}/: this is ${what}, not the agent\n`,
    });
  });

for (const [what, live, error] of [
  ['an agent without /status', 200, '/status: HTTP status 404: the agent is older than this command'],
  ['another service', 404, '/status: HTTP status 404'],
] as const)
  test(`with a response of ${what}, status gives the reason`, async (t) => {
    const service = await startStandInNode(t);
    service.override = ({ url }, response) => send(response, url === '/livez' ? live : 404, {}, '');
    const { stderr } = await status('--url', service.url);
    t.is(stderr, `fabric-ops-agent status: ${service.url}/: ${error}\n`);
  });
