// Clients that disconnect, in every state of a request, and clients that open many connections.

import { connect, type Socket } from 'node:net';
import { scheduler } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { jsonReply, type Route } from '../../../core/http/index.js';
import { exchangeRaw, parseResponses, sendRequest } from '../../helpers/raw-http.js';
import { ECHO_ROUTE, OK_ROUTE, startServer } from '../../helpers/server.js';

const HEAD = 'PUT /echo HTTP/1.1\r\nHost: localhost\r\n';
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
  const [response] = await sendRequest(
    port,
    'GET /ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  t.is(response?.status, 200);
}

const STATES: Readonly<Record<string, string>> = {
  'before the request': '',
  'in the middle of a header': 'GET /ok HTTP/1.1\r\nHost',
  'in the middle of a body': `${HEAD}Content-Length: 100\r\n\r\nhello`,
  'in the middle of a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\nhello`,
  'before 100 Continue': `${HEAD}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
  'before the response': 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'in the middle of the response': 'GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'after CONNECT': 'CONNECT /ok HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'after garbage': 'garbage\r\n\r\n',
};
const WAYS: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes its connection': (socket) => socket.destroy(),
  'resets its connection': (socket) => socket.resetAndDestroy(),
};

for (const [state, request] of Object.entries(STATES)) {
  for (const [way, leave] of Object.entries(WAYS)) {
    test(`a client that ${way} ${state} does not affect other clients`, async (t) => {
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

test('a slow client receives all of a large response', async (t) => {
  const { port } = await startServer(t, ROUTES);
  const { bytes } = await exchangeRaw(port, (socket) => {
    socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    socket.pause();
    setTimeout(() => socket.resume(), 300);
  });
  t.is(parseResponses(bytes)[0]?.body.length, LARGE.length);
});

test('a thousand idle connections do not stop requests on an existing one', async (t) => {
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
    const response = new Promise<Buffer>((resolve) => existing.once('data', resolve));
    existing.write('GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n');
    t.true((await response).toString('latin1').startsWith('HTTP/1.1 200 OK'));
  }
});
