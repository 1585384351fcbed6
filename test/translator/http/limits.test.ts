// Requests that are too large.

import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { DEFAULT_MAX_BODY } from '../../../translator/http/index.js';
import { ask, exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { BOUNDARY, rawRequest, startTranslator, writeForm } from '../../helpers/translator.js';

const HEAD = 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: x\r\n';
const TOO_LARGE = 'request body is larger than 1000 bytes; the limit is set by --max-body\n';

test('a body of exactly the limit is read', async (t) => {
  const { port } = await startTranslator(t, { maxBody: 1000 });
  const [answer] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [], 'x'.repeat(1000)));
  t.is(answer?.status, 200);
  t.is(answer?.body.length, 1000);
});

for (const [what, request] of Object.entries({
  'by its Content-Length': rawRequest('POST /protolator/encode/test.Echo', [], 'x'.repeat(1001)),
  'in a form': rawRequest(
    'POST /configtxlator/compute/update-from-configs',
    [`Content-Type: multipart/form-data; boundary=${BOUNDARY}`],
    writeForm([{ name: 'x', content: 'x'.repeat(1000) }]),
  ),
  'in chunks': `${HEAD}Transfer-Encoding: chunked\r\n\r\n258\r\n${'x'.repeat(600)}\r\n258\r\n${'x'.repeat(600)}\r\n0\r\n\r\n`,
  'in chunks without an end': `${HEAD}Transfer-Encoding: chunked\r\n\r\nffffff\r\n${'x'.repeat(2000)}`,
  'before it is sent': `${HEAD}Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n`,
})) {
  test(`a body that is too large ${what} is 413, and the connection ends`, async (t) => {
    const { port } = await startTranslator(t, { maxBody: 1000 });
    const { bytes, closed } = await exchangeRaw(port, request);
    t.true(closed);
    const answers = parseAnswers(bytes);
    t.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      [[413, TOO_LARGE]],
    );
    t.is(answers[0]?.headers.get('content-type'), 'text/plain');
    t.is(answers[0]?.headers.get('connection'), 'close');
  });
}

test('a client that goes on sending sees why it is refused, while others are served', async (t) => {
  const { port } = await startTranslator(t);
  const large = exchangeRaw(port, (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const piece = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(1024 * 1024, 'x'),
      Buffer.from('\r\n'),
    ]);
    const send = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', send);
    send();
  });
  for (let count = 0; count < 5; count += 1) {
    const [other] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [], 'abc'));
    t.is(other?.body, 'abc');
    await pause(10);
  }
  const { text } = await large;
  t.true(text.startsWith('HTTP/1.1 413 Payload Too Large\r\n'), text);
  t.true(text.includes(`request body is larger than ${DEFAULT_MAX_BODY} bytes`));
});

test('a client that is refused may send for a while longer without being reset', async (t) => {
  const { port } = await startTranslator(t, { maxBody: 1000 });
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  let text = '';
  const errors: Error[] = [];
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', (error) => errors.push(error));
  socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
  for (let sent = 0; sent < 10; sent += 1) {
    socket.write('x'.repeat(10_000));
    await pause(50);
  }
  t.true(text.endsWith(TOO_LARGE), text);
  t.deepEqual(errors, []);
});

test('20 MB go both ways', async (t) => {
  const { port } = await startTranslator(t);
  const body = Buffer.alloc(20 * 1024 * 1024, 'x');
  const [answer] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [], body), {
    wait: 30_000,
  });
  t.is(answer?.status, 200);
  t.is(answer?.body.length, body.length);
});

test('a header that is too large is 431', async (t) => {
  const { port } = await startTranslator(t);
  const { bytes, closed } = await exchangeRaw(port, rawRequest('GET /healthz', [`X: ${'x'.repeat(70_000)}`]));
  t.true(closed);
  t.is(parseAnswers(bytes)[0]?.status, 431);
});

for (const [what, request, status] of [
  ['garbage', 'hello\r\n\r\n', 400],
  ['two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
  ['a length and chunks', `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a negative length', `${HEAD}Content-Length: -1\r\n\r\n`, 400],
  ['a line that ends in a line feed alone', 'GET /healthz HTTP/1.1\nHost: x\n\n', 400],
  ['another version', 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n', 505],
] as const) {
  test(`${what} is ${status}, and the service lives on`, async (t) => {
    const { port } = await startTranslator(t);
    const { bytes, closed } = await exchangeRaw(port, request);
    t.true(closed);
    t.deepEqual(
      parseAnswers(bytes).map((answer) => answer.status),
      [status],
    );
    const [next] = await ask(port, rawRequest('GET /healthz'));
    t.is(next?.status, 200);
  });
}
