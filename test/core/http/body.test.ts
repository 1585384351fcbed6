// Request bodies: limits and `Expect: 100-continue`.

import { request as httpRequest } from 'node:http';
import test from 'ava';
import { request } from 'undici';
import { LIMITS } from '../../../core/http/limits.js';
import { exchangeRaw, parseResponses, sendRequest } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const TOO_LARGE = '{"error":"the request body is larger than 65536 bytes"}\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

function put(headers: string, body = '', path = '/echo'): string {
  return `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n${body}`;
}

function chunked(body: string, size: number): string {
  let text = '';
  for (let start = 0; start < body.length; start += size) {
    const chunk = body.slice(start, start + size);
    text += `${chunk.length.toString(16)};ext=1\r\n${chunk}\r\n`;
  }
  return `${text}0\r\nTrailer: x\r\n\r\n`;
}

test('a body of exactly the limit is accepted, with Content-Length or chunked', async (t) => {
  const { port } = await startServer(t);
  const body = 'a'.repeat(LIMITS.maxBodySize);
  const [first] = await sendRequest(port, put(`Content-Length: ${body.length}\r\n`, body));
  t.is(first?.body, body);
  const [second] = await sendRequest(port, put('Transfer-Encoding: chunked\r\n', chunked(body, 1000)));
  t.is(second?.body, body);
});

for (const size of [
  LIMITS.maxBodySize + 1,
  3 * LIMITS.maxBodySize,
  20 * LIMITS.maxBodySize,
  100 * LIMITS.maxBodySize,
]) {
  const body = 'a'.repeat(size);

  test(`a client of node:http receives 413 for a body of ${size} bytes`, async (t) => {
    const { port } = await startServer(t);
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({ port, host: '127.0.0.1', path: '/echo', method: 'PUT' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(body);
    });
    t.is(status, 413);
  });

  test(`a client of undici receives 413 for a body of ${size} bytes`, async (t) => {
    const { port } = await startServer(t);
    const response = await request(`http://127.0.0.1:${port}/echo`, { method: 'PUT', body });
    t.is(response.statusCode, 413);
    t.is(await response.body.text(), TOO_LARGE);
  });

  test(`a client that sends ${size} bytes in chunks receives 413, and the connection stays usable`, async (t) => {
    const { port } = await startServer(t);
    const head = 'PUT /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
    const next = put('Content-Length: 2\r\n', 'ab');
    const [first, second] = await sendRequest(port, head + chunked(body, 16_384) + next);
    t.is(first?.status, 413);
    t.is(first?.body, TOO_LARGE);
    t.is(second?.body, 'ab');
  });
}

test('an unread body is discarded and the connection stays usable', async (t) => {
  const { port } = await startServer(t);
  const body = 'a'.repeat(100_000);
  const unwanted = `GET /ok HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const responses = await sendRequest(port, unwanted + unwanted + put('Content-Length: 2\r\n', 'ab'));
  t.deepEqual(
    responses.map((response) => response.body),
    ['{"ok":true}', '{"ok":true}', 'ab'],
  );
});

test('a body with a content encoding is refused with 400', async (t) => {
  const { port } = await startServer(t);
  const [response] = await sendRequest(port, put('Content-Encoding: gzip\r\nContent-Length: 2\r\n', 'ab'));
  t.is(response?.status, 400);
  t.is(response?.body, '{"error":"content encoding \'gzip\' is not supported; send the body without one"}\n');
  const [identity] = await sendRequest(
    port,
    put('Content-Encoding: Identity\r\nContent-Length: 2\r\n', 'ab'),
  );
  t.is(identity?.status, 200);
});

test('100 Continue is sent to a client that waits for it before it sends the body', async (t) => {
  const { port } = await startServer(t);
  const { text } = await exchangeRaw(port, (socket) => {
    socket.write(put('Expect: 100-continue\r\nContent-Length: 5\r\n'));
    socket.once('data', () => socket.write('hello'));
  });
  t.true(text.startsWith(CONTINUE));
  t.true(text.endsWith('hello'));
});

const WAITING = 'Expect: 100-continue\r\nContent-Length: 5\r\n';
for (const [what, text, status] of [
  [
    'a body over the limit',
    put(`Expect: 100-continue\r\nContent-Length: ${LIMITS.maxBodySize + 1}\r\n`),
    413,
  ],
  ['an unknown path', put(WAITING, '', '/nope'), 404],
  ['a method that is not allowed', put(WAITING, '', '/ok'), 405],
  ['an encoded body', put(`${WAITING}Content-Encoding: br\r\n`), 400],
] as const) {
  test(`a client that waits for 100 Continue with ${what} receives ${status} at once and the connection is closed`, async (t) => {
    const { port } = await startServer(t);
    const { bytes, closed } = await exchangeRaw(port, text.replace('Connection: close\r\n', ''));
    t.true(closed);
    const responses = parseResponses(bytes);
    t.deepEqual(
      responses.map((response) => response.status),
      [status],
    );
    t.is(responses[0]?.headers.get('connection'), 'close');
    t.truthy(responses[0]?.headers.get('x-request-id'));
  });
}

test('an unknown expectation is refused with 417', async (t) => {
  const { port } = await startServer(t);
  const [response] = await sendRequest(port, put('Expect: the-best\r\nContent-Length: 0\r\n'));
  t.is(response?.status, 417);
});

test('100 Continue is not sent for a GET', async (t) => {
  const { port } = await startServer(t);
  const responses = await sendRequest(
    port,
    'GET /ok HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n',
  );
  t.deepEqual(
    responses.map(({ status }) => status),
    [200],
  );
});

test('100 Continue is not sent to an HTTP/1.0 client', async (t) => {
  const { port } = await startServer(t);
  const responses = await sendRequest(
    port,
    'PUT /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello',
  );
  t.deepEqual(
    responses.map(({ body }) => body),
    ['hello'],
  );
});
