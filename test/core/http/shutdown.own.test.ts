// Graceful shutdown.

import { once } from 'node:events';
import { connect } from 'node:net';
import { scheduler } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { jsonReply, type Route } from '../../../core/http/index.js';
import { LIMITS } from '../../../core/http/limits.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { exchangeRaw, parseResponses, type RawResponse } from '../../helpers/raw-http.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { stopTimeouts } from '../../helpers/clock.js';

/** A route that responds when `open` is called. */
function gate(): { route: Route; reached: Promise<void>; open: () => void } {
  let reach = (): void => undefined;
  let open = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const GET = async () => {
    reach();
    await opened;
    return jsonReply(200, { done: true });
  };
  return { route: { path: '/gate', handlers: { GET } }, reached, open: () => open() };
}

test.serial('a request in flight is completed and its connection closed', async (t) => {
  stopTimeouts(t);
  const { route, reached, open } = gate();
  const started = await startServer(t, [route]);
  const pending = exchangeRaw(started.port, 'GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await reached;
  const closed = started.server.close();
  await scheduler.wait(100);
  open();
  const response = await pending;
  t.true(response.closed);
  const [parsed] = parseResponses(response.bytes);
  t.is(parsed?.status, 200);
  t.is(parsed?.headers.get('connection'), 'close');
  await closed;
});

for (const connection of ['close', 'keep-alive']) {
  test.serial(
    `a slow client receives all of a large response, then its connection is closed: ${connection}`,
    async (t) => {
      stopTimeouts(t);
      const GET = async () => ({ status: 200, body: Buffer.alloc(20_000_000, 'a') });
      const started = await startServer(t, [{ path: '/large', handlers: { GET } }]);
      const request = `GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const pending = exchangeRaw(started.port, (socket) => {
        socket.write(request);
        socket.once('data', () => {
          socket.pause();
          begin();
          void scheduler.wait(500).then(() => socket.resume());
        });
      });
      await begun;
      await started.server.close();
      const { bytes, closed } = await pending;
      t.true(closed);
      t.is(parseResponses(bytes)[0]?.body.length, 20_000_000);
    },
  );
}

test.serial('a hanging request is interrupted after the shutdown timeout', async (t) => {
  const clock = stopTimeouts(t);
  const { route, reached } = gate();
  const started = await startServer(t, [route]);
  const pending = exchangeRaw(started.port, 'GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await reached;
  let isInterrupted = false;
  void pending.then(() => (isInterrupted = true));
  const closed = started.server.close();
  clock.tick(LIMITS.shutdownTimeout - 1);
  await scheduler.wait(100);
  t.false(isInterrupted);
  clock.tick(1);
  await closed;
  const response = await pending;
  t.true(response.closed);
  t.is(response.bytes, '');
});

test('new connections are refused at once', async (t) => {
  const { route, reached, open } = gate();
  const started = await startServer(t, [route]);
  const pending = exchangeRaw(started.port, 'GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await reached;
  const closed = started.server.close();
  const error = await new Promise<NodeJS.ErrnoException>((resolve, reject) => {
    connect({ port: started.port, host: '127.0.0.1' }, () => reject(new Error('it was accepted'))).on(
      'error',
      resolve,
    );
  });
  t.is(error.code, 'ECONNREFUSED');
  open();
  await pending;
  await closed;
});

/** Sends bytes on a new connection and closes the server a moment later; the clock advances by a time. */
async function closeUnder(
  t: ExecutionContext,
  request: string,
  time: number,
  tls?: Parameters<typeof startServer>[2],
): Promise<RawResponse> {
  const clock = stopTimeouts(t);
  const started = await startServer(t, [OK_ROUTE], tls);
  const pending = exchangeRaw(started.port, request);
  await scheduler.wait(200);
  const closed = started.server.close();
  clock.tick(time);
  await closed;
  return pending;
}

for (const [what, request] of Object.entries({
  'an idle keep-alive connection': 'GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a connection without any data': '',
})) {
  test.serial(`${what} is closed at once`, async (t) => {
    t.true((await closeUnder(t, request, 0)).closed);
  });
}

test.serial('an incomplete request does not delay shutdown beyond the timeout', async (t) => {
  t.true((await closeUnder(t, 'GET /ok HTTP/1.1\r\nHos', LIMITS.shutdownTimeout)).closed);
});

const { ca, server } = makeCertificates();

test.serial(
  'a slow client receives all of a large response over TLS, then its connection is closed',
  async (t) => {
    stopTimeouts(t);
    const GET = async () => ({ status: 200, body: Buffer.alloc(20_000_000, 'a') });
    const started = await startServer(t, [{ path: '/large', isOpen: true, handlers: { GET } }], {
      certFile: server.cert,
      keyFile: server.key,
      clientRootCAFiles: [ca.cert],
      clientAuthRequired: false,
    });
    const socket = connectTls({ port: started.port, host: '127.0.0.1', rejectUnauthorized: false });
    t.teardown(() => socket.destroy());
    socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [begun] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const closed = started.server.close();
    await scheduler.wait(500);
    let bytes = begun.length;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
    await once(socket, 'end');
    t.true(bytes > 20_000_000);
    await closed;
  },
);

for (const [what, bytes] of Object.entries({
  'no handshake': '',
  'an incomplete handshake': '\x16\x03\x01',
})) {
  test.serial(
    `a connection to the TLS port with ${what} does not delay shutdown beyond the timeout`,
    async (t) => {
      const response = await closeUnder(t, bytes, LIMITS.shutdownTimeout, {
        certFile: server.cert,
        keyFile: server.key,
        clientRootCAFiles: [ca.cert],
        clientAuthRequired: false,
      });
      t.true(response.closed);
    },
  );
}
