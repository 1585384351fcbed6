// Request bodies: their size, and who is told to send them.

import { request as httpRequest } from 'node:http';
import test from 'ava';
import { request } from 'undici';
import { MAX_BODY_SIZE } from '../../../core/http/limits.js';
import { ask, exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const TOO_LARGE = '{"error":"the request body is larger than 65536 bytes"}\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

function put(headers: string, body = '', path = '/echo'): string {
  return `PUT ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`;
}

function chunked(body: string, size: number): string {
  let text = '';
  for (let start = 0; start < body.length; start += size) {
    const chunk = body.slice(start, start + size);
    text += `${chunk.length.toString(16)};ext=1\r\n${chunk}\r\n`;
  }
  return `${text}0\r\nTrailer: x\r\n\r\n`;
}

test('a body of exactly the limit is read, with a length or in chunks', async (t) => {
  const { port } = await startServer(t);
  const body = 'a'.repeat(MAX_BODY_SIZE);
  const [first] = await ask(port, put(`Content-Length: ${body.length}\r\n`, body));
  t.is(first?.body, body);
  const [second] = await ask(port, put('Transfer-Encoding: chunked\r\n', chunked(body, 1000)));
  t.is(second?.body, body);
});

for (const size of [MAX_BODY_SIZE + 1, 3 * MAX_BODY_SIZE, 20 * MAX_BODY_SIZE, 100 * MAX_BODY_SIZE]) {
  const body = 'a'.repeat(size);
  test(`a body of ${size} bytes is answered 413, which its client can read`, async (t) => {
    const { port } = await startServer(t);
    const { closed, bytes } = await exchangeRaw(port, put(`Content-Length: ${size}\r\n`, body));
    t.true(closed);
    const [answer] = parseAnswers(bytes);
    t.is(answer?.status, 413);
    t.is(answer?.body, TOO_LARGE);
  });

  test(`chunks of ${size} bytes are answered 413, which their client can read`, async (t) => {
    const { port } = await startServer(t);
    const [answer] = await ask(port, put('Transfer-Encoding: chunked\r\n', chunked(body, 16_384)));
    t.is(answer?.status, 413);
    t.is(answer?.body, TOO_LARGE);
  });

  test(`node's own client reads the 413 for a body of ${size} bytes`, async (t) => {
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

  test(`undici reads the 413 for a body of ${size} bytes`, async (t) => {
    const { port } = await startServer(t);
    const { statusCode, body: answer } = await request(`http://127.0.0.1:${port}/echo`, {
      method: 'PUT',
      body,
    });
    t.is(statusCode, 413);
    t.is(await answer.text(), TOO_LARGE);
  });
}

test('a client that looks for an answer only after sending for a while still finds its 413', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, (socket) => {
    socket.pause();
    socket.write(put('Content-Length: 100000000\r\n'));
    const timer = setInterval(() => socket.write('a'.repeat(1000)), 10);
    socket.on('close', () => clearInterval(timer));
    setTimeout(() => socket.resume(), 300);
  });
  t.is(answer?.status, 413);
  t.is(answer?.body, TOO_LARGE);
});

test('a body that nobody wants is thrown away and the connection goes on', async (t) => {
  const { port } = await startServer(t);
  const body = 'a'.repeat(100_000);
  const unwanted = `GET /ok HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answers = await ask(port, unwanted + unwanted + put('Content-Length: 2\r\n', 'ab'));
  t.deepEqual(
    answers.map(({ body: text }) => text),
    ['{"ok":true}', '{"ok":true}', 'ab'],
  );
});

test('a body with a content encoding is refused', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, put('Content-Encoding: gzip\r\nContent-Length: 2\r\n', 'ab'));
  t.is(answer?.status, 400);
  t.is(answer?.body, '{"error":"content encoding \'gzip\' is not supported; send the body as it is"}\n');
  const [same] = await ask(port, put('Content-Encoding: Identity\r\nContent-Length: 2\r\n', 'ab'));
  t.is(same?.status, 200);
});

test('a client that waits for 100 Continue gets it and then sends its body', async (t) => {
  const { port } = await startServer(t);
  const { text } = await exchangeRaw(port, (socket) => {
    socket.write(put('Expect: 100-continue\r\nContent-Length: 5\r\n'));
    socket.once('data', () => socket.write('hello'));
  });
  t.true(text.startsWith(CONTINUE));
  t.true(text.endsWith('hello'));
});

for (const [what, request_, status] of [
  ['a body over the limit', put(`Expect: 100-continue\r\nContent-Length: ${MAX_BODY_SIZE + 1}\r\n`), 413],
  ['an unknown path', put('Expect: 100-continue\r\nContent-Length: 5\r\n', '', '/nope'), 404],
  ['a method that is not allowed', put('Expect: 100-continue\r\nContent-Length: 5\r\n', '', '/ok'), 405],
  ['an encoded body', put('Expect: 100-continue\r\nContent-Length: 5\r\nContent-Encoding: br\r\n'), 400],
  ['an expectation of something else', put('Expect: the-best\r\nContent-Length: 5\r\n'), 417],
  ['several expectations', put('Expect: 100-continue, x\r\nContent-Length: 5\r\n'), 417],
] as const) {
  test(`a client that waits for 100 Continue with ${what} gets ${status} at once and its connection ends`, async (t) => {
    const { port } = await startServer(t);
    const { bytes, closed } = await exchangeRaw(port, request_.replace('Connection: close\r\n', ''));
    t.true(closed);
    const answers = parseAnswers(bytes);
    t.deepEqual(
      answers.map((answer) => answer.status),
      [status],
    );
    t.is(answers[0]?.headers.get('connection'), 'close');
    t.truthy(answers[0]?.headers.get('x-request-id'));
  });
}

test('a GET that waits for 100 Continue is answered without it', async (t) => {
  const { port } = await startServer(t);
  const answers = await ask(port, 'GET /ok HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n');
  t.deepEqual(
    answers.map(({ status }) => status),
    [200],
  );
});

test('a client of HTTP/1.0 is never told to continue, whatever it expects', async (t) => {
  const { port } = await startServer(t);
  for (const expectation of ['100-continue', 'the-best']) {
    const answers = await ask(
      port,
      `PUT /echo HTTP/1.0\r\nExpect: ${expectation}\r\nContent-Length: 5\r\n\r\nhello`,
    );
    t.deepEqual(
      answers.map(({ body }) => body),
      ['hello'],
    );
  }
});
