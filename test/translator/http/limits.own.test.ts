// Requests that are too large or not valid HTTP.

import { scheduler } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { exchangeRaw, parseResponses, sendRequest, type RawResponse } from '../../helpers/raw-http.js';
import { createTranslatorServer } from '../../../translator/http/index.js';
import { BOUNDARY, FAKES, rawRequest, startTranslator, THREAD, writeForm } from '../../helpers/translator.js';
import { stopTimeouts } from '../../helpers/clock.js';

const HEAD = 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: localhost\r\n';
const TOO_LARGE = 'request body is larger than 1000 bytes; the limit is set by --max-body\n';

test('a body of exactly the limit is read', async (t) => {
  const { port } = await startTranslator(t, { maxBody: 1000 });
  const request = rawRequest('POST /protolator/encode/test.Echo', [], 'x'.repeat(1000));
  const [response] = await sendRequest(port, request);
  t.is(response?.status, 200);
  t.is(response?.body.length, 1000);
});

const chunk = (size: number): string => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

for (const [what, request] of Object.entries({
  'with a Content-Length': rawRequest('POST /protolator/encode/test.Echo', [], 'x'.repeat(1001)),
  'in a form': rawRequest(
    'POST /configtxlator/compute/update-from-configs',
    [`Content-Type: multipart/form-data; boundary=${BOUNDARY}`],
    writeForm([{ name: 'x', content: 'x'.repeat(1000) }]),
  ),
  'in chunks': `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk(600)}${chunk(600)}0\r\n\r\n`,
  'in chunks without an end': `${HEAD}Transfer-Encoding: chunked\r\n\r\nffffff\r\n${'x'.repeat(2001)}`,
  'by its Content-Length, before any of it is sent': `${HEAD}Content-Length: 2001\r\n\r\n`,
  'by its Content-Length, with 100-continue': `${HEAD}Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n`,
})) {
  test.serial(`a body that is too large ${what} is 413, and the connection closes`, async (t) => {
    // The service must not wait for the timeout of the body.
    stopTimeouts(t);
    const { port } = await startTranslator(t, { maxBody: 1000 });
    const { bytes, closed } = await exchangeRaw(port, request);
    t.true(closed);
    const responses = parseResponses(bytes);
    t.deepEqual(
      responses.map(({ status, body }) => [status, body]),
      [[413, TOO_LARGE]],
    );
    t.is(responses[0]?.headers.get('content-type'), 'text/plain');
    t.is(responses[0]?.headers.get('connection'), 'close');
  });
}

test('a client that reads only after it has sent a body above the limit receives the 413', async (t) => {
  const { port } = await startTranslator(t, { maxBody: 1_000_000 });
  const body = 'x'.repeat(1_900_000);
  const { bytes } = await exchangeRaw(port, (socket) => {
    socket.pause();
    socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`, () => socket.resume());
  });
  t.is(parseResponses(bytes)[0]?.status, 413);
});

test('a client that sends an endless body is disconnected while other clients are served', async (t) => {
  const { port } = await startTranslator(t, { maxBody: 20_000_000 });
  const endless = exchangeRaw(port, sendEndlessBody);
  for (let count = 0; count < 5; count += 1) {
    const [other] = await sendRequest(port, rawRequest('POST /protolator/encode/test.Echo', [], 'abc'));
    t.is(other?.body, 'abc');
    await scheduler.wait(10);
  }
  t.true((await endless).closed);
});

function sendEndlessBody(socket: Socket): void {
  const piece = Buffer.from(chunk(1024 * 1024));
  const send = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', send);
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
  send();
}

test('a body of 20 MB is translated', async (t) => {
  const { port } = await startTranslator(t);
  const body = Buffer.alloc(20 * 1024 * 1024, 'x');
  const request = rawRequest('POST /protolator/encode/test.Echo', [], body);
  const [response] = await sendRequest(port, request);
  t.is(response?.status, 200);
  t.is(response?.body.length, body.length);
});

for (const [what, request, status] of [
  ['a header above the limit', rawRequest('GET /healthz', [`X: ${'x'.repeat(70_000)}`]), 431],
  ['not HTTP', 'hello\r\n\r\n', 400],
  ['two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
  ['a length and chunks', `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a negative length', `${HEAD}Content-Length: -1\r\n\r\n`, 400],
  ['an unknown version', 'GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n', 400],
] as const) {
  test(`${what} is ${status}, and the service continues`, async (t) => {
    const { port } = await startTranslator(t);
    const { bytes, closed } = await exchangeRaw(port, request);
    t.true(closed);
    t.deepEqual(
      parseResponses(bytes).map((response) => response.status),
      [status],
    );
    const [next] = await sendRequest(port, rawRequest('GET /healthz'));
    t.is(next?.status, 200);
  });
}

for (const [what, size, status] of [
  ['65,400 bytes', 65_400, 200],
  ['65,530 bytes, with the other lines more than 64 KiB', 65_530, 431],
] as const)
  test(`a header with a value of ${what} is ${status}`, async (t) => {
    const { port } = await startTranslator(t);
    const [response] = await sendRequest(port, rawRequest('GET /healthz', [`X: ${'x'.repeat(size)}`]));
    t.is(response?.status, status);
  });

for (const [count, isRead] of [
  [200, true],
  [201, false],
] as const)
  test(`the header line ${count} of a request is ${isRead ? 'read' : 'ignored'}`, async (t) => {
    const { port } = await startTranslator(t, { origins: ['https://a'] });
    // Behind the lines for Host and Connection.
    const lines = Array.from({ length: count - 3 }, (_, index) => `X-${index}: x`);
    const [response] = await sendRequest(port, rawRequest('GET /healthz', [...lines, 'Origin: https://a']));
    t.is(response?.headers.has('access-control-allow-origin'), isRead);
  });

test('each of 512 processes keeps two connections, so that all keep 1024, and closes a further one at once', async (t) => {
  const { port } = await startTranslator(t, { workers: 512 });
  const open = async (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      t.teardown(() => socket.destroy());
      socket.on('error', () => undefined).once('close', () => resolve(false));
      socket.once('data', () => resolve(true)).write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
  t.deepEqual([await open(), await open(), await open()], [true, true, false]);
});

/** Begins a request with a body of 1000 bytes, and sends 900 of them once the service reads it. */
async function begin(
  port: number,
): Promise<{ readonly ended: Promise<RawResponse>; readonly socket: Socket }> {
  let started = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (started = resolve));
  let socket: Socket | undefined;
  const ended = exchangeRaw(port, (connection) => {
    socket = connection;
    connection.write(`${HEAD}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n`);
    connection.once('data', () => connection.write('x'.repeat(900), () => started()));
  });
  await isRead;
  return { ended, socket: socket! };
}

for (const [workers, clients, refused] of [
  [1, 2, 0],
  [1, 3, 1],
  [2, 2, 1],
] as const)
  test(`with ${workers} processes and limits of 1000 bytes, ${clients} clients that send 900 bytes each: ${refused} is refused`, async (t) => {
    const { port } = await startTranslator(t, { maxBody: 1000, maxOutput: 1000, workers });
    const begun: Awaited<ReturnType<typeof begin>>[] = [];
    for (let index = 0; index < clients; index += 1) begun.push(await begin(port));
    // The one without progress for the longest time.
    for (const { ended } of begun.slice(0, refused)) {
      const response = parseResponses((await ended).bytes).at(-1);
      t.is(response?.status, 503);
      t.is(response?.body, 'too many requests are in progress; try again later\n');
      t.is(response?.headers.get('connection'), 'close');
    }
    for (const { ended, socket } of begun.slice(refused)) {
      socket.write('x'.repeat(100));
      t.is(parseResponses((await ended).bytes).at(-1)?.status, 200);
    }
  });

test('the default limit of a body is 100 MiB', async (t) => {
  const { port } = await startTranslator(t);
  const [response] = await sendRequest(port, `${HEAD}Content-Length: 209715201\r\n\r\n`);
  t.is(response?.body, 'request body is larger than 104857600 bytes; the limit is set by --max-body\n');
});

test('a service cannot listen on a port in use', async (t) => {
  const { port } = await startTranslator(t);
  const other = await createTranslatorServer({
    operations: FAKES,
    thread: THREAD,
    build: { version: '1', commit: 'a' },
    origins: [],
    hosts: [],
    maxBody: 1,
    maxOutput: 1,
    tls: undefined,
    workers: 1,
  });
  await t.throwsAsync(other.listen('127.0.0.1', port), { code: 'EADDRINUSE' });
});
