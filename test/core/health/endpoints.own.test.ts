// /healthz/<component>, /readyz, /livez and their parameters, on running agents.

import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { FailedChecks } from '../../../core/contract/index.js';
import { shareAgents, startAgent } from '../../helpers/agent.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';
import type { Agent } from '../../../core/index.js';

const sharedAgent = shareAgents();
const withChecks = new WeakSet<Agent>();

/** An agent with a healthy component, one that fails, and one that fails in parts. */
async function startExample(
  values: Readonly<Record<string, unknown>> = {},
): Promise<(path: string) => Promise<{ status: number; type: string | null; body: string }>> {
  const { agent, url } = await sharedAgent(values);
  if (!withChecks.has(agent)) {
    withChecks.add(agent);
    agent.health.register('docker', () => undefined);
    agent.health.register('couchdb', async () => {
      throw new Error('connection\n  refused\u0007');
    });
    agent.health.register('orderer0', () => {
      throw new FailedChecks([{ component: 'ch1/0', reason: 'no leader' }]);
    });
  }
  return async (path) => {
    const response = await fetch(`${url}${path}`);
    const body = (await response.text()).replace(/"time":"[^"]+"/, '"time":"…"');
    return { status: response.status, type: response.headers.get('content-type'), body };
  };
}

const OK = '{"status":"OK","time":"…"}';
const COUCHDB = '{"component":"couchdb","reason":"connection\\n  refused\\u0007"}';
const CHANNEL = '{"component":"orderer0/ch1/0","reason":"no leader"}';
const failed = (...checks: readonly string[]): string =>
  `{"status":"Service Unavailable","time":"…","failed_checks":[${checks.join(',')}]}`;

const JSON_RESPONSES: readonly (readonly [path: string, status: number, body: string])[] = [
  ['/healthz', 503, failed(COUCHDB, CHANNEL)],
  ['/healthz?anything=else', 503, failed(COUCHDB, CHANNEL)],
  ['/healthz?exclude=couchdb', 503, failed(CHANNEL)],
  ['/healthz?exclude=couchdb&exclude=orderer0', 200, OK],
  ['/healthz?exclude=couchdb&exclude=orderer0/ch1/0', 200, OK],
  ['/healthz?exclude=couchdb&exclude=orderer0%2Fch1', 200, OK],
  ['/healthz?exclude=unknown&exclude=&exclude', 503, failed(COUCHDB, CHANNEL)],
  ['/healthz/docker', 200, OK],
  ['/healthz/couchdb', 503, failed(COUCHDB)],
  ['/healthz/orderer0', 503, failed(CHANNEL)],
  ['/healthz/orderer0/ch1/0', 503, failed(CHANNEL)],
  ['/healthz/orderer0%2fch1%2F0', 503, failed(CHANNEL)],
  ['/healthz/orderer0/ch2/0', 200, OK],
  ['/healthz/orderer0?exclude=orderer0/ch1/0', 200, OK],
  ['/readyz', 503, failed(COUCHDB, CHANNEL)],
  ['/readyz?exclude=couchdb&exclude=orderer0', 200, OK],
  ['/livez', 200, OK],
  ['/livez?exclude=couchdb', 200, OK],
];
for (const [path, status, body] of JSON_RESPONSES)
  test(`GET ${path} receives ${status}`, async (t) => {
    const get = await startExample();
    t.deepEqual(await get(path), { status, type: 'application/json', body });
  });

for (const path of [
  '/healthz/dokcer',
  '/healthz/constructor',
  '/healthz/couchdb2',
  `/healthz/${'x'.repeat(3000)}`,
])
  test(`an unknown component is 404 with a reason: ${path.slice(0, 40)}`, async (t) => {
    const get = await startExample();
    const { status, type, body } = await get(path);
    t.deepEqual([status, type], [404, 'application/json']);
    t.regex(
      body,
      /^\{"error":"unknown component '[a-z0-9]{1,100}'; (?:did you mean \w+\?|expected one of couchdb, docker, orderer0)"\}\n$/,
    );
  });

test('without a component there is no resource below /healthz', async (t) => {
  const get = await startExample();
  t.deepEqual(await get('/healthz/'), {
    status: 404,
    type: 'text/plain; charset=utf-8',
    body: '404 page not found\n',
  });
});

const VERBOSE: readonly (readonly [path: string, status: number, lines: readonly string[]])[] = [
  [
    '/healthz?verbose',
    503,
    [
      '[-]couchdb failed: connection refused\\u0007',
      '[+]docker ok',
      '[-]orderer0/ch1/0 failed: no leader',
      'healthz check failed',
    ],
  ],
  [
    '/healthz?verbose=false&exclude=couchdb&exclude=orderer0/ch1/0',
    200,
    [
      '[+]couchdb excluded: ok',
      '[+]docker ok',
      '[+]orderer0 ok',
      '[+]orderer0/ch1/0 excluded: ok',
      'healthz check passed',
    ],
  ],
  [
    '/readyz?verbose&exclude=a&exclude=%22%0A',
    503,
    [
      '[-]couchdb failed: connection refused\\u0007',
      '[+]docker ok',
      '[-]orderer0/ch1/0 failed: no leader',
      'warn: some health checks cannot be excluded: no matches for "a","\\"\\n"',
      'readyz check failed',
    ],
  ],
  ['/healthz/docker?verbose', 200, ['[+]docker ok', 'healthz check passed']],
  ['/healthz/orderer0?verbose', 503, ['[-]orderer0/ch1/0 failed: no leader', 'healthz check failed']],
  ['/livez?verbose', 200, ['livez check passed']],
];
for (const [path, status, lines] of VERBOSE)
  test(`GET ${path} lists the checks`, async (t) => {
    const get = await startExample();
    const body = lines.map((line) => `${line}\n`).join('');
    t.deepEqual(await get(path), { status, type: 'text/plain; charset=utf-8', body });
  });

test('/readyz covers the components of its group', async (t) => {
  const included = await startExample({ 'health.groups.ready.include': ['docker', 'orderer0/ch2'] });
  t.is((await included('/readyz')).status, 200);
  t.is((await included('/healthz')).status, 503);
  t.is((await included('/readyz?verbose')).body, '[+]docker ok\n[+]orderer0 ok\nreadyz check passed\n');
  const excluded = await startExample({ 'health.groups.ready.exclude': ['couchdb'] });
  t.is((await excluded('/readyz')).body, failed(CHANNEL));
  t.is(
    (await excluded('/readyz?verbose&exclude=orderer0')).body,
    '[+]couchdb excluded: ok\n[+]docker ok\n[+]orderer0 excluded: ok\nreadyz check passed\n',
  );
});

test('/livez runs no checks', async (t) => {
  const { agent, url } = await startAgent(t);
  let calls = 0;
  agent.health.register('counted', () => void (calls += 1));
  t.is((await fetch(`${url}/livez`)).status, 200);
  t.is((await fetch(`${url}/livez?verbose`)).status, 200);
  t.is(calls, 0);
});

test('a component is not delayed by the check of another one', async (t) => {
  const { agent, url } = await startAgent(t);
  let calls = 0;
  agent.health.register('fast', () => void (calls += 1));
  agent.health.register('slow', (signal) => wait(60_000, undefined, { signal }));
  t.is((await fetch(`${url}/healthz/fast`)).status, 200);
  t.is((await fetch(`${url}/readyz?exclude=slow`)).status, 200);
  t.is(calls, 2);
});

test('while reports are cached, a request for one component runs no check', async (t) => {
  const { agent, url } = await startAgent(t, { 'health.cacheFor': '1h' });
  let calls = 0;
  agent.health.register('counted', () => {
    calls += 1;
    throw new Error('down');
  });
  agent.health.register('other', () => undefined);
  for (const path of ['/healthz/counted', '/healthz?exclude=other', '/healthz', '/healthz/counted'])
    t.is((await fetch(`${url}${path}`)).status, 503);
  t.is((await fetch(`${url}/healthz/other`)).status, 200);
  t.is(calls, 1);
});

const { ca, server, clients } = makeCertificates();

/** The status without and with a client certificate. */
const TLS_STATUSES: Readonly<Record<string, readonly [number, number]>> = {
  '/healthz': [200, 200],
  '/healthz?x=1': [200, 200],
  '/healthz?exclude=docker': [200, 200],
  '/healthz#?verbose': [401, 200],
  '/healthz?verbose': [401, 200],
  '/healthz?exclude=docker&verbose=0': [401, 200],
  '/healthz?%76erbose': [401, 200],
  '/readyz': [200, 200],
  '/readyz?verbose': [401, 200],
  '/livez': [200, 200],
  '/livez?verbose': [401, 200],
  '/healthz/docker': [401, 200],
  '/healthz/unknown': [401, 404],
  '/healthz/': [401, 404],
  '/%68ealthz': [401, 200],
  '/healthz/*': [401, 404],
};

test('with TLS the list of checks and single components need a client certificate', async (t) => {
  const { agent, port } = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
    plugins: QUIET,
  });
  agent.health.register('docker', () => undefined);
  for (const [path, statuses] of Object.entries(TLS_STATUSES))
    for (const method of ['GET', 'HEAD']) {
      const found = await Promise.all(
        [undefined, clients.trusted].map(async (leaf) => {
          const { status } = await sendTlsRequest(port, path, { ...clientOptions(ca.cert, leaf), method });
          return status;
        }),
      );
      t.deepEqual(found, statuses, `${method} ${path}`);
    }
});
