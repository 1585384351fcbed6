// Decode and encode over HTTP: statuses, bodies and headers.

import test from 'ava';
import { OPERATIONS } from '../../../translator/http/operations.js';
import { TranslateError } from '../../../proto/index.js';
import { exchangeRaw, parseResponses, sendRequest } from '../../helpers/raw-http.js';
import { FAKES, rawRequest, startTranslator } from '../../helpers/translator.js';

const ERRORS: readonly (readonly [string, string, number, string])[] = [
  ['decode/test.Nope', 'x', 404, 'message type not found: proto: not found\n'],
  ['encode/test.Nope', '{}', 404, 'message type not found: proto: not found\n'],
  ['decode/test.Echo', 'BAD_BYTES', 400, 'proto: cannot parse invalid wire-format data\n'],
  ['encode/test.Echo', 'BAD_JSON', 400, 'error unmarshaling intermediate JSON: EOF\n'],
  ['decode/test.Echo', 'BAD_FIELD', 400, '*test.Echo: wrong\n'],
  ['decode/test.Echo', 'crash', 500, 'internal error\n'],
  ['encode/test.Echo', 'crash', 500, 'internal error\n'],
];
for (const [path, body, status, text] of ERRORS) {
  test(`${path} of ${body} is ${status}: ${text.trim()}`, async (t) => {
    const { port } = await startTranslator(t);
    const [response] = await sendRequest(port, rawRequest(`POST /protolator/${path}`, [], body));
    t.is(response?.status, status);
    t.is(response?.body, text);
    t.is(response?.headers.get('content-type'), 'text/plain');
    t.is(response?.headers.get('content-length'), String(text.length));
  });
}

test('a body with more values than its size allows is 400, and the error explains the limit', async (t) => {
  const { port } = await startTranslator(t, { operations: OPERATIONS });
  const signatures = Buffer.alloc(600_000, '1200', 'hex');
  const request = rawRequest('POST /protolator/decode/common.ConfigUpdateEnvelope', [], signatures);
  const [response] = await sendRequest(port, request);
  t.is(response?.status, 400);
  t.is(response?.body, 'more than 118750 values; limits depend on --max-output and the size of the body\n');
});

test('an error is one line, also if a name in the input has control characters', async (t) => {
  const encode = (): never => {
    throw new TranslateError('BAD_FIELD', 'expected a\nb\u001b[2J to be an object');
  };
  const { port } = await startTranslator(t, { operations: { ...FAKES, encode } });
  const [response] = await sendRequest(port, rawRequest('POST /protolator/encode/test.Echo', [], '{}'));
  t.is(response?.body, 'expected a\\nb\\u001b[2J to be an object\n');
});

test('the service continues after an internal error', async (t) => {
  const { port } = await startTranslator(t);
  await sendRequest(port, rawRequest('POST /protolator/decode/test.Echo', [], 'crash'));
  const [response] = await sendRequest(port, rawRequest('POST /protolator/decode/test.Echo', [], 'abc'));
  t.is(response?.body, '{"type":"test.Echo","size":3}\n');
});

test('a decoded message is a JSON document with a Content-Length', async (t) => {
  const { port } = await startTranslator(t);
  const body = Buffer.from([0, 255, 10, 13]);
  const [response] = await sendRequest(port, rawRequest('POST /protolator/decode/test.Echo', [], body));
  t.is(response?.status, 200);
  t.is(response?.headers.get('content-type'), 'application/json');
  t.is(response?.headers.get('content-length'), '30');
  t.false(response?.headers.has('transfer-encoding'));
  t.is(response?.body, '{"type":"test.Echo","size":4}\n');
});

for (const body of ['\u0001\u0002', 'printable text', '']) {
  test(`an encoded message of ${JSON.stringify(body)} is an octet stream with a Content-Length`, async (t) => {
    const { port } = await startTranslator(t);
    const [response] = await sendRequest(port, rawRequest('POST /protolator/encode/test.Echo', [], body));
    t.is(response?.status, 200);
    t.is(response?.headers.get('content-type'), 'application/octet-stream');
    t.is(response?.headers.get('content-length'), String(body.length));
    t.is(response?.body, body);
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
  test(`the header ${header} is ignored`, async (t) => {
    const { port } = await startTranslator(t);
    const request = rawRequest('POST /protolator/encode/test.Echo', [header], 'abc');
    const [response] = await sendRequest(port, request);
    t.is(response?.status, 200);
    t.is(response?.body, 'abc');
  });
}

const HEAD = 'POST /protolator/encode/test.Echo HTTP/1.1\r\nHost: localhost\r\n';

test('chunked bodies are read', async (t) => {
  const { port } = await startTranslator(t);
  const chunks = '3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nTrailer: z\r\n\r\n';
  const request = `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
  const [response] = await sendRequest(port, request);
  t.is(response?.body, 'abcdefg');
});

test('a client that expects 100 Continue receives it before it sends its body', async (t) => {
  const { port } = await startTranslator(t);
  const { bytes } = await exchangeRaw(port, (socket) => {
    socket.write(`${HEAD}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
    socket.once('data', () => socket.write('abc'));
  });
  t.deepEqual(
    parseResponses(bytes).map(({ status, body }) => [status, body]),
    [
      [100, ''],
      [200, 'abc'],
    ],
  );
});

test('a client that expects 100 Continue does not receive it on an unknown path', async (t) => {
  const { port } = await startTranslator(t);
  const request =
    'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n';
  const { bytes, closed } = await exchangeRaw(port, request);
  t.true(closed);
  const responses = parseResponses(bytes);
  t.deepEqual(
    responses.map(({ status }) => status),
    [404],
  );
  t.is(responses[0]?.headers.get('connection'), 'close');
});

test('responses to pipelined requests are sent in order', async (t) => {
  const { port } = await startTranslator(t);
  const one = `${HEAD}Content-Length: 3\r\n\r\nabc`;
  const wrong = 'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nxyz';
  const last = `${HEAD}Connection: close\r\nContent-Length: 3\r\n\r\ndef`;
  const responses = await sendRequest(port, one + wrong + last);
  t.deepEqual(
    responses.map(({ status, body }) => [status, body]),
    [
      [200, 'abc'],
      [404, '404 page not found\n'],
      [200, 'def'],
    ],
  );
});

test('a client that closes its sending side after the request receives the response', async (t) => {
  const { port } = await startTranslator(t);
  const request = `${HEAD}Content-Length: 3\r\n\r\nabc`;
  const { bytes } = await exchangeRaw(port, (socket) => socket.end(request));
  t.is(parseResponses(bytes)[0]?.body, 'abc');
});

for (const [what, rest] of [
  ['shorter than its Content-Length', 'Content-Length: 10\r\n\r\nabc'],
  ['that ends within a chunk', 'Transfer-Encoding: chunked\r\n\r\n5\r\nab'],
  ['with a malformed chunk', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nab'],
] as const) {
  test(`a body ${what} is 400, and the service continues`, async (t) => {
    const { port } = await startTranslator(t);
    const { bytes, closed } = await exchangeRaw(port, (socket) => socket.end(`${HEAD}${rest}`));
    t.true(closed);
    t.deepEqual(
      parseResponses(bytes).map(({ status, body }) => [status, body]),
      [[400, '']],
    );
    const [next] = await sendRequest(port, rawRequest('POST /protolator/encode/test.Echo', [], 'abc'));
    t.is(next?.body, 'abc');
  });
}

test('a client that disconnects within its body does not affect other clients', async (t) => {
  const { port } = await startTranslator(t);
  await exchangeRaw(
    port,
    (socket) => {
      socket.write(`${HEAD}Content-Length: 10\r\n\r\nabc`, () => socket.resetAndDestroy());
    },
    200,
  );
  const [next] = await sendRequest(port, rawRequest('POST /protolator/encode/test.Echo', [], 'abc'));
  t.is(next?.body, 'abc');
});
