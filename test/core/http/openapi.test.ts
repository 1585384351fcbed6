// Compares core/http/openapi.yaml with running agents: every response is described, and every described response occurs.

import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { OpenApi, type Exchange } from '../../helpers/openapi.js';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const FILE = fileURLToPath(new URL('../../../../core/http/openapi.yaml', import.meta.url));
/** Longer than the timeouts of the server, in milliseconds. */
const WAIT = 30_000;
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
  request('GET /logspec'),
  request('HEAD /logspec'),
  request('PUT /logspec', [], '{"spec":"fatal"}'),
  request('PUT /logspec', [], '{"spec":"gossip=loud"}'),
  request('PUT /logspec', [], '7'),
  request('PUT /logspec', [], ' '.repeat(65_537)),
  'PUT /logspec HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  'PUT /logspec HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  request('GET /version', ['X-Request-Id: 7']),
  request('HEAD /version'),
  request('GET /metrics'),
  request('HEAD /metrics'),
  request('GET /metrics', ['Accept: application/openmetrics-text; version=1.0.0']),
  request('HEAD /metrics', ['Accept: application/openmetrics-text; version=1.0.0']),
  request('HEAD /metrics', ['Accept-Encoding: gzip']),
  request('GET /nothing-here'),
  request('GET //healthz'),
  request('GET /%zz'),
  request('GET *'),
  request('GET /version', ['Host: y']),
  'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n',
  request('PUT /healthz'),
  request('DELETE /logspec'),
  request('GET /version', ['Expect: miracles']),
  request('GET /version', [`X-Long: ${'x'.repeat(70_000)}`]),
  'GET /version HTTP/1.1\r\nHost: x\r\n',
  request('CONJURE /version'),
];

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
  ];
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const { status, headers, body } = await sendTlsRequest(port, path, {
        ...clientOptions(ca.cert),
        method,
      });
      const shown = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      check(t, { method, path: describedPath(path), response: { status, headers: shown, body } });
    }
});

test.after('every described response occurred', (t) => {
  t.deepEqual(
    api.described.filter((key) => !seen.has(key)),
    [],
  );
});

/** A request that closes its connection. */
function request(line: string, headers: readonly string[] = [], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  const lines = [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, ...length];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

async function checkRaw(t: ExecutionContext, port: number, text: string): Promise<void> {
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(text) ?? [];
  const { bytes } = await exchangeRaw(port, text, WAIT);
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
