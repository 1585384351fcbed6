// `/nodes/<name>/…`: the response of the node, and the response of the agent without one.

import test from 'ava';
import { fetchEndpoint, send, startNodesServer, startStandInNode } from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

const TYPE = { 'content-type': 'application/json' };

test('status, type and body come from the node, other headers do not', async (t) => {
  const node = await startStandInNode(t);
  const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
  const health = await fetch(`${url}/nodes/peer0/healthz`);
  t.is(health.status, 503);
  t.is(await health.text(), '{"status":"Service Unavailable","failed_checks":[]}');
  const metrics = await fetch(`${url}/nodes/peer0/metrics`);
  t.is(metrics.headers.get('content-type'), 'text/plain; version=0.0.4');
  t.is(metrics.headers.get('x-own'), null);
  t.is(metrics.headers.get('x-content-type-options'), 'nosniff');
  t.is(await metrics.text(), 'a 1\n');
  const version = await fetch(`${url}/nodes/peer0/version`);
  t.is(await version.text(), '{"CommitSHA":"abc","Version":"v3.0.0"}');
});

test('the id of the request is passed on, other headers and the query are not', async (t) => {
  const node = await startStandInNode(t);
  const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
  const headers = { 'X-Request-Id': 'seven', Authorization: 'Basic eA==', Cookie: 'a=b' };
  const response = await fetch(`${url}/nodes/peer0/version?x=1`, { headers });
  t.is(response.headers.get('x-request-id'), 'seven');
  const [received] = node.received;
  t.is(received?.url, '/version');
  t.is(received?.headers['x-request-id'], 'seven');
  t.is(received?.headers.authorization, undefined);
  t.is(received?.headers.cookie, undefined);
});

for (const type of ['text/html', 'image/svg+xml', 'text/plainx', ''])
  test(`a response of the type '${type}' is passed on as bytes`, async (t) => {
    const node = await startStandInNode(t);
    node.override = (_, response) => send(response, 200, { 'Content-Type': type }, '<b>');
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    const response = await fetch(`${url}/nodes/peer0/healthz`);
    t.is(response.headers.get('content-type'), 'application/octet-stream');
    t.is(await response.text(), '<b>');
  });

for (const path of ['healthz', 'metrics', 'version', 'logspec', 'channels'])
  test(`/nodes/<name>/${path}: 404 with the known names for an unknown one`, async (t) => {
    const endpoint = fetchEndpoint('http://127.0.0.1:1');
    const { url } = await startNodesServer(t, [
      { name: 'peer0', endpoint },
      { name: 'orderer', endpoint },
    ]);
    for (const name of ['peer1', '__proto__', 'constructor', 'peer0%2F..']) {
      const response = await fetch(`${url}/nodes/${name}/${path}`);
      t.is(response.status, 404);
      t.deepEqual(await response.json(), {
        error: `unknown node '${decodeURIComponent(name)}'; the nodes are peer0, orderer`,
      });
    }
  });

for (const path of ['healthz', 'metrics', 'version', 'logspec'])
  test(`/nodes/<name>/${path}: 502 with the reason for a node that is down`, async (t) => {
    const node = await startStandInNode(t);
    const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
    await node.close();
    const response = await fetch(`${url}/nodes/peer0/${path}`);
    t.is(response.status, 502);
    t.is(response.headers.get('content-type'), TYPE['content-type']);
    const { error } = (await response.json()) as { error: string };
    t.is(
      error,
      `node peer0 is unreachable: ${node.url}: Error: connect ECONNREFUSED ${node.url.replace('http://', '')}`,
    );
  });

test('without nodes every name is unknown', async (t) => {
  const { url } = await startNodesServer(t, []);
  const response = await fetch(`${url}/nodes/peer0/healthz`);
  t.is(response.status, 404);
  t.deepEqual(await response.json(), { error: "unknown node 'peer0'; the agent has no nodes" });
});

test('a redirect of the node is passed on and not followed', async (t) => {
  const node = await startStandInNode(t);
  node.override = (_, response) => send(response, 302, { Location: 'http://127.0.0.1:1/' });
  const { url } = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
  const response = await fetch(`${url}/nodes/peer0/healthz`, { redirect: 'manual' });
  t.is(response.status, 302);
  t.is(response.headers.get('location'), null);
});

test('beyond 16 requests in progress a node is busy; other nodes are not affected', async (t) => {
  const [slow, other] = [await startStandInNode(t), await startStandInNode(t)];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  slow.override = (_, response) => void released.then(() => response.end('{}'));
  const { url } = await startNodesServer(t, [
    { name: 'slow', endpoint: fetchEndpoint(slow.url) },
    { name: 'other', endpoint: fetchEndpoint(other.url) },
  ]);
  const pending = Array.from({ length: 16 }, () => fetch(`${url}/nodes/slow/healthz`));
  await until(() => slow.received.length === 16);
  const refused = await fetch(`${url}/nodes/slow/healthz`);
  t.is(refused.status, 503);
  t.deepEqual(await refused.json(), {
    error: '16 requests to node slow are in progress; try again later',
  });
  t.is((await fetch(`${url}/nodes/other/version`)).status, 200);
  release();
  t.true((await Promise.all(pending)).every(({ status }) => status === 200));
  await until(async () => (await fetch(`${url}/nodes/slow/healthz`)).status === 200);
});

test('metrics that are switched off are 404', async (t) => {
  const node = await startStandInNode(t);
  const { url } = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(node.url), settings: { metrics: false } },
  ]);
  const response = await fetch(`${url}/nodes/peer0/metrics`);
  t.is(response.status, 404);
  t.deepEqual(await response.json(), {
    error: 'the settings switch this resource of node peer0 off (node.metrics: false)',
  });
  t.is((await fetch(`${url}/nodes/peer0/version`)).status, 200);
  t.deepEqual(
    node.received.map(({ url: path }) => path),
    ['/version'],
  );
});
