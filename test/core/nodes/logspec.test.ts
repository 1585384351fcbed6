// `/logspec` and `/nodes/<name>/logspec`: whose specification it is, and what reaches the node.

import test from 'ava';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { fetchEndpoint, send, startNodesServer, startStandInNode } from '../../helpers/stand-in-node.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';
import { until } from '../../helpers/until.js';

const put = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'PUT', body, headers });

for (const path of ['/logspec', '/nodes/peer0/logspec']) {
  test(`with one node ${path} is that of the node`, async (t) => {
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

  test(`PUT ${path}: the reason of a node that refuses a specification is that of the agent`, async (t) => {
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

  test(`PUT ${path}?for=1s goes back, and GET names the end`, async (t) => {
    const node = await startStandInNode(t);
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    t.is((await put(`${url}${path}?for=1s`, '{"spec":"debug"}')).status, 204);
    t.is(node.spec, 'debug');
    for (const same of ['/logspec', '/nodes/peer0/logspec'])
      t.regex((await fetch(url + same)).headers.get('logspec-reverts-at') ?? '', /Z$/);
    await until(() => node.spec === 'info');
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

test('with two nodes /logspec is that of the agent, and each node has its own', async (t) => {
  const [peer, orderer] = [await startStandInNode(t), await startStandInNode(t)];
  const server = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(peer.url) },
    { name: 'orderer', endpoint: fetchEndpoint(orderer.url, 'orderer') },
  ]);
  await put(`${server.url}/logspec`, '{"spec":"error"}');
  t.deepEqual([server.ownSpec(), peer.spec, orderer.spec], ['error', 'info', 'info']);
  await put(`${server.url}/nodes/orderer/logspec?for=1h`, '{"spec":"debug"}');
  t.deepEqual([server.ownSpec(), peer.spec, orderer.spec], ['error', 'info', 'debug']);
  t.is((await fetch(`${server.url}/nodes/peer0/logspec`)).headers.get('logspec-reverts-at'), null);
  await Promise.all(server.specs.map((spec) => spec.stop()));
  t.deepEqual([server.ownSpec(), peer.spec, orderer.spec], ['error', 'info', 'info']);
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
  const paths = ['', '/peer0/healthz', '/peer0/metrics', '/peer0/version', '/peer0/logspec', '/x/healthz'];
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

test('a log level that is switched off is not that of /logspec, and its own path is 404', async (t) => {
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
