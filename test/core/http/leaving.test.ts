// Clients that go away, in every state of a request.

import { connect, type Socket } from 'node:net';
import { scheduler } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { jsonReply, type Route } from '../../../core/http/index.js';
import { ask, exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { ECHO_ROUTE, OK_ROUTE, startServer } from '../../helpers/server.js';

const HEAD = 'PUT /echo HTTP/1.1\r\nHost: x\r\n';
const LARGE = 'a'.repeat(20_000_000);
const SLOW_ROUTE: Route = {
  path: '/slow',
  handlers: {
    GET: async () => {
      await scheduler.wait(200);
      return jsonReply(200, { slow: true });
    },
  },
};
const LARGE_ROUTE: Route = {
  path: '/large',
  handlers: { GET: async () => ({ status: 200, headers: {}, body: LARGE }) },
};
const ROUTES = [OK_ROUTE, ECHO_ROUTE, SLOW_ROUTE, LARGE_ROUTE];

async function stillWorks(t: ExecutionContext, port: number): Promise<void> {
  const [answer] = await ask(port, 'GET /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  t.is(answer?.status, 200);
}

const STATES: Readonly<Record<string, string>> = {
  'before its request': '',
  'in the middle of a header': 'GET /ok HTTP/1.1\r\nHost',
  'in the middle of a body': `${HEAD}Content-Length: 100\r\n\r\nhello`,
  'in the middle of a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\nhello`,
  'before 100 Continue': `${HEAD}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
  'before its answer': 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n',
  'in the middle of its answer': 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n',
  'after CONNECT': 'CONNECT /ok HTTP/1.1\r\nHost: x\r\n\r\n',
  'after garbage': 'garbage\r\n\r\n',
};
const WAYS: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes its connection': (socket) => socket.destroy(),
  'resets its connection': (socket) => socket.resetAndDestroy(),
};

for (const [state, request] of Object.entries(STATES)) {
  for (const [way, leave] of Object.entries(WAYS)) {
    test(`a client that ${way} ${state} harms nobody`, async (t) => {
      const { port, logged } = await startServer(t, ROUTES);
      for (const delay of [0, 1, 20]) {
        await new Promise<void>((resolve) => {
          const socket = connect({ port, host: '127.0.0.1' }, () => {
            socket.write(request);
            setTimeout(() => leave(socket), delay);
          });
          socket.on('error', () => undefined);
          socket.on('close', () => resolve());
        });
      }
      await scheduler.wait(250);
      await stillWorks(t, port);
      t.deepEqual(logged, []);
    });
  }
}

for (const [what, request, statuses] of [
  ['a request', 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n', [200]],
  ['several requests', 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3), [200, 200, 200]],
  ['a request with a body', `${HEAD}Content-Length: 5\r\n\r\nhello`, [200]],
  ['half a header', 'GET /slow HTTP/1.1\r\nHos', [400]],
  ['half a body', `${HEAD}Content-Length: 100\r\n\r\nhello`, [400]],
  ['half a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\nhello`, [400]],
  ['a request and half of another', 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /sl', [200, 400]],
] as const) {
  test(`a client that sends ${what} and then no more is answered ${statuses.join(' and ')}`, async (t) => {
    const { port } = await startServer(t, ROUTES);
    const { closed, bytes } = await exchangeRaw(port, (socket) => socket.end(request), 5000);
    t.true(closed);
    t.deepEqual(
      parseAnswers(bytes).map(({ status }) => status),
      [...statuses],
    );
  });
}

test('half a body is answered with an error that says so', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, (socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\nhello`));
  t.is(answer?.headers.get('content-type'), 'application/json');
  t.is(answer?.body, '{"error":"the request body is malformed or cut off"}\n');
});

test('a client that reads slowly gets all of a large answer', async (t) => {
  const { port } = await startServer(t, ROUTES);
  const { bytes } = await exchangeRaw(
    port,
    (socket) => {
      socket.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      socket.pause();
      setTimeout(() => socket.resume(), 300);
    },
    10_000,
  );
  t.is(parseAnswers(bytes)[0]?.body.length, LARGE.length);
});

test('CONNECT ends its connection even where the client does not', async (t) => {
  const { port } = await startServer(t);
  const { closed, bytes } = await exchangeRaw(port, 'CONNECT /ok HTTP/1.1\r\nHost: x\r\n\r\n');
  t.true(closed);
  t.is(parseAnswers(bytes)[0]?.status, 405);
  const [other] = await ask(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  t.is(other?.status, 400);
  t.is(other?.body, '{"error":"the request target cannot be read"}\n');
});

test('CONNECT waits for the answers to the requests before it', async (t) => {
  const { port } = await startServer(t);
  const get = 'GET /ok HTTP/1.1\r\nHost: x\r\n\r\n';
  const { closed, bytes } = await exchangeRaw(port, `${get}${get}CONNECT /ok HTTP/1.1\r\nHost: x\r\n\r\n`);
  t.true(closed);
  t.deepEqual(
    parseAnswers(bytes).map(({ status }) => status),
    [200, 200, 405],
  );
});

test('a thousand connections that are left open do not keep an existing one from its answers', async (t) => {
  const { port } = await startServer(t);
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket));
      socket.on('error', reject);
      sockets.push(socket);
    });
  const existing = await open();
  for (let batch = 0; batch < 10; batch += 1) {
    await Promise.all(Array.from({ length: 100 }, open));
    const start = performance.now();
    const answer = new Promise<Buffer>((resolve) => existing.once('data', resolve));
    existing.write('GET /ok HTTP/1.1\r\nHost: x\r\n\r\n');
    t.true((await answer).toString('latin1').startsWith('HTTP/1.1 200 OK'));
    t.true(performance.now() - start < 5000);
  }
});
