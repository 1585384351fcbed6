// Shutdown of the HTTP service.

import { connect } from 'node:net';
import { scheduler } from 'node:timers/promises';
import test from 'ava';
import { SHUTDOWN_TIMEOUT } from '../../../translator/http/limits.js';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import { startTranslator } from '../../helpers/translator.js';

const HEAD = 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello';

test('shutdown finishes a request in flight and refuses new connections', async (t) => {
  const { server, port } = await startTranslator(t);
  let finish = (): void => undefined;
  const exchange = exchangeRaw(port, (socket) => {
    socket.write(HEAD);
    finish = () => socket.write('world');
  });
  await scheduler.wait(200);
  const closed = server.close();
  // A child process that another test is starting holds the listening socket until it executes its program.
  while ((await connectionError(port)) === undefined) await scheduler.wait(10);
  t.is(await connectionError(port), 'ECONNREFUSED');
  finish();
  const { bytes, closed: isClosed } = await exchange;
  t.true(isClosed);
  const [response] = parseResponses(bytes);
  t.is(response?.body, 'helloworld');
  t.is(response?.headers.get('connection'), 'close');
  await closed;
});

test.serial('a slow reader receives a large response completely, then its connection closes', async (t) => {
  const { server, port } = await startTranslator(t);
  const body = Buffer.alloc(20_000_000, 'a');
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const exchange = exchangeRaw(
    port,
    (socket) => {
      socket.write(HEAD.replace(/10\r\n\r\nhello/, `${body.length}\r\n\r\n`));
      socket.write(body);
      socket.once('data', () => {
        socket.pause();
        begin();
        setTimeout(() => socket.resume(), 500);
      });
    },
    20_000,
  );
  await begun;
  const start = performance.now();
  await server.close();
  t.true(performance.now() - start < SHUTDOWN_TIMEOUT - 500);
  const { bytes, closed } = await exchange;
  t.true(closed);
  t.is(parseResponses(bytes)[0]?.body.length, body.length);
});

for (const [what, request, responses] of [
  ['an idle keep-alive connection', 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['a connection without a request', '', 0],
] as const) {
  test(`${what} does not delay shutdown`, async (t) => {
    const { server, port } = await startTranslator(t);
    const exchange = exchangeRaw(port, request, 15_000);
    await scheduler.wait(200);
    const start = performance.now();
    await server.close();
    t.true(performance.now() - start < SHUTDOWN_TIMEOUT - 2000);
    const { closed, bytes } = await exchange;
    t.true(closed);
    t.is(parseResponses(bytes).length, responses);
  });
}

test('a request that does not end is aborted after the shutdown timeout', async (t) => {
  const { server, port } = await startTranslator(t);
  const exchange = exchangeRaw(
    port,
    (socket) => {
      socket.write(HEAD.replace('10', '1000'));
      const timer = setInterval(() => socket.write('a'), 1000);
      socket.on('close', () => clearInterval(timer));
    },
    30_000,
  );
  await scheduler.wait(200);
  const start = performance.now();
  await server.close();
  t.true(performance.now() - start < SHUTDOWN_TIMEOUT + 5000);
  t.true((await exchange).closed);
});

/** The error code of a failed connection; undefined if it succeeds. */
function connectionError(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(undefined);
    }).on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}
