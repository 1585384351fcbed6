// Responses: of handlers that fail, with the id of their requests, and in the log.

import test from 'ava';
import { AgentError, type ErrorCode } from '../../../core/contract/errors.js';
import type { Handler, Reply } from '../../../core/http/index.js';
import { sendRequest, exchangeRaw, parseResponses, type ParsedResponse } from '../../helpers/raw-http.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { MAX_REQUEST_ID_LENGTH, MAX_LOGGED_TARGET } from '../../../core/http/limits.js';

const GET = 'GET /bad HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const INTERNAL = '{"error":"internal error"}\n';

const FAILURES: Readonly<Record<string, Handler>> = {
  'rejects with an error': () => Promise.reject(new Error('secret /etc/passwd')),
  'throws at once': () => {
    throw new Error('secret');
  },
  'rejects with a string': () => Promise.reject('secret'),
  'rejects with undefined': () => Promise.reject(undefined),
  'rejects with an object whose message throws': () =>
    Promise.reject(
      Object.create(null, {
        message: {
          get: () => {
            throw new Error('no');
          },
        },
      }) as never,
    ),
  'returns undefined': () => Promise.resolve(undefined as never),
  'returns an invalid status': () => Promise.resolve({ status: 1000 }),
  'returns an interim status': () => Promise.resolve({ status: 101 }),
  'returns the status 199': () => Promise.resolve({ status: 199 }),
  'returns the status 600': () => Promise.resolve({ status: 600 }),
  'returns a status that is not a number': () => Promise.resolve({ status: 'x' as never }),
  'returns a header with a line break': () =>
    Promise.resolve({ status: 200, headers: { 'X-Bad': 'a\r\nX-Evil: yes' } }),
  'returns an invalid header name': () => Promise.resolve({ status: 200, headers: { 'a b': 'x' } }),
  'returns a body that is a number': () => Promise.resolve({ status: 200, body: 5 } as unknown as Reply),
};

for (const [what, handler] of Object.entries(FAILURES)) {
  test(`a handler that ${what} results in a 500 without details and one log line`, async (t) => {
    const { port, logged } = await startServer(t, [OK_ROUTE, { path: '/bad', handlers: { GET: handler } }]);
    const [response] = await sendRequest(port, GET);
    t.is(response?.status, 500);
    t.is(response?.body, INTERNAL);
    t.is(response?.headers.get('content-type'), 'application/json');
    t.truthy(response?.headers.get('x-request-id'));
    t.is(response?.headers.get('x-evil'), undefined);
    t.is(logged.length, 1);
    t.is(logged[0]?.level, 'error');
    t.regex(logged[0]?.message ?? '', /^GET \/bad failed: ./);
    t.is((await sendRequest(port, GET.replace('/bad', '/ok')))[0]?.status, 200);
  });
}

// The status says whether the client or a node is the cause; a client that sent an incomplete body loses its connection.
for (const [code, status] of [
  ['BODY_INVALID', 400],
  ['LOG_SPEC_INVALID', 400],
  ['QUERY_INVALID', 400],
  ['NODE_UNKNOWN', 404],
  ['SILENCE_UNKNOWN', 404],
  ['BODY_TIMED_OUT', 408],
  ['SILENCES_FULL', 409],
  ['BODY_TOO_LARGE', 413],
  ['NODE_UNREACHABLE', 502],
  ['NODE_REFUSED', 502],
  ['NODE_RESPONSE_INVALID', 502],
  ['NODE_BUSY', 503],
] as const satisfies readonly (readonly [ErrorCode, number])[])
  test(`a handler that throws ${code} results in ${status} with the reason, and is not logged`, async (t) => {
    const GETS = { GET: () => Promise.reject(new AgentError(code, 'why 100% <b>')) };
    const { port, logged } = await startServer(t, [{ path: '/bad', handlers: GETS }]);
    const { bytes, closed } = await exchangeRaw(
      port,
      'GET /bad HTTP/1.1\r\nHost: localhost\r\n\r\nGET /no HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    const [response, ...others] = parseResponses(bytes);
    t.deepEqual([response?.status, response?.body], [status, '{"error":"why 100% \\u003cb\\u003e"}\n']);
    t.is(response?.headers.get('connection'), status === 408 ? 'close' : 'keep-alive');
    t.deepEqual([others.length, closed], [status === 408 ? 0 : 1, true]);
    t.deepEqual(logged, []);
  });

test('the highest status that a handler can return is 599', async (t) => {
  const { port } = await startServer(t, [{ path: '/bad', handlers: { GET: async () => ({ status: 599 }) } }]);
  t.is((await sendRequest(port, GET))[0]?.status, 599);
});

test('the log has the message of the error', async (t) => {
  const GETS = { GET: () => Promise.reject(new Error('the disk is full')) };
  const { port, logged } = await startServer(t, [{ path: '/bad', handlers: GETS }]);
  await sendRequest(port, GET);
  t.is(logged[0]?.message, 'GET /bad failed: the disk is full');
});

test('binary and empty bodies are sent unchanged', async (t) => {
  const routes = [
    { path: '/bytes', handlers: { GET: async () => ({ status: 200, body: Buffer.from([0, 255, 10]) }) } },
    { path: '/empty', handlers: { GET: async () => ({ status: 200 }) } },
  ];
  const { port } = await startServer(t, routes);
  const [bytes] = await sendRequest(port, GET.replace('/bad', '/bytes'));
  t.is(bytes?.headers.get('content-length'), '3');
  const [empty] = await sendRequest(port, GET.replace('/bad', '/empty'));
  t.is(empty?.headers.get('content-length'), '0');
  t.is(empty?.body, '');
});

test('a handler cannot set the headers of the server', async (t) => {
  const headers = {
    'content-length': '3',
    'transfer-encoding': 'chunked',
    'x-request-id': 'other',
    DATE: 'never',
    'X-Own': 'kept',
  };
  const GETS = { GET: async () => ({ status: 200, headers, body: 'hello' }) };
  const { port } = await startServer(t, [{ path: '/bad', handlers: GETS }]);
  const [response, ...others] = await sendRequest(
    port,
    GET.replace('Host: localhost', 'Host: localhost\r\nX-Request-Id: mine'),
  );
  t.deepEqual(others, []);
  t.is(response?.body, 'hello');
  t.is(response?.headers.get('content-length'), '5');
  t.is(response?.headers.get('transfer-encoding'), undefined);
  t.is(response?.headers.get('x-request-id'), 'mine');
  t.is(response?.headers.get('x-own'), 'kept');
  t.not(response?.headers.get('date'), 'never');
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function sendWith(port: number, headers: string, path = '/ok'): Promise<ParsedResponse | undefined> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
  return parseResponses((await exchangeRaw(port, Buffer.from(request, 'latin1'))).bytes)[0];
}

const ECHOED: Readonly<Record<string, readonly [string, string]>> = {
  'an id': ['X-Request-Id: abc-123\r\n', 'abc-123'],
  'an id in a header with a name in other case': ['x-REQUEST-id: abc\r\n', 'abc'],
  'an id with whitespace around it': ['X-Request-Id: \t sp aced \t \r\n', 'sp aced'],
  'the first of two ids': ['X-Request-Id: first\r\nX-Request-Id: second\r\n', 'first'],
  'an id with a comma': ['X-Request-Id: a, b\r\n', 'a, b'],
  'an id that is not ASCII': ['X-Request-Id: \xe9\xff\x80\r\n', '\xe9\xff\x80'],
  'an id in UTF-8': ['X-Request-Id: \xc3\xa9\r\n', '\xc3\xa9'],
  'an id with HTML': ['X-Request-Id: <script>"&\r\n', '<script>"&'],
  'an id with a tab': ['X-Request-Id: a\tb\r\n', 'a\tb'],
  'the start of a long id': [`X-Request-Id: ${'a'.repeat(10_000)}\r\n`, 'a'.repeat(MAX_REQUEST_ID_LENGTH)],
};

for (const [what, [headers, id]] of Object.entries(ECHOED)) {
  test(`${what} is echoed`, async (t) => {
    const { port } = await startServer(t);
    const response = await sendWith(port, headers);
    t.is(response?.status, 200);
    t.is(response?.headers.get('x-request-id'), id);
    t.is(response?.body, '{"ok":true}');
  });
}

for (const [what, headers] of Object.entries({
  'no id': '',
  'an empty id': 'X-Request-Id:\r\n',
  'an id of spaces': 'X-Request-Id:   \r\n',
  'two ids of which the first is empty': 'X-Request-Id:\r\nX-Request-Id: second\r\n',
})) {
  test(`a request with ${what} gets a new id each time`, async (t) => {
    const { port } = await startServer(t);
    const ids = [await sendWith(port, headers), await sendWith(port, headers)].map(
      (response) => response?.headers.get('x-request-id') ?? '',
    );
    for (const id of ids) t.regex(id, UUID);
    t.not(ids[0], ids[1]);
  });
}

for (const [what, path, status] of [
  ['an unknown path', '/nope', 404],
  ['an open path', '/ok', 200],
  ['a target that is not a path', 'ftp://x/ok', 400],
] as const) {
  test(`the response to ${what} has the id`, async (t) => {
    const { port } = await startServer(t);
    const response = await sendWith(port, 'X-Request-Id: abc\r\n', path);
    t.is(response?.status, status);
    t.is(response?.headers.get('x-request-id'), 'abc');
  });
}

test('a request whose id has a control character is refused', async (t) => {
  const { port } = await startServer(t);
  for (const id of ['a\0b', 'a\x01b', 'a\x7fb', 'a\rb']) {
    const response = await sendWith(port, `X-Request-Id: ${id}\r\n`);
    t.is(response?.status, 400, JSON.stringify(id));
  }
});

const request = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Request-Id: abc\r\n\r\n`;

test('at level debug each response is logged with status, duration, client and request id', async (t) => {
  const { port, logged, activate } = await startServer(t);
  activate('operations=debug');

  for (const target of ['/ok', `/${'x'.repeat(1000)}`]) await sendRequest(port, request(target));

  t.deepEqual(
    logged.map(({ level, message }) => `${level}: ${message.replace(/\d+\.\dms$/, '…')}`),
    ['debug: GET /ok: 200 in …', `debug: GET /${'x'.repeat(MAX_LOGGED_TARGET - 1)}: 404 in …`],
  );
  for (const { fields } of logged) {
    t.is(fields?.['requestId'], 'abc');
    t.regex(String(fields?.['client']), /^127\.0\.0\.1:\d+$/);
  }
});

test('at level info responses are not logged', async (t) => {
  const { port, logged } = await startServer(t);
  await sendRequest(port, request('/ok'));
  t.deepEqual(logged, []);
});
