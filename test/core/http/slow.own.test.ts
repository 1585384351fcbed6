// Slow clients, with short limits.

import type { Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import {
  SHORT_BODY_LIMITS,
  SHORT_LIMITS,
  startServer as startWith,
  type StartedServer,
} from '../../helpers/server.js';

const HEAD = 'PUT /echo HTTP/1.1\r\nHost: localhost\r\n';

const startServer = (t: ExecutionContext, limits = SHORT_LIMITS): Promise<StartedServer> =>
  startWith(t, undefined, undefined, { limits });

/** Writes a character every 50 ms until the connection is closed. */
function trickle(socket: Socket, text: string): void {
  socket.write(text);
  const timer = setInterval(() => socket.write('a'), 50);
  socket.on('close', () => clearInterval(timer));
}

test('a connection without any data is closed', async (t) => {
  const { port } = await startServer(t);
  const { closed, milliseconds } = await exchangeRaw(port, () => undefined);
  t.true(closed);
  t.true(milliseconds > 900, `${milliseconds} ms`);
});

for (const [what, write] of Object.entries({
  'a header that stalls': (socket: Socket) => socket.write('GET /ok HTTP/1.1\r\nHost: localhost\r\nX-A: '),
  'a header that arrives slowly': (socket: Socket) =>
    trickle(socket, 'GET /ok HTTP/1.1\r\nHost: localhost\r\nX-A: '),
  'a request line that arrives slowly': (socket: Socket) => trickle(socket, 'GET /'),
})) {
  test(`${what} receives 408`, async (t) => {
    const { port } = await startServer(t);
    const { closed, milliseconds, bytes } = await exchangeRaw(port, write);
    t.true(closed);
    t.true(milliseconds > 900, `${milliseconds} ms`);
    t.deepEqual(
      parseResponses(bytes).map(({ status }) => status),
      [408],
    );
  });
}

for (const [what, write] of Object.entries({
  'a body that stalls': (socket: Socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\nhello`),
  'a body that arrives slowly': (socket: Socket) =>
    trickle(socket, `${HEAD}Content-Length: 100\r\n\r\nhello`),
  'a chunk that stalls': (socket: Socket) => socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhe`),
  'a body that never begins, after 100 Continue': (socket: Socket) =>
    socket.write(`${HEAD}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`),
})) {
  test(`${what} receives 408 and the connection is closed`, async (t) => {
    const { port } = await startServer(t, SHORT_BODY_LIMITS);
    const { closed, milliseconds, bytes } = await exchangeRaw(port, write);
    t.true(closed);
    t.true(milliseconds > 900, `${milliseconds} ms`);
    const response = parseResponses(bytes).at(-1);
    t.is(response?.status, 408);
    t.is(response?.body, '{"error":"the request body did not arrive within 1s"}\n');
    t.is(response?.headers.get('connection'), 'close');
  });
}

test('a connection with an unread body that stalls is closed', async (t) => {
  const { port } = await startServer(t);
  const { closed, bytes } = await exchangeRaw(
    port,
    'GET /ok HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhello',
  );
  t.true(closed);
  t.is(parseResponses(bytes)[0]?.status, 200);
});

test('a keep-alive connection is closed when no further request arrives', async (t) => {
  const { port } = await startServer(t);
  const { closed, milliseconds } = await exchangeRaw(port, 'GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n');
  t.true(closed);
  t.true(milliseconds > 900, `${milliseconds} ms`);
});
