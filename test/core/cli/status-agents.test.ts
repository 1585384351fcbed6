// The command `status` with the agents of several hosts.

import test, { type ExecutionContext } from 'ava';
import { mergeReports } from '../../../core/cli/status-agents.js';
import { reportOf, type StatusReport } from '../../../core/cli/status-report.js';
import { readStatus } from '../../../core/status/read.js';
import { runAgentCommand, type CommandOutcome } from '../../helpers/agent-command.js';
import { freePort } from '../../helpers/free-port.js';
import { send, startStandInNode } from '../../helpers/stand-in-node.js';

const TIME = '2026-11-24T10:00:00.000Z';
const UP = { up: true, healthy: true, state: 'up', failed_checks: [], warnings: [], past: [] };

/** The document of the agent of a host with one orderer, whose name is the same on all hosts, and a peer. */
function documentOf(number: number, isUp = true): object {
  const consenters = [1, 2, 3].map((each) => ({
    name: each === number ? 'orderer' : `127.0.0.1:705${each}`,
    ...(each === number && { node: 'orderer' }),
    address: `127.0.0.1:705${each}`,
    state: each === number ? (isUp ? 'active' : 'down') : 'unknown',
    ...(each === number && !isUp && { outage: 'is down' }),
    leader: false,
  }));
  const refused = {
    component: 'orderer',
    node: 'orderer',
    kind: 'down',
    state: 'failed',
    severity: 'critical',
    since: TIME,
  };
  return {
    time: TIME,
    agent: { version: '0.1.0', healthy: isUp, host: `host${number}`, notes: ['a note'] },
    problems: isUp ? [] : [{ ...refused, reason: 'connection refused' }],
    nodes: [
      {
        ...UP,
        name: 'orderer',
        kind: 'orderer',
        ...(!isUp && { up: false, state: 'down', healthy: false, reason: 'connection refused' }),
      },
      { ...UP, name: `peer${number}`, kind: 'peer' },
    ],
    channels: [
      {
        name: 'ch1',
        verdict: 'unknown',
        reason: '1 of 3 consenters is active',
        consenters,
        needed: 2,
        nodes: [{ node: 'orderer', kind: 'orderer', height: 7 }],
      },
    ],
    warnings: number === 1 ? [{ component: 'disk', reason: '10% are free' }] : [],
    notifiers: [{ name: 'webhook', state: 'running' }],
  };
}

/** Starts a service with a document; returns its URL. */
async function serve(t: ExecutionContext, document: object): Promise<string> {
  const service = await startStandInNode(t);
  service.override = ({ url }, response) => {
    if (url === '/status') send(response, 200, {}, JSON.stringify(document));
    else if (url === '/livez') send(response, 200, {}, '{}');
    else send(response, 404, {}, '404 page not found\n');
  };
  return service.url;
}

const status = (urls: readonly string[], ...args: string[]): Promise<CommandOutcome> =>
  runAgentCommand(['status', '--timeout', '5m', ...urls.flatMap((url) => ['--url', url]), ...args]);

test('three hosts are one screen: the verdict over all, a line for each agent, and nodes with the same name', async (t) => {
  const urls = await Promise.all([1, 2, 3].map((number) => serve(t, documentOf(number, number !== 3))));
  const { status: exit, stdout, stderr } = await status(urls);
  t.is(exit, 1);
  t.is(stderr, '');
  t.is(
    stdout,
    `ch1 works, but one more failure stops it
host3/orderer is down. 2 of 3 orderers are needed.
1. Start host3/orderer.
   host3/orderer connection refused
2. Until then, do not restart or upgrade host1/orderer or host2/orderer.

${urls[0]}/ at 10:00:00 UTC: healthy (version 0.1.0)
${urls[1]}/ at 10:00:00 UTC: healthy (version 0.1.0)
${urls[2]}/ at 10:00:00 UTC: not healthy (version 0.1.0)

WARNINGS
host1/disk: 10% are free

CHANNEL  STATE    HEIGHT  LEADER  ORDERERS       PEERS
ch1      at risk  -       -       2 of 3 active  -

NODE           KIND     STATE  VERSION  UPTIME  READ  LEVEL
host1/orderer  orderer  up     -        -       -     -
peer1          peer     up     -        -       -     -
host2/orderer  orderer  up     -        -       -     -
peer2          peer     up     -        -       -     -
host3/orderer  orderer  down   -        -       -     -
peer3          peer     up     -        -       -     -

SENDS TO       STATE    LAST DELIVERY
host1/webhook  running  none yet
host2/webhook  running  none yet
host3/webhook  running  none yet

NOTES
host1: a note
host2: a note
host3: a note
`,
  );
});

test('an agent that cannot be reached and an older one are one line each, and the others are shown', async (t) => {
  const port = await freePort();
  const older = await startStandInNode(t);
  older.override = ({ url }, response) =>
    url === '/livez' ? send(response, 200, {}, '{}') : send(response, 404, {}, 'not found');
  const urls = [
    await serve(t, documentOf(1)),
    `http://127.0.0.1:${port}`,
    older.url,
    await serve(t, documentOf(2)),
  ];
  const { status: exit, stdout } = await status(urls);
  t.is(exit, 1);
  t.deepEqual(stdout.split('\n').slice(0, 7), [
    'ch1 works',
    '2 of 3 orderers.',
    '',
    `${urls[0]}/ at 10:00:00 UTC: healthy (version 0.1.0)`,
    `${urls[1]}/: connection refused`,
    `${urls[2]}/: /status: HTTP status 404: the agent is older than this command`,
    `${urls[3]}/ at 10:00:00 UTC: healthy (version 0.1.0)`,
  ]);
});

test('if no agent can be reached, the reasons are on standard error', async (t) => {
  const urls = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  t.deepEqual(await status(urls), {
    status: 1,
    stdout: '',
    stderr: urls.map((url) => `fabric-ops-agent status: ${url}/: connection refused\n`).join(''),
  });
});

test('--json has the document of each agent and the merged channels; the exit status is 0 if all are healthy', async (t) => {
  const urls = [await serve(t, documentOf(1)), await serve(t, documentOf(2))];
  const { status: exit, stdout } = await status(urls, '--json');
  t.is(exit, 0);
  const document = JSON.parse(stdout) as { agents: object[] };
  t.like(document, { time: TIME, healthy: true, channels: [{ name: 'ch1', verdict: 'working', needed: 2 }] });
  t.deepEqual(
    document.agents,
    await Promise.all(urls.map(async (url) => JSON.parse((await status([url], '--json')).stdout) as object)),
  );
});

const check = (component: string): object => ({ component, reason: 'x' });

/** A report of an agent on a host, with a node that others have, too, and one that is only here. */
const reportOn = (host: string | undefined, url: string, own: string): StatusReport =>
  reportOf(
    readStatus(
      JSON.stringify({
        time: TIME,
        agent: { healthy: true, host },
        problems: [
          { ...check('orderer/disk'), node: 'orderer' },
          { ...check(`${own}/disk`), node: own },
          check('disk'),
          check('channels/ch1'),
        ],
        nodes: ['orderer', own].map((name) => ({
          name,
          warnings: [check(`${name}/disk`)],
          failed_checks: [check(name)],
        })),
        levels: ['self', 'orderer', own].map((name) => ({ name, spec: 'info' })),
        channels: [
          {
            name: `ch-${own}`,
            consenters: [
              { name: 'orderer', node: 'orderer', state: 'active' },
              { name: 'orderer', state: 'unknown' },
            ],
            nodes: [{ node: own }],
          },
        ],
        certificates: [check('orderer/certificates')],
        engines: [check('docker')],
        plugins: [{ name: 'own' }],
        sinks: [{ name: 'statsd' }],
      }),
    ),
    url,
  );

for (const [what, hosts, [first, second]] of [
  ['on different hosts', ['h1', 'h2'], ['h1', 'h2']],
  ['on the same host', ['h1', 'h1'], ['a:1', 'b:2']],
  ['of which one does not report its host', ['h1', undefined], ['h1', 'b:2']],
] as const)
  test(`names of two agents ${what} begin with ${first} and ${second}, except those of nodes that only one has`, (t) => {
    const merged = mergeReports([
      reportOn(hosts[0], 'http://a:1/', 'p1'),
      reportOn(hosts[1], 'http://b:2/', 'p2'),
    ]);
    t.deepEqual(
      merged.problems.map(({ component, node }) => [component, node]),
      [
        [`${first}/orderer/disk`, `${first}/orderer`],
        ['p1/disk', 'p1'],
        [`${first}/disk`, undefined],
        ['channels/ch1', undefined],
        [`${second}/orderer/disk`, `${second}/orderer`],
        ['p2/disk', 'p2'],
        [`${second}/disk`, undefined],
        ['channels/ch1', undefined],
      ],
    );
    t.deepEqual(
      merged.nodes.map(({ name, warnings, failed_checks: failed }) => [
        name,
        warnings[0]?.component,
        failed[0]?.component,
      ]),
      [
        [`${first}/orderer`, `${first}/orderer/disk`, `${first}/orderer`],
        ['p1', 'p1/disk', 'p1'],
        [`${second}/orderer`, `${second}/orderer/disk`, `${second}/orderer`],
        ['p2', 'p2/disk', 'p2'],
      ],
    );
    t.deepEqual(
      merged.levels.map(({ name }) => name),
      [`${first}/self`, `${first}/orderer`, 'p1', `${second}/self`, `${second}/orderer`, 'p2'],
    );
    t.deepEqual(
      merged.channels.map(({ name, consenters, nodes }) => [
        name,
        consenters.map((each) => `${each.name} ${each.node ?? '-'}`),
        nodes.map(({ node }) => node),
      ]),
      [
        ['ch-p1', [`${first}/orderer ${first}/orderer`, 'orderer -'], ['p1']],
        ['ch-p2', [`${second}/orderer ${second}/orderer`, 'orderer -'], ['p2']],
      ],
    );
    t.deepEqual(
      [merged.certificates, merged.engines].map((all) => all.map(({ component }) => component)),
      [
        [`${first}/orderer/certificates`, `${second}/orderer/certificates`],
        [`${first}/docker`, `${second}/docker`],
      ],
    );
    t.deepEqual(
      [merged.plugins, merged.sinks].map((all) => all.map(({ name }) => name)),
      [
        [`${first}/own`, `${second}/own`],
        [`${first}/statsd`, `${second}/statsd`],
      ],
    );
  });
