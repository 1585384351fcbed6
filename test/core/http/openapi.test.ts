// core/http/openapi.yaml against agents that run: every answer is described, and every answer described is given by one of them.

import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { Authority } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { OpenApi, type Exchange } from '../../helpers/openapi.js';
import { exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { askTls, clientOptions } from '../../helpers/tls-client.js';

const FILE = fileURLToPath(new URL('../../../../core/http/openapi.yaml', import.meta.url));
/** Longer than the limits of the service, in milliseconds. */
const WAIT = 30_000;
/** A backend whose specification cannot be read. */
const BROKEN = `export default {
  apiVersion: 1, kind: 'logging', name: 'broken', options: {},
  create: () => ({
    logger: () => ({ log() {}, isEnabled: () => false }),
    spec() { throw new Error('broken'); },
    activate() {},
  }),
};`;

const api = new OpenApi(FILE);

/** Requests to an agent with metrics, by what is special about them; the first line and then headers, and a body. */
const REQUESTS: Readonly<Record<string, string>> = {
  'the health': request('GET /healthz'),
  'the health without a body': request('HEAD /healthz'),
  'the specification': request('GET /logspec'),
  'the specification without a body': request('HEAD /logspec'),
  'a new specification': request('PUT /logspec', [], '{"spec":"fatal"}'),
  'a specification that is none': request('PUT /logspec', [], '{"spec":"gossip=loud"}'),
  'a specification without an object': request('PUT /logspec', [], '7'),
  'a specification without a host': 'PUT /logspec HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  'a specification that is too long': request('PUT /logspec', [], ' '.repeat(65_537)),
  'a specification that never arrives': 'PUT /logspec HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  'the version': request('GET /version', ['X-Request-Id: 7']),
  'the version without a body': request('HEAD /version'),
  'the metrics': request('GET /metrics'),
  'the metrics without a body': request('HEAD /metrics'),
  OpenMetrics: request('GET /metrics', ['Accept: application/openmetrics-text; version=1.0.0']),
  'OpenMetrics without a body': request('HEAD /metrics', [
    'Accept: application/openmetrics-text; version=1.0.0',
  ]),
  'compressed metrics without a body': request('HEAD /metrics', ['Accept-Encoding: gzip']),
  'an unknown path': request('GET /nothing-here'),
  'a path that is not clean': request('GET //healthz'),
  'a path that cannot be read': request('GET /%zz'),
  'a request without a host': 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
  'a method that health has not': request('PUT /healthz'),
  'a method that the specification has not': request('DELETE /logspec'),
  'an expectation that cannot be met': request('GET /version', ['Expect: miracles']),
  'a header that is too long': request('GET /version', [`X-Long: ${'x'.repeat(70_000)}`]),
  'a header that never ends': 'GET /version HTTP/1.1\r\nHost: x\r\n',
  'a method that nobody knows': request('CONJURE /version'),
  'another version of HTTP': 'GET /version HTTP/2.0\r\nHost: x\r\n\r\n',
};

const seen = new Set<string>();

for (const [what, text] of Object.entries(REQUESTS))
  test(`${what} gets an answer that is described`, async (t) => {
    const { port } = await startAgent(t, { 'metrics.provider': 'prometheus' });
    await checkRaw(t, port, text);
  });

for (const method of ['GET', 'HEAD'])
  test(`failed checks and metrics that are not declared get answers that are described: ${method}`, async (t) => {
    const { agent, port } = await startAgent(t);
    agent.health.register('queue', () => Promise.reject(new Error('it is full')));
    await checkRaw(t, port, request(`${method} /healthz`));
    await checkRaw(t, port, request(`${method} /metrics`));
  });

test('a fault of a plugin gets an answer that is described', async (t) => {
  const folder = temporaryFolder(t, { 'broken.mjs': BROKEN });
  const { port } = await startAgent(t, { plugins: [{ plugin: `${folder}/broken.mjs` }] });
  await checkRaw(t, port, request('GET /logspec'));
});

test('without a client certificate every request gets an answer that is described', async (t) => {
  const authority = new Authority(temporaryFolder(t), 'ca');
  const server = authority.issue('agent', 'serverAuth');
  const { port } = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [authority.cert],
  });
  const paths = ['/healthz', '/logspec', '/version', '/metrics', '/nothing-here'];
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const { status, headers, body } = await askTls(port, path, {
        ...clientOptions(authority.cert),
        method,
      });
      const shown = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      check(t, { method, path, answer: { status, headers: shown, body } });
    }
});

test.after('every answer that is described was given', (t) => {
  t.deepEqual(
    api.described.filter((key) => !seen.has(key)),
    [],
  );
});

/** A request that ends its connection. */
function request(line: string, headers: readonly string[] = [], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  const lines = [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, ...length];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

async function checkRaw(t: ExecutionContext, port: number, text: string): Promise<void> {
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(text) ?? [];
  const { bytes } = await exchangeRaw(port, text, WAIT);
  const answers = parseAnswers(bytes, [method]);
  t.is(answers.length, 1);
  for (const answer of answers) check(t, { method, path, answer });
}

function check(t: ExecutionContext, exchange: Exchange): void {
  seen.add(api.keyOf(exchange));
  t.deepEqual(api.problems(exchange), [], `${exchange.method} ${exchange.path} ${exchange.answer.status}`);
}
