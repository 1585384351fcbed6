// The HTTP client of plugins: failures and their kinds, and the limits of its requests.

import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { parseHostPort } from '../../../core/common/text/host-port.js';
import type { SourceFailure } from '../../../core/contract/errors.js';
import { HttpClient, RequestError } from '../../../core/kit/http-client.js';
import type { TlsSettings } from '../../../core/kit/tls.js';
import { TestCa } from '../../helpers/certificates.js';
import { bytesOnPort, engineOnPort, engineOverTls } from '../../helpers/engine.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { freePort } from '../../helpers/free-port.js';
import { until } from '../../helpers/until.js';

const LOG = { info: () => undefined, warn: () => undefined };
const never = (): AbortSignal => new AbortController().signal;

/** An open client; it is closed at the end of the test. */
function clientOf(t: ExecutionContext, address: string, tls: TlsSettings = {}): HttpClient {
  const client = new HttpClient({ address: parseHostPort(address), ...tls }, LOG);
  client.open();
  t.teardown(() => client.close());
  return client;
}

/** Starts a server whose certificate has expired, with a fixed header `Date`. */
async function expiredServer(t: ExecutionContext): Promise<{ address: string; ca: string }> {
  const ca = new TestCa(temporaryFolder(t), 'ca');
  const leaf = ca.issue('expired', 'serverAuth', ['20200101000000Z', '20200102000000Z']);
  const address = await engineOverTls(
    t,
    { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) },
    (_request, response) => {
      response.setHeader('Date', 'Thu, 02 Jan 2020 03:04:05 GMT');
      response.setHeader('Content-Encoding', 'gzip');
      response.statusCode = 503;
      response.end('x');
    },
  );
  return { address, ca: ca.cert };
}

test('the date of a server whose certificate has expired is known, although requests to it fail', async (t) => {
  const { address, ca } = await expiredServer(t);
  const client = clientOf(t, address, { tls: true, ca });
  const error = await t.throwsAsync(client.send({ path: '/healthz', signal: never() }), {
    instanceOf: RequestError,
    message: `GET https://${address}/healthz: its certificate has expired`,
  });
  t.is(error.failure, 'tls');
  t.is(await client.unverifiedDate('/healthz', never()), 'Thu, 02 Jan 2020 03:04:05 GMT');
});

test('without a response there is no date', async (t) => {
  const client = clientOf(t, `127.0.0.1:${await freePort()}`, { tls: true });
  await t.throwsAsync(client.unverifiedDate('/healthz', never()), { code: 'ECONNREFUSED' });
});

const respond =
  (status: number, headers: Readonly<Record<string, string>>, body = ''): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
const onPort =
  (listener: RequestListener) =>
  (t: ExecutionContext): Promise<string> =>
    engineOnPort(t, listener);

const FAILURES: readonly (readonly [
  what: string,
  start: (t: ExecutionContext) => Promise<string>,
  failure: SourceFailure,
  reason: string,
])[] = [
  ['that does not listen', async () => `127.0.0.1:${await freePort()}`, 'unreachable', 'connection refused'],
  [
    'that redirects',
    onPort(respond(300, { location: '/' })),
    'status',
    'HTTP status 300; redirects are not followed',
  ],
  [
    'that redirects with 399',
    onPort(respond(399, {})),
    'status',
    'HTTP status 399; redirects are not followed',
  ],
  [
    'with a byte more than the limit',
    onPort(respond(200, {}, 'x'.repeat(2 ** 20 + 1))),
    'too_large',
    'the response is larger than 1 MiB',
  ],
  [
    'with an encoding that was not requested',
    onPort(respond(200, { 'content-encoding': 'gzip' })),
    'invalid',
    'the response has an encoding that was not requested',
  ],
  [
    'that is no HTTP server',
    (t) => bytesOnPort(t, (socket) => socket.end('SSH-2.0-x\r\n')),
    'invalid',
    'the response is not HTTP',
  ],
  [
    'that sends only interim responses',
    (t) => bytesOnPort(t, (socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(33))),
    'invalid',
    'the server sends too many interim responses',
  ],
];
for (const [what, start, failure, reason] of FAILURES)
  test(`a request to a server ${what} fails as ${failure}: ${reason}`, async (t) => {
    const address = await start(t);
    const client = clientOf(t, address);
    const error = await t.throwsAsync(client.send({ path: '/a?key=secret', signal: never() }), {
      instanceOf: RequestError,
      message: `GET http://${address}/a?…: ${reason}`,
    });
    t.deepEqual([error.failure, error.reason], [failure, reason]);
  });

test('a request over TLS to a server without TLS fails as tls', async (t) => {
  const address = await engineOnPort(t, respond(200, {}));
  const client = clientOf(t, address, { tls: true });
  const error = await t.throwsAsync(client.send({ path: '/', signal: never() }), {
    instanceOf: RequestError,
  });
  t.deepEqual([error.failure, error.reason], ['tls', 'it does not use TLS']);
});

for (const [status, body] of [
  [299, 'x'.repeat(2 ** 20)],
  [400, 'no'],
] as const)
  test(`a response with the status ${status} and ${body.length} bytes is returned`, async (t) => {
    const client = clientOf(t, await engineOnPort(t, respond(status, { 'content-type': 'a/b' }, body)));
    const response = await client.send({ path: '/', signal: never() });
    t.deepEqual([response.status, response.contentType, response.body.length], [status, 'a/b', body.length]);
  });

test('a request that accepts any response gets a redirect, the first bytes of a large body, and no encoded body', async (t) => {
  const address = await engineOnPort(t, ({ url }, response) =>
    respond(
      url === '/redirect' ? 302 : 200,
      url === '/encoded' ? { 'content-encoding': 'gzip' } : {},
      'abcdef',
    )({} as never, response),
  );
  const client = clientOf(t, address);
  const results = await Promise.all(
    ['/redirect', '/large', '/encoded'].map((path) =>
      client.send({ path, acceptsAny: true, maxSize: 4, signal: never() }),
    ),
  );
  t.deepEqual(
    results.map(({ status, body }) => `${status} ${body.toString()}`),
    ['302 abcd', '200 abcd', '200 '],
  );
});

test('a request that takes longer than its timeout fails as timeout, and one that is aborted as other', async (t) => {
  const address = await engineOnPort(t, () => undefined);
  const client = clientOf(t, address);
  const late = await t.throwsAsync(client.send({ path: '/', timeout: 50, signal: never() }), {
    instanceOf: RequestError,
    message: `GET http://${address}/: the request took longer than 0.05s`,
  });
  const aborted = await t.throwsAsync(
    client.send({ path: '/', signal: AbortSignal.abort(new Error('the agent stops')) }),
    { instanceOf: RequestError, message: `GET http://${address}/: the agent stops` },
  );
  t.deepEqual([late.failure, aborted.failure], ['timeout', 'other']);
});

test('of five requests at a time four are sent, and the last one on the first connection that is free', async (t) => {
  const waiting: ServerResponse[] = [];
  const ports = new Set<number | undefined>();
  const address = await engineOnPort(t, ({ socket }, response) => {
    ports.add(socket.remotePort);
    waiting.push(response);
  });
  const client = clientOf(t, address);
  const all = Promise.all(Array.from({ length: 5 }, () => client.send({ path: '/', signal: never() })));
  await until(() => waiting.length === 4);
  waiting[0]?.end();
  await until(() => waiting.length === 5);
  for (const response of waiting.slice(1)) response.end();
  t.is((await all).length, 5);
  t.is(ports.size, 4);
});

test('a client that is not open, or closed, sends nothing', async (t) => {
  const client = new HttpClient({ address: parseHostPort('127.0.0.1:1') }, LOG);
  const message = 'the plugin is not started';
  await t.throwsAsync(client.send({ path: '/', signal: never() }), { message });
  client.open();
  client.close();
  await t.throwsAsync(client.send({ path: '/', signal: never() }), { message });
});

test('a request is sent again if the server has closed the kept connection', async (t) => {
  let requests = 0;
  const address = await bytesOnPort(t, (socket) =>
    socket.on('data', () => {
      requests += 1;
      if (requests === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx');
    }),
  );
  const client = clientOf(t, address);
  for (let count = 1; count <= 2; count += 1)
    t.is((await client.send({ path: '/', signal: never() })).status, 200);
  t.is(requests, 3);
});

test('a request whose new connection is closed is not sent again', async (t) => {
  let requests = 0;
  const address = await bytesOnPort(t, (socket) =>
    socket.on('data', () => {
      requests += 1;
      socket.resetAndDestroy();
    }),
  );
  const error = await t.throwsAsync(clientOf(t, address).send({ path: '/', signal: never() }), {
    instanceOf: RequestError,
    message: `GET http://${address}/: the connection was closed without a response`,
  });
  t.deepEqual([error.failure, requests], ['unreachable', 1]);
});

for (const [what, act] of [
  ['closed', (client: HttpClient) => client.close()],
  ['opened again', (client: HttpClient) => client.open()],
] as const)
  test(`a client that is ${what} closes its idle connections, and its requests in progress fail`, async (t) => {
    let closed = 0;
    let waiting = 0;
    const address = await engineOnPort(t, ({ socket, url }, response) => {
      socket.once('close', () => (closed += 1));
      if (url === '/hang') waiting += 1;
      else response.end('x');
    });
    const client = clientOf(t, address);
    await client.send({ path: '/', signal: never() });
    // The first one has the connection of the request before, the other one a new connection.
    const failed = [1, 2].map(async () =>
      t.throwsAsync(client.send({ path: '/hang', signal: never() }), {
        instanceOf: RequestError,
        message: `GET http://${address}/hang: the connection was closed without a response`,
      }),
    );
    await until(() => waiting === 2);
    act(client);
    await Promise.all(failed);
    await until(() => closed === 3);
    t.is(waiting, 2, 'no request is sent again');
  });

test('each new connection verifies the server certificate: no session is resumed', async (t) => {
  const ca = new TestCa(temporaryFolder(t), 'ca');
  const leaf = ca.issue('server', 'serverAuth');
  const isReused: boolean[] = [];
  const address = await engineOverTls(
    t,
    { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) },
    ({ socket }, response) => {
      isReused.push((socket as TLSSocket).isSessionReused());
      response.setHeader('Connection', 'close');
      response.end('x');
    },
  );
  const client = clientOf(t, address, { tls: true, ca: ca.cert });
  for (let count = 1; count <= 3; count += 1) await client.send({ path: '/', signal: never() });
  t.deepEqual(isReused, [false, false, false]);
});

test('a signal that times out fails the request as timeout', async (t) => {
  const signal = AbortSignal.abort(new DOMException('too late', 'TimeoutError'));
  const client = clientOf(t, await engineOnPort(t, () => undefined));
  const error = await t.throwsAsync(client.send({ path: '/', signal }), { instanceOf: RequestError });
  t.deepEqual([error.failure, error.reason], ['timeout', 'too late']);
});

test('a request asks for a body without encoding, and its own headers count', async (t) => {
  const found: unknown[] = [];
  const address = await engineOnPort(t, ({ method, headers, url }, response) => {
    found.push([method, url, headers['accept-encoding'], headers['x-own']]);
    response.end();
  });
  const client = clientOf(t, address);
  await client.send({ path: '/a', signal: never() });
  const headers = { 'Accept-Encoding': 'gzip', 'X-Own': '1' };
  await client.send({ method: 'POST', path: '/b', headers, signal: never() });
  t.deepEqual(found, [
    ['GET', '/a', 'identity', undefined],
    ['POST', '/b', 'gzip', '1'],
  ]);
});
