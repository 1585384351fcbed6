// Requests that Go's server, and therefore Fabric's configtxlator, treats in another way than Node's parser. The README has a table of the
// differences that remain.

import test from 'ava';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import { startTranslator } from '../../helpers/translator.js';

const POST = 'POST /protolator/encode/test.Echo';
const HOST = 'Host: localhost';
const LENGTH = 'Content-Length: 2';
const CHUNKED = 'Transfer-Encoding: chunked';
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';
const request = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;

/** What is sent, the status of Go's server, and the status here; undefined: the connection is closed without a response. */
const CASES: readonly (readonly [
  what: string,
  sent: string,
  go: number,
  status: number | undefined,
  body?: string,
])[] = [
  [
    'HTTP/2.0',
    request([`${POST} HTTP/2.0`, HOST, LENGTH], '{}'),
    505,
    505,
    'unsupported protocol version HTTP/2.0; HTTP/1.0 and HTTP/1.1 are supported\n',
  ],
  [
    'HTTP/0.9',
    request([`${POST} HTTP/0.9`, HOST, LENGTH], '{}'),
    505,
    505,
    'unsupported protocol version HTTP/0.9; HTTP/1.0 and HTTP/1.1 are supported\n',
  ],
  [
    'the coding gzip before chunked',
    request([`${POST} HTTP/1.1`, HOST, 'Transfer-Encoding: gzip, chunked'], CHUNKS),
    501,
    501,
    "Unsupported transfer encoding 'gzip, chunked'; only chunked is supported\n",
  ],
  [
    'the codings gzip and chunked in two lines',
    request([`${POST} HTTP/1.1`, HOST, 'Transfer-Encoding: gzip', CHUNKED], CHUNKS),
    501,
    501,
    "Unsupported transfer encoding 'gzip, chunked'; only chunked is supported\n",
  ],
  [
    'chunks in HTTP/1.0',
    request([`${POST} HTTP/1.0`, CHUNKED], CHUNKS),
    400,
    400,
    'a request of HTTP/1.0 has no Transfer-Encoding\n',
  ],
  ['chunks', request([`${POST} HTTP/1.1`, HOST, CHUNKED, 'Connection: close'], CHUNKS), 200, 200, '{}'],
  ['HTTP/1.0 and a length', request([`${POST} HTTP/1.0`, LENGTH], '{}'), 200, 200, '{}'],
  ['HTTP/1.0 and no body', request([`${POST} HTTP/1.0`]), 200, 200, ''],
  ['HTTP/1.2', request([`${POST} HTTP/1.2`, HOST, LENGTH], '{}'), 200, 400, ''],
  ['HTTP/3.0', request([`${POST} HTTP/3.0`, HOST, LENGTH], '{}'), 505, 400, ''],
  [
    'the coding gzip',
    request([`${POST} HTTP/1.1`, HOST, 'Transfer-Encoding: gzip'], '{}'),
    501,
    501,
    "Unsupported transfer encoding 'gzip'; only chunked is supported\n",
  ],
  [
    'a coding after chunked',
    request([`${POST} HTTP/1.1`, HOST, 'Transfer-Encoding: chunked, identity'], CHUNKS),
    501,
    400,
    '',
  ],
  ['two equal lengths', request([`${POST} HTTP/1.1`, HOST, LENGTH, LENGTH], '{}'), 200, 400, ''],
  ['a length and chunks', request([`${POST} HTTP/1.1`, HOST, LENGTH, CHUNKED], CHUNKS), 200, 400, ''],
  ['lines that end with LF only', `${POST} HTTP/1.1\n${HOST}\n${LENGTH}\n\n{}`, 200, 400, ''],
  ['a folded header', request([`${POST} HTTP/1.1`, HOST, 'X: a', ' b', LENGTH], '{}'), 200, 400, ''],
  ['an unknown method', request([`FOO /healthz HTTP/1.1`, HOST]), 405, 400, ''],
  ['the method CONNECT', request(['CONNECT localhost:80 HTTP/1.1', 'Host: localhost:80']), 301, undefined],
  [
    'an empty line before it',
    `\r\n${request([`${POST} HTTP/1.1`, HOST, LENGTH, 'Connection: close'], '{}')}`,
    400,
    200,
    '{}',
  ],
];

for (const [what, sent, go, status, body] of CASES)
  test(`a request with ${what} receives ${status ?? 'no response'}${go === status ? '' : `, not ${go} as from Go's server`}, and the connection is closed`, async (t) => {
    const { port } = await startTranslator(t);
    const { closed, bytes } = await exchangeRaw(port, sent);
    t.true(closed);
    t.deepEqual(
      parseResponses(bytes).map((response) => [response.status, response.body]),
      status === undefined ? [] : [[status, body]],
    );
  });

test('HTTP/1.0 and a body without a length receives 400, or 200 without the body from an older Node.js, and the connection is closed', async (t) => {
  const { port } = await startTranslator(t);
  const { closed, bytes } = await exchangeRaw(port, request([`${POST} HTTP/1.0`], '{}'));
  t.true(closed);
  const [response, ...others] = parseResponses(bytes);
  t.true([200, 400].includes(response?.status ?? 0), `${response?.status}`);
  t.deepEqual([response?.body, others], ['', []]);
});
