// Decode and encode over HTTP: statuses, bodies and headers.

import test from 'ava';
import { TranslateError } from '../../../proto/index.js';
import { ask, exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { FAKES, rawRequest, startTranslator } from '../../helpers/translator.js';

const REFUSALS: readonly (readonly [string, string, number, string])[] = [
  ['decode/test.Nope', 'x', 404, 'message type not found: proto: not found\n'],
  ['encode/test.Nope', '{}', 404, 'message type not found: proto: not found\n'],
  ['decode/test.Echo', 'BAD_BYTES', 400, 'proto: cannot parse invalid wire-format data\n'],
  ['encode/test.Echo', 'BAD_JSON', 400, 'error unmarshaling intermediate JSON: EOF\n'],
  ['decode/test.Echo', 'BAD_FIELD', 400, '*test.Echo: wrong\n'],
  ['decode/test.Echo', 'crash', 500, 'internal error\n'],
  ['encode/test.Echo', 'crash', 500, 'internal error\n'],
];
for (const [path, body, status, text] of REFUSALS) {
  test(`${path} of ${body} is ${status}: ${text.trim()}`, async (t) => {
    const { port } = await startTranslator(t);
    const [answer] = await ask(port, rawRequest(`POST /protolator/${path}`, [], body));
    t.is(answer?.status, status);
    t.is(answer?.body, text);
    t.is(answer?.headers.get('content-type'), 'text/plain');
    t.is(answer?.headers.get('content-length'), String(text.length));
  });
}

test('an error is one line, whatever names the input has', async (t) => {
  const encode = (): never => {
    throw new TranslateError('BAD_FIELD', 'expected a\nb\u001b[2J to be an object');
  };
  const { port } = await startTranslator(t, { operations: { ...FAKES, encode } });
  const [answer] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [], '{}'));
  t.is(answer?.body, 'expected a\\nb\\u001b[2J to be an object\n');
});

test('a crash does not end the service', async (t) => {
  const { port } = await startTranslator(t);
  await ask(port, rawRequest('POST /protolator/decode/test.Echo', [], 'crash'));
  const [answer] = await ask(port, rawRequest('POST /protolator/decode/test.Echo', [], 'abc'));
  t.is(answer?.body, '{"type":"test.Echo","size":3}\n');
});

test('a decoded message is a JSON document with a length', async (t) => {
  const { port } = await startTranslator(t);
  const body = Buffer.from([0, 255, 10, 13]);
  const [answer] = await ask(port, rawRequest('POST /protolator/decode/test.Echo', [], body));
  t.is(answer?.status, 200);
  t.is(answer?.headers.get('content-type'), 'application/json');
  t.is(answer?.headers.get('content-length'), '30');
  t.false(answer?.headers.has('transfer-encoding'));
  t.is(answer?.body, '{"type":"test.Echo","size":4}\n');
});

for (const body of ['\u0001\u0002', 'printable text', '']) {
  test(`an encoded message of ${JSON.stringify(body)} is a stream of bytes with a length`, async (t) => {
    const { port } = await startTranslator(t);
    const [answer] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [], body));
    t.is(answer?.status, 200);
    t.is(answer?.headers.get('content-type'), 'application/octet-stream');
    t.is(answer?.headers.get('content-length'), String(body.length));
    t.is(answer?.body, body);
  });
}

for (const header of [
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: nonsense',
  'Accept: application/xml',
  'Content-Encoding: gzip',
]) {
  test(`the header ${header} makes no difference`, async (t) => {
    const { port } = await startTranslator(t);
    const [answer] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [header], 'abc'));
    t.is(answer?.status, 200);
    t.is(answer?.body, 'abc');
  });
}

const HEAD = 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: x\r\n';

test('chunked bodies are read', async (t) => {
  const { port } = await startTranslator(t);
  const chunks = '3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nTrailer: z\r\n\r\n';
  const [answer] = await ask(port, `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
  t.is(answer?.body, 'abcdefg');
});

test('a client that expects 100 Continue gets it before it sends its body', async (t) => {
  const { port } = await startTranslator(t);
  const { bytes } = await exchangeRaw(port, (socket) => {
    socket.write(`${HEAD}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
    socket.once('data', () => socket.write('abc'));
  });
  const answers = parseAnswers(bytes);
  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [100, ''],
      [200, 'abc'],
    ],
  );
});

test('a client that expects 100 Continue is not asked for a body that nobody wants', async (t) => {
  const { port } = await startTranslator(t);
  const request = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n';
  const { bytes, closed } = await exchangeRaw(port, request);
  t.true(closed);
  const answers = parseAnswers(bytes);
  t.deepEqual(
    answers.map(({ status }) => status),
    [404],
  );
  t.is(answers[0]?.headers.get('connection'), 'close');
});

test('another expectation is refused', async (t) => {
  const { port } = await startTranslator(t);
  const [answer] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', ['Expect: tea'], 'abc'));
  t.is(answer?.status, 417);
});

for (const version of ['HTTP/2.0', 'HTTP/3.0', 'HTTP/0.9']) {
  test(`${version} is refused`, async (t) => {
    const { port } = await startTranslator(t);
    const [answer] = await ask(port, `GET /version ${version}\r\nHost: x\r\n\r\n`);
    t.is(answer?.status, 505);
    t.regex(String(answer?.body), /^505 HTTP Version Not Supported/);
  });
}

test('requests of one connection are answered in order', async (t) => {
  const { port } = await startTranslator(t);
  const one = `${HEAD}Content-Length: 3\r\n\r\nabc`;
  const wrong = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nxyz';
  const last = `${HEAD}Connection: close\r\nContent-Length: 3\r\n\r\ndef`;
  const answers = await ask(port, one + wrong + last);
  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [200, 'abc'],
      [404, '404 page not found\n'],
      [200, 'def'],
    ],
  );
});

test('a client that has closed its side is still answered', async (t) => {
  const { port } = await startTranslator(t);
  const { bytes } = await exchangeRaw(port, (socket) => socket.end(`${HEAD}Content-Length: 3\r\n\r\nabc`));
  t.is(parseAnswers(bytes)[0]?.body, 'abc');
});

for (const [what, rest, text] of [
  ['shorter than its Content-Length', 'Content-Length: 10\r\n\r\nabc', 'unexpected EOF\n'],
  ['cut within a chunk', 'Transfer-Encoding: chunked\r\n\r\n5\r\nab', 'unexpected EOF\n'],
  ['with a broken chunk', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nab', '400 Bad Request\n'],
] as const) {
  test(`a body ${what} is 400: ${text.trim()}`, async (t) => {
    const { port } = await startTranslator(t);
    const { bytes, closed } = await exchangeRaw(port, (socket) => socket.end(`${HEAD}${rest}`));
    t.true(closed);
    const answers = parseAnswers(bytes);
    t.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      [[400, text]],
    );
    const [next] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [], 'abc'));
    t.is(next?.body, 'abc');
  });
}

test('a client that leaves in the middle of its body harms nobody', async (t) => {
  const { port } = await startTranslator(t);
  await exchangeRaw(
    port,
    (socket) => {
      socket.write(`${HEAD}Content-Length: 10\r\n\r\nabc`, () => socket.resetAndDestroy());
    },
    200,
  );
  const [next] = await ask(port, rawRequest('POST /protolator/encode/test.Echo', [], 'abc'));
  t.is(next?.body, 'abc');
});
