// Which names of the service clients may use.

import test from 'ava';
import { sendRequest } from '../../helpers/raw-http.js';
import { startTranslator } from '../../helpers/translator.js';

const request = (host: string, target = '/version', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

for (const host of ['localhost', 'localhost:7059', '127.0.0.1', '127.0.0.1:7059', '[::1]:7059', 'LocalHost.'])
  test(`on a loopback address the Host ${host} is allowed`, async (t) => {
    const { port } = await startTranslator(t);
    t.is((await sendRequest(port, request(host)))[0]?.status, 200);
  });

for (const host of ['evil.example', 'evil.example:7059', 'localhost.evil.example', '10.0.0.1', ''])
  test(`on a loopback address the Host '${host}' is refused with 403`, async (t) => {
    const { port } = await startTranslator(t, { origins: ['*'] });
    for (const method of ['GET', 'POST', 'OPTIONS'])
      t.is((await sendRequest(port, request(host, '/version', method)))[0]?.status, 403);
  });

test('the refusal of a Host says what was found, what is allowed and which flag it is', async (t) => {
  const { port } = await startTranslator(t);
  const [response] = await sendRequest(port, request('evil.example:7059'));
  t.is(
    response?.body,
    "the Host 'evil.example:7059' is not a name of this service; allowed are localhost, loopback addresses, the address of the listener, and the names in the flag --hosts (which is empty)\n",
  );
  t.is(response?.headers.get('content-type'), 'text/plain');
});

test('the host of an absolute target is compared like the Host', async (t) => {
  const { port } = await startTranslator(t);
  for (const [target, status] of [
    ['http://127.0.0.1:7059/version', 200],
    ['http://evil.example/version', 403],
  ] as const)
    t.is((await sendRequest(port, request('localhost', target)))[0]?.status, status);
});

test('a request of HTTP/1.0 without Host gets its response', async (t) => {
  const { port } = await startTranslator(t);
  t.is((await sendRequest(port, 'GET /version HTTP/1.0\r\n\r\n'))[0]?.status, 200);
});

for (const [what, address, name, hosts, expected] of [
  ['all addresses', '0.0.0.0', undefined, [], { 'console.example': 200 }],
  [
    'all addresses with --hosts',
    '0.0.0.0',
    undefined,
    ['console.example'],
    { 'console.example': 200, x: 403 },
  ],
  [
    'a loopback address with --hosts',
    '127.0.0.1',
    undefined,
    ['console.example'],
    { 'console.example': 200 },
  ],
  ['a loopback address with --hosts *', '127.0.0.1', undefined, ['*'], { 'evil.example': 200 }],
  ['a name of a loopback address', '127.0.0.1', 'console.example', [], { 'console.example:1': 200, x: 403 }],
] as const)
  test(`a listener on ${what} accepts these names: ${JSON.stringify(expected)}`, async (t) => {
    const { port } = await startTranslator(t, { hosts }, address, name);
    for (const [host, status] of Object.entries(expected))
      t.is((await sendRequest(port, request(host)))[0]?.status, status, host);
  });
