// HTTP/1 as clients speak it, well and badly.

import test from 'ava';
import { ask, exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const OK = '{"ok":true}';
const GET = 'GET /ok HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST = 'GET /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test('a connection is kept for further requests', async (t) => {
  const { port } = await startServer(t);
  const answers = await ask(port, (socket) => {
    socket.write(GET);
    socket.once('data', () => socket.write(LAST));
  });
  t.deepEqual(
    answers.map(({ body }) => body),
    [OK, OK],
  );
});

test('a connection whose client wants it closed is closed after the answer', async (t) => {
  const { port } = await startServer(t);
  const { closed, bytes } = await exchangeRaw(port, LAST);
  t.true(closed);
  t.is(parseAnswers(bytes)[0]?.headers.get('connection'), 'close');
});

test('a request of HTTP/1.0 is answered and its connection closed', async (t) => {
  const { port } = await startServer(t);
  const { closed, bytes } = await exchangeRaw(port, 'GET /ok HTTP/1.0\r\n\r\n');
  t.true(closed);
  t.is(parseAnswers(bytes)[0]?.body, OK);
});

test('a connection of HTTP/1.0 is kept where its client asks for that', async (t) => {
  const { port } = await startServer(t);
  const kept = 'GET /ok HTTP/1.0\r\nConnection: keep-alive\r\n\r\n';
  const [first, second] = await ask(port, `${kept}GET /ok HTTP/1.0\r\n\r\n`);
  t.is(first?.headers.get('connection'), 'keep-alive');
  t.is(second?.body, OK);
});

test('HEAD gets the headers of GET, its Content-Length too, and no body', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, LAST.replace('GET', 'HEAD'), { methods: ['HEAD'] });
  t.is(answer?.status, 200);
  t.is(answer?.headers.get('content-length'), String(OK.length));
  t.is(answer?.headers.get('content-type'), 'application/json');
});

test('pipelined requests are answered in their order', async (t) => {
  const { port } = await startServer(t);
  const put = (body: string): string =>
    `PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const bodies = ['first', 'second', 'third'].flatMap((body) => [put(body), GET]);
  const answers = await ask(port, bodies.join('') + LAST);
  t.deepEqual(
    answers.map(({ body }) => body),
    ['first', OK, 'second', OK, 'third', OK, OK],
  );
});

for (const [what, request] of Object.entries({
  'no request at all': 'garbage\r\n\r\n',
  'a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a blank in the target': 'GET /o k HTTP/1.1\r\nHost: x\r\n\r\n',
  'a header without a colon': 'GET /ok HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
  'a NUL in a header': 'GET /ok HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
  'a NUL in the target': 'GET /o\0k HTTP/1.1\r\nHost: x\r\n\r\n',
  'a blank before the colon': 'GET /ok HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello',
  'a folded header': 'GET /ok HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n',
  'a bare carriage return': 'GET /ok HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n',
  'two lengths': 'PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'two equal lengths': 'PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello',
  'a negative length': 'PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nhello',
  'a length with a sign': 'PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello',
  'a length of many digits': `PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${'9'.repeat(40)}\r\n\r\nhello`,
  'a length and chunks':
    'PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'chunks and a length':
    'PUT /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
  'chunks that are not the last coding':
    'PUT /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'an unknown coding': 'PUT /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'a chunk size that is no number':
    'PUT /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n',
  'a chunk longer than its size':
    'PUT /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n',
  'an enormous chunk size':
    'PUT /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello\r\n',
})) {
  test(`${what} is answered 400, once, and ends the connection`, async (t) => {
    const { port } = await startServer(t);
    const { closed, bytes } = await exchangeRaw(port, Buffer.from(request, 'latin1'));
    t.true(closed);
    const answers = parseAnswers(bytes);
    t.deepEqual(
      answers.map(({ status }) => status),
      [400],
    );
    t.is(answers[0]?.headers.get('connection'), 'close');
    t.truthy(answers[0]?.headers.get('x-request-id'));
  });
}

for (const [smuggled, request] of Object.entries({
  'after two lengths': 'PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n',
  'after a length and chunks':
    'PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
})) {
  test(`a request smuggled ${smuggled} is never answered`, async (t) => {
    const { port } = await startServer(t);
    t.is((await ask(port, request + GET)).length, 1);
  });
}

test('garbage after a request ends the connection once that request is answered', async (t) => {
  const { port } = await startServer(t);
  const { closed, bytes } = await exchangeRaw(port, `${GET}${GET}garbage\r\n\r\n${GET}`);
  t.true(closed);
  t.deepEqual(
    parseAnswers(bytes).map(({ status }) => status),
    [200, 200, 400],
  );
});

test('a request with two hosts is refused, in every version', async (t) => {
  const { port } = await startServer(t);
  for (const version of ['1.0', '1.1']) {
    const [answer] = await ask(port, `GET /ok HTTP/${version}\r\nHost: x\r\nhOST: x\r\n\r\n`);
    t.is(answer?.status, 400);
    t.is(answer?.body, '400 Bad Request: too many Host headers');
  }
});

for (const host of ['^x', '[', 'x:99999', 'x%zz', 'x/y', 'x?', 'x#', 'u@', '']) {
  test(`the host '${host}' changes nothing: GET, HEAD, PUT and other methods are routed by their path`, async (t) => {
    const { port } = await startServer(t);
    const head = `HTTP/1.1\r\nHost: ${host}\r\n`;
    const last = `${head}Content-Length: 2\r\nConnection: close\r\n\r\nok`;
    const requests = `GET /echo ${head}\r\nHEAD /echo ${head}\r\nPOST /echo ${head}\r\nPUT /echo ${last}`;
    const answers = await ask(port, requests, { methods: ['GET', 'HEAD', 'POST', 'PUT'] });
    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 405, 200],
    );
  });
}

test('a request of HTTP/1.1 without a host is refused', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, 'GET /ok HTTP/1.1\r\n\r\n');
  t.is(answer?.status, 400);
  t.is(answer?.body, '400 Bad Request: missing required Host header');
});

for (const version of [' HTTP/2.0', ' HTTP/3.0', ' HTTP/0.9', '']) {
  test(`${version.trim() || 'a request line without a version'} is refused`, async (t) => {
    const { port } = await startServer(t);
    const [answer] = await ask(port, `GET /ok${version}\r\nHost: x\r\n\r\n`);
    t.is(answer?.status, 505);
    t.is(answer?.body, '505 HTTP Version Not Supported');
  });
}

test('a request line that ends in a line feed alone is a bad request', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, 'GET /ok HTTP/1.1\nHost: x\n\n');
  t.is(answer?.status, 400);
  t.is(answer?.body, '400 Bad Request');
});

for (const method of ['FOO', 'get', 'GETS', 'VERYLONGMETHODNAME'.repeat(100)]) {
  test(`the method ${method.slice(0, 20)} is not implemented`, async (t) => {
    const { port } = await startServer(t);
    const [answer] = await ask(port, `${method} /ok HTTP/1.1\r\nHost: x\r\n\r\n`);
    t.is(answer?.status, 501);
    t.is(answer?.body, '501 Not Implemented');
  });
}

for (const method of [
  'POST',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'QUERY',
  'M-SEARCH',
]) {
  test(`${method} on a route that has GET and PUT is answered 405 with what is allowed`, async (t) => {
    const { port } = await startServer(t);
    const [answer] = await ask(port, `${method} /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    t.is(answer?.status, 405);
    t.is(answer?.headers.get('allow'), 'GET, HEAD, PUT');
    t.is(answer?.body, `{"error":"invalid request method: ${method}"}\n`);
  });
}

test('an upgrade to HTTP/2 or a web socket is ignored', async (t) => {
  const { port } = await startServer(t);
  for (const protocol of ['h2c', 'websocket']) {
    const request = `GET /ok HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;
    const [answer] = await ask(port, request);
    t.is(answer?.status, 200);
  }
});

test('a header over the limit is answered 431, which its client can read', async (t) => {
  const { port } = await startServer(t);
  const request = `GET /ok HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(1024 * 1024)}\r\n\r\n`;
  const { closed, bytes } = await exchangeRaw(port, request);
  t.true(closed);
  const [answer, ...others] = parseAnswers(bytes);
  t.is(answer?.status, 431);
  t.is(answer?.body, '431 Request Header Fields Too Large');
  t.deepEqual(others, []);
});

test('headers within the limit are accepted', async (t) => {
  const { port } = await startServer(t);
  const lines = Array.from({ length: 60 }, (_, index) => `X-${index}: ${'a'.repeat(1000)}\r\n`);
  const [answer] = await ask(
    port,
    `GET /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}\r\n`,
  );
  t.is(answer?.status, 200);
});

test('requests are measured by method, route and status, and unknown paths together', async (t) => {
  const { port, metrics } = await startServer(t);
  for (const path of ['/ok', '/ok', '/a', '/b']) await ask(port, LAST.replace('/ok', path));
  const text = await metrics();
  t.true(text.includes('http_request_duration_seconds_count{code="200",method="GET",route="/ok"} 2\n'));
  t.true(text.includes('http_request_duration_seconds_count{code="404",method="GET",route="none"} 2\n'));
  t.false(text.includes('route="/a"'));
});
