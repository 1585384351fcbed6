// The couchdb checker against a stand-in with the documented responses of CouchDB.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createTestContext } from '../../../../core/testing/index.js';
import couchdb from '../../../../plugins/health/couchdb/index.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import { startChecker } from '../../../helpers/checker.js';
import { engineOnPort, engineOverTls } from '../../../helpers/engine.js';
import { hanging, interrupted } from '../../../helpers/faulty-servers.js';
import { couchDbOptions, couchDbReason, type CouchDbOptions } from '../../../helpers/network-checkers.js';
import { stopTimeouts } from '../../../helpers/clock.js';
import { until } from '../../../helpers/until.js';

const { ca, server } = makeCertificates();

type Reply = readonly [status: number, body: string];
const UNAUTHORIZED: Reply = [401, '{"error":"unauthorized","reason":"Name or password is incorrect."}'];

/** A CouchDB. */
const couch =
  (
    up: Reply | RequestListener = [200, '{"status":"ok","seeds":{}}'],
    root: Reply = [200, ''],
  ): RequestListener =>
  (request, response) => {
    const send = ([status, body]: Reply): void => {
      response.writeHead(status, {
        Server: 'CouchDB/3.3.3',
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      });
      response.end(body);
    };
    const resource = `${request.method} ${request.url}`;
    if (resource === 'HEAD /') send(root);
    else if (resource !== 'GET /_up') send([404, '{"error":"not_found","reason":"missing"}']);
    else if (typeof up === 'function') up(request, response);
    else send(up);
  };

test('HEAD / and GET /_up are sent with the credentials', async (t) => {
  const requests: unknown[] = [];
  const address = await engineOnPort(t, (request, response) => {
    requests.push([request.method, request.url, request.headers.authorization]);
    couch()(request, response);
  });
  t.is(await couchDbReason(t, address, { username: 'admin', password: 'pä:ss' }), undefined);
  const authorization = `Basic ${Buffer.from('admin:pä:ss').toString('base64')}`;
  t.deepEqual(requests, [
    ['HEAD', '/', authorization],
    ['GET', '/_up', authorization],
  ]);
});

const NO_USER = { username: '', password: '' };

test('without a user name no credentials are sent', async (t) => {
  const headers: unknown[] = [];
  const address = await engineOnPort(t, (request, response) => {
    headers.push(request.headers.authorization);
    couch()(request, response);
  });
  t.is(await couchDbReason(t, address, NO_USER), undefined);
  t.deepEqual(headers, [undefined, undefined]);
});

const overTls = (t: ExecutionContext): Promise<string> =>
  engineOverTls(t, { cert: readFileSync(server.cert), key: readFileSync(server.key) }, couch());

test('a CouchDB with TLS', async (t) => {
  t.is(await couchDbReason(t, await overTls(t), { tls: true, ca: ca.cert }), undefined);
});

const serve =
  (listener: RequestListener) =>
  (t: ExecutionContext): Promise<string> =>
    engineOnPort(t, listener);

const FAULTS: readonly (readonly [
  what: string,
  start: (t: ExecutionContext) => Promise<string>,
  options: Partial<CouchDbOptions>,
  reason: string,
])[] = [
  ['401 for /', serve(couch([200, ''], [401, ''])), {}, 'HEAD /: wrong username or password'],
  ['401 for /_up', serve(couch(UNAUTHORIZED)), {}, 'GET /_up: wrong username or password'],
  [
    '401 without credentials',
    serve(couch(UNAUTHORIZED)),
    NO_USER,
    'GET /_up: it requires a username and a password',
  ],
  [
    'maintenance mode',
    serve(couch([404, '{"status":"maintenance_mode"}'])),
    {},
    'GET /_up: HTTP status 404: maintenance_mode',
  ],
  ['the mode nolb', serve(couch([404, '{"status":"nolb"}'])), {}, 'GET /_up: HTTP status 404: nolb'],
  [
    '500 for /_up',
    serve(couch([500, '{"error":"internal_server_error","reason":"No DB shards could be opened."}'])),
    {},
    'GET /_up: HTTP status 500: No DB shards could be opened.',
  ],
  ['500 for /', serve(couch([200, ''], [500, ''])), {}, 'HEAD /: HTTP status 500'],
  ['a redirect', serve(couch([302, ''])), {}, 'GET /_up: HTTP status 302; redirects are not followed'],
  ['no response to HEAD', hanging, { timeout: 100 }, 'HEAD /: the request took longer than 0.1s'],
  ['an interrupted response', serve(couch(interrupted)), {}, 'GET /_up: the response was truncated'],
];
for (const [what, start, options, reason] of FAULTS) {
  test(`${what}: ${reason}`, async (t) => {
    const address = await start(t);
    const url = `${options.tls === true ? 'https' : 'http'}://${address}/`;
    t.is(await couchDbReason(t, address, options), reason.replace(' /', ` ${url}`));
  });
}

test.serial('a slow /_up', async (t) => {
  const clock = stopTimeouts(t);
  let isAsked = false;
  const address = await engineOnPort(
    t,
    couch(() => (isAsked = true)),
  );
  const reason = couchDbReason(t, address, { timeout: 1000 });
  await until(() => isAsked);
  clock.tick(1000);
  t.is(await reason, `GET http://${address}/_up: the request took longer than 1s`);
});

for (const [head, up, isSlow] of [
  [1500, 1500, true],
  [1500, 900, false],
  [900, 4000, false],
] as const)
  test.serial(
    `a CouchDB that responds after ${head} ms and ${up} ms is ${isSlow ? 'a warning' : 'healthy'}`,
    async (t) => {
      const clock = stopTimeouts(t);
      const address = await engineOnPort(t, (request, response) => {
        clock.tick(request.method === 'HEAD' ? head : up);
        couch()(request, response);
      });
      const { check, severities } = await startChecker(t, couchdb, couchDbOptions(address, { slow: 1000 }));
      const reason = `HEAD http://${address}/ and GET /_up both took longer than 1s; transactions wait for CouchDB`;
      t.deepEqual(await check(), isSlow ? { '': reason } : {});
      t.deepEqual(severities(), isSlow ? { '': 'warning' } : {});
    },
  );

test('a stopped checker closes its connections', async (t) => {
  const sockets: Socket[] = [];
  const address = await engineOnPort(t, (request, response) => {
    sockets.push(request.socket);
    couch()(request, response);
  });
  const { checker, check } = await startChecker(t, couchdb, couchDbOptions(address, { slow: 1000 }));
  t.deepEqual(await check(), {});
  const [socket] = sockets;
  t.is(socket?.closed, false);
  await checker.stop?.();
  if (socket?.closed === false) await once(socket, 'close');
});

const INVALID: readonly (readonly [options: Partial<CouchDbOptions>, message: string])[] = [
  [{ username: '' }, 'options.username and options.password must be set together'],
  [{ password: '' }, 'options.username and options.password must be set together'],
  [{ username: 'a:b' }, 'options.username: must not contain a colon'],
  [{ address: { host: '', port: 1 } }, 'options.address: must be a host and a port to connect to: :1'],
];
for (const [options, message] of INVALID) {
  test(`${JSON.stringify(options)}: ${message}`, (t) => {
    const { context } = createTestContext(couchdb, couchDbOptions('localhost:1', options));
    t.throws(() => couchdb.create(context).init?.(), { message });
  });
}
