// Compares core/http/openapi.yaml with running agents: every response is described, and every described response occurs.

import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { SourceState } from '../../../core/contract/index.js';
import type { ChannelDocument } from '../../../core/contract/internal/index.js';
import channelConfig from '../../../plugins/health/channel-config/index.js';
import { Ledger } from '../../../translator/ledger/index.js';
import { LIMITS } from '../../../core/http/limits.js';
import { startAgent } from '../../helpers/agent.js';
import { TestCa } from '../../helpers/certificates.js';
import { FactStore } from '../../../core/nodes/index.js';
import { startChecker } from '../../helpers/checker.js';
import { emptyBlock, peerLedgers, writeLedger } from '../../helpers/stored-ledger.js';
import { declareSource, FAKE_NODE, FakeSource } from '../../helpers/fake-source.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { OpenApi, type Exchange } from '../../helpers/openapi.js';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import { silenceRoutes, Silences } from '../../../core/events/index.js';
import { SHORT_BODY_LIMITS, SHORT_LIMITS, startServer } from '../../helpers/server.js';
import {
  channelGauge,
  fetchEndpoint,
  send,
  startNodesServer,
  startStandInNode,
} from '../../helpers/stand-in-node.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';
import { until } from '../../helpers/until.js';

const FILE = fileURLToPath(new URL('../../../../core/http/openapi.yaml', import.meta.url));
/** A logging backend whose specification cannot be read. */
const BROKEN = `export default {
  apiVersion: 1, kind: 'logging', name: 'broken', options: {},
  create: () => ({
    logger: () => ({ log() {}, isEnabled: () => false }),
    spec() { throw new Error('broken'); },
    activate() {},
  }),
};`;

const api = new OpenApi(FILE);

/** Requests to an agent with metrics. */
const REQUESTS: readonly string[] = [
  ...['/logspec', '/nodes/self/logspec', '/nodes/logspec'].flatMap(logspecRequests),
  request('GET /healthz'),
  request('HEAD /healthz'),
  request('GET /healthz?verbose'),
  request('GET /readyz'),
  request('HEAD /readyz'),
  request('GET /readyz?verbose&exclude=unknown'),
  request('HEAD /readyz?verbose'),
  request('GET /livez'),
  request('HEAD /livez'),
  request('GET /livez?verbose'),
  request('HEAD /livez?verbose'),
  request('HEAD /healthz?verbose'),
  request('GET /healthz/unknown'),
  request('HEAD /healthz/unknown'),
  'PUT /logspec HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  request('GET /version', ['X-Request-Id: 7']),
  request('HEAD /version'),
  request('GET /metrics'),
  request('HEAD /metrics'),
  request('GET /metrics', ['Accept: application/openmetrics-text; version=1.0.0']),
  request('HEAD /metrics', ['Accept: application/openmetrics-text; version=1.0.0']),
  request('HEAD /metrics', ['Accept-Encoding: gzip']),
  request('GET /'),
  request('HEAD /'),
  request('HEAD /events'),
  request('GET /nothing-here'),
  request('GET //healthz'),
  request('GET /%zz'),
  request('GET *'),
  request('GET /version', ['Host: y']),
  ...['GET', 'HEAD', 'PUT'].map(
    (method) => `${method} /logspec HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n`,
  ),
  'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n',
  request('PUT /healthz'),
  request('DELETE /logspec'),
  request('GET /version', ['Expect: miracles']),
  request('GET /version', [`X-Long: ${'x'.repeat(70_000)}`]),
  request('CONJURE /version'),
  'GET /version HTTP/2.0\r\nHost: localhost\r\n\r\n',
  request('PUT /logspec', ['Transfer-Encoding: gzip, chunked']),
];

/** The text after the target of a request with an incomplete body. */
const LATE_BODY = 'HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{';

const seen = new Set<string>();

for (const [index, text] of REQUESTS.entries())
  test(`the response to request ${index}, ${JSON.stringify(text.slice(0, 60))}, is described`, async (t) => {
    const { port } = await startAgent(t, { 'metrics.provider': 'prometheus' });
    await checkRaw(t, port, text);
  });

for (const method of ['GET', 'HEAD'])
  test(`the responses of a failed check and of undeclared metrics are described: ${method}`, async (t) => {
    const { agent, port } = await startAgent(t);
    agent.health.register('queue', () => Promise.reject(new Error('it is full')));
    agent.health.register('disk', () => undefined);
    const paths = ['/healthz', '/healthz/queue', '/healthz/disk', '/readyz'];
    for (const path of paths.flatMap((each) => [each, `${each}?verbose`]))
      await checkRaw(t, port, request(`${method} ${path}`));
    await checkRaw(t, port, request(`${method} /metrics`));
  });

test('the responses to a late header and to late bodies are described', async (t) => {
  const header = await startNodesServer(t, [], undefined, { limits: SHORT_LIMITS });
  const { port } = await startNodesServer(t, [], undefined, { limits: SHORT_BODY_LIMITS });
  const paths = ['/logspec', '/nodes/self/logspec', '/nodes/logspec'];
  const known = (): { nodes: string[]; channels: string[] } => ({ nodes: [], channels: [] });
  const silences = await startServer(t, silenceRoutes(new Silences(), known), undefined, {
    limits: SHORT_BODY_LIMITS,
  });
  await Promise.all([
    checkRaw(t, silences.port, `PUT /silences ${LATE_BODY}`),
    checkRaw(t, header.port, 'GET /version HTTP/1.1\r\nHost: localhost\r\n'),
    ...paths.map((path) => checkRaw(t, port, `PUT ${path} ${LATE_BODY}`)),
  ]);
});

test('the responses of /status are described', async (t) => {
  const orderer = new FakeSource(fetchEndpoint('http://127.0.0.1:1', 'orderer'));
  orderer.reading = {
    families: [
      channelGauge('ledger_blockchain_height', { ch1: 3 }),
      channelGauge('participation_consensus_relation', { ch1: 1 }),
      channelGauge('participation_status', { ch1: 1 }),
    ],
  };
  const down = new FakeSource(FAKE_NODE);
  down.reading = undefined;
  const { agent, port } = await startAgent(t, {
    plugins: [
      { plugin: 'prometheus' },
      declareSource(t, orderer, 'orderer'),
      declareSource(t, down, 'peer0'),
    ],
  });
  agent.health.register('peer0', () => Promise.reject(new Error('it is down')));
  for (const method of ['GET', 'HEAD']) await checkRaw(t, port, request(`${method} /status`));
});

test('the responses of /silences are described', async (t) => {
  const { port } = await startAgent(t);
  const put = (body: string): string => request('PUT /silences', [], body);
  await checkRaw(t, port, put('{"for":"1h","why":"x"}'));
  await checkRaw(t, port, put('{}'));
  await checkRaw(t, port, put(' '.repeat(65_537)));
  for (const text of ['GET /silences', 'HEAD /silences']) await checkRaw(t, port, request(text));
  const { silences } = (await (await fetch(`http://127.0.0.1:${port}/silences`)).json()) as {
    silences: readonly { readonly id: string }[];
  };
  for (const id of [silences[0]?.id ?? '', 'unknown'])
    await checkRaw(t, port, request(`DELETE /silences/${id}`), '/silences/{id}');
  await checkRaw(t, port, request('GET /silences/x'), '/silences/{id}');
  for (let count = 0; count < 51; count += 1) await checkRaw(t, port, put('{"for":"1h","why":"x"}'));
});

test('the responses of /events are described, also with too many listeners', async (t) => {
  const { port, url } = await startAgent(t);
  const abort = new AbortController();
  t.teardown(() => abort.abort());
  const open = Array.from({ length: LIMITS.maxEventStreamsOfClient }, async () =>
    fetch(`${url}/events`, { signal: abort.signal }),
  );
  for (const { status, headers } of await Promise.all(open)) {
    const shown = new Map([...headers].filter(([name]) => name !== 'transfer-encoding'));
    check(t, { method: 'GET', path: '/events', response: { status, headers: shown, body: '' } });
  }
  for (const method of ['GET', 'HEAD']) await checkRaw(t, port, request(`${method} /events`));
});

test('the response after an error of a plugin is described', async (t) => {
  const directory = temporaryFolder(t, { 'broken.mjs': BROKEN });
  const { port } = await startAgent(t, { plugins: [{ plugin: `${directory}/broken.mjs` }] });
  await checkRaw(t, port, request('GET /logspec'));
});

test('the responses to a client without a certificate are described', async (t) => {
  const ca = new TestCa(temporaryFolder(t), 'ca');
  const server = ca.issue('agent', 'serverAuth');
  const { port } = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
  });
  const ofNodes = ['healthz', 'metrics', 'version', 'logspec', 'channels'].map(
    (path) => `/nodes/{name}/${path}`,
  );
  const paths = [
    '/healthz',
    '/healthz?verbose',
    '/healthz/disk',
    '/readyz',
    '/readyz?verbose',
    '/livez',
    '/livez?verbose',
    '/logspec',
    '/version',
    '/metrics',
    '/nothing-here',
    '/',
    '/events',
    '/status',
    '/nodes',
    '/nodes/logspec',
    '/nodes/self/logspec',
    '/silences',
    '/silences/{id}',
    ...ofNodes,
  ];
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const { status, headers, body } = await sendTlsRequest(port, path.replace(/\{.*\}/, 'peer0'), {
        ...clientOptions(ca.cert),
        method,
      });
      const shown = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      check(t, { method, path: describedPath(path), response: { status, headers: shown, body } });
    }
});

/** The requests to the resources of a node. */
const NODE_REQUESTS = ['healthz', 'metrics', 'version', 'logspec'].flatMap((path) =>
  ['GET', 'HEAD', ...(path === 'logspec' ? ['PUT'] : [])].map((method) => ({ method, path })),
);

/** Checks the responses to all requests to a node. */
async function checkNode(t: ExecutionContext, port: number, name: string): Promise<void> {
  for (const { method, path } of NODE_REQUESTS) {
    const body = method === 'PUT' ? '{"spec":"info"}' : undefined;
    await checkRaw(t, port, request(`${method} /nodes/${name}/${path}`, [], body), `/nodes/{name}/${path}`);
  }
}

test('the responses about the channels of a node are described', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 2, configs: [1] }));
  append('mychannel', history.read(0n), history.read(1n));
  append('broken', emptyBlock(0n));
  const facts = new FactStore();
  const options = {
    ledger: directory,
    tlsCert: '',
    kind: 'orderer',
    msp: '',
    listen: '',
    mspid: '',
    minimum: 0,
    allow: [],
  } as const;
  const checker = await startChecker(t, channelConfig, options, { node: 'peer0', facts });
  await checker.check();
  const channels = async (): Promise<readonly ChannelDocument[]> =>
    facts.about('configs', 'peer0')!(new AbortController().signal);
  const endpoint = fetchEndpoint('http://127.0.0.1:1');
  const { port } = await startNodesServer(t, [{ name: 'peer0', endpoint, channels }]);
  for (const method of ['GET', 'HEAD'])
    for (const name of ['peer0', 'unknown'])
      await checkRaw(t, port, request(`${method} /nodes/${name}/channels`), '/nodes/{name}/channels');
});

test('the list of nodes and the responses of a node are described', async (t) => {
  const node = await startStandInNode(t);
  const reading = {
    families: [
      channelGauge('ledger_blockchain_height', { ch1: 3 }),
      channelGauge('consensus_etcdraft_is_leader', { ch1: 1 }),
      channelGauge('consensus_etcdraft_cluster_size', { ch1: 3 }),
      channelGauge('consensus_etcdraft_active_nodes', { ch1: 3 }),
      channelGauge('consensus_BFT_leader_id', { ch2: 3 }),
    ],
  };
  const state = (): Omit<SourceState, 'name'> => ({ isUp: true, readAt: Date.now(), reading });
  const { port, failedChecks } = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(node.url), state },
    { name: 'orderer', endpoint: fetchEndpoint('http://127.0.0.1:1', 'orderer') },
  ]);
  failedChecks.push({ component: 'peer0/docker', reason: 'stopped' });
  for (const method of ['GET', 'HEAD']) await checkRaw(t, port, request(`${method} /nodes`));
  node.override = ({ url, method }, response) => {
    if (url === '/metrics')
      send(response, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }, '# HELP a b\n');
    else if (method === 'PUT') send(response, 204);
    else send(response, 200, { 'Content-Type': 'application/json' }, '{"spec":"info"}');
  };
  await checkNode(t, port, 'peer0');
  await checkNode(t, port, 'unknown');
  await checkRaw(t, port, request('PUT /nodes/peer0/logspec?for=1h', [], '{"spec":"info"}'), NODE_SPEC);
  await checkRaw(t, port, request('GET /nodes/peer0/logspec'), NODE_SPEC);
  await checkRaw(t, port, request('PUT /logspec', [], '{"spec":"info"}'));
  for (const method of ['GET', 'HEAD', 'PUT'])
    await checkRaw(
      t,
      port,
      request(`${method} /nodes/logspec`, [], method === 'PUT' ? '{"spec":"info"}' : undefined),
    );
  await checkRaw(t, port, request('PUT /nodes/logspec', [], '{"spec":"info"}'));
  const single = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
  await checkRaw(t, single.port, request('PUT /nodes/logspec', [], '{"spec":"info"}'));
});

const NODE_SPEC = '/nodes/{name}/logspec';
for (const [what, text] of Object.entries({
  'an invalid specification': request('PUT /nodes/peer0/logspec', [], '{"spec":"gossip=loud"}'),
  'a large body': request('PUT /nodes/peer0/logspec', [], ' '.repeat(65_537)),
  'a late body': `PUT /nodes/peer0/logspec ${LATE_BODY}`,
}))
  test(`the response to ${what} for a node is described`, async (t) => {
    const nodes = [{ name: 'peer0', endpoint: fetchEndpoint('http://127.0.0.1:1') }];
    const { port } = await startNodesServer(t, nodes, undefined, { limits: SHORT_BODY_LIMITS });
    await checkRaw(t, port, text, NODE_SPEC);
  });

test('the responses for a node that is down or busy are described', async (t) => {
  const node = await startStandInNode(t);
  node.override = () => undefined;
  const own = ['GET', 'HEAD', 'PUT'].map((method) =>
    request(`${method} /logspec`, [], method === 'PUT' ? '{"spec":"info"}' : undefined),
  );
  const down = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint('http://127.0.0.1:1') }]);
  await checkNode(t, down.port, 'peer0');
  for (const text of own) await checkRaw(t, down.port, text);
  const busy = await startNodesServer(t, [{ name: 'peer0', endpoint: fetchEndpoint(node.url) }]);
  const pending = Array.from({ length: 16 }, () => fetch(`${busy.url}/nodes/peer0/healthz`));
  await until(() => node.received.length === 16);
  await checkNode(t, busy.port, 'peer0');
  for (const text of own) await checkRaw(t, busy.port, text);
  await node.close();
  t.true((await Promise.all(pending)).every(({ status }) => status === 502));
});

test.after('every described response occurred', (t) => {
  t.deepEqual(
    api.described.filter((key) => !seen.has(key)),
    [],
  );
});

/** Requests to read and to change a logging specification. */
function logspecRequests(path: string): string[] {
  return [
    request(`GET ${path}`),
    request(`HEAD ${path}`),
    request(`PUT ${path}`, [], '{"spec":"fatal"}'),
    request(`PUT ${path}`, [], '{"spec":"gossip=loud"}'),
    request(`PUT ${path}`, [], '7'),
    request(`PUT ${path}?for=never`, [], '{"spec":"fatal"}'),
    request(`PUT ${path}`, [], ' '.repeat(65_537)),
  ];
}

/** A request that closes its connection. */
function request(line: string, headers: readonly string[] = [], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  const lines = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, ...length];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** @param described the path in the description, if it differs from the path of the request */
async function checkRaw(t: ExecutionContext, port: number, text: string, described?: string): Promise<void> {
  const [, method = '', target = ''] = /^(\S+) (\S+)/.exec(text) ?? [];
  const path = described ?? target.split('?')[0] ?? '';
  const { bytes } = await exchangeRaw(port, text);
  const responses = parseResponses(bytes, [method]);
  t.is(responses.length, 1);
  for (const response of responses) check(t, { method, path: describedPath(path), response });
}

/** The path of the description that a target belongs to. */
function describedPath(target: string): string {
  return target.replace(/\?.*/, '').replace(/^\/healthz\/.+/, '/healthz/{component}');
}

function check(t: ExecutionContext, exchange: Exchange): void {
  seen.add(api.keyOf(exchange));
  t.deepEqual(api.problems(exchange), [], `${exchange.method} ${exchange.path} ${exchange.response.status}`);
}
