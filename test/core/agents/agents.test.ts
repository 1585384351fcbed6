// The agents of other hosts, on real sockets.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAgentDocument } from '../../../core/agents/document.js';
import test, { type ExecutionContext } from 'ava';
import { LeveledLoggers } from '../../../core/contract/index.js';
import { OtherAgents } from '../../../core/agents/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { freePort } from '../../helpers/free-port.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { send, startStandInNode } from '../../helpers/stand-in-node.js';
import { startAgent } from '../../helpers/agent.js';
import { until } from '../../helpers/until.js';
import type { OtherAgentStatus, StatusDocument } from '../../../core/status/index.js';

const TIME = '2026-11-24T10:00:00.000Z';
const log = new LeveledLoggers({ write: () => undefined }).logger('agents');

/** A document of an agent with an orderer in a channel. */
const documentOf = (name: unknown, changes: object = {}): object => ({
  time: TIME,
  agent: { name, healthy: true },
  nodes: [{ name: 'o1', kind: 'orderer', state: 'down', up: false, restarting: true }],
  channels: [
    {
      name: 'ch1',
      verdict: 'at-risk',
      consenters: [
        { name: 'o1', node: 'o1', address: 'a:1', state: 'down', outage: 'is down' },
        { name: 'b:1', address: 'b:1', state: 'active' },
        { name: 'o3', node: 'o3', address: 'c:1', state: 'unknown' },
        { name: 'o4', node: 'o4', state: 'active' },
      ],
      nodes: [{ node: 'o1', kind: 'orderer' }],
    },
  ],
  problems: [
    { component: 'channels/ch1', state: 'warning', severity: 'warning', reason: 'at risk', delivered: true },
  ],
  notifiers: [{ name: 'webhook', state: 'running', events: 'all' }],
  ...changes,
});

/** Starts agents that respond with these bodies of `/status`, and reads them. The agents are host0, host1 and so on. */
async function read(t: ExecutionContext, bodies: readonly string[], own = 'me'): Promise<OtherAgents> {
  const settings = await Promise.all(
    bodies.map(async (body, index) => {
      const service = await startStandInNode(t);
      service.override = ({ url }, response) => send(response, url === '/status' ? 200 : 404, {}, body);
      return {
        name: `host${index}`,
        url: service.url,
        ca: '',
        cert: '',
        key: '',
        origin: `agents[${index}]`,
      };
    }),
  );
  return start(t, settings, own);
}

async function start(
  t: ExecutionContext,
  settings: ConstructorParameters<typeof OtherAgents>[0],
  own = 'me',
): Promise<OtherAgents> {
  const agents = new OtherAgents(settings, own, log);
  t.deepEqual(agents.open(), []);
  agents.start({ register: () => () => undefined });
  t.teardown(() => agents.stop());
  await until(() => agents.statuses.every(({ reachable, reason }) => reachable || reason !== 'not read yet'));
  return agents;
}

const json = (document: object): string => JSON.stringify(document);

test('an agent that responds: its nodes and channels in short, and the consenters that it monitors itself', async (t) => {
  const agents = await read(t, [json(documentOf('host0'))]);
  const [status] = agents.statuses;
  t.like(status, {
    name: 'host0',
    reachable: true,
    healthy: true,
    nodes: [{ name: 'o1', kind: 'orderer', state: 'down' }],
    channels: [{ name: 'ch1', verdict: 'at-risk' }],
  });
  t.deepEqual(
    agents.consentersOf('ch1').map(({ name, state }) => `${name} ${state}`),
    ['o1 down'],
  );
  t.deepEqual(agents.consentersOf('ch2'), []);
  t.is(await agents.restartOf('o1')?.(), 'stopped');
  t.is(agents.restartOf('o2'), undefined);
});

for (const [title, body, reason] of [
  ['another service', '{"status":"OK"}', 'the response is not from an agent, or from an older one'],
  ['an older agent', json(documentOf(undefined)), 'the response is not from an agent, or from an older one'],
  [
    'a name of the wrong type',
    json(documentOf(7)),
    'the response is not from an agent, or from an older one',
  ],
  ['another name', json(documentOf('x\u202ey')), String.raw`the name of this agent is 'x\u202ey'`],
  ['no JSON', '[1,', /^(?:Unexpected end of JSON input|Expected)/],
  ['deep JSON', '['.repeat(200_000), 'the JSON document has more than 64 levels'],
  [
    'JSON with many values',
    `{"nodes":[${'{},'.repeat(40_000)}0]}`,
    'the JSON document has more than 32768 values',
  ],
  ['a response of more than 512 KiB', `"${'x'.repeat(512 * 1024)}"`, 'the response is larger than 0.5 MiB'],
] as const)
  test(`an agent that cannot be used is not reachable, with the reason: ${title}`, async (t) => {
    const agents = await read(t, [body]);
    const [status] = agents.statuses;
    t.false(status?.reachable);
    if (typeof reason === 'string') t.is(status?.reason, reason);
    else t.regex(status?.reason ?? '', reason);
    t.deepEqual([status?.nodes, status?.channels, agents.consentersOf('ch1')], [[], [], []]);
    t.deepEqual(agents.senders('ch1', 'warning'), []);
  });

test('an agent that refuses connections does not delay the others', async (t) => {
  const service = await startStandInNode(t);
  service.override = (_request, response) => send(response, 200, {}, json(documentOf('host2')));
  const files = { ca: '', cert: '', key: '' };
  const agents = await start(t, [
    { ...files, name: 'host1', url: `http://127.0.0.1:${await freePort()}`, origin: 'agents[0]' },
    { ...files, name: 'host2', url: service.url, origin: 'agents[1]' },
  ]);
  t.deepEqual(
    agents.statuses.map(({ name, reachable, reason }) => [name, reachable, reason]),
    [
      ['host1', false, 'connection refused'],
      ['host2', true, undefined],
    ],
  );
  // Less than a minute is no warning: an agent may restart.
  t.notThrows(() => agents.check());
});

const FAILURE = { component: 'channels/ch1', state: 'failed', severity: 'critical' };
const NOTIFIER = { name: 'x', state: 'running', events: 'all' };

/** `deliverer`: the agent that has delivered the warning; `sender`: whether it may do so; `events`: whether it sends other events of the channel. */
const SENDING: readonly (readonly [
  title: string,
  own: string,
  document: object,
  expected: { readonly deliverer?: string; readonly sender?: string; readonly events?: true },
])[] = [
  [
    'an earlier name that has delivered it',
    'host9',
    {},
    { deliverer: 'host0', sender: 'host0', events: true },
  ],
  ['a later name', 'a', {}, {}],
  ['the same name', 'host0', {}, {}],
  [
    'an earlier name that has delivered the failure of another channel',
    'host9',
    { problems: [{ ...FAILURE, component: 'channels/ch2', delivered: true }] },
    { sender: 'host0', events: true },
  ],
  ['an earlier name without the failure', 'host9', { problems: [] }, { sender: 'host0', events: true }],
  [
    'an earlier name that reports it but has not delivered it',
    'host9',
    { problems: [{ ...FAILURE, severity: 'warning' }] },
    { sender: 'host0', events: true },
  ],
  [
    'an earlier name that has delivered the critical failure, which is worse',
    'host9',
    { problems: [{ ...FAILURE, delivered: true }] },
    { deliverer: 'host0', sender: 'host0', events: true },
  ],
  ['an earlier name without a notifier', 'host9', { notifiers: [], problems: [] }, {}],
  [
    'an earlier name whose notifier does not run',
    'host9',
    { notifiers: [{ ...NOTIFIER, state: 'starting' }], problems: [] },
    {},
  ],
  [
    'an earlier name with notifiers of critical events and of heartbeats only',
    'host9',
    {
      notifiers: [
        { ...NOTIFIER, events: 'critical' },
        { ...NOTIFIER, events: 'none' },
      ],
      problems: [],
    },
    {},
  ],
  [
    'an earlier name whose notifier fails',
    'host9',
    { notifiers: [{ ...NOTIFIER, problem: 'HTTP status 503' }], problems: [] },
    { sender: 'host0' },
  ],
  ['an earlier name without the channel', 'host9', { channels: [] }, {}],
  ['an earlier name without a node in the channel', 'host9', { channels: [{ name: 'ch1', nodes: [] }] }, {}],
];

for (const [title, own, changes, { deliverer, sender, events = false }] of SENDING)
  test(`which agent sends the warning of a channel: ${title}: ${deliverer ?? sender ?? 'none'}`, async (t) => {
    const agents = await read(t, [json(documentOf('host0', changes))], own);
    t.is(agents.delivererOf('ch1', 'channels/ch1', 'warning'), deliverer);
    t.deepEqual(agents.senders('ch1', 'warning'), sender === undefined ? [] : [sender]);
    t.is(agents.sendEventsOf('ch1'), events);
  });

test('a critical failure is not delivered by an agent that has delivered only a warning', async (t) => {
  const agents = await read(t, [json(documentOf('host0'))], 'me');
  t.is(agents.delivererOf('ch1', 'channels/ch1', 'critical'), undefined);
  t.deepEqual(agents.senders('ch1', 'critical'), ['host0']);
});

test('an agent with a notifier of critical events sends critical failures', async (t) => {
  const notifiers = [{ ...NOTIFIER, events: 'critical' }];
  const agents = await read(t, [json(documentOf('host0', { notifiers }))], 'me');
  t.deepEqual([agents.senders('ch1', 'critical'), agents.sendEventsOf('ch1')], [['host0'], false]);
});

test('of two agents with earlier names any one may have delivered the failure of a channel', async (t) => {
  const bodies = [documentOf('host0', { problems: [] }), documentOf('host1')].map(json);
  const agents = await read(t, bodies);
  t.is(agents.delivererOf('ch1', 'channels/ch1', 'warning'), 'host1');
  t.deepEqual(agents.senders('ch1', 'warning'), ['host0', 'host1']);
});

test('the agent of a node is asked whether a signal stopped it, and an agent that fails says nothing new', async (t) => {
  const service = await startStandInNode(t);
  const given = { status: 200, state: 'down', restarting: true as true | undefined };
  service.override = (_request, response) => {
    const nodes = [{ name: 'o1', kind: 'orderer', state: given.state, restarting: given.restarting }];
    send(response, given.status, {}, json(documentOf('host0', { nodes })));
  };
  const files = { ca: '', cert: '', key: '' };
  const agents = await start(t, [{ ...files, name: 'host0', url: service.url, origin: 'agents[0]' }]);
  const readEnd = agents.restartOf('o1')!;
  t.is(await readEnd(), 'stopped');
  given.state = 'up';
  t.is(await readEnd(), 'returned');
  given.restarting = undefined;
  t.is(await readEnd(), undefined);
  given.state = 'down';
  t.is(await readEnd(), 'killed');
  given.restarting = true;
  given.status = 503;
  t.is(await readEnd(), 'killed');
});

test('what an agent reported ends when it refuses a connection, and not when it fails', async (t) => {
  const reply = { status: 200 };
  const server = createServer((_request, response) => {
    response.writeHead(reply.status, { connection: 'close' });
    response.end(json(documentOf('host0')));
  });
  t.teardown(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const files = { ca: '', cert: '', key: '' };
  const agents = await start(t, [{ ...files, name: 'host0', url, origin: 'agents[0]' }]);
  const readAgain = agents.restartOf('o1')!;
  reply.status = 503;
  t.is(await readAgain(), 'stopped');
  t.is(agents.consentersOf('ch1').length, 1);
  await new Promise((resolve) => server.close(resolve));
  t.is(await readAgain(), undefined);
  t.deepEqual(agents.consentersOf('ch1'), []);
  t.like(agents.statuses[0], { reachable: false, reason: 'connection refused' });
  // Less than a minute is no warning: an agent may restart.
  t.notThrows(() => agents.check());
});

for (const [size, isReachable] of [
  [512 * 1024, true],
  [512 * 1024 + 1, false],
] as const)
  test(`an agent with a response of ${size} bytes is ${isReachable ? 'reachable' : 'not reachable'}`, async (t) => {
    const agents = await read(t, [json(documentOf('host0')).padEnd(size)]);
    t.is(agents.statuses[0]?.reachable, isReachable);
  });

test('of names and states of an agent 256 characters are read and 64 are in the status, on one line', async (t) => {
  const long = `\n${'x'.repeat(300)}`;
  const changes = {
    nodes: [{ name: long, kind: long, state: long }],
    channels: [
      {
        name: long,
        verdict: long,
        consenters: [{ name: long, node: long, address: long, state: long, outage: long }],
      },
    ],
  };
  const agents = await read(t, [json(documentOf('host0', changes))]);
  const short = `\\n${'x'.repeat(62)}…`;
  t.deepEqual(agents.statuses[0]?.nodes, [{ name: short, kind: short, state: short }]);
  t.deepEqual(agents.statuses[0]?.channels, [{ name: short, verdict: short }]);
  const text = `\\n${'x'.repeat(255)}`;
  const consenter = { name: text, node: text, address: text, state: text, outage: text, leader: false };
  t.deepEqual(agents.consentersOf(text), [consenter]);
});

test('of an agent a thousand nodes and channels are read and a hundred are in the status', async (t) => {
  const list = Array.from({ length: 1001 }, (_, index) => ({ name: `n${index}` }));
  const agents = await read(t, [json(documentOf('host0', { nodes: list, channels: list }))]);
  const [status] = agents.statuses;
  t.deepEqual([status?.nodes.length, status?.channels.length], [100, 100]);
  t.deepEqual([status?.nodes[0]?.name, status?.channels.at(-1)?.name], ['n0', 'n99']);
  t.not(agents.restartOf('n999'), undefined);
  t.is(agents.restartOf('n1000'), undefined);
});

test('of a channel of an agent a hundred consenters are read, also if its document has the channel twice', async (t) => {
  const consenters = Array.from({ length: 101 }, (_, index) => ({
    name: `o${index}`,
    node: 'a',
    address: 'a',
    state: 'down',
  }));
  const channel = { name: 'ch1', consenters };
  const agents = await read(t, [json(documentOf('host0', { channels: [channel, channel] }))]);
  t.is(agents.consentersOf('ch1').length, 100);
});

test('a check of the agents is registered only if there are any', (t) => {
  const registered: string[] = [];
  const health = {
    register(name: string) {
      registered.push(name);
      return () => undefined;
    },
  };
  new OtherAgents([], 'me', log).start(health);
  t.deepEqual(registered, []);
  const files = { ca: '', cert: '', key: '' };
  const agents = new OtherAgents(
    [{ ...files, name: 'a', url: 'http://127.0.0.1:1', origin: 'agents[0]' }],
    'me',
    log,
  );
  agents.start(health);
  t.teardown(() => agents.stop());
  t.deepEqual(registered, ['agents']);
});

test('a TLS file that cannot be read is a problem of its agent', (t) => {
  const files = { ca: '/none/ca.pem', cert: '', key: '' };
  const settings = [
    { ...files, name: 'a', url: 'https://127.0.0.1:1', origin: 'agents[0]' },
    { ...files, ca: '', name: 'b', url: 'https://127.0.0.1:1', origin: 'agents[1]' },
  ];
  t.deepEqual(new OtherAgents(settings, 'me', log).open(), [
    'agents[0]: ca: /none/ca.pem cannot be read: no such file',
  ]);
});

test('two agents with mutual TLS see each other in /status', async (t) => {
  const { ca, server, clients } = makeCertificates();
  const client = clients.trusted!;
  const ports = [await freePort(), await freePort()];
  const agents = await Promise.all(
    [0, 1].map((index) =>
      startAgent(t, {
        'operations.listenAddress': `127.0.0.1:${ports[index]}`,
        'operations.name': `host${index}`,
        'operations.tls.enabled': true,
        'operations.tls.cert.file': server.cert,
        'operations.tls.key.file': server.key,
        'operations.tls.clientRootCAs.files': [ca.cert],
        agents: [
          {
            name: `host${1 - index}`,
            url: `https://127.0.0.1:${ports[1 - index]}`,
            ca: ca.cert,
            cert: client.cert,
            key: client.key,
          },
        ],
        plugins: QUIET,
      }),
    ),
  );
  const agentsOf = async (url: string): Promise<readonly OtherAgentStatus[]> => {
    const { request } = await import('node:https');
    const { clientOptions } = await import('../../helpers/tls-client.js');
    const body = await new Promise<string>((resolve, reject) => {
      request(`${url}/status`, clientOptions(ca.cert, client), (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    return (JSON.parse(body) as StatusDocument).agents;
  };
  for (const [index, { url }] of agents.entries()) {
    await until(async () => (await agentsOf(url))[0]?.reachable === true);
    t.like((await agentsOf(url))[0], { name: `host${1 - index}`, healthy: true });
  }
});

test('whether another agent is healthy is unknown while its first checks run', (t) => {
  const healthOf = (unchecked: readonly string[]) =>
    readAgentDocument(JSON.stringify({ agent: { name: 'host2', healthy: false }, unchecked })).healthy;
  t.deepEqual([healthOf(['peer1']), healthOf([])], [undefined, false]);
});
