// The names of the service that clients may use, and the origins of pages that may change something.

import test from 'ava';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { sendRequest } from '../../helpers/raw-http.js';
import { OK_ROUTE, ECHO_ROUTE, startServer } from '../../helpers/server.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const get = (host: string, path = '/echo'): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const put = (host: string, origin: string): string =>
  `PUT /echo HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`;

const ALLOWED = [
  'localhost',
  'localhost:9443',
  'LocalHost.',
  '127.0.0.1',
  '127.0.0.1:1',
  '127.255.0.9',
  '[::1]',
  '[::1]:9443',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
];
const REFUSED = [
  '',
  'evil.example',
  'evil.example:9443',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'a.localhost',
  '10.0.0.1',
  '0.0.0.0',
  '[::]',
  'localhost@evil.example',
  'evil.example/localhost',
  'localhost:9443:1',
  '[::1',
];
for (const host of ALLOWED)
  test(`on a loopback listener the Host '${host}' is allowed`, async (t) => {
    const { port } = await startServer(t);
    for (const path of ['/ok', '/echo']) t.is((await sendRequest(port, get(host, path)))[0]?.status, 200);
  });
for (const host of REFUSED)
  test(`on a loopback listener the Host '${host}' is refused with 403`, async (t) => {
    const { port } = await startServer(t);
    for (const path of ['/ok', '/echo', '/nowhere'])
      t.is((await sendRequest(port, get(host, path)))[0]?.status, 403);
  });

test('the host of an absolute request target is checked as the Host', async (t) => {
  const { port } = await startServer(t);
  const statusOf = async (target: string): Promise<number | undefined> =>
    (await sendRequest(port, get('localhost', target)))[0]?.status;
  t.is(await statusOf('http://127.0.0.1:9443/echo'), 200);
  t.is(await statusOf('http://evil.example/echo'), 403);
  t.is(await statusOf('HTTPS://user@evil.example:9443/echo'), 403);
});

test('the refusal says what was found, what is allowed and which setting it is, and is logged', async (t) => {
  const { port, logged } = await startServer(t, undefined, undefined, {
    hosts: ['agent.example.com', 'fe80::1'],
  });
  const [response] = await sendRequest(port, get('evil\u00ad.example:9443'));
  const error = String.raw`the Host 'evilÂ\u00ad.example:9443' is not a name of this service; allowed are localhost, loopback addresses, the address of the listener, and the names in the setting operations.hosts (agent.example.com, fe80::1)`;
  t.deepEqual(JSON.parse(response?.body ?? ''), { error });
  t.is(response?.headers.get('content-type'), 'application/json');
  t.is(logged[0]?.message, `request refused: ${error}`);
});

test('a request of HTTP/1.0 without Host is allowed', async (t) => {
  const { port } = await startServer(t);
  t.is((await sendRequest(port, 'GET /echo HTTP/1.0\r\n\r\n'))[0]?.status, 200);
});

const LISTENERS: readonly (readonly [
  what: string,
  options: object,
  hosts: Readonly<Record<string, number>>,
])[] = [
  ['all addresses without operations.hosts', { host: '0.0.0.0' }, { 'evil.example': 200, 'peer0:9443': 200 }],
  [
    'all addresses with operations.hosts',
    { host: '0.0.0.0', hosts: ['Peer0.example.com'] },
    {
      'peer0.example.com:9443': 200,
      'PEER0.example.com.': 200,
      localhost: 200,
      '127.0.0.1': 200,
      'evil.example': 403,
    },
  ],
  [
    'a loopback address with operations.hosts',
    { hosts: ['peer0', '10.0.0.9', 'fe80::1'] },
    { peer0: 200, '10.0.0.9:1': 200, '[fe80::1]': 200, localhost: 200, peer1: 403 },
  ],
  [
    'a loopback address with * in operations.hosts',
    { hosts: ['*'] },
    { 'evil.example': 200, localhost: 200 },
  ],
  ['the name localhost', { host: 'localhost' }, { 'localhost:1': 200, 'evil.example': 403 }],
];
for (const [what, options, hosts] of LISTENERS)
  test(`a listener on ${what} takes its names`, async (t) => {
    const { port } = await startServer(t, undefined, undefined, options);
    for (const [host, status] of Object.entries(hosts))
      t.is((await sendRequest(port, get(host)))[0]?.status, status, host);
  });

const ORIGINS: readonly (readonly [host: string, origin: string, status: number])[] = [
  ['localhost:9443', 'http://localhost:9443', 200],
  ['localhost:9443', 'https://LOCALHOST:9443', 200],
  ['localhost', 'http://localhost', 200],
  ['localhost:80', 'http://localhost', 200],
  ['localhost', 'https://localhost:443', 200],
  ['[::1]:9443', 'http://[::1]:9443', 200],
  ['localhost:9443', 'http://localhost:3000', 403],
  ['localhost:9443', 'http://localhost', 403],
  ['localhost:9443', 'http://127.0.0.1:9443', 403],
  ['localhost:9443', 'http://evil.example', 403],
  ['localhost:9443', 'http://localhost:9443.evil.example', 403],
  ['localhost:9443', 'null', 403],
  ['localhost:9443', '', 403],
  ['localhost:9443', 'x://localhost:9443', 403],
  ['localhost:9443', 'http://localhost:9443, http://evil.example', 403],
];
for (const [host, origin, status] of ORIGINS)
  test(`a change with the Host '${host}' and the Origin '${origin}' receives ${status}`, async (t) => {
    const { port } = await startServer(t);
    t.is((await sendRequest(port, put(host, origin)))[0]?.status, status);
    // Reading is harmless: the page of another origin does not get the response.
    t.is((await sendRequest(port, put(host, origin).replace('PUT', 'GET')))[0]?.status, 200);
  });

test('a change with a foreign Origin is refused for every method and on every listener, with the reason', async (t) => {
  const { port } = await startServer(t, undefined, undefined, { host: '0.0.0.0' });
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
    const [response] = await sendRequest(
      port,
      put('peer0:9443', 'http://evil.example').replace('PUT', method),
    );
    t.is(response?.status, 403);
    t.is(
      response?.body,
      `{"error":"a change by a page of the Origin 'http://evil.example' is refused; only a page of this agent is allowed; the Host of the request is 'peer0:9443'"}\n`,
    );
  }
  const [withoutHost] = await sendRequest(
    port,
    'PUT /echo HTTP/1.0\r\nOrigin: http://evil.example\r\nContent-Length: 2\r\n\r\nok',
  );
  t.is(withoutHost?.status, 403);
});

test('with TLS every Host is allowed without operations.hosts, and a change with a foreign Origin is refused', async (t) => {
  const ca = new TestCa(temporaryFolder(t), 'ca');
  const server = ca.issue('agent', 'serverAuth');
  const client = ca.issue('client', 'clientAuth');
  const { port } = await startServer(t, [OK_ROUTE, ECHO_ROUTE], {
    certFile: server.cert,
    keyFile: server.key,
    clientRootCAFiles: [ca.cert],
    clientAuthRequired: false,
  });
  const send = async (headers: Record<string, string>): Promise<number> =>
    (
      await sendTlsRequest(port, '/echo', {
        ...clientOptions(ca.cert, client),
        servername: 'localhost',
        method: 'PUT',
        headers: { Host: 'peer0.example.com', ...headers },
      })
    ).status;
  t.is(await send({}), 200);
  t.is(await send({ Origin: 'https://peer0.example.com' }), 200);
  t.is(await send({ Origin: 'https://evil.example' }), 403);
});
