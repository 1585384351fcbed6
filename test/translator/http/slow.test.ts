// Clients that take their time. These tests wait for the real limits, side by side.

import type { Socket } from 'node:net';
import test from 'ava';
import { ask, exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { FAKES, rawRequest, startTranslator } from '../../helpers/translator.js';

const WAIT = 30_000;
const HEAD = 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: x\r\n';

test('a client that sends nothing is cut', async (t) => {
  const { port } = await startTranslator(t);
  const { closed } = await exchangeRaw(port, () => undefined, WAIT);
  t.true(closed);
});

for (const [what, text] of Object.entries({
  'a header': 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: x\r\nX-A: ',
  'a request line': 'POST /proto',
})) {
  test(`${what} that drips is 408`, async (t) => {
    const { port } = await startTranslator(t);
    const { closed, bytes } = await exchangeRaw(port, (socket) => drip(socket, text), WAIT);
    t.true(closed);
    t.is(parseAnswers(bytes)[0]?.status, 408);
  });
}

for (const [what, text] of Object.entries({
  'a body': `${HEAD}Content-Length: 100\r\n\r\nhello`,
  'a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhe`,
  'a body that was asked for': `${HEAD}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
})) {
  test(`${what} that stalls is 408, and the connection ends`, async (t) => {
    const { port } = await startTranslator(t);
    const { closed, bytes } = await exchangeRaw(port, text, WAIT);
    t.true(closed);
    const answer = parseAnswers(bytes).at(-1);
    t.is(answer?.status, 408);
    t.is(answer?.body, 'no more of the request body came for 10 s\n');
    t.is(answer?.headers.get('connection'), 'close');
  });
}

test('a body that drips is waited for', async (t) => {
  const { port } = await startTranslator(t);
  const { bytes } = await exchangeRaw(
    port,
    (socket) => drip(socket, `${HEAD}Connection: close\r\nContent-Length: 25\r\n\r\n`, 25),
    WAIT,
  );
  t.is(parseAnswers(bytes)[0]?.status, 200);
});

test('a body that arrived while another request was translated is no slow one', async (t) => {
  const { port } = await startTranslator(t, {
    operations: {
      ...FAKES,
      decode: () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 11_000);
        return '{}\n';
      },
    },
  });
  const other = exchangeRaw(
    port,
    (socket) => {
      socket.write(`${HEAD}Connection: close\r\nContent-Length: 10\r\n\r\nhello`);
      // The rest is under way while the service is busy.
      setTimeout(() => {
        void ask(port, rawRequest('POST /protolator/decode/test.Echo'), { wait: WAIT });
        setTimeout(() => socket.write('world'), 100);
      }, 500);
    },
    WAIT,
  );
  t.is(parseAnswers((await other).bytes)[0]?.body, 'helloworld');
});

/** Writes a character now and then, for as long as the connection lives or until so many are written. */
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
