// Paths and methods: each row of the reference's table of routing.

import test from 'ava';
import { ask, parseAnswers, exchangeRaw } from '../../helpers/raw-http.js';
import { rawRequest, startTranslator } from '../../helpers/translator.js';

const COMPUTE = '/configtxlator/compute/update-from-configs';
const NOT_FOUND = '404 page not found\n';

const ROUTES = ['/protolator/decode/test.Echo', '/protolator/encode/test.Echo', COMPUTE];
for (const path of ROUTES) {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'CONNECT']) {
    for (const slash of ['', '/']) {
      test(`${method} ${path}${slash} is 405 without a body`, async (t) => {
        const { port } = await startTranslator(t);
        const [answer] = await ask(port, rawRequest(`${method} ${path}${slash}`), { methods: [method] });
        t.is(answer?.status, 405);
        t.is(answer?.body, '');
        t.is(answer?.headers.get('content-length'), '0');
        t.false(answer?.headers.has('allow'));
        t.false(answer?.headers.has('content-type'));
      });
    }
  }
}

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
];
for (const path of UNKNOWN) {
  for (const method of ['POST', 'GET']) {
    test(`${method} ${path} is the page of 404`, async (t) => {
      const { port } = await startTranslator(t);
      const [answer] = await ask(port, rawRequest(`${method} ${path}`));
      t.is(answer?.status, 404);
      t.is(answer?.body, NOT_FOUND);
      t.is(answer?.headers.get('content-type'), 'text/plain');
      t.is(answer?.headers.get('x-content-type-options'), 'nosniff');
      t.is(answer?.headers.get('content-length'), String(NOT_FOUND.length));
    });
  }
}

const MOVED: readonly (readonly [string, string])[] = [
  [`POST ${COMPUTE}/`, COMPUTE],
  [`POST ${COMPUTE}/?channel=a%20b`, `${COMPUTE}?channel=a%20b`],
  ['POST /protolator/decode/test.Echo/', '/protolator/decode/test.Echo'],
  ['POST /protolator/decode/test%2EEcho%20/', '/protolator/decode/test.Echo%20'],
  ['POST //protolator/decode/test.Echo', '/protolator/decode/test.Echo'],
  ['GET //protolator/decode/test.Echo', '/protolator/decode/test.Echo'],
  ['DELETE /protolator/./decode/test.Echo', '/protolator/decode/test.Echo'],
  ['POST /protolator/x/../decode/test.Echo?x=1', '/protolator/decode/test.Echo?x=1'],
  ['POST /a/..//nowhere', '/nowhere'],
  ['POST /protolator/decode/test.Echo//', '/protolator/decode/test.Echo/'],
  ['GET /../../etc/passwd', '/etc/passwd'],
  ['GET //healthz', '/healthz'],
  ['GET /healthz/', '/healthz'],
];
for (const [line, location] of MOVED) {
  test(`${line} is 301 to ${location}`, async (t) => {
    const { port } = await startTranslator(t);
    const [answer] = await ask(port, rawRequest(line));
    t.is(answer?.status, 301);
    t.is(answer?.headers.get('location'), location);
    t.is(answer?.body, '');
    t.is(answer?.headers.get('content-length'), '0');
  });
}

const NAMES: readonly (readonly [string, number, string])[] = [
  ['test.Echo', 200, '{"type":"test.Echo","size":2}\n'],
  ['test%2EEcho', 200, '{"type":"test.Echo","size":2}\n'],
  ['test.Echo?x=1', 200, '{"type":"test.Echo","size":2}\n'],
  ['test.Echo?x=%zz', 200, '{"type":"test.Echo","size":2}\n'],
  ['.test.Echo', 404, 'message type not found: proto: not found\n'],
  ['test.echo', 404, 'message type not found: proto: not found\n'],
  ['__proto__', 404, 'message type not found: proto: not found\n'],
  ['%00', 404, 'message type not found: proto: not found\n'],
  ['%ff', 404, 'message type not found: proto: not found\n'],
  ['test.Echo%20', 404, 'message type not found: proto: not found\n'],
  ['test.Echo%0A', 404, 'message type not found: proto: not found\n'],
  ['%F0%9F%98%80', 404, 'message type not found: proto: not found\n'],
  ['test.Enum', 404, 'message type not found: proto: found wrong type: got enum, want message\n'],
];
for (const [name, status, body] of NAMES) {
  test(`the message name ${name} is answered ${status}`, async (t) => {
    const { port } = await startTranslator(t);
    const [answer] = await ask(port, rawRequest(`POST /protolator/decode/${name}`, [], 'ab'));
    t.is(answer?.status, status);
    t.is(answer?.body, body);
    t.is(answer?.headers.get('content-type'), status === 200 ? 'application/json' : 'text/plain');
  });
}

test('an absolute request target is accepted', async (t) => {
  const { port } = await startTranslator(t);
  const [answer] = await ask(port, rawRequest('POST http://elsewhere/protolator/decode/test.Echo'));
  t.is(answer?.status, 200);
});

for (const target of ['/protolator/decode/%zz', '/%', 'nowhere', '/a%2']) {
  test(`the request target ${target} is a bad request`, async (t) => {
    const { port } = await startTranslator(t);
    const { bytes, closed } = await exchangeRaw(port, `POST ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    t.true(closed);
    const [answer] = parseAnswers(bytes);
    t.is(answer?.status, 400);
    t.is(answer?.headers.get('connection'), 'close');
  });
}

test('OPTIONS * is 200 without a body', async (t) => {
  const { port } = await startTranslator(t);
  const [answer] = await ask(port, rawRequest('OPTIONS *'));
  t.is(answer?.status, 200);
  t.is(answer?.body, '');
});

for (const [hosts, what] of [
  ['', 'missing required Host header'],
  ['Host: a\r\nHost: b\r\n', 'too many Host headers'],
] as const) {
  test(`a request with the headers ${JSON.stringify(hosts)} is refused: ${what}`, async (t) => {
    const { port } = await startTranslator(t);
    const { text, closed } = await exchangeRaw(port, `GET /healthz HTTP/1.1\r\n${hosts}\r\n`);
    t.true(closed);
    t.true(text.startsWith(`HTTP/1.1 400 Bad Request: ${what}\r\n`));
    t.true(text.endsWith(`\r\n\r\n400 Bad Request: ${what}`));
  });
}

test('HTTP/1.0 needs no host', async (t) => {
  const { port } = await startTranslator(t);
  const [answer] = await ask(port, 'GET /healthz HTTP/1.0\r\n\r\n');
  t.is(answer?.status, 200);
});

test('CONNECT is answered behind the answer to an earlier request, and is the last one', async (t) => {
  const { port } = await startTranslator(t);
  const requests = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\nCONNECT /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const { bytes, closed } = await exchangeRaw(port, requests);
  t.deepEqual(
    parseAnswers(bytes).map(({ status }) => status),
    [200, 405],
  );
  t.true(closed);
});

test('GET and HEAD /healthz say that the service lives', async (t) => {
  const { port } = await startTranslator(t);
  const [get] = await ask(port, rawRequest('GET /healthz'));
  t.is(get?.status, 200);
  t.is(get?.headers.get('content-type'), 'application/json');
  t.regex(get?.body ?? '', /^\{"status":"OK","time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"\}$/);
  const [head] = await ask(port, rawRequest('HEAD /healthz'), { methods: ['HEAD'] });
  t.is(head?.status, 200);
  t.is(head?.body, '');
  t.is(head?.headers.get('content-length'), String(get?.body.length));
  const [post] = await ask(port, rawRequest('POST /healthz'));
  t.is(post?.status, 405);
});

test('GET /version shows version and commit', async (t) => {
  const { port } = await startTranslator(t);
  const [answer] = await ask(port, rawRequest('GET /version'));
  t.is(answer?.body, '{"CommitSHA":"abc","Version":"1.2.3"}');
  t.is(answer?.headers.get('content-type'), 'application/json');
});
