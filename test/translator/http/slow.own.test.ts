// Slow clients. These tests wait for the real timeouts, concurrently.

import type { Socket } from 'node:net';
import test from 'ava';
import { exchangeRaw, parseResponses, sendRequest } from '../../helpers/raw-http.js';
import { FAKES, rawRequest, startTranslator } from '../../helpers/translator.js';

const HEAD = 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: localhost\r\n';

test('a client that sends nothing is disconnected', async (t) => {
  const { port } = await startTranslator(t);
  const { closed } = await exchangeRaw(port, () => undefined);
  t.true(closed);
});

for (const [what, text] of Object.entries({
  'a header': 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: localhost\r\nX-A: ',
  'a request line': 'POST /proto',
})) {
  test(`${what} that arrives one character at a time is 408 after the timeout`, async (t) => {
    const { port } = await startTranslator(t);
    const { closed, bytes } = await exchangeRaw(port, (socket) => drip(socket, text));
    t.true(closed);
    t.is(parseResponses(bytes)[0]?.status, 408);
  });
}

for (const [what, text] of Object.entries({
  'a body': `${HEAD}Content-Length: 100\r\n\r\nhello`,
  'a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhe`,
  'a body after 100 Continue': `${HEAD}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
})) {
  test(`${what} that stalls is 408, and the connection closes`, async (t) => {
    const { port } = await startTranslator(t);
    const { closed, bytes } = await exchangeRaw(port, text);
    t.true(closed);
    const response = parseResponses(bytes).at(-1);
    t.is(response?.status, 408);
    t.is(response?.body, 'no request body data received for 10 s\n');
    t.is(response?.headers.get('connection'), 'close');
  });
}

test('a body that arrives slowly, without a stall, is read', async (t) => {
  const { port } = await startTranslator(t);
  const { bytes } = await exchangeRaw(port, (socket) =>
    drip(socket, `${HEAD}Connection: close\r\nContent-Length: 25\r\n\r\n`, 25),
  );
  t.is(parseResponses(bytes)[0]?.status, 200);
});

test('a body that arrives during a long translation of another request has not stalled', async (t) => {
  const { port } = await startTranslator(t, {
    operations: {
      ...FAKES,
      decode: () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 11_000);
        return [Buffer.from('{}\n')];
      },
    },
  });
  const other = exchangeRaw(port, (socket) => {
    socket.write(`${HEAD}Connection: close\r\nContent-Length: 10\r\n\r\nhello`);
    // The rest is sent while the service is busy.
    setTimeout(() => {
      void sendRequest(port, rawRequest('POST /protolator/decode/test.Echo'));
      setTimeout(() => socket.write('world'), 100);
    }, 500);
  });
  t.is(parseResponses((await other).bytes)[0]?.body, 'helloworld');
});

/** Writes a text, then one character every 500 ms, `count` times or until the connection closes. */
function drip(socket: Socket, text: string, count = Infinity): void {
  socket.write(text);
  let rest = count;
  const timer = setInterval(() => {
    socket.write('a');
    rest -= 1;
    if (rest === 0) clearInterval(timer);
  }, 500);
  socket.on('close', () => clearInterval(timer));
}
