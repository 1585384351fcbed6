import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { createTestContext } from '../../../../core/testing/index.js';
import http from '../../../../plugins/health/http/index.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import { engineOnPort, engineOverTls, ok } from '../../../helpers/engine.js';
import { babbling, gigabytes, hanging, interrupted, resetting } from '../../../helpers/faulty-servers.js';
import { freePort } from '../../../helpers/free-port.js';
import { httpOptions, httpReason, type HttpOptions } from '../../../helpers/network-checkers.js';

const { ca, foreignCa, server, clients } = makeCertificates();

const respond =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

for (const method of ['GET', 'HEAD'] as const) {
  test(`${method} sends the path and the query of the URL`, async (t) => {
    const requests: unknown[] = [];
    const address = await engineOnPort(t, (request, response) => {
      requests.push([request.method, request.url, request.headers.host]);
      ok(request, response);
    });
    t.is(await httpReason(t, `http://${address}/a/b?c=d`, { method }), undefined);
    t.deepEqual(requests, [[method, '/a/b?c=d', address]]);
  });
}

test('the Content-Length of a response to HEAD is not the size of its body', async (t) => {
  const address = await engineOnPort(t, respond(200, '', { 'Content-Length': '10000000000' }));
  t.is(await httpReason(t, `http://${address}`, { method: 'HEAD' }), undefined);
});

const STATUSES: readonly (readonly [allowed: string | number, found: number, isHealthy: boolean])[] = [
  ['200-299', 200, true],
  ['200-299', 204, true],
  ['200-299', 299, true],
  ['200-299', 300, false],
  ['200-299', 404, false],
  ['200,204,300-399', 204, true],
  ['200,204,300-399', 201, false],
  ['200, 204', 204, true],
  ['200,204,300-399', 302, true],
  [401, 401, true],
  [401, 200, false],
];
for (const [status, found, isHealthy] of STATUSES) {
  const is = isHealthy ? 'allows' : 'does not allow';
  test(`the status ${JSON.stringify(status)} ${is} ${found}`, async (t) => {
    const address = await engineOnPort(t, respond(found));
    const reason = isHealthy ? undefined : `GET http://${address}/: HTTP status ${found}`;
    t.is(await httpReason(t, `http://${address}`, { status: status as string }), reason);
  });
}

test('redirects are not followed', async (t) => {
  let requests = 0;
  const address = await engineOnPort(t, (request, response) => {
    requests += 1;
    respond(302, 'moved', { Location: '/elsewhere' })(request, response);
  });
  t.is(await httpReason(t, `http://${address}`), `GET http://${address}/: HTTP status 302: moved`);
  t.is(requests, 1);
});

const BODIES: readonly (readonly [what: string, listener: RequestListener, text: string])[] = [
  ['a text', respond(500, 'broken'), ': broken'],
  ['several lines', respond(500, 'a\r\n\tb\u0000c\u001b[31m'), ': a b c [31m'],
  ['C1 controls', respond(500, 'a\u0085b\u009b31m'), String.raw`: a\u0085b\u009b31m`],
  ['a long text', respond(500, 'x'.repeat(300)), `: ${'x'.repeat(200)}…`],
  ['100 KiB', respond(500, 'x'.repeat(100 * 1024)), `: ${'x'.repeat(200)}…`],
  ['a compressed body', respond(500, 'xyz', { 'Content-Encoding': 'gzip' }), ''],
];
for (const [what, listener, text] of BODIES) {
  test(`the reason has the start of the body on one line: ${what}`, async (t) => {
    const address = await engineOnPort(t, listener);
    t.is(await httpReason(t, `http://${address}/x`), `GET http://${address}/x: HTTP status 500${text}`);
  });
}

test('a query is not in the reason', async (t) => {
  const address = await engineOnPort(t, respond(500));
  const reason = await httpReason(t, `http://${address}/x?token=hunter2`);
  t.is(reason, `GET http://${address}/x?…: HTTP status 500`);
});

for (const [status, reason] of [
  [200, undefined],
  [500, `HTTP status 500: ${'x'.repeat(200)}…`],
] as const) {
  test(`only the start of a body of 1 GB with the status ${status} is read`, async (t) => {
    const { address, written } = await gigabytes(t, status);
    const expected = reason === undefined ? undefined : `GET http://${address}/: ${reason}`;
    t.is(await httpReason(t, `http://${address}`), expected);
    t.true(written() < 64 * 1024 ** 2, String(written()));
  });
}

const tls = (t: ExecutionContext): Promise<string> =>
  engineOverTls(t, { cert: readFileSync(server.cert), key: readFileSync(server.key) });
const strict = (t: ExecutionContext): Promise<string> =>
  engineOverTls(t, {
    cert: readFileSync(server.cert),
    key: readFileSync(server.key),
    ca: readFileSync(ca.cert),
    requestCert: true,
  });

test('https verifies the server and sends the client certificate', async (t) => {
  t.is(await httpReason(t, `https://${await tls(t)}`, { ca: ca.cert }), undefined);
  t.is(await httpReason(t, `https://${await strict(t)}`, { ca: ca.cert, ...clients['trusted'] }), undefined);
});

const FAULTS: readonly (readonly [
  what: string,
  start: (t: ExecutionContext) => Promise<string>,
  scheme: 'http' | 'https',
  options: Partial<HttpOptions>,
  reason: string,
])[] = [
  ['nothing listens', async () => `127.0.0.1:${await freePort()}`, 'http', {}, 'connection refused'],
  ['an unknown host', async () => 'nowhere.invalid:1', 'http', {}, 'no such host'],
  ['a server that hangs', hanging, 'http', { timeout: 100 }, 'the request took longer than 0.1s'],
  ['a server that resets', resetting, 'http', {}, 'the connection was closed without a response'],
  ['garbage', babbling, 'http', {}, 'the response is not HTTP'],
  ['an interrupted response', (t) => engineOnPort(t, interrupted), 'http', {}, 'the response was truncated'],
  ['https without TLS', (t) => engineOnPort(t, ok), 'https', {}, 'it does not use TLS'],
  ['http with TLS', tls, 'http', {}, 'the connection was closed without a response'],
  ['another CA', tls, 'https', { ca: foreignCa.cert }, 'its certificate is not signed by a trusted CA'],
  [
    'another server name',
    tls,
    'https',
    { ca: ca.cert, serverName: 'elsewhere' },
    'its certificate is not valid for this host name',
  ],
  ['no client certificate', strict, 'https', { ca: ca.cert }, 'it requires a client certificate'],
];
for (const [what, start, scheme, options, reason] of FAULTS) {
  test(`an HTTP check, ${what}: ${reason}`, async (t) => {
    const url = `${scheme}://${await start(t)}/`;
    t.is(await httpReason(t, url, options), `GET ${url}: ${reason}`);
  });
}

const URL_RULE = 'must be a URL that begins with http:// or https://, without user name and fragment';
for (const url of [
  '',
  7,
  'localhost:80',
  '/healthz',
  'ftp://a/',
  'http://a/#b',
  'http://a:0/',
  'http://',
  'http://u:p@a/',
]) {
  test(`the URL ${JSON.stringify(url)} is refused`, (t) => {
    t.throws(() => http.options.url.format(url), { message: URL_RULE });
  });
}

for (const status of ['', '2xx', '99', '600', '100', '300-200', '200,', '200-', [200], 200.5, null]) {
  test(`the status ${JSON.stringify(status)} is refused`, (t) => {
    const message = 'must be statuses from 200 to 599 and ranges of them, such as 200,204,300-399';
    t.throws(() => http.options.status.format(status), { message });
  });
}

test('cert without key fails init', (t) => {
  const checker = http.create(createTestContext(http, httpOptions('http://a/', { cert: '/c.pem' })).context);
  t.throws(() => checker.init?.(), { message: 'options.cert and options.key must be set together' });
});
