// `/logspec` and `/nodes/<name>/logspec`: the owner of the specification, and the requests to the node.

import type { ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import type { NodeEndpoint } from '../../../core/contract/metric-source.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { freePort } from '../../helpers/free-port.js';
import { startSource } from '../../helpers/node-plugins.js';
import {
  fetchEndpoint,
  send,
  startNodesServer,
  startStandInNode,
  type NodesServer,
  type StandInNode,
} from '../../helpers/stand-in-node.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';
import { stopTimeouts } from '../../helpers/clock.js';

/** Faults of a node after it has changed its level. */
const UNANSWERED: readonly (readonly [what: string, respond: (response: ServerResponse) => void])[] = [
  ['closes the connection', (response) => void response.destroy()],
  ['responds with 500', (response) => send(response, 500, {}, '{"error":"no"}')],
];

const put = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'PUT', body, headers });

/** Waits for the changes that have begun, such as the end of a lease: changes run one after the other, also one that is refused. */
const afterChanges = async (url: string): Promise<void> => void (await put(url, '{"spec":"loud"}'));

for (const path of ['/logspec', '/nodes/peer0/logspec']) {
  test(`with one node ${path} belongs to the node`, async (t) => {
    const node = await startStandInNode(t);
    node.spec = 'gossip=debug:info';
    const server = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    const url = server.url + path;
    t.is(await (await fetch(url)).text(), '{"spec":"gossip=debug:info"}\n');
    t.is((await put(url, ' { "spec" : "error" }', { 'X-Request-Id': 'seven' })).status, 204);
    t.is(node.spec, 'error');
    t.is(server.ownSpec(), 'info');
    const received = node.received.at(-1);
    t.is(received?.body, '{"spec":"error"}');
    t.is(received?.headers['x-request-id'], 'seven');
    const entry = server.logged.find(({ name }) => name === 'nodes');
    t.is(entry?.message, "logging specification of node peer0 changes to 'error'");
    t.is(entry?.fields?.['requestId'], 'seven');
    t.regex(String(entry?.fields?.['client']), /^(?:::ffff:)?127\.0\.0\.1:\d+$/);
  });

  for (const [body, error] of Object.entries({
    '{"spec":"a=loud"}': "invalid logging specification 'a=loud': bad segment 'a=loud'",
    '{}': 'expected a JSON object with one attribute, "spec", a string, such as {"spec":"info"}; the attribute "spec" is missing',
    '{"spec":"debug"} x':
      'expected a JSON object with one attribute, "spec", a string, such as {"spec":"info"}; the body is not valid JSON',
  }))
    test(`PUT ${path} ${body} is refused without a request to the node`, async (t) => {
      const node = await startStandInNode(t);
      const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
      const response = await put(url + path, body);
      t.is(response.status, 400);
      t.deepEqual(await response.json(), { error });
      t.deepEqual(node.received, []);
    });

  test(`PUT ${path}: the agent responds with the reason of a node that refuses a specification`, async (t) => {
    const node = await startStandInNode(t);
    node.override = (_, response) => send(response, 400, {}, '{"error":"invalid logging specification"}');
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    const response = await put(url + path, '{"spec":"debug"}');
    t.is(response.status, 400);
    t.deepEqual(await response.json(), { error: 'invalid logging specification' });
  });

  test(`${path}: other responses of the node are 502 with the reason`, async (t) => {
    const node = await startStandInNode(t);
    node.override = ({ method }, response) =>
      send(response, method === 'GET' ? 200 : 401, {}, '{"error":"no certificate"}');
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    const read = await fetch(url + path);
    t.is(read.status, 502);
    t.deepEqual(await read.json(), {
      error: 'node peer0 responded to GET /logspec with an invalid document',
    });
    const change = await put(url + path, '{"spec":"debug"}');
    t.is(change.status, 502);
    t.deepEqual(await change.json(), {
      error: 'node peer0 responded to PUT /logspec with status 401: no certificate',
    });
  });

  test(`${path}: a specification of a node that is too long is 502`, async (t) => {
    const node = await startStandInNode(t);
    node.spec = 'a'.repeat(16 * 1024 + 1);
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    t.is((await fetch(url + path)).status, 502);
  });

  for (const [what, respond] of UNANSWERED)
    test.serial(
      `PUT ${path}?for=1s of a node that changes its level and then ${what} goes back`,
      async (t) => {
        const clock = stopTimeouts(t);
        const node = await startStandInNode(t);
        const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
        node.override = ({ method, body }, response) => {
          if (method === 'GET') return send(response, 200, {}, JSON.stringify({ spec: node.spec }));
          ({ spec: node.spec } = JSON.parse(body) as { spec: string });
          if (node.spec === 'debug') respond(response);
          else send(response, 204);
        };
        const change = await put(`${url}${path}?for=1s`, '{"spec":"debug"}');
        t.is(change.status, 502);
        const { error } = (await change.json()) as { error: string };
        t.regex(
          error,
          /; whether the specification has changed is unknown: if it has, 'info' returns at \S+Z$/,
        );
        clock.tick(1000);
        await afterChanges(url + path);
        t.is(node.spec, 'info');
      },
    );

  test(`PUT ${path}?for=1s that the node refuses begins no lease`, async (t) => {
    const node = await startStandInNode(t);
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    node.override = ({ method }, response) =>
      method === 'GET'
        ? send(response, 200, {}, '{"spec":"info"}')
        : send(response, 403, {}, '{"error":"no"}');
    const change = await put(`${url}${path}?for=1s`, '{"spec":"debug"}');
    t.is(change.status, 502);
    t.deepEqual(await change.json(), { error: 'node peer0 responded to PUT /logspec with status 403: no' });
  });

  test.serial(`PUT ${path}?for=1s goes back, and GET names the end`, async (t) => {
    const clock = stopTimeouts(t);
    const node = await startStandInNode(t);
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    t.is((await put(`${url}${path}?for=1s`, '{"spec":"debug"}')).status, 204);
    t.is(node.spec, 'debug');
    for (const same of ['/logspec', '/nodes/peer0/logspec'])
      t.regex((await fetch(url + same)).headers.get('logspec-reverts-at') ?? '', /Z$/);
    clock.tick(1000);
    await afterChanges(url + path);
    t.is(node.spec, 'info');
    t.is((await fetch(url + path)).headers.get('logspec-reverts-at'), null);
  });
}

test('the level payload, which nodes show in another form, is shown as payload and returns after a lease', async (t) => {
  const node = await startStandInNode(t);
  node.override = ({ method, body }, response) => {
    if (method === 'PUT') node.spec = (JSON.parse(body) as { spec: string }).spec;
    if (method === 'PUT') send(response, node.spec.includes('Level') ? 400 : 204);
    else send(response, 200, {}, JSON.stringify({ spec: node.spec.replace('payload', 'Level(-2)') }));
  };
  node.spec = 'gossip=payload:info';
  const { url, specs } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
  t.is(await (await fetch(`${url}/logspec`)).text(), '{"spec":"gossip=payload:info"}\n');
  await put(`${url}/logspec?for=1h`, '{"spec":"debug"}');
  await Promise.all(specs.map((spec) => spec.stop()));
  t.is(node.spec, 'gossip=payload:info');
});

/** A server with two nodes. */
async function startTwo(
  t: ExecutionContext,
): Promise<{ server: NodesServer; nodes: readonly StandInNode[] }> {
  const nodes = [await startStandInNode(t), await startStandInNode(t)] as const;
  const server = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(nodes[0].url) },
    { name: 'orderer', endpoint: fetchEndpoint(nodes[1].url, 'orderer') },
  ]);
  return { server, nodes };
}

/** The owner in the response to each method. */
const ownersOf = async (url: string): Promise<readonly (string | null)[]> =>
  (await Promise.all([fetch(url), fetch(url, { method: 'HEAD' }), put(url, '{"spec":"info"}')])).map(
    ({ headers }) => headers.get('Logspec-Owner'),
  );

test('with two nodes GET and PUT of /logspec are of the agent, and each node has its own', async (t) => {
  const { server, nodes } = await startTwo(t);
  const specs = (): string[] => [server.ownSpec(), ...nodes.map(({ spec }) => spec)];
  t.is((await put(`${server.url}/logspec?for=20s`, '{"spec":"error"}')).status, 204);
  t.deepEqual(specs(), ['error', 'info', 'info']);
  for (const path of ['/logspec', '/nodes/self/logspec']) {
    const response = await fetch(server.url + path);
    t.regex(response.headers.get('logspec-reverts-at') ?? '', /Z$/);
    t.is(await response.text(), '{"spec":"error"}\n');
  }
  await put(`${server.url}/nodes/orderer/logspec?for=1h`, '{"spec":"debug"}');
  t.deepEqual(specs(), ['error', 'info', 'debug']);
  t.is((await fetch(`${server.url}/nodes/peer0/logspec`)).headers.get('logspec-reverts-at'), null);
  await Promise.all(server.specs.map((spec) => spec.stop()));
  t.deepEqual(specs(), ['info', 'info', 'info']);
});

for (const [names, path, owner] of [
  [[], '/logspec', 'self'],
  [['peer0'], '/logspec', 'peer0'],
  [['peer0'], '/nodes/self/logspec', 'self'],
  [['peer0', 'orderer'], '/logspec', 'self'],
  [['peer0', 'orderer'], '/nodes/orderer/logspec', 'orderer'],
] as const)
  test(`with the nodes '${names.join()}' GET, HEAD and PUT of ${path} name the owner ${owner}`, async (t) => {
    const { url } = await startStandInNode(t);
    const server = await startNodesServer(
      t,
      names.map((name) => ({ name, endpoint: fetchEndpoint(url) })),
    );
    t.deepEqual(await ownersOf(server.url + path), [owner, owner, owner]);
  });

test('with one node whose log level is switched off /logspec names the agent', async (t) => {
  const { url } = await startStandInNode(t);
  const settings = { logging: false };
  const server = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(url), settings }]);
  t.deepEqual(await ownersOf(`${server.url}/logspec`), ['self', 'self', 'self']);
});

test('/nodes/logspec changes all nodes, also for a limited time, and lists them', async (t) => {
  const { server, nodes } = await startTwo(t);
  const url = `${server.url}/nodes/logspec`;
  t.is((await put(`${url}?for=1h`, '{"spec":"debug"}')).status, 204);
  t.deepEqual([server.ownSpec(), ...nodes.map(({ spec }) => spec)], ['info', 'debug', 'debug']);
  const { nodes: listed } = (await (await fetch(url)).json()) as { nodes: { reverts_at?: string }[] };
  t.true(listed.every(({ reverts_at: end }) => Date.parse(end ?? '') > Date.now()));
  t.like(listed, [
    { name: 'peer0', spec: 'debug' },
    { name: 'orderer', spec: 'debug' },
  ]);
  await Promise.all(server.specs.map((spec) => spec.stop()));
  t.deepEqual(await (await fetch(url)).json(), {
    nodes: [
      { name: 'peer0', spec: 'info' },
      { name: 'orderer', spec: 'info' },
    ],
  });
});

test('/nodes/logspec reports the node that fails and changes the others', async (t) => {
  const { server, nodes } = await startTwo(t);
  await nodes[1]?.close();
  const url = `${server.url}/nodes/logspec`;
  const [changed, listed] = [await put(url, '{"spec":"debug"}'), await fetch(url)];
  t.deepEqual([changed.status, listed.status], [502, 200]);
  for (const response of [changed, listed]) {
    const { error, nodes: results } = (await response.json()) as {
      error?: string;
      nodes: { error?: string }[];
    };
    t.is(error, response === changed ? '1 of 2 nodes failed; see nodes' : undefined);
    t.like(results, [{ name: 'peer0', spec: 'debug' }, { name: 'orderer' }]);
    t.is(results[0]?.error, undefined);
    t.regex(results[1]?.error ?? '', /^node orderer is unreachable: /);
  }
  t.is(nodes[0]?.spec, 'debug');
});

test('PUT /nodes/logspec with an invalid specification or without a node changes nothing', async (t) => {
  const { server, nodes } = await startTwo(t);
  t.is((await put(`${server.url}/nodes/logspec`, '{"spec":"a=loud"}')).status, 400);
  t.deepEqual(
    nodes.flatMap(({ received }) => received),
    [],
  );
  const { url } = await startNodesServer(t, []);
  t.is((await put(`${url}/nodes/logspec`, '{"spec":"debug"}')).status, 404);
  t.is(await (await fetch(`${url}/nodes/logspec`)).text(), '{"nodes":[]}\n');
  t.is((await put(`${url}/nodes/self/logspec`, '{"spec":"debug"}')).status, 204);
});

test('no node can have the name self', async (t) => {
  const node = await startStandInNode(t);
  await t.throwsAsync(startNodesServer(t, [{ name: 'self', endpoint: fetchEndpoint(node.url) }]), {
    code: 'SETTINGS_INVALID',
    message:
      'agent.yaml: plugins[0]: a node cannot have the name self, which means the agent in /nodes/self/logspec; set another name',
  });
});

test('starting and stopping without a lease sends no request to the node', async (t) => {
  const node = await startStandInNode(t);
  const { specs } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
  await Promise.all(specs.map((spec) => spec.stop()));
  t.deepEqual(node.received, []);
});

test('with TLS a request without a verified certificate receives 401 and does not reach the node', async (t) => {
  const { ca, server, clients } = makeCertificates();
  const node = await startStandInNode(t);
  const { port } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }], {
    certFile: server.cert,
    keyFile: server.key,
    clientRootCAFiles: [ca.cert],
    clientAuthRequired: false,
  });
  const paths = [
    '',
    '/peer0/healthz',
    '/peer0/metrics',
    '/peer0/version',
    '/peer0/logspec',
    '/x/healthz',
    '/logspec',
    '/self/logspec',
  ];
  for (const path of [...paths.map((each) => `/nodes${each}`), '/logspec'])
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const requestBody = method === 'PUT' ? '{"spec":"debug"}' : undefined;
      const { status } = await sendTlsRequest(port, path, { ...clientOptions(ca.cert), method, requestBody });
      t.is(status, 401, `${method} ${path}`);
    }
  t.deepEqual(node.received, []);
  const trusted = await sendTlsRequest(port, '/logspec', {
    ...clientOptions(ca.cert, clients.trusted),
    method: 'PUT',
    requestBody: '{"spec":"debug"}',
  });
  t.is(trusted.status, 204);
  t.is(node.spec, 'debug');
});

test('a log level that is switched off is not at /logspec, and its own path is 404', async (t) => {
  const node = await startStandInNode(t);
  const server = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(node.url), settings: { logging: false } },
  ]);
  t.is((await put(`${server.url}/logspec`, '{"spec":"error"}')).status, 204);
  t.is(server.ownSpec(), 'error');
  for (const method of ['GET', 'PUT']) {
    const response = await fetch(`${server.url}/nodes/peer0/logspec`, { method });
    t.is(response.status, 404);
    t.deepEqual(await response.json(), {
      error: 'the settings switch this resource of node peer0 off (node.logging: false)',
    });
  }
  t.deepEqual(node.received, []);
});

test('a change with a lease that no connection could send begins no lease', async (t) => {
  const node = await startStandInNode(t);
  const reachable = fetchEndpoint(node.url);
  const { node: unreachable } = await startSource(t, `127.0.0.1:${await freePort()}`);
  const request: NodeEndpoint['request'] = async (sent) =>
    sent.method === 'GET' ? reachable.request(sent) : unreachable.request(sent);
  const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: { kind: 'peer', request } }]);
  const change = await put(`${url}/logspec?for=10m`, '{"spec":"debug"}');
  t.is(change.status, 502);
  t.regex(((await change.json()) as { error: string }).error, /: connection refused$/);
  node.spec = 'debug';
  t.is((await fetch(`${url}/logspec`)).headers.get('Logspec-Reverts-At'), null);
});
