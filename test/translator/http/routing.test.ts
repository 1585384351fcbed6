// Paths and methods, by the routing table of Fabric's configtxlator.

import test from 'ava';
import { exchangeRaw, parseResponses, sendRequest } from '../../helpers/raw-http.js';
import { rawRequest, startTranslator } from '../../helpers/translator.js';

const COMPUTE = '/configtxlator/compute/update-from-configs';
const NOT_FOUND = '404 page not found\n';

const ROUTES = ['/protolator/decode/test.Echo', '/protolator/encode/test.Echo', COMPUTE];
for (const path of ROUTES) {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    for (const slash of ['', '/']) {
      test(`${method} ${path}${slash} is 405 without a body`, async (t) => {
        const { port } = await startTranslator(t);
        const [response] = await sendRequest(port, rawRequest(`${method} ${path}${slash}`), {
          methods: [method],
        });
        t.is(response?.status, 405);
        t.is(response?.body, '');
        t.is(response?.headers.get('content-length'), '0');
        t.is(response?.headers.get('allow'), 'POST');
        t.false(response?.headers.has('content-type'));
      });
    }
  }
}

for (const [path, method, origins, allowed] of [
  ['/', 'POST', [], 'GET, HEAD'],
  ['/healthz', 'POST', [], 'GET, HEAD'],
  ['/version', 'OPTIONS', [], 'GET, HEAD'],
  ['/version', 'DELETE', ['*'], 'GET, HEAD, OPTIONS'],
  [COMPUTE, 'GET', ['*'], 'POST, OPTIONS'],
] as const)
  test(`${method} ${path} is 405 and allows ${allowed}`, async (t) => {
    const { port } = await startTranslator(t, { origins, readPage: () => Buffer.from('page') });
    const [response] = await sendRequest(port, rawRequest(`${method} ${path}`));
    t.deepEqual([response?.status, response?.headers.get('allow')], [405, allowed]);
  });

const UNKNOWN = [
  '/',
  '/protolator',
  '/protolator/',
  '/protolator/decode',
  '/protolator/decode/',
  '/protolator/encode/',
  '/configtxlator',
  '/configtxlator/compute',
  '/protolator/decode/test.Echo/x',
  '/protolator/Decode/test.Echo',
  '/protolator/decode/test%2FEcho',
  '/protolator/decoder/test.Echo',
  '/x',
  '/a/..//nowhere',
  '/../../etc/passwd',
  '/%',
];
for (const path of UNKNOWN) {
  for (const method of ['POST', 'GET']) {
    test(`${method} ${path} is the 404 page`, async (t) => {
      const { port } = await startTranslator(t);
      const [response] = await sendRequest(port, rawRequest(`${method} ${path}`));
      t.is(response?.status, 404);
      t.is(response?.body, NOT_FOUND);
      t.is(response?.headers.get('content-type'), 'text/plain');
      t.is(response?.headers.get('x-content-type-options'), 'nosniff');
      t.is(response?.headers.get('content-length'), String(NOT_FOUND.length));
    });
  }
}

const REDIRECTS: readonly (readonly [string, string])[] = [
  [`POST ${COMPUTE}/`, COMPUTE],
  [`POST ${COMPUTE}/?channel=a%20b`, `${COMPUTE}?channel=a%20b`],
  ['POST /protolator/decode/test.Echo/', '/protolator/decode/test.Echo'],
  ['POST /protolator/decode/test%2EEcho%20%0D%0A%5C/', '/protolator/decode/test.Echo%20%0D%0A%5C'],
  ['POST //protolator/decode/test.Echo', '/protolator/decode/test.Echo'],
  ['GET //protolator/decode/test.Echo', '/protolator/decode/test.Echo'],
  ['DELETE /protolator/./decode/test.Echo', '/protolator/decode/test.Echo'],
  ['POST /protolator/x/../decode/test.Echo?x=1', '/protolator/decode/test.Echo?x=1'],
  ['POST /protolator/decode/test.Echo//', '/protolator/decode/test.Echo/'],
  ['GET //healthz', '/healthz'],
  ['GET /healthz/', '/healthz'],
];
for (const [line, location] of REDIRECTS) {
  test(`${line} is 301 to ${location}`, async (t) => {
    const { port } = await startTranslator(t);
    const [response] = await sendRequest(port, rawRequest(line));
    t.is(response?.status, 301);
    t.is(response?.headers.get('location'), location);
    t.is(response?.body, '');
    t.is(response?.headers.get('content-length'), '0');
  });
}

const UNKNOWN_TYPE = 'message type not found: proto: not found\n';
const NAMES: readonly (readonly [string, number, string])[] = [
  ['test.Echo', 200, '{"type":"test.Echo","size":2}\n'],
  ['test%2EEcho', 200, '{"type":"test.Echo","size":2}\n'],
  ['test.Echo?x=1', 200, '{"type":"test.Echo","size":2}\n'],
  ['test.Echo?x=%zz', 200, '{"type":"test.Echo","size":2}\n'],
  ['.test.Echo', 404, UNKNOWN_TYPE],
  ['test.echo', 404, UNKNOWN_TYPE],
  ['__proto__', 404, UNKNOWN_TYPE],
  ['%00', 404, UNKNOWN_TYPE],
  ['%ff', 404, UNKNOWN_TYPE],
  ['%zz', 404, UNKNOWN_TYPE],
  ['test.Echo%20', 404, UNKNOWN_TYPE],
  ['test.Echo%0A', 404, UNKNOWN_TYPE],
  ['%F0%9F%98%80', 404, UNKNOWN_TYPE],
  ['test.Enum', 404, 'message type not found: proto: found wrong type: got enum, want message\n'],
];
for (const [name, status, body] of NAMES) {
  test(`the message type ${name} is ${status}`, async (t) => {
    const { port } = await startTranslator(t);
    const [response] = await sendRequest(port, rawRequest(`POST /protolator/decode/${name}`, [], 'ab'));
    t.is(response?.status, status);
    t.is(response?.body, body);
    t.is(response?.headers.get('content-type'), status === 200 ? 'application/json' : 'text/plain');
  });
}

test('an absolute URL as request target is accepted', async (t) => {
  const { port } = await startTranslator(t);
  const target = 'http://localhost:7059/protolator/decode/test.Echo';
  const [response] = await sendRequest(port, rawRequest(`POST ${target}`));
  t.is(response?.status, 200);
});

test('OPTIONS * is 200 without a body', async (t) => {
  const { port } = await startTranslator(t);
  const [response] = await sendRequest(port, rawRequest('OPTIONS *'));
  t.is(response?.status, 200);
  t.is(response?.body, '');
});

for (const [what, hosts, body] of [
  ['no Host header', '', ''],
  ['two Host headers', 'Host: a\r\nHost: b\r\n', 'the request has more than one Host header\n'],
] as const) {
  test(`a request with ${what} is 400, and the connection closes`, async (t) => {
    const { port } = await startTranslator(t);
    const { bytes, closed } = await exchangeRaw(port, `GET /healthz HTTP/1.1\r\n${hosts}\r\n`);
    t.true(closed);
    t.deepEqual(
      parseResponses(bytes).map((response) => [response.status, response.body]),
      [[400, body]],
    );
  });
}

test('HTTP/1.0 needs no Host header', async (t) => {
  const { port } = await startTranslator(t);
  const [response] = await sendRequest(port, 'GET /healthz HTTP/1.0\r\n\r\n');
  t.is(response?.status, 200);
});

test('GET and HEAD /healthz report that the service is up', async (t) => {
  const { port } = await startTranslator(t);
  const [get] = await sendRequest(port, rawRequest('GET /healthz'));
  t.is(get?.status, 200);
  t.is(get?.headers.get('content-type'), 'application/json');
  t.regex(get?.body ?? '', /^\{"status":"OK","time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"\}$/);
  const [head] = await sendRequest(port, rawRequest('HEAD /healthz'), { methods: ['HEAD'] });
  t.is(head?.status, 200);
  t.is(head?.body, '');
  t.is(head?.headers.get('content-length'), String(get?.body.length));
});

test('GET /version returns version and commit', async (t) => {
  const { port } = await startTranslator(t);
  const [response] = await sendRequest(port, rawRequest('GET /version'));
  t.is(response?.body, '{"CommitSHA":"abc","Version":"1.2.3"}');
  t.is(response?.headers.get('content-type'), 'application/json');
});
