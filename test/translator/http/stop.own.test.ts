// Shutdown of the HTTP service.

import { connect } from 'node:net';
import { scheduler } from 'node:timers/promises';
import test from 'ava';
import { SHUTDOWN_TIMEOUT } from '../../../translator/http/limits.js';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import { startTranslator } from '../../helpers/translator.js';
import { stopTimeouts } from '../../helpers/clock.js';

const HEAD =
  'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhello';
/** The service sends `100 Continue` when it starts to read the body. */
const EXPECTING = HEAD.replace('Host: localhost', 'Host: localhost\r\nExpect: 100-continue');

test.serial('shutdown finishes a request in flight and refuses new connections', async (t) => {
  stopTimeouts(t);
  const { server, port } = await startTranslator(t);
  let finish = (): void => undefined;
  const started = signal();
  const exchange = exchangeRaw(port, (socket) => {
    socket.write(EXPECTING);
    socket.once('data', started.set);
    finish = () => socket.write('world');
  });
  await started.promise;
  const closed = server.close();
  // A child process that another test is starting holds the listening socket until it executes its program.
  while ((await connectionError(port)) === undefined) await scheduler.wait(10);
  t.is(await connectionError(port), 'ECONNREFUSED');
  finish();
  const { bytes, closed: isClosed } = await exchange;
  t.true(isClosed);
  const response = parseResponses(bytes).at(-1);
  t.is(response?.body, 'helloworld');
  t.is(response?.headers.get('connection'), 'close');
  await closed;
});

test.serial('a slow reader receives a large response completely, then its connection closes', async (t) => {
  stopTimeouts(t);
  const { server, port } = await startTranslator(t);
  const body = Buffer.alloc(20_000_000, 'a');
  const started = signal();
  const exchange = exchangeRaw(port, (socket) => {
    socket.write(HEAD.replace(/10\r\n\r\nhello/, `${body.length}\r\n\r\n`));
    socket.write(body);
    socket.once('data', () => {
      socket.pause();
      started.set();
      void scheduler.wait(500).then(() => socket.resume());
    });
  });
  await started.promise;
  await server.close();
  const { bytes, closed } = await exchange;
  t.true(closed);
  t.is(parseResponses(bytes)[0]?.body.length, body.length);
});

test.serial('an idle keep-alive connection does not delay shutdown', async (t) => {
  stopTimeouts(t);
  const { server, port } = await startTranslator(t);
  const started = signal();
  const exchange = exchangeRaw(port, (socket) => {
    socket.write('GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.once('data', started.set);
  });
  await started.promise;
  await server.close();
  const { closed, bytes } = await exchange;
  t.true(closed);
  t.is(parseResponses(bytes).length, 1);
});

test.serial('a connection without a request does not delay shutdown', async (t) => {
  stopTimeouts(t);
  const { server, port } = await startTranslator(t);
  const started = signal();
  const exchange = exchangeRaw(port, started.set);
  await started.promise;
  await server.close();
  t.true((await exchange).closed);
});

test.serial('a request that does not end is aborted after the shutdown timeout', async (t) => {
  const clock = stopTimeouts(t);
  const { server, port } = await startTranslator(t);
  const started = signal();
  const exchange = exchangeRaw(port, (socket) => {
    socket.write(EXPECTING.replace('10\r', '1000\r'));
    socket.once('data', started.set);
    const timer = setInterval(() => socket.write('a'), 1000);
    socket.on('close', () => clearInterval(timer));
  });
  await started.promise;
  const closed = server.close();
  clock.tick(SHUTDOWN_TIMEOUT);
  await closed;
  t.true((await exchange).closed);
});

/** A promise and the function that resolves it. */
function signal(): { promise: Promise<void>; set: () => void } {
  let set = (): void => undefined;
  const promise = new Promise<void>((resolve) => (set = resolve));
  return { promise, set };
}

/** The error code of a failed connection; undefined if it succeeds. */
function connectionError(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(undefined);
    }).on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}
